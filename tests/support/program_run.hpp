// Runs the program as a script does: arguments in, exit code, output, messages and files out.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tools/support/atomic_file.hpp"
#include "tools/support/temporary_folder.hpp"

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

namespace delassus::test {

struct Outcome {
  int code = -1;
  std::string output, errors;
};

// What a check says of FMUs of ours, and its exit code. A sanitizer brings its own libraries, which are a finding.
#ifdef DELASSUS_SANITIZED
inline constexpr char checked[] = "1 finding (0 errors, 1 warning)",
                      checked_as_json[] = "binary-dependencies";
inline constexpr int checked_code = 1;
#else
inline constexpr char checked[] = "no findings", checked_as_json[] = "\"findings\": []";
inline constexpr int checked_code = 0;
#endif

class Program : public testing::Test {
 protected:
  // `arguments` as in a shell, run in a folder of its own.
  Outcome run(std::string const& arguments) const {
    std::string const command = "cd '" + folder_.path().string() + "' && '" DELASSUS_PROGRAM "' " +
                                arguments + " >stdout.txt 2>stderr.txt";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_.path() / "stdout.txt"),
            read_file(folder_.path() / "stderr.txt")};
  }
  std::filesystem::path path(std::string const& name) const { return folder_.path() / name; }
  bool exists(std::string const& name) const { return std::filesystem::exists(path(name)); }
  void write(std::string const& name, std::string const& text) const { write_file(path(name), text); }

  TemporaryFolder folder_;
};

}  // namespace delassus::test
