// Solves the worked example of Kikuuwe and Brogliato 2017 (65) with the installed library.
#include <cstdio>

#include "solver/island/contact_solver.hpp"

int main() {
  auto const problem = delassus::ContactProblem::from_dense(
      Eigen::Matrix3d{{2, 0, .6}, {0, 2, 0}, {.6, 0, 1.5}}, Eigen::Vector3d{4, 1, 3},
      {{0, {delassus::ForceSetKind::cone3, .3}}});
  delassus::ContactSolver solver;
  delassus::Solution solution;
  solver.solve(problem, {}, Eigen::Vector3d::Zero(), solution);

  Eigen::Vector3d const expected{.509802354619, .174449298386, 1.79607905815};
  std::printf("%s, residual %g\n", std::string(text(solution.status)).c_str(), solution.residual);
  return (solution.lambda - expected).norm() < 1e-11 ? 0 : 1;
}
