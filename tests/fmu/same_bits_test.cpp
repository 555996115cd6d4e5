// The same bits on every processor: every example beside stored hashes, as this process computes it and as one does whose
// C library believes that the processor has neither AVX2 nor FMA. platform_binary_test compares Windows and ARM with
// the same hashes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fmu/instance/slave.hpp"
#include "tests/support/bits/example_bits.hpp"
#include "tests/support/command_output.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

// Names of these features differ between versions of glibc; it ignores those that it does not know.
constexpr char plain_processor[] =
    "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX,-AVX2_Usable,-FMA_Usable,-AVX_Usable";

std::string bits_of(std::string const& name) {
  std::shared_ptr<const Model> const model = test::example_of_library(name);
  VariableTable const& table = model->table();
  std::vector<std::uint32_t> references;
  for (Variable const& variable : table.variables()) {
    if (variable.causality != Causality::output || variable.type != VariableType::real) continue;
    for (int i = 0; i < variable.size; ++i)
      references.push_back(variable.value_reference + static_cast<std::uint32_t>(i));
  }
  std::unique_ptr<Slave> const slave = make_slave(model, {}, {});
  slave->setup_experiment(0, {}, {});
  slave->enter_initialization();
  slave->exit_initialization();
  double const step = test::example_step(table);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i <= test::example_steps(table); ++i) {
    if (i > 0) slave->do_step((i - 1) * step, step);
    rows.emplace_back(references.size());
    slave->get(VariableType::real, false, references, rows.back());
  }
  return test::hash_of(rows);
}

class ExampleBits : public testing::TestWithParam<std::string> {};

TEST_P(ExampleBits, AreThoseOfEveryProcessor) {
  std::map<std::string, std::string> const expected = test::example_bits();
  std::string const bits = bits_of(GetParam());
  auto const found = expected.find(GetParam());
  ASSERT_NE(found, expected.end()) << "add the line `" << GetParam() << " " << bits
                                   << "` to example_bits.txt";
  EXPECT_EQ(bits, found->second) << "results have changed: see tests/support/bits/example_bits.hpp";
}

INSTANTIATE_TEST_SUITE_P(Library, ExampleBits, testing::ValuesIn(test::example_names()),
                         [](auto const& info) { return info.param; });

TEST(SameBits, AreComputedWhereTheProcessorHasNoFma) {
  std::string const self = fs::read_symlink("/proc/self/exe").string();
  std::string const output =
      test::output_of("env " + std::string(plain_processor) + " '" + self +
                      "' --gtest_filter='Library/*:ChildProcess.*' 2>&1; echo exit code $?");
  EXPECT_NE(output.find("exit code 0"), std::string::npos) << output;
  std::size_t const line = output.find("The C library's");
  if (line != std::string::npos)
    std::printf("  there: %s\n", output.substr(line, output.find('\n', line) - line).c_str());
}

TEST(ChildProcess, PrintsWhatTheCLibraryComputes) {
  test::BitsHash hash;
  for (int i = 1; i < 20'000; ++i) {
    hash.add(std::sin(0.37 * i));
    hash.add(std::exp(-1e-4 * i));
  }
  std::printf("The C library's functions have the bits %s\n", hash.text().c_str());
}

std::string bytes_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// With their icon, starting values and reference results.
TEST(SameBits, AreInTheFmusThatAreBuiltWhereTheProcessorHasNoFma) {
  fs::path const folder = fs::path(testing::TempDir()) / "same_bits";
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (std::string const& name : test::example_names()) {
    std::string const command =
        "'" DELASSUS_PROGRAM "' build '" + test::example_file(name).string() + "' -o '" + folder.string();
    std::string const said =
        test::output_of(command + "/here.fmu' 2>&1") +
        test::output_of("env " + std::string(plain_processor) + " " + command + "/plain.fmu' 2>&1");
    std::string const here = bytes_of(folder / "here.fmu");
    ASSERT_FALSE(here.empty()) << said;
    EXPECT_TRUE(here == bytes_of(folder / "plain.fmu")) << name;
    fs::remove(folder / "here.fmu");
    fs::remove(folder / "plain.fmu");
  }
  fs::remove_all(folder);
}

// What is linked from other libraries is seen here, too. The functions that remain (sqrt, fmod, floor, ldexp, ...) are
// exact.
TEST(SameBits, DependOnNoFunctionOfTheCLibrary) {
  std::set<std::string> const inexact{
      "sin",   "cos",   "sincos", "tan", "asin", "acos",   "atan",   "atan2", "sinh", "cosh",  "tanh",
      "asinh", "acosh", "atanh",  "exp", "exp2", "exp10",  "expm1",  "log",   "log2", "log10", "log1p",
      "pow",   "cbrt",  "hypot",  "erf", "erfc", "tgamma", "lgamma", "fma",   "fmin", "fmax"};
  std::istringstream lines(test::output_of("nm -D --undefined-only '" DELASSUS_FMU_BINARY "'"));
  int symbols = 0;
  for (std::string line; std::getline(lines, line); ++symbols) {
    std::string const symbol = line.substr(line.rfind(' ') + 1), name = symbol.substr(0, symbol.find('@'));
    EXPECT_FALSE(inexact.contains(name)) << "the FMU's binary calls " << name;
  }
  EXPECT_GT(symbols, 20);  // the list was read
}

TEST(SameBits, AreWrittenDownAnewOnlyWhereThatIsAskedFor) {
  if (std::getenv("DELASSUS_WRITE_EXAMPLE_BITS") == nullptr) return;
  std::string text =
      "# Hashes of the outputs of each example: see example_bits.hpp. Written by same_bits_test.\n";
  for (std::string const& name : test::example_names()) text += name + " " + bits_of(name) + "\n";
  std::ofstream(test::example_bits_file()) << text;
}

}  // namespace
}  // namespace delassus
