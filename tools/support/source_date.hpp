// The date of what we write. Not the clock's: the same scene gives the same bytes.
#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace delassus {

// SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch): seconds since 1970. Throws
// CommandError where it is set to something else.
std::optional<std::time_t> source_date_epoch();

// YYYY-MM-DDThh:mm:ssZ of SOURCE_DATE_EPOCH, else 2000-01-01T00:00:00Z: a description needs some date, and a
// fixed one says plainly that it is not the real one.
std::string generation_date();

}  // namespace delassus
