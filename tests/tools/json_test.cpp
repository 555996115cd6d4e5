// JSON as it is written: what a reader of the standard's grammar gets back.
#include "tools/support/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace delassus {
namespace {

TEST(Json, HasNumbersThatReadBackAsTheSameDouble) {
  std::vector<double> numbers{0.1, -0.0, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308};
  std::mt19937_64 random(20261118);
  while (numbers.size() < 10'000) {
    double const number = std::bit_cast<double>(random());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  for (double const number : numbers) {
    double const read = std::strtod(write_json(Json(number)).c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << number;
  }
}

TEST(Json, HasNullWhereANumberIsNotFinite) {
  double const infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(write_json(Json::array({std::nan(""), infinity, -infinity})), "[null, null, null]\n");
  EXPECT_EQ(write_json(json_or_null(std::optional<double>())), "null\n");
}

TEST(Json, KeepsTheOrderOfMembersAndALineForEachThatHoldsNoOther) {
  Json const value{{"z", 1}, {"a", {{"name", "b \"c\""}, {"list", Json::array()}}}, {"m", {{1, 2}, {3, 4}}}};
  EXPECT_EQ(write_json(value),
            "{\n  \"z\": 1,\n  \"a\": {\"name\": \"b \\\"c\\\"\", \"list\": []},\n"
            "  \"m\": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n");
}

TEST(Json, StaysReadableWhereTextIsNoUtf8) {
  EXPECT_EQ(write_json(Json("a\xff")), "\"a\xef\xbf\xbd\"\n");
  EXPECT_EQ(readable_text("a\xff"), "a?");
  EXPECT_EQ(readable_text("\xc3\xa4"), "\xc3\xa4");
}

TEST(Json, CannotEndTheScriptThatItStandsIn) {
  EXPECT_EQ(write_script_json(Json{{"a", "</script>"}, {"b", "\x7f"}}),
            "{\"a\":\"\\u003c/script>\",\"b\":\"\\u007f\"}\n");
}

}  // namespace
}  // namespace delassus
