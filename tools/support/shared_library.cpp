#include "tools/support/shared_library.hpp"

#include <dlfcn.h>

#include <string>

namespace delassus {

// RTLD_NOW: a missing symbol is found here and not in the middle of a run. RTLD_LOCAL: two FMUs do not see
// each other.
SharedLibrary::SharedLibrary(std::filesystem::path const& file)
    : handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    char const* const reason = ::dlerror();
    throw LibraryError(std::string("the shared library does not load: ") +
                       (reason != nullptr ? reason : "no reason given"));
  }
}

SharedLibrary::~SharedLibrary() {
  ::dlclose(handle_);
}

void* SharedLibrary::find(char const* symbol) const {
  return ::dlsym(handle_, symbol);
}

}  // namespace delassus
