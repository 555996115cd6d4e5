// The equations of a point of the path: eta, the linear system of its modes, and the margins at which a mode ends.
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "solver/island/compliance_path.hpp"

namespace delassus {

// eta at the point.
void CompliancePath::evaluate(Point const& point) {
  double const d = elementary::exp(-point.tau);
  auto const first = island_->first();
  auto const columns = island_->columns();
  eta_.resize(point.force.size());
  for (std::size_t k = 0; k < point.force.size(); ++k) {
    Eigen::Vector3d sum = d * (point.force[k] - centre_[k]) - b_[k];
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry)
      sum.noalias() += A_[entry] * point.force[static_cast<std::size_t>(columns[entry])];
    eta_[k] = sum;
  }
}

// The residual of the equations of the point's modes, beside the size of the force; eta_ is of it.
double CompliancePath::demanded(Point const& point) {
  double sum = 0;
  for (std::size_t k = 0; k < point.force.size(); ++k) {
    ForceSet const& set = sets_[k];
    Block const& block = point.blocks[k];
    if (block.mode == ContactMode::detached) continue;
    if (block.mode == ContactMode::stick) {
      sum += eta_[k].head(rows_of(set.kind)).squaredNorm();
      continue;
    }
    if (has_normal(set.kind)) sum += eta_[k][rows_of(set.kind) - 1] * eta_[k][rows_of(set.kind) - 1];
    if (turns(set)) sum += across(block.e, eta_[k]) * across(block.e, eta_[k]);
  }
  return std::sqrt(sum) / scale_;
}

bool CompliancePath::factorise(Point const& point) {
  double const d = elementary::exp(-point.tau);
  std::size_t const size = point.force.size();
  auto const first = island_->first();
  auto const columns = island_->columns();
  unknowns_.resize(size);
  T_.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    ForceSet const& set = sets_[k];
    Block const& block = point.blocks[k];
    unknowns_[k] = unknowns_of(set, block.mode);
    T_[k].setZero();
    if (block.mode == ContactMode::stick) {
      T_[k].setIdentity();
    } else if (block.mode == ContactMode::slip) {
      int const tangential = tangential_rows(set);
      int column = 0;
      if (has_normal(set.kind)) {
        for (int i = 0; i < tangential; ++i) T_[k](i, 0) = set.limit * block.e[i];
        T_[k](tangential, 0) = 1;
        column = 1;
      }
      if (turns(set)) {
        double const radius = radius_of(set, point.force[k]);
        T_[k](0, column) = -radius * block.e[1];
        T_[k](1, column) = radius * block.e[0];
      }
    }
  }
  factor_.begin(unknowns_);
  for (std::size_t k = 0; k < size; ++k) {
    if (unknowns_[k] == 0) continue;
    ForceSet const& set = sets_[k];
    Block const& block = point.blocks[k];
    bool const slips = block.mode == ContactMode::slip;
    int const normal = has_normal(set.kind) ? 1 : 0;
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(columns[entry]);
      if (unknowns_[j] == 0) continue;
      Eigen::Matrix3d value = A_[entry];
      if (j == k) value.diagonal().array() += d;
      if (point.blocks[j].mode == ContactMode::slip) value = (value * T_[j]).eval();
      if (slips) {
        Eigen::Matrix3d const all = value;
        if (normal) value.row(0) = all.row(rows_of(set.kind) - 1);
        if (turns(set)) value.row(normal) = block.e[0] * all.row(1) - block.e[1] * all.row(0);
        if (j == k && turns(set)) value(normal, normal) -= along(block.e, 2, eta_[k]);
      }
      BlockFactor::Place const place = factor_.place(static_cast<int>(k), static_cast<int>(j));
      for (int c = 0; c < unknowns_[j]; ++c)
        for (int r = 0; r < unknowns_[k]; ++r) place.data[r + c * place.stride] = value(r, c);
    }
  }
  ++factorisations_;
  return factor_.factorise();
}

// With the factors: along the curve, the change per unit of tau; else the Newton correction at this tau.
void CompliancePath::solve(Point const& point, bool along_curve, Direction& direction) {
  double const d = elementary::exp(-point.tau);
  std::size_t const size = point.force.size();
  right_.resize(factor_.rows());
  std::size_t at = 0;
  for (std::size_t k = 0; k < size; ++k) {
    if (unknowns_[k] == 0) continue;
    ForceSet const& set = sets_[k];
    Eigen::Vector3d const wrong =
        along_curve ? Eigen::Vector3d(d * (point.force[k] - centre_[k])) : Eigen::Vector3d(-eta_[k]);
    if (point.blocks[k].mode == ContactMode::stick) {
      for (int i = 0; i < unknowns_[k]; ++i) right_[at++] = wrong[i];
    } else {
      if (has_normal(set.kind)) right_[at++] = wrong[rows_of(set.kind) - 1];
      if (turns(set)) right_[at++] = across(point.blocks[k].e, wrong);
    }
  }
  factor_.solve(right_.data());
  direction.force.resize(size);
  direction.theta.resize(size);
  direction.tau = along_curve ? 1 : 0;
  at = 0;
  for (std::size_t k = 0; k < size; ++k) {
    Eigen::Vector3d z = Eigen::Vector3d::Zero();
    for (int i = 0; i < unknowns_[k]; ++i) z[i] = right_[at++];
    direction.force[k] = T_[k] * z;
    bool const turning = point.blocks[k].mode == ContactMode::slip && turns(sets_[k]);
    direction.theta[k] = turning ? z[unknowns_[k] - 1] : 0;
  }
}

double CompliancePath::dot(Direction const& one, Direction const& other) const {
  double force = 0, theta = 0;
  for (std::size_t k = 0; k < one.force.size(); ++k) {
    force += one.force[k].dot(other.force[k]);
    theta += one.theta[k] * other.theta[k];
  }
  return force / (scale_ * scale_) + theta + one.tau * other.tau;
}

void CompliancePath::scale(Direction& direction, double factor) {
  for (Eigen::Vector3d& part : direction.force) part *= factor;
  for (double& angle : direction.theta) angle *= factor;
  direction.tau *= factor;
}

void CompliancePath::move(Point& point, Direction const& direction, double t) const {
  for (std::size_t k = 0; k < point.force.size(); ++k) {
    Block& block = point.blocks[k];
    if (block.mode == ContactMode::stick) {
      point.force[k] += t * direction.force[k];
    } else if (block.mode == ContactMode::slip) {
      ForceSet const& set = sets_[k];
      if (has_normal(set.kind)) {
        int const n = rows_of(set.kind) - 1;
        point.force[k][n] += t * direction.force[k][n];
      }
      if (turns(set)) {
        double const angle = t * direction.theta[k], c = elementary::cos(angle), s = elementary::sin(angle);
        block.e = Eigen::Vector2d(c * block.e[0] - s * block.e[1], s * block.e[0] + c * block.e[1]);
        block.e.normalize();
      }
      set_slipping_force(set, block.e, point.force[k]);
    }
  }
  point.tau += t * direction.tau;
}

// Two of each block, in that order: of the normal force, and of stick or slip.
void CompliancePath::find_margins(Point const& point, std::vector<double>& margins) const {
  margins.assign(2 * point.force.size(), no_margin);
  for (std::size_t k = 0; k < point.force.size(); ++k) {
    ForceSet const& set = sets_[k];
    Block const& block = point.blocks[k];
    if (is_free(set.kind)) continue;
    int const tangential = tangential_rows(set);
    bool const detached = block.mode == ContactMode::detached;
    if (has_normal(set.kind)) margins[2 * k] = detached ? eta_[k][tangential] : point.force[k][tangential];
    if (tangential == 0 || !(set.limit > 0) || detached) continue;
    if (block.mode == ContactMode::stick) {
      double const size = tangential > 1 ? elementary::hypot(point.force[k][0], point.force[k][1])
                                         : std::abs(point.force[k][0]);
      margins[2 * k + 1] = radius_of(set, point.force[k]) - size;
    } else {
      margins[2 * k + 1] = -along(block.e, tangential, eta_[k]);
    }
  }
}

// Their derivatives in this direction.
void CompliancePath::find_rates(Point const& point, Direction const& direction, std::vector<double>& rates) {
  double const d = elementary::exp(-point.tau);
  auto const first = island_->first();
  auto const columns = island_->columns();
  rates.assign(2 * point.force.size(), 0.0);
  for (std::size_t k = 0; k < point.force.size(); ++k) {
    ForceSet const& set = sets_[k];
    Block const& block = point.blocks[k];
    if (is_free(set.kind)) continue;
    int const tangential = tangential_rows(set);
    Eigen::Vector3d eta = d * (direction.force[k] - direction.tau * (point.force[k] - centre_[k]));
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry)
      eta.noalias() += A_[entry] * direction.force[static_cast<std::size_t>(columns[entry])];
    bool const detached = block.mode == ContactMode::detached;
    if (has_normal(set.kind)) rates[2 * k] = detached ? eta[tangential] : direction.force[k][tangential];
    if (tangential == 0 || !(set.limit > 0) || detached) continue;
    if (block.mode == ContactMode::stick) {
      Eigen::Vector2d const e = direction_of(point.force[k][0], point.force[k][1], tangential);
      rates[2 * k + 1] = (has_normal(set.kind) ? radius_of(set, direction.force[k]) : 0) -
                         along(e, tangential, direction.force[k]);
    } else {
      // The derivative of e is across, where eta_t is zero.
      rates[2 * k + 1] = -along(block.e, tangential, eta);
    }
  }
}

}  // namespace delassus
