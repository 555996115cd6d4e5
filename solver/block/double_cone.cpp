#include "solver/block/double_cone.hpp"

#include <cmath>

#include "solver/block/planar.hpp"
#include "solver/block/spatial_cone.hpp"

namespace delassus {
namespace {

// A normal load below this fraction of the whole is rounding: no row of b is known better.
constexpr double rounding = 1e-15;

BlockSolutions enumerate_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu, int rows) {
  return rows == 2 ? enumerate_planar_cone(A.topLeftCorner<2, 2>(), b.head<2>(), mu)
                   : enumerate_spatial_cone(A, b, mu);
}

}  // namespace

BlockSolutions enumerate_double_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu,
                                     int rows) {
  BlockSolutions solutions;
  int const normal = rows - 1;
  auto const append = [&solutions](BlockSolution const& solution) {
    if (solutions.count < static_cast<int>(solutions.item.size()))
      solutions.item[static_cast<std::size_t>(solutions.count++)] = solution;
  };
  double load = 0;
  for (int i = 0; i < rows; ++i) load += std::abs(b[i]);
  double const tangential_load = load - std::abs(b[normal]);
  if (std::abs(b[normal]) <= rounding * load) {
    bool const rests = tangential_load <= rounding * load;
    append({Eigen::Vector3d::Zero(), rests ? ContactMode::stick : ContactMode::slip, true});
  }

  Eigen::Matrix3d A_side = A;
  Eigen::Vector3d b_side = b;
  for (double const side : {1.0, -1.0}) {
    for (int i = 0; i < normal; ++i) {
      A_side(i, normal) = side * A(i, normal);
      A_side(normal, i) = side * A(normal, i);
    }
    b_side[normal] = side * b[normal];
    BlockSolutions const cone = enumerate_cone(A_side, b_side, mu, rows);
    solutions.infinitely_many = solutions.infinitely_many || cone.infinitely_many;
    for (int i = 0; i < cone.count; ++i) {
      BlockSolution solution = cone.item[static_cast<std::size_t>(i)];
      if (!(solution.lambda[normal] > 0)) continue;
      solution.lambda[normal] *= side;
      append(solution);
    }
  }
  return solutions;
}

}  // namespace delassus
