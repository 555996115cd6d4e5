#include "solver/island/compliance_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace delassus {
namespace {

constexpr double first_compliance = 10;    // beside the norm of A
constexpr double last_compliance = 1e-13;  // d beyond which rounding decides
constexpr double first_length = 0.1, most_length = 3, least_length = 1e-11;
// Of the angle between the tangents at both ends of a step, and how far a correction may lead beside its length.
constexpr double least_cosine = 0.8, straight_cosine = 0.97, most_correction = 0.3, least_correction = 1e-10;
constexpr int corrections = 20, trials = 60, most_idle = 50;
constexpr double slow = 0.1;  // what a correction may leave of what was wrong before new factors are worth it
// Beside the size of the force.
constexpr double solved = 1e-14, rounding = 3e-13, margin_tolerance = 1e-14;
constexpr double no_margin = std::numeric_limits<double>::infinity();

int tangential_rows(ForceSet const& set) {
  return rows_of(set.kind) - (has_normal(set.kind) ? 1 : 0);
}

double radius_of(ForceSet const& set, Eigen::Vector3d const& force) {
  return has_normal(set.kind) ? set.limit * force[rows_of(set.kind) - 1] : set.limit;
}

// e . x and e' . x of the tangential rows.
double along(Eigen::Vector2d const& e, int tangential, Eigen::Vector3d const& x) {
  return e[0] * x[0] + (tangential > 1 ? e[1] * x[1] : 0);
}
double across(Eigen::Vector2d const& e, Eigen::Vector3d const& x) {
  return e[0] * x[1] - e[1] * x[0];
}

bool turns(ForceSet const& set) {
  return tangential_rows(set) == 2 && set.limit > 0;
}

int unknowns_of(ForceSet const& set, ContactMode mode) {
  if (mode == ContactMode::detached) return 0;
  if (mode == ContactMode::stick) return rows_of(set.kind);
  return (has_normal(set.kind) ? 1 : 0) + (turns(set) ? 1 : 0);
}

Eigen::Vector2d direction_of(double x, double y, int tangential) {
  if (tangential < 2) return {x < 0 ? -1.0 : 1.0, 0.0};
  double const norm = std::hypot(x, y);
  return norm > 0 ? Eigen::Vector2d(x / norm, y / norm) : Eigen::Vector2d(1.0, 0.0);
}

void set_slipping_force(ForceSet const& set, Eigen::Vector2d const& e, Eigen::Vector3d& force) {
  double const radius = radius_of(set, force);
  for (int i = 0; i < tangential_rows(set); ++i) force[i] = radius * e[i];
}

}  // namespace

double CompliancePath::d() const {
  return std::exp(-at_.tau);
}

BlockVector const& CompliancePath::lambda() {
  lambda_.resize(at_.force.size());
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] = unit_[k] * at_.force[k];
  return lambda_;
}

bool CompliancePath::begin(IslandProblem const& island, BlockVector const& centre) {
  island_ = &island;
  island.form_blocks();
  std::size_t const size = island.size();
  auto const first = island.first();
  auto const columns = island.columns();
  unit_.resize(size);
  centre_.resize(size);
  b_.resize(size);
  sets_.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    unit_[k] = 1 / std::sqrt(island.compliance(k));
    centre_[k] = centre[k] / unit_[k];
    b_[k] = unit_[k] * island.b()[k];
    sets_[k] = island.set(k);
    switch (sets_[k].kind) {
      case ForceSetKind::double_cone2:
      case ForceSetKind::double_cone3:
      case ForceSetKind::directed2:
      case ForceSetKind::directed3:
        return false;
      case ForceSetKind::interval:
      case ForceSetKind::disc:
        sets_[k].limit /= unit_[k];
        break;
      default:
        break;
    }
  }
  A_.resize(columns.size());
  double norm = 0, squares = 0;
  for (std::size_t k = 0; k < size; ++k) {
    double row = 0;
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry) {
      A_[entry] = unit_[k] * unit_[static_cast<std::size_t>(columns[entry])] * island.value(entry);
      row += A_[entry].norm();
    }
    norm = std::max(norm, row);
    squares += b_[k].squaredNorm();
  }
  least_force_ = 0.1 * std::sqrt(squares);
  if (!(least_force_ > 0)) return false;
  if (island.symmetric_pattern()) {
    factor_.analyse(first, columns, 3);
  } else {
    full_first_.clear();
    full_columns_.clear();
    for (std::size_t i = 0; i < size; ++i) {
      full_first_.push_back(full_columns_.size());
      for (std::size_t j = 0; j < size; ++j) full_columns_.push_back(static_cast<int>(j));
    }
    full_first_.push_back(full_columns_.size());
    factor_.analyse(full_first_, full_columns_, 3);
  }

  // With d far above the norm of A the map of Alart and Curnier contracts.
  double const d = first_compliance * std::max(norm, 1.0);
  at_.tau = -std::log(d);
  first_tau_ = at_.tau - 1;
  at_.force = centre_;
  at_.blocks.resize(size);
  scale_ = least_force_;
  for (int i = 0; i < 60; ++i) {
    evaluate(at_);
    for (std::size_t k = 0; k < size; ++k) {
      ForceSet const& set = sets_[k];
      Block& block = at_.blocks[k];
      int const tangential = tangential_rows(set);
      Eigen::Vector3d y = at_.force[k] - eta_[k] / (1 + d);
      block.mode = ContactMode::stick;
      if (!is_free(set.kind)) {
        if (has_normal(set.kind) && !(y[tangential] > 0)) {
          block.mode = ContactMode::detached;
          y.setZero();
        } else if (tangential > 0) {
          double const slide = tangential > 1 ? std::hypot(y[0], y[1]) : std::abs(y[0]);
          double const radius = radius_of(set, y);
          if (slide > radius || !(radius > 0)) {
            block.mode = ContactMode::slip;
            block.e = direction_of(y[0], y[1], tangential);
            set_slipping_force(set, block.e, y);
          }
        }
      }
      at_.force[k] = y;
    }
  }
  length_ = first_length;
  pending_ = -1;
  idle_ = 0;
  factorisations_ = 0;
  tangent_known_ = false;
  tangent_.force.assign(size, Eigen::Vector3d::Zero());
  tangent_.theta.assign(size, 0.0);
  tangent_.tau = 1;
  return true;
}

// eta at the point.
void CompliancePath::evaluate(Point const& point) {
  double const d = std::exp(-point.tau);
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

// How far the point is from what its modes demand, beside the size of the force; eta_ is of it.
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
  double const d = std::exp(-point.tau);
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

// With the factors: along the curve, the change for one of tau; else what takes away what is demanded at this tau.
void CompliancePath::solve(Point const& point, bool along_curve, Direction& direction) {
  double const d = std::exp(-point.tau);
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
        double const angle = t * direction.theta[k], c = std::cos(angle), s = std::sin(angle);
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
      double const size =
          tangential > 1 ? std::hypot(point.force[k][0], point.force[k][1]) : std::abs(point.force[k][0]);
      margins[2 * k + 1] = radius_of(set, point.force[k]) - size;
    } else {
      margins[2 * k + 1] = -along(block.e, tangential, eta_[k]);
    }
  }
}

// Their derivatives in this direction.
void CompliancePath::find_rates(Point const& point, Direction const& direction, std::vector<double>& rates) {
  double const d = std::exp(-point.tau);
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

// To the curve, across the tangent. Factors serve for as long as each correction leaves little of what was
// wrong.
bool CompliancePath::correct(Point& point, double length) {
  double last = std::numeric_limits<double>::infinity(), way = 0;
  for (int i = 0; i < corrections; ++i) {
    evaluate(point);
    double const wrong = demanded(point);
    if (!std::isfinite(wrong)) return false;
    if (wrong < solved || (wrong < rounding && wrong > slow * last && fresh_)) return true;
    if (i > 1 && wrong > 0.9 * last && fresh_) return false;
    if (!refresh(point, i == 0 || wrong > slow * last)) return false;
    last = wrong;
    solve(point, false, across_);
    solve(point, true, along_);
    double const t = -dot(tangent_, across_) / dot(tangent_, along_);
    for (std::size_t k = 0; k < point.force.size(); ++k) {
      across_.force[k] += t * along_.force[k];
      across_.theta[k] += t * along_.theta[k];
    }
    across_.tau = t;
    way += std::sqrt(dot(across_, across_));
    if (!(way <= most_correction * length + least_correction)) return false;
    move(point, across_, 1);
  }
  return false;
}

// To where the curve has this margin zero.
bool CompliancePath::land(Point& point, std::size_t margin) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < corrections; ++i) {
    evaluate(point);
    find_margins(point, next_margins_);
    double const left = next_margins_[margin];
    double const wrong = std::hypot(demanded(point), left / scale_);
    if (!std::isfinite(wrong)) return false;
    if (wrong < solved || (wrong < rounding && wrong > slow * last && fresh_)) return true;
    if (i > 1 && wrong > 0.9 * last && fresh_) return false;
    if (!refresh(point, wrong > slow * last)) return false;
    last = wrong;
    solve(point, false, across_);
    solve(point, true, along_);
    find_rates(point, across_, next_rates_);
    double const by_correction = next_rates_[margin];
    find_rates(point, along_, next_rates_);
    double const t = -(left + by_correction) / next_rates_[margin];
    if (!std::isfinite(t)) return false;
    move(point, across_, 1);
    move(point, along_, t);
  }
  return false;
}

// Factors of this point where they are needed.
bool CompliancePath::refresh(Point const& point, bool needed) {
  fresh_ = needed;
  return !needed || factorise(point);
}

// Of length 1, with the orientation of tangent_ as yet unknown.
bool CompliancePath::find_tangent(Point const& point, Direction& tangent) {
  solve(point, true, tangent);
  double const length = std::sqrt(dot(tangent, tangent));
  if (!std::isfinite(length)) return false;
  scale(tangent, 1 / length);
  return true;
}

// Whether a margin is likely to be negative between the ends of the step, though not at them: by the cubic that
// has its values and derivatives there.
bool CompliancePath::dips(double length) const {
  for (std::size_t j = 0; j < margins_.size(); ++j) {
    if (!(margins_[j] < no_margin) || !(next_margins_[j] < no_margin)) continue;
    double const a = margins_[j], b = next_margins_[j], p = rates_[j] * length, q = next_rates_[j] * length;
    if (!(p < 0 && q > 0 && a < -p && b < q)) continue;
    for (double t = 0.1; t < 0.95; t += 0.1) {
      double const s = 1 - t;
      double const there = (1 + 2 * t) * s * s * a + t * s * s * p + t * t * (3 - 2 * t) * b - t * t * s * q;
      if (there < -margin_tolerance * scale_) return true;
    }
  }
  return false;
}

void CompliancePath::replace_mode(std::size_t margin) {
  std::size_t const k = margin / 2;
  ForceSet const& set = sets_[k];
  Block& block = at_.blocks[k];
  int const tangential = tangential_rows(set);
  Eigen::Vector3d& force = at_.force[k];
  if (margin % 2 == 0) {
    if (block.mode == ContactMode::detached) {
      block.mode = tangential > 0 ? ContactMode::slip : ContactMode::stick;
      block.e = direction_of(-eta_[k][0], -eta_[k][1], tangential);
    } else {
      block.mode = ContactMode::detached;
      force.setZero();
    }
  } else if (block.mode == ContactMode::stick) {
    block.mode = ContactMode::slip;
    block.e = direction_of(force[0], force[1], tangential);
    set_slipping_force(set, block.e, force);
  } else {
    block.mode = ContactMode::stick;
  }
  pending_ = static_cast<int>(margin);
  tangent_known_ = false;
}

// tangent_ at the present point, and the rates of its margins.
bool CompliancePath::orient() {
  if (!tangent_known_) {
    if (!factorise(at_) || !find_tangent(at_, next_tangent_)) return false;
  } else {
    next_tangent_ = tangent_;
    scale(next_tangent_, 1 / std::sqrt(dot(tangent_, tangent_)));
  }
  find_rates(at_, next_tangent_, rates_);
  bool const back =
      pending_ >= 0 ? rates_[static_cast<std::size_t>(pending_)] < 0 : dot(tangent_, next_tangent_) < 0;
  if (back) {
    scale(next_tangent_, -1);
    for (double& rate : rates_) rate *= -1;
  }
  std::swap(tangent_, next_tangent_);
  return true;
}

bool CompliancePath::advance() {
  double squares = 0;
  for (Eigen::Vector3d const& part : at_.force) squares += part.squaredNorm();
  double const new_scale = std::max(least_force_, std::sqrt(squares));
  for (Eigen::Vector3d& part : tangent_.force) part *= new_scale / scale_;
  scale_ = new_scale;
  evaluate(at_);
  find_margins(at_, margins_);
  if (!orient()) return false;
  double const tolerance = margin_tolerance * scale_;
  for (int trial = 0; trial < trials; ++trial) {
    if (!(length_ > least_length)) return false;
    double const length = length_;
    next_ = at_;
    move(next_, tangent_, length);
    if (!correct(next_, length)) {
      length_ *= 0.3;
      continue;
    }
    find_margins(next_, next_margins_);
    if (pending_ >= 0) {
      auto const j = static_cast<std::size_t>(pending_);
      if (next_margins_[j] < -tolerance && margins_[j] <= 10 * tolerance) {
        length_ *= 0.3;
        continue;
      }
    }
    double share = 2;
    std::size_t event = 0;
    for (std::size_t j = 0; j < next_margins_.size(); ++j) {
      if (!(next_margins_[j] < -tolerance)) continue;
      double const before = std::max(0.0, margins_[j]);
      double const when = before / (before - next_margins_[j]);
      if (when < share) {
        share = when;
        event = j;
      }
    }
    bool const ends = share <= 1;
    bool idle = false;
    if (ends) {
      next_ = at_;
      // What is past its end already, within the tolerance, ends here.
      bool const at_once = !(margins_[event] > 0) && rates_[event] < 0;
      if (at_once) {
        evaluate(next_);
        next_margins_ = margins_;
      } else {
        move(next_, tangent_, share * length);
      }
      bool good = at_once || land(next_, event);
      if (good) {
        for (std::size_t j = 0; j < next_margins_.size() && good; ++j)
          good = j == event || !(next_margins_[j] < -10 * tolerance);
      }
      double forward = 0;
      for (std::size_t k = 0; k < at_.force.size(); ++k)
        forward += tangent_.force[k].dot(next_.force[k] - at_.force[k]);
      forward = forward / (scale_ * scale_) + tangent_.tau * (next_.tau - at_.tau);
      good = good && forward > -1e-9 && forward <= 1.5 * length;
      idle = forward < 1e-13;
      if (!good) {
        length_ *= std::clamp(0.9 * share, 0.2, 0.8);
        continue;
      }
    }
    if (!factorise(next_) || !find_tangent(next_, next_tangent_)) return false;
    double cosine = dot(tangent_, next_tangent_);
    if (cosine < 0) {
      cosine *= -1;
      scale(next_tangent_, -1);
    }
    find_rates(next_, next_tangent_, next_rates_);
    bool const refused = cosine < least_cosine || (ends ? !(next_rates_[event] < 0) : dips(length));
    if (refused) {
      length_ *= ends ? std::clamp(0.9 * share, 0.2, 0.8) : 0.4;
      continue;
    }
    std::swap(at_, next_);
    std::swap(tangent_, next_tangent_);
    tangent_known_ = true;
    pending_ = -1;
    if (ends) {
      idle_ = idle ? idle_ + 1 : 0;
      if (idle_ > most_idle) return false;
      replace_mode(event);
      length_ = std::max(length_, 1e-3);
    } else if (cosine > straight_cosine) {
      length_ = std::min(2 * length_, most_length);
    }
    return d() > last_compliance && at_.tau > first_tau_;
  }
  return false;
}

}  // namespace delassus
