// What the tests of one block share.
#pragma once

#include <algorithm>
#include <limits>

#include "solver/block/exact_solver.hpp"
#include "solver/problem/residual.hpp"

// Divides the number of random problems, for builds with sanitizers.
#ifndef DELASSUS_TEST_SCALE
#define DELASSUS_TEST_SCALE 1
#endif

namespace delassus::test {

inline constexpr double bar = 1e-12;  // a force whose scale-free residual is below this is a solution
inline double const nan = std::numeric_limits<double>::quiet_NaN();

inline int scaled(int count) {
  return std::max(count / DELASSUS_TEST_SCALE, 100);
}

// One problem of a block, reused so that a million residuals do not mean a million matrices.
class ResidualOf {
 public:
  double operator()(ForceSet set, Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                    Eigen::Vector3d const& lambda, ContactLaw law = ContactLaw::coulomb) {
    int const rows = rows_of(set.kind);
    problem_.A.clear(1);
    problem_.A.begin_row();
    problem_.A.at(0).topLeftCorner(rows, rows) = A.topLeftCorner(rows, rows);
    problem_.b = b.head(rows);
    problem_.blocks.assign(1, {0, set});
    return scale_free_residual(problem_, lambda.head(rows), law);
  }

 private:
  ContactProblem problem_;
};

inline BlockChoice solve(ForceSet set, Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                         ContactLaw law = ContactLaw::coulomb, SolutionRule rule = SolutionRule::continuous,
                         Eigen::Vector3d const& previous = Eigen::Vector3d::Zero()) {
  return solve_block(set, law, rule, A, b, previous);
}

inline Eigen::Matrix3d padded(Eigen::Matrix2d const& A) {
  Eigen::Matrix3d result = Eigen::Matrix3d::Constant(nan);
  result.topLeftCorner<2, 2>() = A;
  return result;
}

inline Eigen::Vector3d padded(Eigen::Vector2d const& b) {
  return {b[0], b[1], nan};
}

}  // namespace delassus::test
