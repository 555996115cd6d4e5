#include <gtest/gtest.h>

#include "tests/closed_loop.hpp"

namespace delassus {
namespace {

TEST(ClosedLoopExamples, Probe) {
  std::string const name = std::getenv("SYSTEM") ? std::getenv("SYSTEM") : "";
  if (name.empty()) GTEST_SKIP();
  ClosedLoop loop(system_file(name, std::getenv("FILE") ? std::getenv("FILE") : "SystemStructure.ssd"));
  for (auto const& each : loop.output_names()) std::printf("%s ", each.c_str());
  std::printf("\n");
  int const every = std::getenv("EVERY") ? std::atoi(std::getenv("EVERY")) : 100;
  for (int k = 0; loop.time() < loop.stop(); ++k) {
    if (k % every == 0) {
      std::printf("%.4f", loop.time());
      for (double const value : loop.outputs()) std::printf(" %.6g", value);
      std::printf("\n");
    }
    loop.step();
  }
}

}  // namespace
}  // namespace delassus
