// The Coulomb cone |lambda_t| <= mu lambda_n (Kikuuwe and Brogliato 2017, (54)) as a small value type, in the
// plane (one tangential component) and in space (two). Order of components: tangential first, normal last.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "model/numbers/elementary.hpp"

namespace delassus {

template <int rows>
class FrictionCone {
 public:
  using Vector = Eigen::Matrix<double, rows, 1>;

  explicit FrictionCone(double mu) : mu_(mu) {}

  double mu() const { return mu_; }

  // `slack` is a relative allowance for rounding: |lambda_t| <= mu lambda_n + slack |lambda|.
  bool contains(Vector const& lambda, double slack = 0) const {
    double const tangential = tangential_norm(lambda);
    double const normal = lambda[rows - 1];
    double const allowance = slack * elementary::hypot(tangential, normal);
    return normal >= -allowance && tangential <= mu_ * normal + allowance;
  }

  // The dual cone { eta : eta . lambda >= 0 for all lambda in the cone } is mu |eta_t| <= eta_n.
  bool dual_contains(Vector const& eta, double slack = 0) const {
    double const tangential = tangential_norm(eta);
    return mu_ * tangential <= eta[rows - 1] + slack * elementary::hypot(tangential, eta[rows - 1]);
  }

  // Euclidean projection: the apex for the polar cone, else the nearest point of the generator below lambda.
  Vector project(Vector const& lambda) const { return project(lambda, tangential_norm(lambda)); }
  // The same where |lambda_t| is at hand.
  Vector project(Vector const& lambda, double tangential) const {
    double const normal = lambda[rows - 1];
    if (mu_ * tangential <= -normal) return Vector::Zero();
    if (tangential <= mu_ * normal) return lambda;
    double const projected_normal = (normal + mu_ * tangential) / (1 + mu_ * mu_);
    Vector projected = lambda;
    projected.template head<rows - 1>() *= mu_ * projected_normal / tangential;
    projected[rows - 1] = projected_normal;
    return projected;
  }

 private:
  // hypot: no overflow of the squares for forces beyond 1e154.
  static double tangential_norm(Vector const& v) {
    if constexpr (rows == 2) {
      return std::abs(v[0]);
    } else {
      return elementary::hypot(v[0], v[1]);
    }
  }

  double mu_;
};

using PlanarCone = FrictionCone<2>;
using SpatialCone = FrictionCone<3>;

}  // namespace delassus
