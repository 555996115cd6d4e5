// A system of coupled FMUs as what a sweep runs: signals are plant.<name>, parameters and inputs of the system itself by
// their own names.
#pragma once

#include <memory>

#include "tools/sweep/subject.hpp"

namespace delassus {

std::unique_ptr<SweepSubject> make_system_subject(SubjectRequest const& request);

}  // namespace delassus
