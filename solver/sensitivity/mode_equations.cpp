#include "solver/sensitivity/mode_equations.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

bool is_directed(ForceSetKind kind) {
  return kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3;
}
bool is_double(ForceSetKind kind) {
  return kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}

// What the limit is multiplied by in the bound, and its derivative by lambda_n.
struct Weight {
  double slope = 0, constant = 1;
};
Weight weight_of(SolvedBlock const& block, BlockRule rule) {
  if (!has_normal(block.set.kind)) return {0, 1};
  double const normal = block.lambda[block.rows() - 1];
  bool const below =
      is_double(block.set.kind) && (normal < 0 || (normal == 0 && rule == BlockRule::other_side));
  return {below ? -1.0 : 1.0, 0};
}

}  // namespace

MeetingRules rules_at(SolvedBlock const& block, double rounding) {
  MeetingRules rules;
  ForceSetKind const kind = block.set.kind;
  if (is_free(kind)) {
    rules.add(BlockRule::stick);
    return rules;
  }
  int const t = block.tangential();
  // By y = lambda - rho eta, as Newton's method chooses modes (block_mode.hpp): a motion that is only what the solver left
  // does not make a slip of a force well inside its bound.
  double const moved = (block.lambda.head(t) - block.rho * block.eta.head(t)).norm();
  bool const moves = block.rho * block.eta.head(t).norm() > rounding;
  double weight = 1;
  if (has_normal(kind)) {
    double const lambda_n = block.lambda[t];
    double eta_n = block.rho * block.eta[t];
    if (block.law == ContactLaw::anitescu_tasora && t > 0)
      eta_n -= block.rho * block.set.limit * block.eta.head(t).norm();
    weight = std::abs(lambda_n);
    if (!is_double(kind) && !(lambda_n - eta_n > rounding)) {
      rules.add(BlockRule::detached);
      if (lambda_n - eta_n < -rounding) return rules;
      if (kind == ForceSetKind::half_line) {
        rules.add(BlockRule::stick);
      } else if (is_directed(kind)) {
        rules.add(BlockRule::directed);
      } else if (moves) {
        rules.add(BlockRule::slip);
      } else {
        rules.add(BlockRule::stick);
        rules.add(BlockRule::apex_slip);
      }
      return rules;
    }
    if (kind == ForceSetKind::half_line) {
      rules.add(BlockRule::stick);
      return rules;
    }
    if (is_directed(kind)) {
      rules.add(BlockRule::directed);
      return rules;
    }
    if (is_double(kind) && !(weight > rounding)) {  // presses on neither side
      rules.add(moves ? BlockRule::slip : BlockRule::stick);
      if (moves) rules.add(BlockRule::other_side);
      return rules;
    }
  }
  double const bound = block.set.limit * weight;
  if (moved > bound + rounding || !(bound > rounding)) {
    rules.add(moves || !(bound > 0) ? BlockRule::slip : BlockRule::stick);  // without friction nothing sticks
    return rules;
  }
  rules.add(BlockRule::stick);
  if (moved >= bound - rounding) rules.add(BlockRule::leaving);
  return rules;
}

template <class Scalar>
ModeEquations<Scalar> mode_equations(SolvedBlock const& block, BlockRule rule, Vector3<Scalar> const& lambda,
                                     Vector3<Scalar> const& eta, ForceSetOf<Scalar> const& set,
                                     Eigen::Vector2d const& heading) {
  ModeEquations<Scalar> equations;
  int const rows = block.rows(), t = block.tangential();
  bool const normal = has_normal(block.set.kind);
  Matrix3<Scalar>&P = equations.P, &Q = equations.Q;
  if (rule == BlockRule::detached) {
    for (int i = 0; i < rows; ++i) P(i, i) = 1;
    return equations;
  }
  if (normal) Q(t, t) = block.rho;
  if (rule == BlockRule::stick) {
    for (int i = 0; i < t; ++i) Q(i, i) = block.rho;
    return equations;
  }
  if (rule == BlockRule::directed) {
    for (int i = 0; i < t; ++i) {
      P(i, i) = 1;
      P(i, t) = -set.direction[static_cast<std::size_t>(i)];
    }
    return equations;
  }
  Weight const weight = weight_of(block, rule);
  if (rule == BlockRule::leaving) {
    // e.lambda_t - limit w = 0, e'.eta_t = 0.
    double const size = block.lambda.head(t).norm();
    Eigen::Vector2d e = Eigen::Vector2d::UnitX();
    if (size > 0) {
      for (int i = 0; i < t; ++i) e[i] = block.lambda[i] / size;
    }
    for (int i = 0; i < t; ++i) P(0, i) = e[i];
    if (normal) P(0, t) = -set.limit * weight.slope;
    equations.r_limit[0] = normal ? Scalar(-weight.slope * block.lambda[t]) : Scalar(-weight.constant);
    if (t == 2) {
      Q(1, 0) = -block.rho * e[1];
      Q(1, 1) = block.rho * e[0];
    }
    return equations;
  }
  // Slip. An apex slip has no motion yet: its direction is given.
  Vector3<Scalar> u = Vector3<Scalar>::Zero();
  Scalar size = 0;
  for (int i = 0; i < t; ++i) size += eta[i] * eta[i];
  size = sqrt(size);
  for (int i = 0; i < t; ++i) {
    if (rule == BlockRule::apex_slip) {
      u[i] = -heading[i];
    } else if (size > 0) {
      u[i] = eta[i] / size;
    }
  }
  Scalar const w = normal ? Scalar(weight.slope * lambda[t]) : Scalar(weight.constant);
  for (int i = 0; i < t; ++i) {
    P(i, i) = 1;
    if (normal) P(i, t) = set.limit * weight.slope * u[i];
    equations.r_limit[i] = w * u[i];
    if (rule == BlockRule::apex_slip || !(size > 0)) continue;
    for (int j = 0; j < t; ++j) {
      Scalar const across = Scalar(i == j ? 1.0 : 0.0) - u[i] * u[j];
      Q(i, j) = set.limit * w * across / size;
    }
  }
  if (block.law == ContactLaw::anitescu_tasora && normal) {
    for (int j = 0; j < t; ++j) Q(t, j) = -block.rho * set.limit * u[j];
    equations.r_limit[t] = -block.rho * size;
  }
  return equations;
}

template ModeEquations<double> mode_equations(SolvedBlock const&, BlockRule, Vector3<double> const&,
                                              Vector3<double> const&, ForceSetOf<double> const&,
                                              Eigen::Vector2d const&);
template ModeEquations<Dual> mode_equations(SolvedBlock const&, BlockRule, Vector3<Dual> const&,
                                            Vector3<Dual> const&, ForceSetOf<Dual> const&,
                                            Eigen::Vector2d const&);

Eigen::Vector3d set_rate(SolvedBlock const& block, BlockRule rule, ModeEquations<double> const& equations,
                         ForceSetOf<Dual> const& set) {
  Eigen::Vector3d rate = equations.r_limit * set.limit.derivative;
  if (rule == BlockRule::directed) {
    int const t = block.tangential();
    for (int i = 0; i < t; ++i)
      rate[i] -= set.direction[static_cast<std::size_t>(i)].derivative * block.lambda[t];
  }
  return rate;
}

double violation(SolvedBlock const& block, BlockRule rule, double rounding, Eigen::Vector3d const& dlambda,
                 Eigen::Vector3d const& deta, double dlimit, Eigen::Vector2d const& heading) {
  int const t = block.tangential();
  bool const normal = has_normal(block.set.kind);
  Weight const weight = weight_of(block, rule);
  Eigen::Vector2d e = Eigen::Vector2d::Zero();
  double const force = block.lambda.head(t).norm();
  if (force > rounding) {
    for (int i = 0; i < t; ++i) e[i] = block.lambda[i] / force;
  }
  switch (rule) {
    case BlockRule::detached: {
      double rate = deta[t];
      if (block.law == ContactLaw::anitescu_tasora) rate -= block.set.limit * deta.head(t).norm();
      return -block.rho * rate;
    }
    case BlockRule::stick:
      if (!normal || std::abs(block.lambda[t]) > rounding || t == 0) {
        if (t == 0) return -dlambda[0];
        double const growth =
            normal ? dlimit * std::abs(block.lambda[t]) + block.set.limit * weight.slope * dlambda[t]
                   : dlimit;
        return e.head(t).dot(dlambda.head(t)) - growth;
      }
      if (block.set.kind == ForceSetKind::double_cone2 || block.set.kind == ForceSetKind::double_cone3)
        return dlambda.head(t).norm() - block.set.limit * std::abs(dlambda[t]);
      return std::max(-dlambda[t], dlambda.head(t).norm() - block.set.limit * dlambda[t]);
    case BlockRule::leaving:
      return block.rho * e.head(t).dot(deta.head(t));
    case BlockRule::apex_slip:
      return std::max(-dlambda[t], block.rho * heading.head(t).dot(deta.head(t)));
    case BlockRule::slip:
    case BlockRule::directed:
    case BlockRule::other_side:
      return normal ? -weight.slope * dlambda[t] : 0;
  }
  return 0;
}

}  // namespace delassus
