// An instant of a run as a function of state, inputs and parameters: what derivatives are compared with differences of.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fmu/instance/derivatives.hpp"
#include "fmu/instance/scene_slave.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/islands.hpp"

namespace delassus {

// One coordinate that an instant follows.
struct Known {
  enum class Kind { q, v, input, parameter } kind;
  std::size_t index;
  std::string name;
  bool of_place = false;  // lengths and angles, which small steps suit: contacts are stiff
};

class DerivativeProbe {
 public:
  // At the state of a slave. `at_start`: the state follows parameters and inputs.
  DerivativeProbe(std::shared_ptr<const SceneModel> model, Snapshot const& snapshot, bool at_start = false)
      : model_(std::move(model)), dynamics_(model_->system()), at_start_(at_start) {
    auto const configuration = static_cast<std::size_t>(model_->system().configuration_size());
    parameter_ = snapshot.parameters;
    input_ = snapshot.inputs;
    q_.assign(snapshot.stepper.x.begin(),
              snapshot.stepper.x.begin() + static_cast<std::ptrdiff_t>(configuration));
    v_.assign(snapshot.stepper.x.begin() + static_cast<std::ptrdiff_t>(configuration),
              snapshot.stepper.x.end());
    StepperSettings const settings = stepper_settings(snapshot.settings);
    solve_.law = settings.law;
    solve_.rule = settings.rule;
    solve_.least_norm = true;
    exact_ = solve_;
    exact_.acceptable = exact_.tolerance;
    relaxation_ = observed_relaxation(settings);
    forces_ = snapshot.stepper.lambda;
    values();
    dynamics_.copy_forces(forces_);
    modes_ = signature();
    for (OutputDefinition const& output : model_->outputs()) {
      if (!output.evaluate.differentiable()) continue;
      for (int i = 0; i < output.size; ++i) names_.push_back(output.name + "[" + std::to_string(i + 1) + "]");
    }
    for (std::size_t i = 0; i < q_.size(); ++i) names_.push_back("qdot[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < v_.size(); ++i) names_.push_back("vdot[" + std::to_string(i) + "]");
  }

  std::vector<std::string> const& names() const { return names_; }
  Dynamics const& dynamics() const { return dynamics_; }
  std::vector<double>& q() { return q_; }
  std::vector<double>& v() { return v_; }
  std::vector<double>& input() { return input_; }
  std::vector<double>& parameter() { return parameter_; }
  std::vector<BlockForce>& forces() { return forces_; }

  // Everything that can move: all of the state, inputs, and parameters; the state not where it follows the latter.
  std::vector<Known> knowns() const {
    std::vector<Known> list;
    if (!at_start_) {
      for (std::size_t i = 0; i < q_.size(); ++i)
        list.push_back({Known::Kind::q, i, "q[" + std::to_string(i) + "]", true});
      for (std::size_t i = 0; i < v_.size(); ++i)
        list.push_back({Known::Kind::v, i, "v[" + std::to_string(i) + "]"});
    }
    for (std::size_t i = 0; i < input_.size(); ++i)
      list.push_back({Known::Kind::input, i, "input[" + std::to_string(i) + "]"});
    for (Parameter const& parameter : model_->scene().parameters) {
      if (parameter.calculated) continue;
      bool const initial = parameter.role == ParameterRole::initial_position ||
                           parameter.role == ParameterRole::initial_velocity;
      if (initial && !at_start_) continue;
      bool const place = parameter.role == ParameterRole::geometry || initial;
      for (int i = 0; i < parameter.size(); ++i)
        list.push_back({Known::Kind::parameter, static_cast<std::size_t>(parameter.first + i),
                        parameter.name + "[" + std::to_string(i + 1) + "]", place});
    }
    return list;
  }

  double& place(Known const& known) {
    switch (known.kind) {
      case Known::Kind::q:
        return q_[known.index];
      case Known::Kind::v:
        return v_[known.index];
      case Known::Kind::input:
        return input_[known.index];
      case Known::Kind::parameter:
        return parameter_[known.index];
    }
    return q_[0];
  }

  // Outputs that have derivatives, qdot, vdot. From the forces of the instant, so that a solution is followed.
  // The force to start from is a little off: where it were good enough, it would stay as it is while b changes.
  std::vector<double> values() {
    std::vector<BlockForce> near = forces_;
    for (BlockForce& force : near) {
      for (double& each : force.lambda) each *= 1 + 1e-6;
    }
    return values(exact_, near);
  }
  std::vector<double> values(SolveSettings const& settings, std::span<const BlockForce> start) {
    update_calculated_parameters(model_->scene(), parameter_);
    if (at_start_) {
      model_->system().initial_state(parameter_, input_, q_, v_);
      std::vector<double> const given = v_;
      projection_.project({model_->scene().experiment.start, q_, given, input_, parameter_}, v_);
    }
    Instant const at = instant();
    dynamics_.evaluate(at, relaxation_, settings, start);
    std::vector<double> all;
    Observation const observation{model_->system(), at, dynamics_};
    for (OutputDefinition const& output : model_->outputs()) {
      if (!output.evaluate.differentiable()) continue;
      std::vector<double> part(static_cast<std::size_t>(output.size));
      if (output.name != "contact.residual") output.evaluate(observation, part);
      all.insert(all.end(), part.begin(), part.end());
    }
    std::vector<double> qdot(q_.size());
    model_->system().configuration_rate(at, qdot);
    all.insert(all.end(), qdot.begin(), qdot.end());
    all.insert(all.end(), dynamics_.vdot().begin(), dynamics_.vdot().end());
    return all;
  }
  // Also the way of planar slips and the side of bilateral contacts, across which forces have kinks.
  std::vector<int> signature() const {
    std::vector<int> all;
    Solution const& solution = dynamics_.solution();
    for (std::size_t k = 0; k < solution.modes.size(); ++k) {
      ConstraintBlock const& block = dynamics_.terms().blocks[k];
      all.push_back(static_cast<int>(solution.modes[k]));
      if (is_free(block.set.kind) || solution.modes[k] != ContactMode::slip) continue;
      for (int i = 0; i < block.rows(); ++i) {
        double const force = solution.lambda[block.first_row + i];
        bool const normal = i + 1 == block.rows() && has_normal(block.set.kind);
        if (normal || block.rows() - (has_normal(block.set.kind) ? 1 : 0) == 1)
          all.push_back(force > 0 ? 1 : -1);
      }
    }
    return all;
  }
  bool same_modes() const { return signature() == modes_; }
  bool contradicts() const { return contradicts_; }
  // Whether rows that carry force are redundant: the solver then shares the force out to fewer digits than it has in all.
  bool redundant() const {
    ContactProblem const& problem = dynamics_.problem();
    std::vector<Eigen::Index> rows;
    for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
      if (dynamics_.solution().modes[k] == ContactMode::detached) continue;
      for (int i = 0; i < problem.blocks[k].rows(); ++i) rows.push_back(problem.blocks[k].first + i);
    }
    if (rows.empty()) return false;
    Eigen::MatrixXd const A = problem.dense()(rows, rows);
    return PivotedQr(A, 1e-10).rank() < A.rows();
  }

  // Islands of more blocks than this take any force (solver/island/solver.cpp).
  bool takes_any_force() const {
    Islands islands;
    islands.find(dynamics_.problem());
    for (std::size_t i = 0; i < islands.size(); ++i) {
      if (islands[i].size() > 100) return true;
    }
    return false;
  }
  // How far the nearest block is from a change of mode, in shares of the largest force.
  double distance_from_transition() const {
    ContactProblem const& problem = dynamics_.problem();
    Solution const& solution = dynamics_.solution();
    if (problem.b.size() == 0) return 1;
    double const rho = static_cast<double>(problem.b.size()) / problem.trace();
    double const largest = solution.lambda.cwiseAbs().maxCoeff();
    double least = largest;
    for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
      ForceSet const& set = problem.blocks[k].set;
      if (is_free(set.kind) || solution.modes[k] != ContactMode::slip) continue;
      int const t = problem.blocks[k].rows() - (has_normal(set.kind) ? 1 : 0);
      if (t == 2) least = std::min(least, rho * eta_of(dynamics_, k).head(t).norm());
    }
    return largest > 0 ? least / largest : 1;
  }

  // Of the last differences: force or acceleration beside which rounding is seen.
  double largest() const { return largest_; }
  double widest() const { return widest_; }  // step

  // The same, along a direction. `count_edges` gets the number of blocks at a change of mode.
  std::vector<double> rates(Direction const& direction, std::size_t* count_edges = nullptr) {
    values(solve_, forces_);
    Derivatives derivatives(*model_, dynamics_, solve_.law, instant(), at_start_ ? &projection_ : nullptr);
    derivatives.take(direction);
    contradicts_ = derivatives.contradicts();
    if (count_edges) *count_edges = derivatives.edges().size();
    std::vector<double> all;
    for (OutputDefinition const& output : model_->outputs()) {
      if (!output.evaluate.differentiable()) continue;
      std::vector<double> part(static_cast<std::size_t>(output.size));
      derivatives.output(output, part);
      all.insert(all.end(), part.begin(), part.end());
    }
    all.insert(all.end(), derivatives.qdot_rate().begin(), derivatives.qdot_rate().end());
    all.insert(all.end(), derivatives.vdot_rate().begin(), derivatives.vdot_rate().end());
    return all;
  }
  Direction along(Known const& known, double seed = 1) const {
    Direction direction(model_->scene(), parameter_.size());
    switch (known.kind) {
      case Known::Kind::q:
        direction.q[known.index] = seed;
        break;
      case Known::Kind::v:
        direction.v[known.index] = seed;
        break;
      case Known::Kind::input:
        direction.input[known.index] = seed;
        break;
      case Known::Kind::parameter:
        direction.parameter[known.index] = seed;
        break;
    }
    return direction;
  }

  // Central differences, extrapolated to a step of zero (Ridders), with an estimate of their error; steps across a change
  // of mode are left out. One-sided with `side` = 1 or -1: differences to that side alone, for the derivative along it.
  struct Difference {
    double value = 0, error = std::numeric_limits<double>::infinity();
  };
  std::vector<Difference> differences(Known const& known, int side = 0) {
    double& x = place(known);
    double const middle = x;
    std::vector<double> const here = side == 0 ? std::vector<double>{} : values();
    std::vector<double> const rounding = rounding_of_values(known.of_place);
    std::vector<Difference> best(names_.size());
    std::vector<std::vector<double>> last;  // the last row of the tableau
    double h = (known.of_place ? 1e-5 : 1e-2) * std::max(std::abs(middle), 0.1);
    widest_ = h;
    constexpr double ratio = 3;
    for (int level = 0; level < 15; ++level, h /= ratio) {
      // One-sided, along the direction `side`: from the middle to that side.
      double const from = side == 0 ? middle - h : middle, to = side < 0 ? middle - h : middle + h;
      x = to;
      std::vector<double> const there = values();
      bool const same = side != 0 || same_modes();
      x = from;
      std::vector<double> const before = side == 0 ? values() : here;
      bool const still_same = side != 0 || same_modes();
      x = middle;
      if (!same || !still_same) {
        last.clear();
        continue;
      }
      std::vector<std::vector<double>> row;
      row.emplace_back(names_.size());
      for (std::size_t i = 0; i < names_.size(); ++i)
        row[0][i] = (there[i] - before[i]) / std::abs(to - from);
      double factor = side == 0 ? ratio * ratio : ratio;
      double const growth = factor;
      for (std::size_t j = 1; j <= std::min<std::size_t>(last.size(), 6); ++j, factor *= growth) {
        row.emplace_back(names_.size());
        for (std::size_t i = 0; i < names_.size(); ++i) {
          row[j][i] = (factor * row[j - 1][i] - last[j - 1][i]) / (factor - 1);
          // No better than the rounding of what is subtracted.
          double const error = std::max(
              {std::abs(row[j][i] - row[j - 1][i]), std::abs(row[j][i] - last[j - 1][i]), rounding[i] / h});
          if (error < best[i].error) best[i] = {row[j][i], error};
        }
      }
      last = std::move(row);
    }
    values();
    return best;
  }

 private:
  // Of motions a few units in the last place; of forces and accelerations what the solver leaves of the largest.
  std::vector<double> rounding_of_values(bool places_move) {
    std::vector<double> const all = values();
    double largest = dynamics_.largest_demand();
    for (double const force : dynamics_.solution().lambda) largest = std::max(largest, std::abs(force));
    for (double const acceleration : dynamics_.vdot()) largest = std::max(largest, std::abs(acceleration));
    // Demands are differences of what moves and lies there; what lies still has the same rounding on both sides.
    double speed = 0, length = 0;
    for (double const each : v_) speed = std::max(speed, std::abs(each));
    for (double const each : q_) length = std::max(length, places_move ? std::abs(each) : 0.0);
    for (ConstraintBlock const& block : dynamics_.terms().blocks) {
      RelaxationFactors const factors = relaxation_factors(block, relaxation_).normal;
      largest = std::max(largest, 0.01 * (factors.damping * speed + factors.stiffness * length));
    }
    largest_ = largest;
    std::vector<double> rounding(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::string const& name = names_[i];
      bool const forced = name.starts_with("vdot") || name.find("force") != std::string::npos ||
                          name.find("torque") != std::string::npos;
      rounding[i] = forced ? 2e-14 * largest : 1e-15 * std::max(std::abs(all[i]), 1.0);
    }
    return rounding;
  }

  Instant instant() const {
    double const step = relaxation_.source == Relaxation::Source::blocks ? 0 : relaxation_.step;
    return {0, q_, v_, input_, parameter_, step, {}, ImpactScope::none, {}};
  }

  std::shared_ptr<const SceneModel> model_;
  Dynamics dynamics_;
  bool at_start_;
  VelocityProjection projection_{model_->system()};
  SolveSettings solve_;  // as a slave solves
  SolveSettings exact_;  // what differences are taken of: large islands to the last digits too
  Relaxation relaxation_;
  std::vector<double> q_, v_, input_, parameter_;
  std::vector<BlockForce> forces_;
  std::vector<int> modes_;
  bool contradicts_ = false;
  double largest_ = 0, widest_ = 1;
  std::vector<std::string> names_;
};

}  // namespace delassus
