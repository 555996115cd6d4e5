#include "solver/island/compliance_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

constexpr double first_compliance = 10;    // beside the norm of A
constexpr double last_compliance = 1e-13;  // d beyond which rounding decides
constexpr double first_length = 0.1, most_length = 3, least_length = 1e-11;
// Of the angle between the tangents at both ends of a step, and how far a correction may lead beside its length.
constexpr double least_cosine = 0.8, straight_cosine = 0.97, most_correction = 0.3, least_correction = 1e-10;
constexpr int corrections = 20, trials = 60, most_idle = 50;
constexpr double slow = 0.1;  // share of the residual that a correction may leave before new factors pay
// Beside the size of the force.
constexpr double solved = 1e-14, rounding = 3e-13, margin_tolerance = 1e-14;

}  // namespace

double CompliancePath::d() const {
  return elementary::exp(-at_.tau);
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
  at_.tau = -elementary::log(d);
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
          double const slide = tangential > 1 ? elementary::hypot(y[0], y[1]) : std::abs(y[0]);
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

// To the curve, across the tangent. Factors are reused as long as each correction leaves little of the residual.
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
    double const wrong = elementary::hypot(demanded(point), left / scale_);
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
