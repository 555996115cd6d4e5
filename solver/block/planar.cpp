#include "solver/block/planar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/block/least_norm_stick.hpp"
#include "solver/block/slip_refinement.hpp"
#include "solver/problem/friction_cone.hpp"

namespace delassus {
namespace {

void append(BlockSolutions& solutions, Eigen::Vector3d const& lambda, ContactMode mode, bool stable = true) {
  solutions.item[static_cast<std::size_t>(solutions.count++)] = {lambda, mode, stable};
}

// b / A without overflow to infinity: a force that no double holds is the largest that one does.
double quotient(double b, double A) {
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(b / A, -largest, largest);
}

}  // namespace

BlockSolutions enumerate_half_line(double A, double b) {
  BlockSolutions solutions;
  if (b <= 0) {
    append(solutions, Eigen::Vector3d::Zero(), ContactMode::detached);
    solutions.infinitely_many = A == 0 && b == 0;
  } else if (A > 0) {
    append(solutions, {quotient(b, A), 0, 0}, ContactMode::stick);
  }
  return solutions;
}

BlockSolutions enumerate_interval(double A, double b, double F) {
  BlockSolutions solutions;
  if (A > 0) {
    double const lambda = quotient(b, A);
    if (std::abs(lambda) <= F) {
      append(solutions, {lambda, 0, 0}, ContactMode::stick);
    } else {
      append(solutions, {std::copysign(F, b), 0, 0}, ContactMode::slip);
    }
  } else if (b != 0) {
    append(solutions, {std::copysign(F, b), 0, 0}, ContactMode::slip);
  } else {
    append(solutions, Eigen::Vector3d::Zero(), ContactMode::stick);
    solutions.infinitely_many = F > 0;
  }
  return solutions;
}

BlockSolutions enumerate_planar_cone(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double mu) {
  BlockSolutions solutions;
  double const t = A(0, 0), column = A(0, 1), row = A(1, 0), n = A(1, 1);
  double const load = std::abs(b[0]) + std::abs(b[1]);
  if (b[1] <= 0) append(solutions, Eigen::Vector3d::Zero(), ContactMode::detached);

  bool const soft = n > singular_fraction * t;  // else n = a = 0, and no force moves the normal row
  if (mu == 0) {
    if (b[1] > 0 && soft) {
      double const lambda_n = b[1] / n;
      bool const rests = std::abs(column * lambda_n - b[0]) <= slip_tolerance * ((t + n) * lambda_n + load);
      append(solutions, {0, lambda_n, 0}, rests ? ContactMode::stick : ContactMode::slip);
    }
    solutions.infinitely_many = !soft && b[1] == 0;
    return solutions;
  }

  // Stick.
  double const S = soft ? t - column * row / n : t;
  bool stick_admissible = false;
  if (soft && S > singular_fraction * t) {
    double const lambda_t = (b[0] - column * (b[1] / n)) / S;
    double const lambda_n = (b[1] - row * lambda_t) / n;
    stick_admissible = lambda_n >= 0 && std::abs(lambda_t) <= mu * lambda_n;
    if (stick_admissible && lambda_n > 0) append(solutions, {lambda_t, lambda_n, 0}, ContactMode::stick);
  } else {
    auto const stick = least_norm_stick_in_cone<2>(A, b, mu);
    stick_admissible = stick.found;
    solutions.infinitely_many = stick.infinitely_many;
    bool const is_detached = stick.lambda[1] <= 0 && solutions.count > 0;
    if (stick.found && !is_detached)
      append(solutions, {stick.lambda[0], stick.lambda[1], 0}, ContactMode::stick);
  }

  // Slip.
  int const first = solutions.count;
  for (double const sigma : {1.0, -1.0}) {
    double const divisor = n + sigma * mu * row;
    // Four units of rounding are in the divisor itself.
    bool const jammed = std::abs(divisor) <= 1e-15 * (n + mu * std::abs(row));
    double const along_per_n = mu * t + sigma * column;  // d (sigma eta_t) / d lambda_n
    if (jammed) {
      // eta_n = -b_n whatever the force: none, or, where b_n = 0, every lambda_n with sigma eta_t <= 0.
      if (std::abs(b[1]) <= 1e-15 * load &&
          (sigma * b[0] > 0 || (sigma * b[0] == 0 && along_per_n <= 0) || along_per_n < 0)) {
        solutions.infinitely_many = true;
      }
      continue;
    }
    double const lambda_n = b[1] / divisor;
    if (!(lambda_n > 0)) continue;
    double const along = along_per_n * lambda_n - sigma * b[0];
    double const rounding = slip_tolerance * ((t + n) * (1 + mu) * lambda_n + load);
    // On the boundary stick and slip are one solution: then it counts as stick.
    if (!(along <= (stick_admissible ? -rounding : rounding))) continue;
    append(solutions, {sigma * mu * lambda_n, lambda_n, 0}, ContactMode::slip, divisor > 0);
  }
  if (solutions.count - first == 2 && solutions.item[static_cast<std::size_t>(first)].lambda[1] <
                                          solutions.item[static_cast<std::size_t>(first) + 1].lambda[1]) {
    std::swap(solutions.item[static_cast<std::size_t>(first)],
              solutions.item[static_cast<std::size_t>(first) + 1]);
  }
  return solutions;
}

}  // namespace delassus
