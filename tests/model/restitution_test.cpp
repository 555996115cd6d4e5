#include "model/scene/restitution.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace delassus {
namespace {

using Pair = std::pair<double, double>;

// (104) of Kikuuwe and Brogliato 2017, computed apart with 25 digits.
constexpr std::array<Pair, 10> zeta_to_e{{{.1, .744079397722},
                                          {.2, .571740027585},
                                          {.3, .450975452893},
                                          {.4, .363526860769},
                                          {.5, .298436059192},
                                          {.6, .248840580378},
                                          {.8, .179783315363},
                                          {1.5, .075588309365},
                                          {2, .047768732506},
                                          {5, .009284522147}}};
constexpr std::array<Pair, 5> e_to_zeta{{{.1, 1.24318785101},
                                         {.3, .497239394699},
                                         {.5, .255275637649},
                                         {.7, .122214747788},
                                         {.9, .0342652041262}}};

TEST(Restitution, FollowsEquation104) {
  for (auto const& [zeta, e] : zeta_to_e)
    EXPECT_NEAR(restitution_from_zeta(zeta), e, 1e-12) << "zeta " << zeta;
  EXPECT_DOUBLE_EQ(restitution_from_zeta(0), 1);
  EXPECT_NEAR(restitution_from_zeta(1), std::exp(-2.0), 1e-16);
}

TEST(Restitution, IsInvertedExactly) {
  for (auto const& [e, zeta] : e_to_zeta)
    EXPECT_NEAR(zeta_from_restitution(e), zeta, 1e-11 * zeta) << "e " << e;
  EXPECT_EQ(zeta_from_restitution(1), 0);
  for (double zeta = 1e-3; zeta < 100; zeta *= 1.3) {
    EXPECT_NEAR(zeta_from_restitution(restitution_from_zeta(zeta)), zeta, 1e-11 * (1 + zeta * zeta));
  }
}

// On both sides of zeta = 1 the closed form is of the kind 0/0; the series that replaces it there must meet
// it.
TEST(Restitution, IsSmoothThroughCriticalDamping) {
  double const derivative_before = (restitution_from_zeta(.9999) - restitution_from_zeta(.9997)) / 2e-4;
  double const derivative_at = (restitution_from_zeta(1.00005) - restitution_from_zeta(.99995)) / 1e-4;
  double const derivative_after = (restitution_from_zeta(1.0003) - restitution_from_zeta(1.0001)) / 2e-4;
  EXPECT_NEAR(derivative_before, derivative_at, 1e-3);
  EXPECT_NEAR(derivative_after, derivative_at, 1e-3);
  EXPECT_NEAR(derivative_before + derivative_after, 2 * derivative_at, 1e-6);
}

}  // namespace
}  // namespace delassus
