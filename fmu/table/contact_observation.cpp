#include "fmu/table/contact_observation.hpp"

#include <algorithm>

#include "solver/time/sliding_state.hpp"

namespace delassus {
namespace {

template <class AnyObservation>
void add_point(AnyObservation const& o, ActivePointOf<typename AnyObservation::Scalar> const& point,
               ContactObservationOf<typename AnyObservation::Scalar>& sum) {
  using Scalar = typename AnyObservation::Scalar;
  Solution const& solution = o.dynamics.solution();
  Vector3<Scalar> const force = force_of(o, point);
  ContactMode mode =
      point.force[2] > 0 ? (point.sticks ? ContactMode::stick : ContactMode::slip) : ContactMode::detached;
  if (point.block >= 0) {
    auto const index = static_cast<std::size_t>(point.block);
    mode = solution.modes[index];
    int const count = solution.solutions[index];
    sum.solutions = sum.solutions == 0 || count == 0 ? 0 : std::max(sum.solutions, count);
  }
  sum.force += force;
  sum.points += values_of(force).isZero() ? 0 : 1;
  sum.penetration = larger(sum.penetration, -point.gap);
  if (mode == ContactMode::slip || (mode == ContactMode::stick && sum.mode == ContactMode::detached))
    sum.mode = mode;
}

template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe(AnyObservation const& o, int element,
                                                              bool grouped) {
  ContactObservationOf<typename AnyObservation::Scalar> sum;
  visit_points(o, element, grouped, [&](auto const& point) { add_point(o, point, sum); });
  return sum;
}

}  // namespace

template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_contact(AnyObservation const& observation,
                                                                      int contact) {
  return observe(observation, contact, false);
}

template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_group(AnyObservation const& observation,
                                                                    int group) {
  return observe(observation, group, true);
}

Paradox observe_paradox(Observation const& observation, int contact) {
  Paradox worst = Paradox::regular;
  visit_points(observation, contact, false, [&](ActivePoint const& point) {
    if (point.block < 0) return;
    worst =
        std::max(worst, sliding_state(observation.dynamics, static_cast<std::size_t>(point.block)).paradox());
  });
  return worst;
}

template <class AnyObservation>
Vector3<typename AnyObservation::Scalar> force_of(
    AnyObservation const& o, ActivePointOf<typename AnyObservation::Scalar> const& point) {
  auto force = point.force;
  if (point.block < 0) return force;
  auto const& block = o.terms().blocks[static_cast<std::size_t>(point.block)];
  bool const normal = has_normal(block.set.kind) || block.set.kind == ForceSetKind::free1;
  int const tangential_rows = block.rows() - (normal ? 1 : 0);
  for (int i = 0; i < tangential_rows; ++i) force[i] += o.lambda(block.first_row + i);
  if (normal) force[2] += o.lambda(block.first_row + tangential_rows);
  return force;
}

template Vector3<double> force_of(Observation const&, ActivePoint const&);
template Vector3<Dual> force_of(DualObservation const&, ActivePointOf<Dual> const&);
template ContactObservationOf<double> observe_contact(Observation const&, int);
template ContactObservationOf<Dual> observe_contact(DualObservation const&, int);
template ContactObservationOf<double> observe_group(Observation const&, int);
template ContactObservationOf<Dual> observe_group(DualObservation const&, int);

int find_block(Terms const& terms, BlockIdentity identity) {
  auto const& blocks = terms.blocks;
  auto const found =
      std::lower_bound(blocks.begin(), blocks.end(), identity,
                       [](ConstraintBlock const& block, BlockIdentity id) { return block.identity < id; });
  return found == blocks.end() || found->identity != identity ? -1 : static_cast<int>(found - blocks.begin());
}

}  // namespace delassus
