#include "fmu/instance/derivatives.hpp"

#include <algorithm>

namespace delassus {
namespace {

void combine(std::span<const double> values, std::span<const double> rates, std::span<Dual> duals) {
  for (std::size_t i = 0; i < duals.size(); ++i) duals[i] = {values[i], rates[i]};
}

}  // namespace

Derivatives::Derivatives(SceneModel const& model, Dynamics const& dynamics, ContactLaw law, Instant const& at,
                         VelocityProjection const* at_start)
    : model_(model),
      dynamics_(dynamics),
      at_(at),
      at_start_(at_start),
      terms_(model.system().make_dual_terms()),
      q_(at.q.size()),
      v_(at.v.size()),
      input_(at.input.size()),
      parameter_(at.parameter.size()),
      qdot_(at.q.size()),
      parameter_rate_(at.parameter.size()),
      qdot_rate_(at.q.size()),
      vdot_rate_(at.v.size()) {
  sensitivity_.prepare(dynamics, law);
  // The blocks are those of the scheme that solves the problem.
  Relaxation const& relaxation = dynamics.relaxation();
  double const step = relaxation.source == Relaxation::Source::blocks ? 0 : relaxation.step;
  dual_at_ = {at.t, q_, v_, input_, parameter_, step, {}, at.impacts, at.closed};
}

void Derivatives::take(Direction const& direction) {
  combine(at_.input, direction.input, input_);
  combine(at_.parameter, direction.parameter, parameter_);
  update_calculated_parameters(model_.scene(), parameter_);
  if (at_start_) {
    model_.system().initial_state(parameter_, input_, q_, v_);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = {at_.q[i], q_[i].derivative + direction.q[i]};
    // Joints change velocities that contradict them: at a fixed velocity first, then along it.
    std::vector<double> rate(v_.size());
    for (std::size_t i = 0; i < v_.size(); ++i) {
      rate[i] = v_[i].derivative;
      v_[i] = at_.v[i];
    }
    model_.system().evaluate(dual_at_, terms_);
    at_start_->differentiate(terms_, rate);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = {at_.v[i], rate[i] + direction.v[i]};
  } else {
    combine(at_.q, direction.q, q_);
    combine(at_.v, direction.v, v_);
  }
  model_.system().evaluate(dual_at_, terms_);
  sensitivity_.differentiate(terms_, direction.step);
  contradicts_ |= sensitivity_.contradicts();
  model_.system().configuration_rate(dual_at_, qdot_);
  auto const derivative = [](Dual const& x) { return x.derivative; };
  std::transform(parameter_.begin(), parameter_.end(), parameter_rate_.begin(), derivative);
  std::transform(qdot_.begin(), qdot_.end(), qdot_rate_.begin(), derivative);
  Eigen::VectorXd const& vdot = sensitivity_.vdot_rate();
  std::copy(vdot.begin(), vdot.end(), vdot_rate_.begin());
}

void Derivatives::output(OutputDefinition const& definition, std::span<double> rates) {
  out_.resize(rates.size());
  definition.evaluate(DualObservation{model_.system(), dual_at_, dynamics_, terms_, sensitivity_}, out_);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = out_[i].derivative;
}

}  // namespace delassus
