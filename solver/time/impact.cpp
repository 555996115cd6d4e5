#include "solver/time/impact.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

// Of the fastest approach: contacts that close as fast in turn are solved together, as symmetry asks for.
constexpr double as_fast = 1e-9;
// Of the fastest approach at the beginning: what is left then ends without a bounce.
constexpr double slow = 1e-12;
// Turns in a row; each takes some energy, so that even a ball between two walls ends before.
constexpr int most_turns = 10000;
// A bounce that has no solution is not searched for longer than this: islands with one need some hundred. The same for
// an impact without bounce, which has a solution and is found sooner, but for what rounding hides.
constexpr int most_iterations_to_bounce = 300, most_iterations_to_stop = 5000;
// Beside what would stop each contact. Impulses grow without bound where they cannot meet what is asked for.
constexpr double most_impulse = 100;
// Blocks of an impact whose iterations are that few.
constexpr std::size_t few_blocks = 64;
// What the last digits of an impulse are worth: where bodies are wedged, most of it is self-stress.
constexpr int most_iterations_for_digits = 30;
// Of the largest speed. Whether an island bounces as it should is judged as if its impact had at least that speed: what
// is left, 1e-8 of it, is less than what counts as closing.
constexpr double small_share = 1e-3;
// The same: a bounce that is slower is not missed.
constexpr double told_share = 1e-6;
// Of a bounce: what redundant joints that disagree by rounding take from it.
constexpr double missed_share = 1e-5;
// Of the largest velocity: a contact that closes as slowly after an expansion has not closed.
constexpr double unnoticed_closing = 1e-12;

// Keeps the masses of `terms`, no block.
void clear_blocks(Terms const& terms, Terms& cleared) {
  for (std::size_t i = 0; i < terms.M.size(); ++i) cleared.M[i].M = terms.M[i].M;
  cleared.Phi.setZero(terms.Phi.size());
  cleared.blocks.clear();
  cleared.J.clear();
  cleared.velocity.clear();
  cleared.Jdot_v.clear();
  cleared.Psi.clear();
}

// Appends rows of a block, from `row` on as many as the set has, with the velocities that `u` has for them.
void copy_rows(Terms const& terms, std::size_t block, std::size_t first_term, ForceSet const& set, int row,
               double const* u, Terms& copy) {
  int const rows = rows_of(set.kind), first = terms.blocks[block].first_row + row;
  copy.blocks.push_back({terms.blocks[block].identity, static_cast<int>(copy.velocity.size()), set, {}, {}});
  for (int i = 0; i < rows; ++i) {
    copy.velocity.push_back(u[first + i]);
    copy.Jdot_v.push_back(0);
    copy.Psi.push_back(0);
  }
  for (std::size_t i = first_term; i < terms.J.size() && terms.J.term(i).block == static_cast<int>(block);
       ++i) {
    auto const& term = terms.J.term(i);
    copy.J.add_unset(static_cast<int>(copy.blocks.size()) - 1, term.mass, rows, term.columns) =
        terms.J[i].middleRows(row, rows);
  }
}

bool is_contact_cone(ForceSetKind kind) {
  return kind == ForceSetKind::cone2 || kind == ForceSetKind::cone3;
}

}  // namespace

ImpactLaw::ImpactLaw(System const& system)
    : delassus_(system),
      chosen_(system.make_terms()),
      expanding_(system.make_terms()),
      change_(static_cast<std::size_t>(system.velocity_size())) {}

void ImpactLaw::choose(Terms const& terms, std::span<const Part> parts) {
  clear_blocks(terms, chosen_);
  origin_.clear();
  parts_.clear();
  std::size_t term = 0;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ForceSet const& set = terms.blocks[k].set;
    Part const& part = parts[k];
    while (term < terms.J.size() && terms.J.term(term).block < static_cast<int>(k)) ++term;
    int const tangential = rows_of(set.kind) - (has_normal(set.kind) ? 1 : 0);
    if (part.spare_friction > 0) {
      ForceSet const friction{tangential == 1 ? ForceSetKind::interval : ForceSetKind::disc,
                              part.spare_friction};
      add(terms, k, term, friction, 0, part);
      if (!has_normal(set.kind)) continue;
      add(terms, k, term, {is_unilateral(set.kind) ? ForceSetKind::half_line : ForceSetKind::free1},
          tangential, part);
    } else if (part.takes_part &&
               (set.kind == ForceSetKind::directed2 || set.kind == ForceSetKind::directed3)) {
      bool const plane = set.kind == ForceSetKind::directed2;
      double const share =
          plane ? std::abs(set.direction[0]) : elementary::hypot(set.direction[0], set.direction[1]);
      add(terms, k, term, {plane ? ForceSetKind::cone2 : ForceSetKind::cone3, share}, 0, part);
    } else if (part.takes_part) {
      add(terms, k, term, set, 0, part);
    }
  }
}

// Rows of a block, from `row` on as many as the set has.
void ImpactLaw::add(Terms const& terms, std::size_t block, std::size_t first_term, ForceSet const& set,
                    int row, Part const& part) {
  copy_rows(terms, block, first_term, set, row, velocity_.data(), chosen_);
  origin_.push_back({static_cast<int>(block), row});
  parts_.push_back(part);
}

SolveStatus ImpactLaw::solve(SolveSettings const& settings, bool bounces, Solution& solution) {
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& block = chosen_.blocks[k];
    if (!is_unilateral(block.set.kind)) continue;
    double const rest = parts_[k].expands() ? std::max(parts_[k].rest, 0.0) : parts_[k].rest;
    chosen_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)] =
        bounces ? newton_velocity(k) : rest;
  }
  delassus_.assemble(chosen_, {Relaxation::Source::impact}, problem_);
  P_.setZero(problem_.b.size());
  solver_.solve(problem_, settings, P_, solution);
  // What is left of an impact that is slow beside all others is rounding, as where wedged bodies press each other.
  double const own = problem_.b.norm(),
               least = small_share * speed_ * std::sqrt(static_cast<double>(problem_.b.size()));
  if (own < least) solution.residual *= own / least;
  if (solution.status == SolveStatus::iteration_limit && solution.residual <= settings.acceptable)
    solution.status = SolveStatus::converged;
  return judged(solution);
}

// The velocities of redundant joints disagree by what positions are rounded to and integration has left; that is no
// contradiction (run_check.hpp has the same for forces).
SolveStatus ImpactLaw::judged(Solution const& solution) {
  if (solution.status != SolveStatus::inconsistent || !solution.squeezed.empty()) return solution.status;
  product_.resize(P_.size());
  problem_.multiply(solution.lambda, product_);
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    if (solution.solutions[k] != 0) continue;
    ConstraintBlock const& block = chosen_.blocks[k];
    double const apart = (product_ - problem_.b).segment(block.first_row, block.rows()).norm();
    if (!is_free(block.set.kind) || apart > told_share * speed_) return solution.status;
  }
  return SolveStatus::converged;
}

// Of a unilateral block after the impact, where it does not open faster.
double ImpactLaw::newton_velocity(std::size_t k) const {
  ConstraintBlock const& block = chosen_.blocks[k];
  double const before = chosen_.velocity[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
  return before < 0 ? std::max(parts_[k].rest, -parts_[k].restitution * before) : parts_[k].rest;
}

void ImpactLaw::choose_expansion(bool against_closing) {
  clear_blocks(chosen_, expanding_);
  compressed_.clear();
  std::size_t term = 0;
  auto const take = [&](std::size_t k, ForceSet const& set) {
    copy_rows(chosen_, k, term, set, 0, start_.data(), expanding_);
    compressed_.push_back(k);
  };
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& block = chosen_.blocks[k];
    ForceSetKind const kind = block.set.kind;
    while (term < chosen_.J.size() && chosen_.J.term(term).block < static_cast<int>(k)) ++term;
    // Friction that was to spare has acted in the compression.
    if (kind == ForceSetKind::interval || kind == ForceSetKind::disc) continue;
    double const again = is_unilateral(kind) ? known_[block.first_row + block.rows() - 1] : 0;
    if (again > 0) {
      if (is_contact_cone(kind) && block.set.limit > 0)
        take(k, {kind == ForceSetKind::cone2 ? ForceSetKind::interval : ForceSetKind::disc,
                 block.set.limit * again});
      if (!against_closing) continue;
    }
    take(k, block.set);
    if (!is_unilateral(kind)) continue;
    expanding_.Psi.back() = parts_[k].expands() ? std::max(parts_[k].rest, 0.0) : newton_velocity(k);
  }
}

ImpactReport ImpactLaw::expand(SolveSettings const& settings, bool& bounced) {
  ImpactReport report;
  // e P_C,n, and the friction that follows from it where its direction is known.
  known_.setZero(P_.size());
  bounced = false;
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& block = chosen_.blocks[k];
    if (!is_unilateral(block.set.kind)) continue;
    int const last = block.first_row + block.rows() - 1;
    if (parts_[k].expands()) known_[last] = parts_[k].restitution * std::max(P_[last], 0.0);
    bounced |= known_[last] > 0 || newton_velocity(k) > parts_[k].rest;
    if (block.set.kind != ForceSetKind::directed2 && block.set.kind != ForceSetKind::directed3) continue;
    for (int i = 0; i + 1 < block.rows(); ++i)
      known_[block.first_row + i] = block.set.direction[static_cast<std::size_t>(i)] * known_[last];
  }
  if (!bounced) return report;
  P_ += known_;
  product_.resize(P_.size());
  problem_.multiply(P_, product_);
  start_ = before_ + product_;
  for (bool const against_closing : {false, true}) {
    choose_expansion(against_closing);
    P_ = plastic_.lambda + known_;
    if (!expanding_.blocks.empty()) {
      delassus_.assemble(expanding_, {Relaxation::Source::impact}, expansion_);
      guess_.setZero(expansion_.b.size());
      solver_.solve(expansion_, settings, guess_, elastic_);
      report.status = elastic_.status;
      report.residual = elastic_.residual;
      for (std::size_t k = 0; k < expanding_.blocks.size(); ++k) {
        ConstraintBlock const& own = expanding_.blocks[k];
        P_.segment(chosen_.blocks[compressed_[k]].first_row, own.rows()) +=
            elastic_.lambda.segment(own.first_row, own.rows());
      }
    }
    if (against_closing) break;
    problem_.multiply(P_, product_);
    double const noticed = unnoticed_closing * before_.cwiseAbs().maxCoeff();
    bool closes = false;
    for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
      ConstraintBlock const& block = chosen_.blocks[k];
      int const last = block.first_row + block.rows() - 1;
      closes |= is_unilateral(block.set.kind) && known_[last] > 0 &&
                before_[last] + product_[last] < std::max(parts_[k].rest, 0.0) - noticed;
    }
    if (!closes) break;
  }
  elastic_.lambda = P_;
  return report;
}

double ImpactLaw::work(Eigen::Ref<const Eigen::VectorXd> P) {
  product_.resize(P.size());
  problem_.multiply(P, product_);
  return P.dot(before_ + product_ / 2);
}

bool ImpactLaw::withhold_bounce(SolveSettings const& settings) {
  bool withheld = false;
  auto const withhold = [&](std::size_t k) {
    ConstraintBlock const& block = chosen_.blocks[k];
    double const speed = parts_[k].restitution * before_[block.first_row + block.rows() - 1];
    parts_[k].restitution = 0;
    return is_unilateral(block.set.kind) && speed < -told_share * speed_;
  };
  Eigen::VectorXd const& P = elastic_.lambda;
  product_.resize(P.size());
  problem_.multiply(P, product_);
  islands_.find(problem_);
  bool all_bounce = true;
  double const rho = scale_free_rho(static_cast<double>(problem_.b.size()), problem_.trace());
  std::vector<ForceSet> sets;
  std::vector<Eigen::Vector3d> b, lambda, eta;
  auto const padded = [](ConstraintBlock const& block, Eigen::VectorXd const& rows) {
    Eigen::Vector3d three = Eigen::Vector3d::Zero();
    three.head(block.rows()) = rows.segment(block.first_row, block.rows());
    return three;
  };
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    sets.clear();
    b.clear();
    lambda.clear();
    eta.clear();
    for (int const k : islands_[i]) {
      ConstraintBlock const& block = chosen_.blocks[static_cast<std::size_t>(k)];
      sets.push_back(block.set);
      b.push_back(padded(block, problem_.b));
      lambda.push_back(padded(block, P));
      eta.emplace_back(padded(block, product_) - b.back());
    }
    double squares = 0;
    for (Eigen::Vector3d const& part : b) squares += part.squaredNorm();
    double const most = most_impulse * rho * std::sqrt(squares);
    double const floor = rho * small_share * speed_ * std::sqrt(static_cast<double>(3 * sets.size()));
    if (residual_of_sets(sets, rho, settings.law, b, lambda, eta, floor, most) <= settings.acceptable)
      continue;
    for (int const k : islands_[i]) withheld |= withhold(static_cast<std::size_t>(k));
    all_bounce = false;
  }
  // Judged as solved here and not by the solver: on the edge.
  for (std::size_t k = 0; all_bounce && k < parts_.size(); ++k) withheld |= withhold(k);
  return withheld;
}

void ImpactLaw::take_no_energy() {
  // Where bodies are squeezed, impulses against each other grow without bound, and their error with them.
  double const rho = scale_free_rho(static_cast<double>(problem_.b.size()), problem_.trace());
  double const most = most_impulse * rho * problem_.b.norm(), size = P_.norm();
  if (size > most) P_ *= most / size;
  if (work(P_) <= 0) return;
  // work(s P) = s P.u + s^2/2 P.A P
  double const linear = P_.dot(before_), square = P_.dot(product_);
  P_ *= square > 0 ? std::clamp(-linear / square, 0.0, 1.0) : 0.0;
}

// Islands are apart: one that would gain takes nothing from the bounce of another.
void ImpactLaw::withhold_gain(SolveSettings const& settings, bool at_once, ImpactReport& report) {
  product_.resize(P_.size());
  problem_.multiply(P_, product_);
  islands_.find(problem_);
  gained_.resize(islands_.size());
  bool gains = false;
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    double work = 0, rounding = 0;
    for (int const k : islands_[i]) {
      ConstraintBlock const& block = chosen_.blocks[static_cast<std::size_t>(k)];
      auto const P = P_.segment(block.first_row, block.rows());
      auto const u = before_.segment(block.first_row, block.rows());
      work += P.dot(u + product_.segment(block.first_row, block.rows()) / 2);
      rounding += 1e-13 * P.cwiseAbs().dot(u.cwiseAbs());
    }
    gained_[i] = work > rounding;
    gains |= gained_[i];
  }
  if (!gains) return;
  if (at_once) {
    report.status = std::max(report.status, solve(settings, false, plastic_));
    P_ = elastic_.lambda;
  }
  Eigen::VectorXd const& P_0 = plastic_.lambda;
  problem_.multiply(P_0, product_);
  expansion_product_.resize(P_.size());
  known_ = elastic_.lambda - P_0;
  problem_.multiply(known_, expansion_product_);
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    if (!gained_[i]) continue;
    // work(P_0 + s d) = w_0 + s d.(u + A P_0) + s^2/2 d.A d, with w_0 <= 0 and a positive value at s = 1.
    double w_0 = 0, linear = 0, square = 0, size = 0;
    for (int const k : islands_[i]) {
      ConstraintBlock const& block = chosen_.blocks[static_cast<std::size_t>(k)];
      auto const u = before_.segment(block.first_row, block.rows());
      auto const AP_0 = product_.segment(block.first_row, block.rows());
      auto const d = known_.segment(block.first_row, block.rows());
      w_0 += P_0.segment(block.first_row, block.rows()).dot(u + AP_0 / 2);
      size += elastic_.lambda.segment(block.first_row, block.rows()).cwiseAbs().sum();
      linear += d.dot(u + AP_0);
      square += d.dot(expansion_product_.segment(block.first_row, block.rows())) / 2;
    }
    w_0 = std::min(w_0, 0.0);
    // The larger root, in the form that does not cancel.
    double const root = std::sqrt(std::max(0.0, linear * linear - 4 * square * w_0));
    double const s =
        linear >= 0 ? (linear + root > 0 ? -2 * w_0 / (linear + root) : 0) : (root - linear) / (2 * square);
    double const share = std::clamp(s, 0.0, 1.0);
    // What rounding gains is not told.
    if (share < 1 - missed_share && w_0 + linear + square > told_share * size * speed_)
      report.share_of_restitution = std::min(report.share_of_restitution, share);
    for (int const k : islands_[i]) {
      ConstraintBlock const& block = chosen_.blocks[static_cast<std::size_t>(k)];
      P_.segment(block.first_row, block.rows()) =
          P_0.segment(block.first_row, block.rows()) + share * known_.segment(block.first_row, block.rows());
    }
  }
}

ImpactReport ImpactLaw::apply_together(Terms const& terms, std::span<const Part> parts,
                                       SolveSettings const& settings) {
  ImpactReport report;
  choose(terms, parts);
  if (chosen_.blocks.empty()) return report;
  before_ = Eigen::Map<const Eigen::VectorXd>(chosen_.velocity.data(),
                                              static_cast<Eigen::Index>(chosen_.velocity.size()));
  bool bounces = false, expands = false;
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& block = chosen_.blocks[k];
    if (!is_unilateral(block.set.kind)) continue;
    bounces |= parts_[k].restitution > 0 && before_[block.first_row + block.rows() - 1] < 0;
    expands |= parts_[k].expands();
  }
  bool const at_once = bounces && !expands;
  Solution& solution = at_once ? elastic_ : plastic_;
  bool const few = chosen_.blocks.size() <= few_blocks;
  SolveSettings bounded = settings;
  bounded.iterations_for_digits = std::min(bounded.iterations_for_digits, most_iterations_for_digits);
  SolveSettings without_bounce = bounded;
  if (at_once)
    bounded.iteration_limit =
        std::min(bounded.iteration_limit, few ? most_iterations_to_bounce : most_iterations_to_stop);
  if (few) without_bounce.iteration_limit = std::min(without_bounce.iteration_limit, most_iterations_to_stop);
  report.status = solve(at_once ? bounded : without_bounce, at_once, solution);
  report.residual = solution.residual;
  P_ = solution.lambda;
  if (at_once && report.status != SolveStatus::converged) {
    if (withhold_bounce(settings)) report.share_of_restitution = 0;
    report.status = solve(without_bounce, true, solution);
    report.residual = solution.residual;
    P_ = solution.lambda;
  }
  if (expands) {
    ImpactReport const expansion = expand(settings, bounces);
    report.status = std::max(report.status, expansion.status);
    report.residual = std::max(report.residual, expansion.residual);
  }
  if (bounces) withhold_gain(without_bounce, at_once, report);
  if (report.status != SolveStatus::converged) take_no_energy();
  // Into the rows of the given terms, and what it does to all of their velocities.
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& own = chosen_.blocks[k];
    int const first = terms.blocks[static_cast<std::size_t>(origin_[k].block)].first_row + origin_[k].row;
    for (int row = 0; row < own.rows(); ++row) impulse_[first + row] += P_[own.first_row + row];
  }
  return report;
}

ImpactReport ImpactLaw::apply_in_turn(Terms const& terms, std::span<const Part> parts,
                                      SolveSettings const& settings) {
  ImpactReport report;
  double first = 0;
  Eigen::VectorXd all;
  for (int turn = 0;; ++turn) {
    double fastest = 0;
    auto const closing = [&](std::size_t k) {
      ConstraintBlock const& block = terms.blocks[k];
      if (!parts[k].takes_part || !is_unilateral(block.set.kind)) return 0.0;
      return parts[k].rest - velocity_[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
    };
    for (std::size_t k = 0; k < terms.blocks.size(); ++k) fastest = std::max(fastest, closing(k));
    if (turn == 0) {
      first = fastest;
      all = Eigen::VectorXd::Zero(impulse_.size());
    }
    bool const last = fastest <= slow * first || turn == most_turns;
    turn_.assign(parts.begin(), parts.end());
    for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
      if (last) {
        turn_[k].restitution = 0;
      } else if (is_unilateral(terms.blocks[k].set.kind) && closing(k) < (1 - as_fast) * fastest) {
        turn_[k].takes_part = false;
      }
    }
    impulse_.setZero();
    ImpactReport const one = apply_together(terms, turn_, settings);
    report.status = std::max(report.status, one.status);
    report.residual = std::max(report.residual, one.residual);
    report.share_of_restitution = std::min(report.share_of_restitution, one.share_of_restitution);
    all += impulse_;
    if (last) break;
    // J M^-1 J^T P in all rows.
    delassus_.acceleration(problem_, P_, change_);
    for (std::size_t i = 0; i < terms.J.size(); ++i) {
      auto const& term = terms.J.term(i);
      int const first_row = terms.blocks[static_cast<std::size_t>(term.block)].first_row,
                first_column = terms.M[static_cast<std::size_t>(term.mass)].first;
      for (int column = 0; column < term.columns; ++column) {
        for (int row = 0; row < term.rows; ++row)
          velocity_[static_cast<std::size_t>(first_row + row)] +=
              terms.J[i](row, column) * change_[static_cast<std::size_t>(first_column + column)];
      }
    }
  }
  impulse_ = all;
  return report;
}

ImpactReport ImpactLaw::apply(Terms const& terms, std::span<const Part> parts, ImpactOrder order,
                              SolveSettings const& settings, std::span<double> v, double speed) {
  velocity_ = terms.velocity;
  speed_ = speed;
  for (double const u : velocity_) speed_ = std::max(speed_, std::abs(u));
  impulse_.setZero(terms.rows());
  ImpactReport const report = order == ImpactOrder::simultaneous ? apply_together(terms, parts, settings)
                                                                 : apply_in_turn(terms, parts, settings);
  // M^-1 J^T P of all impulses.
  choose(terms, parts);
  if (chosen_.blocks.empty()) return report;
  delassus_.assemble(chosen_, {Relaxation::Source::impact}, problem_);
  P_.resize(problem_.b.size());
  for (std::size_t k = 0; k < chosen_.blocks.size(); ++k) {
    ConstraintBlock const& own = chosen_.blocks[k];
    int const first = terms.blocks[static_cast<std::size_t>(origin_[k].block)].first_row + origin_[k].row;
    for (int row = 0; row < own.rows(); ++row) P_[own.first_row + row] = impulse_[first + row];
  }
  delassus_.acceleration(problem_, P_, change_);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += change_[i];
  return report;
}

}  // namespace delassus
