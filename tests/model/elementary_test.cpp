// The elementary functions beside Boost.Multiprecision, which computes them with other methods and more digits.
#include "model/numbers/elementary.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/bits/elementary_bits.hpp"

namespace delassus {
namespace {

namespace mp = boost::multiprecision;
using Exact = mp::number<mp::cpp_bin_float<60>, mp::et_off>;
// Enough digits for the sine of the largest double: 1024 bits of it are whole turns.
using VeryExact = mp::number<mp::cpp_bin_float<400>, mp::et_off>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Arguments of each function and range; DELASSUS_ELEMENTARY_ARGUMENTS=1000000 takes some minutes.
int arguments() {
  char const* const wanted = std::getenv("DELASSUS_ELEMENTARY_ARGUMENTS");
  return wanted == nullptr ? 2000 : std::atoi(wanted);
}

// In units in the last place of the exact result.
template <class Number>
double error_of(double value, Number const& exact) {
  if (std::isinf(value)) return mp::abs(exact) >= Number(std::numeric_limits<double>::max()) ? 0 : infinity;
  int exponent = 0;
  mp::frexp(exact, &exponent);
  Number const unit = mp::ldexp(Number(1), std::max(exponent - 53, -1074));
  return static_cast<double>(mp::abs(Number(value) - exact) / unit);
}

using Draw = std::function<double()>;
test::ArgumentSequence sequence;

Draw between(double low, double high) {
  return [=] { return sequence.uniform(low, high); };
}
// Of either sign.
Draw of_sizes(double low, double high) {
  return [=] { return sequence.of_exponent(low, high) * (sequence.uniform(-1, 1) < 0 ? -1 : 1); };
}
Draw from(double start, Draw const& more) {
  return [=] { return start + more(); };
}
Draw positive(Draw const& draw) {
  return [=] { return std::abs(draw()); };
}

struct Range {
  std::string name;
  std::function<double(double)> function;
  std::function<Exact(Exact const&)> exact;
  Draw draw;
  double bound = 0.6;
};

#define FUNCTION(name) \
#name, [](double x) { return elementary::name(x); }, [](Exact const& x) -> Exact { return mp::name(x); }

TEST(ElementaryFunctions, HaveTheErrorsThatTheyState) {
  auto const reference_cbrt = [](Exact const& x) -> Exact {
    Exact const root = mp::exp(mp::log(mp::abs(x)) / 3);
    return x < 0 ? Exact(-root) : root;
  };
  auto const cbrt = [](double x) { return elementary::cbrt(x); };
  std::vector<Range> const ranges{
      {FUNCTION(sin), between(-0.8, 0.8)},
      {FUNCTION(sin), between(-100, 100)},
      {FUNCTION(sin), of_sizes(-60, 40)},
      {FUNCTION(cos), between(-0.8, 0.8)},
      {FUNCTION(cos), between(-100, 100)},
      {FUNCTION(cos), of_sizes(-60, 40)},
      {FUNCTION(tan), between(-10, 10)},
      {FUNCTION(tan), of_sizes(-60, 40)},
      {FUNCTION(asin), between(-1, 1)},
      {FUNCTION(asin), of_sizes(-60, -1)},
      {FUNCTION(asin), from(1, between(-1e-9, 0))},
      {FUNCTION(acos), between(-1, 1)},
      {FUNCTION(acos), of_sizes(-70, -1)},
      {FUNCTION(acos), from(1, between(-1e-9, 0))},
      {FUNCTION(acos), from(-1, between(0, 1e-9))},
      {FUNCTION(atan), between(-3, 3)},
      {FUNCTION(atan), of_sizes(-60, 80)},
      {FUNCTION(exp), between(-1, 1)},
      {FUNCTION(exp), between(-708, 709.7)},
      {FUNCTION(exp), of_sizes(-70, 0)},
      {FUNCTION(exp), between(-745, -708.4), 1},
      {FUNCTION(log), between(0.1, 3)},
      {FUNCTION(log), from(1, of_sizes(-52, -3))},
      {FUNCTION(log), positive(of_sizes(-1074, 1023))},
      {FUNCTION(log10), positive(of_sizes(-1074, 1023))},
      {FUNCTION(tanh), between(-1, 1)},
      {FUNCTION(tanh), between(-23, 23)},
      {FUNCTION(tanh), of_sizes(-40, 3)},
      {FUNCTION(acosh), between(1, 10)},
      {FUNCTION(acosh), from(1, positive(of_sizes(-50, 0)))},
      {FUNCTION(acosh), positive(of_sizes(1, 1020))},
      {"cbrt", cbrt, reference_cbrt, between(1, 8)},
      {"cbrt", cbrt, reference_cbrt, of_sizes(-1074, 1023)},
  };
  int const count = arguments();
  for (Range const& range : ranges) {
    double worst = 0, at = 0;
    for (int i = 0; i < count; ++i) {
      double const x = range.draw();
      double const error = error_of(range.function(x), range.exact(Exact(x)));
      if (!(error <= worst)) worst = error, at = x;
    }
    std::printf("  %-6s %.3f units at %.17g\n", range.name.c_str(), worst, at);
    EXPECT_LE(worst, range.bound) << range.name << " of " << at;
  }
}

TEST(ElementaryFunctions, OfTwoArgumentsHaveTheErrorsThatTheyState) {
  struct Pairs {
    std::string name;
    std::function<double(double, double)> function;
    std::function<Exact(Exact const&, Exact const&)> exact;
    std::function<std::pair<double, double>()> draw;
    double bound = 0.6;
  };
  auto const pow = [](double x, double y) { return elementary::pow(x, y); };
  auto const exact_pow = [](Exact const& x, Exact const& y) -> Exact { return mp::exp(y * mp::log(x)); };
  auto const atan2 = [](double y, double x) { return elementary::atan2(y, x); };
  auto const exact_atan2 = [](Exact const& y, Exact const& x) -> Exact { return mp::atan2(y, x); };
  auto const hypot = [](double x, double y) { return elementary::hypot(x, y); };
  auto const exact_hypot = [](Exact const& x, Exact const& y) -> Exact { return mp::sqrt(x * x + y * y); };
  auto const result_between = [](double low, double high, Draw const& draw) {
    return [=] {
      double const x = draw();
      return std::pair(x, sequence.uniform(low, high) / std::log(x));
    };
  };
  Draw const wide = of_sizes(-1000, 1000), unit = between(-2, 2);
  std::vector<Pairs> const cases{
      {"pow", pow, exact_pow, [] { return std::pair(sequence.of_exponent(-4, 4), sequence.uniform(-6, 6)); }},
      {"pow", pow, exact_pow, [] { return std::pair(sequence.of_exponent(-40, 10), 1.5); }},
      {"pow", pow, exact_pow,
       [] { return std::pair(sequence.of_exponent(-99, 99), std::floor(sequence.uniform(1, 9)) / 2); }},
      {"pow", pow, exact_pow, result_between(-708, 709, positive(wide))},
      {"pow", pow, exact_pow, result_between(-708, 709, from(1, of_sizes(-50, -2)))},
      {"pow", pow, exact_pow, result_between(-744, -709, positive(wide)), 1},
      {"atan2", atan2, exact_atan2, [=] { return std::pair(unit(), unit()); }},
      {"atan2", atan2, exact_atan2, [=] { return std::pair(wide(), wide()); }},
      {"atan2", atan2, exact_atan2,
       [=] {
         double const x = of_sizes(-900, 900)();
         return std::pair(x * of_sizes(-70, 70)(), x);
       }},
      {"hypot", hypot, exact_hypot, [=] { return std::pair(unit(), unit()); }, 1.5},
      {"hypot", hypot, exact_hypot,
       [=] {
         double const x = of_sizes(-1060, 1021)();
         return std::pair(x, x * unit());
       },
       1.5},
  };
  for (Pairs const& range : cases) {
    double worst = 0;
    std::pair<double, double> at;
    for (int i = 0; i < arguments(); ++i) {
      auto const [x, y] = range.draw();
      double const error = error_of(range.function(x, y), range.exact(Exact(x), Exact(y)));
      if (!(error <= worst)) worst = error, at = {x, y};
    }
    std::printf("  %-6s %.3f units at %.17g, %.17g\n", range.name.c_str(), worst, at.first, at.second);
    EXPECT_LE(worst, range.bound) << range.name << " of " << at.first << ", " << at.second;
  }
  for (int i = 0; i < arguments(); ++i) {
    double const x = unit(), y = unit(), z = unit();
    Exact const exact = mp::sqrt(Exact(x) * x + Exact(y) * y + Exact(z) * z);
    EXPECT_LE(error_of(elementary::hypot(x, y, z), exact), 2.0) << x << " " << y << " " << z;
  }
}

// The nearest doubles to multiples of a quarter turn leave the least of the angle; the largest ones need the most digits of pi.
TEST(ElementaryFunctions, ReduceTheLargestAndTheSharpestAngles) {
  std::vector<double> angles{std::numeric_limits<double>::max(), 0x1p1023, 0x1.8p1000, 0x1p500, 1e22, 1e300,
                             // The double nearest to a multiple of pi/2 (Muller et al., 11.3).
                             6381956970095103.0 * 0x1p797};
  for (int k = 1; k < 200; ++k) {
    double const multiple = k * k * std::numbers::pi / 2;
    angles.insert(angles.end(), {multiple, std::nextafter(multiple, 0), std::nextafter(multiple, infinity)});
  }
  for (int i = 0; i < 100; ++i) angles.push_back(sequence.of_exponent(20, 1023));
  for (double const x : angles) {
    VeryExact const sine = mp::sin(VeryExact(x)), cosine = mp::cos(VeryExact(x));
    EXPECT_LE(error_of(elementary::sin(x), sine), 0.6) << x;
    EXPECT_LE(error_of(elementary::cos(-x), cosine), 0.6) << x;
    EXPECT_LE(error_of(elementary::tan(x), VeryExact(sine / cosine)), 0.6) << x;
  }
}

TEST(ElementaryFunctions, AreExactWhereTheResultIsADouble) {
  for (int i = 0; i < arguments(); ++i) {
    double const x = sequence.uniform(-9, 9);
    EXPECT_EQ(elementary::pow(x, 2), x * x);
    EXPECT_EQ(elementary::pow(x, 1), x);
    EXPECT_EQ(elementary::pow(x, -1), 1 / x);
    EXPECT_EQ(elementary::hypot(x, 0), std::abs(x));
    double const whole = std::floor(1e5 * x / 9);
    EXPECT_EQ(elementary::cbrt(whole * whole * whole), whole);
    EXPECT_EQ(elementary::pow(whole, 3), whole * whole * whole);
    EXPECT_EQ(elementary::pow(whole * whole, 1.5), std::abs(whole * whole * whole));
  }
  for (int n = -1074; n <= 1023; ++n) {
    EXPECT_EQ(elementary::pow(2, n), std::ldexp(1.0, n));
    EXPECT_EQ(elementary::pow(-2, n), n % 2 == 0 ? std::ldexp(1.0, n) : -std::ldexp(1.0, n));
    if (n % 3 == 0) {
      EXPECT_EQ(elementary::cbrt(std::ldexp(1.0, n)), std::ldexp(1.0, n / 3));
    }
  }
  double power = 1;
  for (int n = 0; n <= 22; ++n, power *= 10) {
    EXPECT_EQ(elementary::pow(10, n), power);
    EXPECT_EQ(elementary::log10(power), n);
  }
  EXPECT_EQ(elementary::hypot(3, 4), 5);
  EXPECT_EQ(elementary::hypot(2, 3, 6), 7);
  EXPECT_EQ(elementary::hypot(3e300, 4e300), 5e300);
}

// To the bit, and with the sign of a zero: EXPECT_EQ takes 0 for -0, and no NaN for itself.
void expect_same(double value, double expected, char const* what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(value)) << what << " is " << value;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected))
        << what << " is " << value << ", not " << expected;
  }
}
#define SAME(call, expected) expect_same(elementary::call, expected, #call)

// ISO C, annex F.10.
TEST(ElementaryFunctions, HaveTheSpecialValuesOfTheStandard) {
  double const pi = std::numbers::pi, least = std::numeric_limits<double>::denorm_min();
  SAME(sin(-0.0), -0.0), SAME(sin(infinity), none), SAME(sin(none), none), SAME(sin(least), least);
  SAME(cos(-0.0), 1), SAME(cos(-infinity), none), SAME(cos(none), none);
  SAME(tan(-0.0), -0.0), SAME(tan(infinity), none), SAME(tan(none), none);
  SAME(asin(-0.0), -0.0), SAME(asin(1), pi / 2), SAME(asin(-1), -pi / 2), SAME(asin(1.0000001), none);
  SAME(asin(none), none);
  SAME(acos(1), 0), SAME(acos(-1), pi), SAME(acos(0), pi / 2), SAME(acos(-1.5), none), SAME(acos(none), none);
  SAME(atan(-0.0), -0.0), SAME(atan(infinity), pi / 2), SAME(atan(-infinity), -pi / 2), SAME(atan(1), pi / 4);
  SAME(atan(none), none);
  SAME(atan2(0, 0), 0), SAME(atan2(-0.0, 0), -0.0), SAME(atan2(0, -0.0), pi), SAME(atan2(-0.0, -0.0), -pi);
  SAME(atan2(0, -1), pi), SAME(atan2(-0.0, -1), -pi), SAME(atan2(0, 1), 0), SAME(atan2(-0.0, 1), -0.0);
  SAME(atan2(1, 0), pi / 2), SAME(atan2(-1, -0.0), -pi / 2), SAME(atan2(1, 1), pi / 4);
  SAME(atan2(1, -1), 3 * (pi / 4)), SAME(atan2(-1, -1), -3 * (pi / 4));
  SAME(atan2(2, infinity), 0), SAME(atan2(-2, infinity), -0.0), SAME(atan2(2, -infinity), pi);
  SAME(atan2(infinity, 3), pi / 2), SAME(atan2(-infinity, 3), -pi / 2);
  SAME(atan2(infinity, infinity), pi / 4), SAME(atan2(infinity, -infinity), 3 * (pi / 4));
  SAME(atan2(none, 1), none), SAME(atan2(1, none), none), SAME(atan2(least, -1), pi);
  SAME(exp(0), 1), SAME(exp(-0.0), 1), SAME(exp(infinity), infinity), SAME(exp(-infinity), 0);
  SAME(exp(none), none), SAME(exp(709.79), infinity), SAME(exp(-745.2), 0), SAME(exp(1e300), infinity);
  SAME(log(0), -infinity), SAME(log(-0.0), -infinity), SAME(log(1), 0), SAME(log(-1), none);
  SAME(log(infinity), infinity), SAME(log(none), none), SAME(log10(0), -infinity), SAME(log10(-2), none);
  SAME(tanh(-0.0), -0.0), SAME(tanh(infinity), 1), SAME(tanh(-infinity), -1), SAME(tanh(none), none);
  SAME(acosh(1), 0), SAME(acosh(0.5), none), SAME(acosh(infinity), infinity), SAME(acosh(none), none);
  SAME(cbrt(-0.0), -0.0), SAME(cbrt(infinity), infinity), SAME(cbrt(-infinity), -infinity),
      SAME(cbrt(none), none);
  SAME(hypot(-infinity, none), infinity), SAME(hypot(none, infinity), infinity), SAME(hypot(none, 1), none);
  SAME(hypot(0, -0.0), 0), SAME(hypot(least, 0), least), SAME(hypot(1, 2, infinity), infinity);
  SAME(hypot(1, none, 2), none), SAME(hypot(1.7e308, 1.7e308), infinity);
}

TEST(ElementaryFunctions, RaiseToPowersAsTheStandardSays) {
  SAME(pow(none, 0), 1), SAME(pow(1, none), 1), SAME(pow(none, 1), none), SAME(pow(2, none), none);
  SAME(pow(0, 3), 0), SAME(pow(-0.0, 3), -0.0), SAME(pow(-0.0, 2.5), 0), SAME(pow(-0.0, 4), 0);
  SAME(pow(0, -3), infinity), SAME(pow(-0.0, -3), -infinity), SAME(pow(-0.0, -2), infinity);
  SAME(pow(-1, infinity), 1), SAME(pow(-1, -infinity), 1), SAME(pow(-8, 1.0 / 3), none);
  SAME(pow(0.5, infinity), 0), SAME(pow(0.5, -infinity), infinity), SAME(pow(2, infinity), infinity);
  SAME(pow(-2, -infinity), 0), SAME(pow(infinity, 0.5), infinity), SAME(pow(infinity, -1), 0);
  SAME(pow(-infinity, 3), -infinity), SAME(pow(-infinity, 2), infinity), SAME(pow(-infinity, -3), -0.0);
  SAME(pow(-infinity, 0.5), infinity), SAME(pow(-3, 3), -27), SAME(pow(-1, 1e300), 1);
  SAME(pow(1 + 0x1p-52, 1e300), infinity), SAME(pow(1 - 0x1p-53, 1e300), 0), SAME(pow(3, 1e-300), 1);
  SAME(pow(10, 309), infinity), SAME(pow(-10, 309), -infinity), SAME(pow(10, -330), 0),
      SAME(pow(-10, -331), -0.0);
  SAME(pow(4, 0.5), 2);
}

TEST(ElementaryFunctions, AreOddOrEvenToTheBit) {
  for (int i = 0; i < 100 * arguments(); ++i) {
    double const x = i % 2 == 0 ? sequence.uniform(0, 10) : sequence.of_exponent(-1022, 1023),
                 y = sequence.uniform(0, 10);
    EXPECT_EQ(elementary::sin(-x), -elementary::sin(x));
    EXPECT_EQ(elementary::cos(-x), elementary::cos(x));
    EXPECT_EQ(elementary::tan(-x), -elementary::tan(x));
    EXPECT_EQ(elementary::atan(-x), -elementary::atan(x));
    EXPECT_EQ(elementary::tanh(-x), -elementary::tanh(x));
    EXPECT_EQ(elementary::cbrt(-x), -elementary::cbrt(x));
    EXPECT_EQ(elementary::asin(-y / 10), -elementary::asin(y / 10));
    EXPECT_EQ(elementary::atan2(-y, x), -elementary::atan2(y, x));
    EXPECT_EQ(elementary::hypot(-x, y), elementary::hypot(y, x));
  }
}

TEST(ElementaryFunctions, StayInTheirRangesAndRise) {
  double const pi = std::numbers::pi;
  for (int i = 0; i < 100 * arguments(); ++i) {
    double const x = sequence.uniform(-100, 100), near_one = 1 - sequence.of_exponent(-54, -20);
    EXPECT_LE(std::abs(elementary::sin(x)), 1);
    EXPECT_LE(std::abs(elementary::cos(x)), 1);
    EXPECT_LE(std::abs(elementary::tanh(x)), 1);
    EXPECT_LE(elementary::asin(near_one), pi / 2);
    EXPECT_GE(elementary::acos(near_one), 0);
    EXPECT_LE(elementary::acos(-near_one), pi);
    EXPECT_LE(std::abs(elementary::atan2(x, near_one - 1)), pi);
    // A step of four units, across every seam of the reductions.
    double const seam = std::round(4 * x) / 4,
                 next = seam + 4 * (std::nextafter(std::abs(seam), infinity) - std::abs(seam));
    EXPECT_LE(elementary::atan(seam), elementary::atan(next));
    EXPECT_LE(elementary::exp(seam), elementary::exp(next));
    EXPECT_LE(elementary::tanh(seam), elementary::tanh(next));
    EXPECT_LE(elementary::cbrt(seam), elementary::cbrt(next));
  }
  EXPECT_EQ(elementary::exp(709.782712893384), 1.7976931348622732e308);  // the last one below the overflow
  EXPECT_EQ(elementary::exp(-745.1332191019411), std::numeric_limits<double>::denorm_min());
}

// With gcc and clang, -O0 to -O3, on x86-64 with and without FMA, on 64-bit ARM and under Windows. A change of a function
// changes this number, and the motion of all scenes with it.
TEST(ElementaryFunctions, HaveTheseBitsEverywhere) {
  EXPECT_EQ(test::hash_of_elementary_functions(100'000), "5b63dcf79d9dd8fc");
}

}  // namespace
}  // namespace delassus
