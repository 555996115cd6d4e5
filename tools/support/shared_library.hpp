// A shared library loaded into this process.
#pragma once

#include <filesystem>
#include <stdexcept>

namespace delassus {

class LibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws LibraryError for a library whose end is missing, which the loader would only find by crashing.
void require_whole_library(std::filesystem::path const& file);

class SharedLibrary {
 public:
  explicit SharedLibrary(std::filesystem::path const& file);  // throws LibraryError with the loader's words
  ~SharedLibrary();
  SharedLibrary(SharedLibrary const&) = delete;
  SharedLibrary& operator=(SharedLibrary const&) = delete;

  void* find(char const* symbol) const;  // null where it is not exported

  template <typename Function>
  void bind(Function& function, char const* symbol) const {
    function = reinterpret_cast<Function>(find(symbol));
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace delassus
