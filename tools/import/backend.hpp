// What loads an FMU and passes calls on to it: this program, or FMI Library where this program was built with it.
#pragma once

namespace delassus {

enum class ImportBackend { own, fmil };

}  // namespace delassus
