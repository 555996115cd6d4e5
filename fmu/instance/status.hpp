// The status of an FMI call, for both versions.
#pragma once

namespace delassus {

enum class Status { ok, warning, discard, error, fatal };

}  // namespace delassus
