#include "solver/block/least_norm_stick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/linear/small_eigen.hpp"
#include "solver/problem/friction_cone.hpp"

namespace delassus {
namespace {

template <int rows>
struct AffineSolutions {
  using Vector = Eigen::Matrix<double, rows, 1>;
  bool consistent = false;
  int nullity = 0;
  Vector least = Vector::Zero();  // the pseudo-inverse's answer
  Vector direction =
      Vector::Zero();  // spans the null space where nullity is one, and its complement where it is rows - 1
};

template <int rows>
AffineSolutions<rows> affine_solutions(Eigen::Matrix<double, rows, rows> const& A,
                                       Eigen::Matrix<double, rows, 1> const& b) {
  // Eigenvalues rise, so the null space comes first.
  SmallEigen<rows> const eigen(0.5 * (A + A.transpose()));
  AffineSolutions<rows> result;
  double const trace = A.trace();
  double outside = 0;
  for (int i = 0; i < rows; ++i) {
    auto const v = eigen.vectors.col(i);
    double const load = v.dot(b);
    if (eigen.values[i] > singular_fraction * trace) {
      result.least += load / eigen.values[i] * v;
    } else {
      ++result.nullity;
      outside = std::max(outside, std::abs(load));
    }
  }
  result.direction = eigen.vectors.col(result.nullity == rows - 1 && rows > 2 ? rows - 1 : 0);
  // 1e-13 in the scale of the residual, which every reported solution meets with 1e-12.
  result.consistent = outside <= 1e-13 * std::max(b.norm(), trace * result.least.norm());
  return result;
}

struct Interval {  // empty unless told otherwise
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

// { z : |(r + z v)_t| <= mu (r + z v)_n }, an interval because the cone is convex; possibly a ray.
template <int rows>
Interval line_in_cone(Eigen::Matrix<double, rows, 1> const& r, Eigen::Matrix<double, rows, 1> const& v,
                      double mu) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const product = [mu](auto const& x, auto const& y) {
    return mu * mu * x[rows - 1] * y[rows - 1] - x.template head<rows - 1>().dot(y.template head<rows - 1>());
  };
  // x2 z^2 + 2 x1 z + x0 >= 0 is the double cone; the half with lambda_n >= 0 is wanted. v is a unit vector,
  // so that x2 within a few units of rounding of zero is a line parallel to a generator.
  double x2 = product(v, v);
  double const x1 = product(r, v), x0 = product(r, r), rising = v[rows - 1];
  if (std::abs(x2) <= 1e-15 * (1 + mu * mu)) x2 = 0;
  if (x2 == 0) {
    if (x1 == 0) return x0 >= 0 && r[rows - 1] >= 0 ? Interval{-infinity, infinity} : Interval{};
    if (x1 * rising <= 0) return {};  // it enters the lower half only
    double const end = -x0 / (2 * x1);
    return x1 > 0 ? Interval{end, infinity} : Interval{-infinity, end};
  }
  double const discriminant = x1 * x1 - x2 * x0;
  double const half = -(x1 + std::copysign(std::sqrt(std::max(discriminant, 0.0)), x1));
  double const first = half / x2;
  double const second = half != 0 ? x0 / half : first;
  double const low = std::min(first, second), high = std::max(first, second);
  // Steeper than the cone: one end in each half.
  if (x2 > 0) return rising > 0 ? Interval{high, infinity} : Interval{-infinity, low};
  if (discriminant < 0) return {};
  return r[rows - 1] + 0.5 * (low + high) * rising >= 0 ? Interval{low, high} : Interval{};
}

}  // namespace

template <int rows>
LeastNormStick<rows> least_norm_stick_in_cone(Eigen::Matrix<double, rows, rows> const& A,
                                              Eigen::Matrix<double, rows, 1> const& b, double mu) {
  LeastNormStick<rows> stick;
  if (mu == 0) {  // the cone is a ray: A e_n lambda_n = b
    auto const column = A.col(rows - 1);
    double const square = column.squaredNorm();
    stick.lambda[rows - 1] = square > 0 ? std::max(column.dot(b) / square, 0.0) : 0;
    stick.found = (column * stick.lambda[rows - 1] - b).norm() <= 1e-13 * b.norm();
    stick.infinitely_many = stick.found && square == 0;
    return stick;
  }
  auto const affine = affine_solutions<rows>(A, b);
  if (!affine.consistent) return stick;
  FrictionCone<rows> const cone(mu);
  if (affine.nullity == rows) {  // A = 0 and b = 0: every force of the cone
    stick.found = stick.infinitely_many = true;
  } else if (affine.nullity == 0) {
    stick.found = cone.contains(affine.least);
    stick.lambda = affine.least;
  } else if (affine.nullity == 1) {
    // |r + z v|^2 = |r|^2 + z^2: the admissible z nearest to zero. Rounding of the ends: some units of it.
    Interval const z = line_in_cone<rows>(affine.least, affine.direction, mu);
    double const slack = 1e-14 * affine.least.norm();
    stick.found = z.low <= z.high + slack;
    stick.infinitely_many = z.low + slack < z.high;
    if (stick.found)
      stick.lambda = affine.least + std::clamp(0.0, z.low, std::max(z.low, z.high)) * affine.direction;
  } else {
    // A = tau w w^T in space: the plane w . lambda = rho. Its least force is rho w; if the cone does not hold
    // that, the nearest lies on the cone in the plane of w and the axis, by symmetry: lambda_n (mu e, 1) with
    // e = +-w_t / |w_t| and lambda_n = rho / (w_n + mu w_t . e) > 0, the smaller the better.
    Eigen::Matrix<double, rows, 1> const w = affine.direction;
    double const rho = w.dot(affine.least);
    double const tangential = w.template head<rows - 1>().norm();
    if (cone.contains(affine.least) && rho != 0) {
      stick.found = stick.infinitely_many = true;
      stick.lambda = affine.least;
    } else if (rho == 0) {
      stick.found = true;
      stick.infinitely_many = std::abs(w[rows - 1]) <= mu * tangential;
    } else {
      double best = std::numeric_limits<double>::infinity();
      for (double const sign : {1.0, -1.0}) {
        double const lambda_n = rho / (w[rows - 1] + sign * mu * tangential);
        if (!(lambda_n > 0 && lambda_n < best)) continue;
        best = lambda_n;
        stick.found = stick.infinitely_many = true;
        stick.lambda[rows - 1] = lambda_n;
        stick.lambda.template head<rows - 1>().setZero();
        if (tangential > 0) {
          stick.lambda.template head<rows - 1>() =
              sign * mu * lambda_n / tangential * w.template head<rows - 1>();
        }
      }
    }
  }
  return stick;
}

LeastNormStick<2> least_norm_stick_in_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F) {
  LeastNormStick<2> stick;
  auto const affine = affine_solutions<2>(A, b);
  double const norm = affine.least.norm();
  stick.found = affine.consistent && norm <= F;
  stick.infinitely_many = stick.found && affine.nullity > 0 && norm < F;
  stick.lambda = affine.least;
  return stick;
}

template <int rows>
Eigen::Matrix<double, rows, 1> least_norm_solution(Eigen::Matrix<double, rows, rows> const& A,
                                                   Eigen::Matrix<double, rows, 1> const& b) {
  return affine_solutions<rows>(A, b).least;
}

template LeastNormStick<2> least_norm_stick_in_cone<2>(Eigen::Matrix2d const&, Eigen::Vector2d const&,
                                                       double);
template LeastNormStick<3> least_norm_stick_in_cone<3>(Eigen::Matrix3d const&, Eigen::Vector3d const&,
                                                       double);
template Eigen::Vector2d least_norm_solution<2>(Eigen::Matrix2d const&, Eigen::Vector2d const&);
template Eigen::Vector3d least_norm_solution<3>(Eigen::Matrix3d const&, Eigen::Vector3d const&);

}  // namespace delassus
