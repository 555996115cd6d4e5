// libFuzzer's programs write their seeds with --write-seeds=FOLDER.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view option = "--write-seeds=";
  for (int i = 1; i < *count; ++i) {
    std::string_view const argument = (*arguments)[i];
    if (!argument.starts_with(option)) continue;
    std::filesystem::path const folder = argument.substr(option.size());
    std::filesystem::create_directories(folder);
    for (auto const& [name, bytes] : delassus::fuzz::seeds())
      std::ofstream(folder / name, std::ios::binary) << bytes;
    std::exit(0);
  }
  return 0;
}
