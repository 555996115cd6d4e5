// Runs a fuzz target without libFuzzer, in any build: its seeds, the files of folders, and a number of changes of each. The
// same bytes in every run: what is found once is found again.
//
//   fuzz_scene [--changes N] [FOLDER or FILE]...
//
// An input that crashes or hangs is left in the file finding-TARGET of the working folder.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"

// Only some targets have one.
#pragma weak LLVMFuzzerCustomMutator

namespace {

namespace fs = std::filesystem;

// s of the clock for one input, which takes milliseconds where nothing else runs: what takes longer hangs.
constexpr unsigned longest_input = 120;

std::mt19937_64 randomness;
std::size_t below(std::size_t limit) {
  return static_cast<std::size_t>(randomness() % limit);
}

// For the handler of signals, which may not allocate.
struct Present {
  std::string name, file;
  std::vector<std::uint8_t> bytes;
} present;

void print(char const* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void keep_present() {
  int const file = ::open(present.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ::write(file, present.bytes.data(), present.bytes.size()) < 0) print("not written: ");
  ::close(file);
  print("finding in ");
  print(present.name.c_str());
  print(", the input is in ");
  print(present.file.c_str());
  print("\n");
}

void on_signal(int number) {
  std::signal(number, SIG_DFL);
  keep_present();
  std::raise(number);
}

void run(std::string const& name, std::vector<std::uint8_t> bytes) {
  present.name = name;
  present.bytes = std::move(bytes);
  // A copy on the heap of exactly this size: a sanitizer sees what reads beyond it.
  std::vector<std::uint8_t> const input(present.bytes);
  ::alarm(longest_input);
  try {
    LLVMFuzzerTestOneInput(input.data(), input.size());
  } catch (std::exception const& error) {
    print("not caught: ");
    print(error.what());
    print("\n");
    std::abort();
  }
}

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> bytes) {
  std::size_t const size = bytes.size(), most = size + size / 4 + 64;
  bytes.resize(most);
  std::size_t const now =
      LLVMFuzzerCustomMutator
          ? LLVMFuzzerCustomMutator(bytes.data(), size, most, static_cast<unsigned>(randomness()))
          : LLVMFuzzerMutate(bytes.data(), size, most);
  bytes.resize(now);
  return bytes;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) {
  std::vector<std::uint8_t> bytes(data, data + size);
  for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
    auto const at = [&] { return bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1)); };
    auto const place = at();
    auto const left = static_cast<std::size_t>(bytes.end() - place);
    auto const stretch = static_cast<std::ptrdiff_t>(std::min(left, 1 + below(16)));
    switch (below(5)) {
      case 0:
        if (left > 0) *place = static_cast<std::uint8_t>(*place ^ (1U << below(8)));
        break;
      case 1:
        if (left > 0) *place = static_cast<std::uint8_t>(below(256));
        break;
      case 2:
        bytes.erase(place, place + stretch);
        break;
      case 3: {
        std::vector<std::uint8_t> const copy(place, place + stretch);
        bytes.insert(at(), copy.begin(), copy.end());
        break;
      }
      default:
        bytes.insert(place, static_cast<std::uint8_t>(below(256)));
    }
  }
  bytes.resize(std::min(bytes.size(), most));
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

int main(int count, char** arguments) {
  std::size_t changes = 0;
  std::vector<fs::path> places;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--changes" && i + 1 < count) {
      changes = std::strtoul(arguments[++i], nullptr, 10);
    } else {
      places.emplace_back(arguments[i]);
    }
  }
  present.file = "finding-" + fs::path(arguments[0]).filename().string();
  for (int const number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM, SIGTERM})
    std::signal(number, on_signal);

  delassus::fuzz::Seeds inputs = delassus::fuzz::seeds();
  std::size_t const own = inputs.size();
  for (fs::path const& place : places) {
    std::vector<fs::path> files{place};
    if (fs::is_directory(place)) {
      files.assign(fs::directory_iterator(place), {});
    } else if (!fs::exists(place)) {
      std::fprintf(stderr, "there is no %s\n", place.c_str());
      return 2;
    }
    for (fs::path const& file : files) {
      std::ifstream stream(file, std::ios::binary);
      inputs["file " + file.filename().string()] = {std::istreambuf_iterator<char>(stream), {}};
    }
  }
  for (auto const& [name, bytes] : inputs) {
    std::vector<std::uint8_t> const input(bytes.begin(), bytes.end());
    run(name, input);
    randomness.seed(1);
    for (std::size_t k = 1; k <= changes; ++k) run(name + ", change " + std::to_string(k), changed(input));
  }
  std::printf("%zu seeds, %zu files, %zu changes of each: no finding\n", own, inputs.size() - own, changes);
  return 0;
}
