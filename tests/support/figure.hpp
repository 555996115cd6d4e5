// A measured figure and its bound. The figure stands in the report of the test program (--gtest_output=xml).
#pragma once

#include <gtest/gtest.h>

#include <sstream>

namespace delassus {

inline void expect_below(char const* name, double figure, double bound) {
  std::ostringstream text;
  text << figure;
  testing::Test::RecordProperty(name, text.str());
  EXPECT_LT(figure, bound) << name;
}

}  // namespace delassus
