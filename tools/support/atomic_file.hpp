// Files written whole or not at all: a reader sees the old content or the new, never a part, and a full disk
// leaves the old.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "model/scene/user_error.hpp"

namespace delassus {

// What() reads `cannot write results.csv: No space left on device`.
class FileError : public UserError {
 public:
  using UserError::UserError;
};

// Results that were to go to standard output, or /dev/stderr, did not get there.
class LostOutput : public FileError {
 public:
  using FileError::FileError;
};

// The reader of a pipe has gone away: nothing is left to write to.
class ClosedPipe : public LostOutput {
 public:
  using LostOutput::LostOutput;
};

// Nothing is wrong with the request: the disk is full or fails, or files may not be so large (quota, ulimit).
class StorageError : public FileError {
 public:
  using FileError::FileError;
};

// Writes to a temporary in the same folder, which has no name where the file system can do that, then puts it in the place of `file`; a symbolic link keeps pointing where
// it did and the file it names is replaced. `-`, /dev/stdout and whatever is not a regular file take the
// bytes straight through, since there is nothing to rename. Throws FileError.
void write_file(std::filesystem::path const& file, std::string_view bytes);

// Waits until no file is being written, at most so long, and leaves no temporary: for a program that ends without
// unwinding.
void wait_for_written_files(std::chrono::milliseconds longest);

void write_standard_output(std::string_view bytes);

// Each of them, also where one before fails: a full disk costs no plot that goes elsewhere. Then throws what the first
// failure was.
void write_each(std::initializer_list<std::function<void()>> writers);

// All of it, whatever signals come; false where that failed, with its reason in errno.
bool write_all(int descriptor, std::string_view bytes);

// Throws FileError, also where the file is larger than `limit` bytes.
std::string read_file(std::filesystem::path const& file, std::size_t limit = std::size_t{1} << 30);

}  // namespace delassus
