// What a shell command prints.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace delassus::test {

inline std::string output_of(std::string const& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (std::size_t const count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), count);
  return text;
}

}  // namespace delassus::test
