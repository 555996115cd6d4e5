#include "tools/support/shared_library.hpp"

#include <dlfcn.h>

#include <string>

#include "tools/support/elf_extent.hpp"

namespace delassus {

void require_whole_library(std::filesystem::path const& file) {
  auto const missing = missing_of_elf(file);
  if (missing.empty()) return;
  throw LibraryError("the shared library " + file.filename().string() + " does not load: " + missing +
                     "; get or pack the FMU anew");
}

// RTLD_NOW: a missing symbol is found here and not in the middle of a run. RTLD_LOCAL: two FMUs do not see
// each other.
SharedLibrary::SharedLibrary(std::filesystem::path const& file) {
  require_whole_library(file);
  handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
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
