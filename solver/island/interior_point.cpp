#include "solver/island/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

using Vector = Eigen::Vector3d;

// Below, friction is nothing that could be told from rounding, and 1 / mu is no scale.
constexpr double least_friction = 1e-9;
// Beside a block's own: of the proximal term, and of a joint.
constexpr double proximal_compliance = 1e-8, joint_compliance = 1e-10;
// Of the longest step that stays inside.
constexpr double shortest_share = 0.9, longest_share = 0.99;
constexpr double shortest_step = 1e-6;
constexpr double most_centring = 5;    // times the present tau
constexpr double kept_distance = 0.1;  // of u from its cone, where it moves to what it should be

// v o w, the normal last.
Vector product(Vector const& v, Vector const& w) {
  return {v[2] * w[0] + w[2] * v[0], v[2] * w[1] + w[2] * v[1], v.dot(w)};
}

// (v_n - |v_t|)(v_n + |v_t|): both factors of a point inside are positive, and exact.
double determinant(Vector const& v) {
  double const t = std::sqrt(v[0] * v[0] + v[1] * v[1]);
  return (v[2] - t) * (v[2] + t);
}

// x with v o x = y.
Vector divide(Vector const& v, Vector const& y) {
  double const x_n = (v[2] * y[2] - v[0] * y[0] - v[1] * y[1]) / determinant(v);
  return {(y[0] - x_n * v[0]) / v[2], (y[1] - x_n * v[1]) / v[2], x_n};
}

// The largest s with v + s d in the cone, v inside.
double longest(Vector const& v, Vector const& d) {
  double const a = d[2] * d[2] - d[0] * d[0] - d[1] * d[1], b = v[2] * d[2] - v[0] * d[0] - v[1] * d[1],
               c = determinant(v);
  double s = std::numeric_limits<double>::infinity();
  if (d[2] < 0) s = -v[2] / d[2];
  // a s^2 + 2 b s + c = 0
  double const square = b * b - a * c;
  if (!(square >= 0)) return s;
  double const root = std::sqrt(square);
  for (double const divisor : {-b + root, -b - root}) {
    double const candidate = c / divisor;
    if (candidate > 0) s = std::min(s, candidate);
  }
  return s;
}

// The symmetric matrix with eigenvalues `outer` along (t, 1), `inner` along (t, -1) and `across` across, t a unit vector.
Eigen::Matrix3d of_eigenvalues(Eigen::Vector2d const& t, double outer, double inner, double across) {
  double const mean = (outer + inner) / 2, half = (outer - inner) / 2;
  Eigen::Matrix3d S;
  S.topLeftCorner<2, 2>() = (mean - across) * t * t.transpose();
  S(0, 0) += across;
  S(1, 1) += across;
  S.topRightCorner<2, 1>() = half * t;
  S.bottomLeftCorner<1, 2>() = half * t.transpose();
  S(2, 2) = mean;
  return S;
}

// A point of the cone at least this far inside.
Vector pushed_inside(Vector v, double distance) {
  v[2] = std::max(v[2], std::sqrt(v[0] * v[0] + v[1] * v[1])) + distance;
  return v;
}

}  // namespace

bool InteriorPoint::applies(IslandProblem const& island) {
  return std::all_of(island.sets().begin(), island.sets().end(), [](ForceSet const& set) {
    return is_free(set.kind) || set.kind == ForceSetKind::half_line || set.kind == ForceSetKind::cone2 ||
           set.kind == ForceSetKind::cone3;
  });
}

void InteriorPoint::begin(IslandProblem const& island, BlockVector const& lambda, double inside) {
  std::size_t const size = island.size();
  contacts_.resize(size);
  N_.resize(size);
  lambda_ = lambda;
  cones_ = 0;
  double const load = island.usual_force() / std::sqrt(static_cast<double>(size));
  for (std::size_t k = 0; k < size; ++k) {
    Contact& contact = contacts_[k];
    ForceSet const& set = island.set(k);
    int const rows = rows_of(set.kind);
    contact.free = is_free(set.kind);
    contact.P.setZero();
    contact.slides = false;
    if (contact.free) {
      contact.P.setIdentity();
      contact.force = lambda[k];
      continue;
    }
    cones_ += 1;
    contact.slides = rows > 1 && set.limit > least_friction;
    double const mu = contact.slides ? set.limit : 1;
    contact.P(2, rows - 1) = 1 / mu;
    for (int i = 0; contact.slides && i + 1 < rows; ++i) contact.P(i, i) = 1;
    Vector force = lambda[k];
    force[rows - 1] *= mu * mu;
    contact.force = pushed_inside(contact.P * force, inside * mu * load);
    lambda_[k] = contact.P.transpose() * contact.force;
  }
  equations_.begin(island, lambda_);
  for (std::size_t k = 0; k < size; ++k) {
    Contact& contact = contacts_[k];
    Vector u = contact.P * equations_.eta()[k];
    if (!contact.free) {
      if (contact.slides) u[2] += std::sqrt(u[0] * u[0] + u[1] * u[1]);
      u = pushed_inside(u, inside * load * island.compliance(k));
    }
    contact.motion = u;
  }
}

// With u- and lambda- of determinant one, w = (u- + J lambda-) / (2 g), where J turns the sign of the tangential
// components and g makes the determinant of w one, is where S maps e_n but for a factor. S has the eigenvalues
// w_n + |w_t| along (w_t, |w_t|), the inverse of that along (w_t, -|w_t|), and one across. Small eigenvalues are taken
// from large ones, because the difference w_n - |w_t| has no digits where a contact sticks or opens.
void InteriorPoint::scale(Contact& contact) const {
  double const u = std::sqrt(determinant(contact.motion)), l = std::sqrt(determinant(contact.force));
  Vector const motion = contact.motion / u, force = contact.force / l;
  double const g = std::sqrt((1 + motion.dot(force)) / 2);
  Vector w = motion + Vector(-force[0], -force[1], force[2]);
  w /= 2 * g;
  double const t = std::sqrt(w[0] * w[0] + w[1] * w[1]), a = w[2] + t, size = std::sqrt(u / l);
  Eigen::Vector2d const direction = t > 0 ? Eigen::Vector2d(w.head<2>() / t) : Eigen::Vector2d::UnitX();
  contact.scaling = of_eigenvalues(direction, size * a, size / a, size);
  contact.inverse_scaling = of_eigenvalues(direction, 1 / (size * a), a / size, 1 / size);
  double const square = size * size;
  contact.stiffness = of_eigenvalues(direction, 1 / (square * a * a + contact.D),
                                     1 / (square / (a * a) + contact.D), 1 / (square + contact.D));
  contact.nu = contact.scaling * contact.force;
}

// |u_t| is not linear, and so u_n is not what it should be after a step. It is made so where that leads inwards, and
// as far as the cone allows where it leads outwards.
void InteriorPoint::make_up(Contact& contact, Vector const& eta) const {
  if (contact.free || !contact.slides) return;
  Vector& u = contact.motion;
  double const t = std::sqrt(u[0] * u[0] + u[1] * u[1]);
  double const right = contact.P.row(2).dot(eta) + t;
  u[2] = std::max(right, t + kept_distance * (u[2] - t));
}

// The changes for the q of all contacts.
void InteriorPoint::solve(IslandProblem const& island) {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact const& contact = contacts_[k];
    Vector f;
    if (contact.free) {
      f = -N_[k](0, 0) * equations_.eta()[k];
    } else {
      f = contact.stiffness * (contact.scaling * contact.q - contact.lack);
    }
    change_[k] = contact.P.transpose() * f;
  }
  equations_.solve(island, N_, change_, change_eta_);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    if (contact.free) {
      contact.force_change = change_[k];
      continue;
    }
    contact.motion_change = contact.E * (contact.P * change_eta_[k]) + contact.lack;
    contact.force_change = contact.stiffness * (contact.scaling * contact.q - contact.motion_change);
    contact.motion_change += contact.D * contact.force_change;
  }
}

double InteriorPoint::longest_step() const {
  double longest_yet = std::numeric_limits<double>::infinity();
  for (Contact const& contact : contacts_) {
    if (contact.free) continue;
    longest_yet = std::min(longest_yet, longest(contact.motion, contact.motion_change));
    longest_yet = std::min(longest_yet, longest(contact.force, contact.force_change));
  }
  return longest_yet;
}

bool InteriorPoint::step(IslandProblem const& island) {
  change_.resize(contacts_.size());
  double tau = 0, lack = 0, force = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    if (contact.free) {
      N_[k] = Eigen::Matrix3d::Identity() / (joint_compliance * island.compliance(k));
      continue;
    }
    Vector const& u = contact.motion;
    double const t = contact.slides ? std::sqrt(u[0] * u[0] + u[1] * u[1]) : 0;
    contact.lack = contact.P * equations_.eta()[k] - u;
    contact.lack[2] += t;
    contact.E.setIdentity();
    if (t > 0) contact.E.bottomLeftCorner<1, 2>() = u.head<2>().transpose() / t;
    contact.D = proximal_compliance * island.compliance(k);
    scale(contact);
    N_[k] = contact.P.transpose() * (contact.stiffness * (contact.E * contact.P));
    tau += u.dot(contact.force);
    lack += contact.lack.squaredNorm();
    force += contact.force.squaredNorm();
  }
  tau /= std::max(cones_, 1.0);
  if (!std::isfinite(tau) || !equations_.factorise(island, N_, lambda_)) return false;
  for (Contact& contact : contacts_) contact.q = -contact.nu;
  solve(island);
  double const free_step = std::min(1.0, longest_step());
  double reached = 0;
  for (Contact const& contact : contacts_) {
    if (!contact.free)
      reached += (contact.motion + free_step * contact.motion_change)
                     .dot(contact.force + free_step * contact.force_change);
  }
  reached = std::max(reached / std::max(cones_, 1.0), 0.0);
  double const share = reached / tau, needed = std::sqrt(lack * force) / std::max(cones_, 1.0) / tau;
  double const next =
      tau * std::min(std::max(std::min(share * share * share, 1.0), (1 - free_step) * needed), most_centring);
  for (Contact& contact : contacts_) {
    if (contact.free) continue;
    Vector const second =
        product(contact.inverse_scaling * contact.motion_change, contact.scaling * contact.force_change);
    contact.q = divide(contact.nu, next * Vector::UnitZ() - second) - contact.nu;
  }
  solve(island);
  double const share_of_longest = shortest_share + (longest_share - shortest_share) * free_step;
  double const s = std::min(1.0, share_of_longest * longest_step());
  if (!(s > shortest_step)) return false;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    contact.force += s * contact.force_change;
    if (!contact.free) contact.motion += s * contact.motion_change;
    lambda_[k] = contact.P.transpose() * contact.force;
  }
  equations_.advance(island, s);
  for (std::size_t k = 0; k < contacts_.size(); ++k) make_up(contacts_[k], equations_.eta()[k]);
  return true;
}

}  // namespace delassus
