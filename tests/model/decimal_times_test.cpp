// Communication times are the doubles next to the decimal numbers that a person would write. The standard library's
// reading of the decimal text, put together from whole numbers here, is the other method.
#include "model/scene/decimal_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace delassus {
namespace {

// `units` times 10^-places, as the C library reads it.
double read_decimal(std::int64_t units, int places) {
  return std::strtod((std::to_string(units) + "e-" + std::to_string(places)).c_str(), nullptr);
}

TEST(DecimalTimes, AreWhatAPersonWouldWrite) {
  DecimalTimes const coarse(0, 0.05);
  EXPECT_EQ(coarse.after(std::size_t{3}), 0.15);
  EXPECT_EQ(coarse.after(std::size_t{7}), 0.35);
  EXPECT_NE(7 * 0.05, 0.35);  // why the class is there
  EXPECT_EQ(DecimalTimes(0, 2e-5).after(std::size_t{4999}), 0.09998);
  EXPECT_EQ(DecimalTimes(-1, 0.1).after(std::size_t{7}), -0.3);
  EXPECT_EQ(DecimalTimes(1e3, 1e-3).after(std::size_t{1}), 1000.001);
  EXPECT_EQ(DecimalTimes(0, 1.5e3).after(std::size_t{3}), 4500.0);
}

TEST(DecimalTimes, OfRandomDecimalStepsAreTheNearestDoubles) {
  std::mt19937_64 random(20'261);
  for (int round = 0; round < 20'000; ++round) {
    auto const below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    int const places = static_cast<int>(below(10));
    std::int64_t const step = 1 + below(9999), start = below(2) == 0 ? 0 : below(2'000'000) - 1'000'000;
    std::int64_t const k = below(100'000'000);
    DecimalTimes const times(read_decimal(start, places), read_decimal(step, places));
    ASSERT_EQ(times.after(static_cast<std::size_t>(k)), read_decimal(start + k * step, places))
        << start << " + " << k << " * " << step << ", all e-" << places;
  }
}

TEST(DecimalTimes, OfStepsThatNobodyWritesAreTheUsualProducts) {
  double const third = 1.0 / 3;
  DecimalTimes const times(0, third);
  EXPECT_EQ(times.after(std::size_t{5}), 5 * third);
  EXPECT_EQ(DecimalTimes(1e-200, 1e-3).after(std::size_t{2}), 2e-3);
  EXPECT_EQ(DecimalTimes(0, 1e300).after(std::size_t{2}), 2e300);
  EXPECT_EQ(DecimalTimes(0, 5e-324).after(std::size_t{3}), 3 * 5e-324);
}

TEST(StepSize, IsTheStepUntilTheStopTimeAndNeverPassesIt) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  for (int round = 0; round < 100'000; ++round) {
    double const step = std::pow(10, -6 + 6 * share(random)), stop = std::pow(10, -3 + 6 * share(random));
    double const time =
        stop - step * std::round(4 * share(random)) * (1 + 1e-16 * std::round(4 * share(random)));
    if (!(time < stop)) continue;
    double const size = step_size_until(time, step, stop);
    ASSERT_LE(time + size, stop) << time << " " << step << " " << stop;
    if (time + step <= stop) {
      ASSERT_EQ(size, step);
    }
    // The sum and the size may be rounded by half a unit in the last place of the largest number.
    ASSERT_GE(time + size, std::min(time + step, stop - 5e-16 * std::max(std::abs(time), stop)));
  }
}

TEST(FormatTime, ShowsNoRoundingErrors) {
  EXPECT_EQ(format_time(0.1 + 0.2), "0.3");
  EXPECT_EQ(format_time(1e-5 + 2e-5), "3e-05");
  EXPECT_EQ(format_time(12345.678), "12345.678");
  EXPECT_EQ(format_time(0), "0");
}

}  // namespace
}  // namespace delassus
