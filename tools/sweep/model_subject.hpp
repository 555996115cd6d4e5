// A scene or an FMU as what a sweep runs.
#pragma once

#include <memory>

#include "tools/sweep/subject.hpp"

namespace delassus {

std::unique_ptr<SweepSubject> make_model_subject(SubjectRequest const& request);

}  // namespace delassus
