// How a call of FMI ended, in the words that both versions share.
#pragma once

namespace delassus {

enum class Status { ok, warning, discard, error, fatal };

}  // namespace delassus
