#include "fmu/contact_observation.hpp"

#include <algorithm>

#include "solver/sliding_contact.hpp"

namespace delassus {
namespace {

void add_point(Observation const& o, ActivePoint const& point, ContactObservation& sum) {
  Solution const& solution = o.dynamics.solution();
  Eigen::Vector3d force = point.force;
  ContactMode mode =
      force[2] > 0 ? (point.sticks ? ContactMode::stick : ContactMode::slip) : ContactMode::detached;
  if (point.block >= 0) {
    auto const index = static_cast<std::size_t>(point.block);
    ConstraintBlock const& block = o.dynamics.terms().blocks[index];
    bool const normal = has_normal(block.set.kind) || block.set.kind == ForceSetKind::free1;
    int const tangential_rows = block.rows() - (normal ? 1 : 0);
    for (int i = 0; i < tangential_rows; ++i) force[i] += solution.lambda(block.first_row + i);
    if (normal) force[2] += solution.lambda(block.first_row + tangential_rows);
    mode = solution.modes[index];
    int const count = solution.solutions[index];
    sum.solutions = sum.solutions == 0 || count == 0 ? 0 : std::max(sum.solutions, count);
  }
  sum.force += force;
  sum.points += force.isZero() ? 0 : 1;
  sum.penetration = std::max(sum.penetration, -point.gap);
  if (mode == ContactMode::slip || (mode == ContactMode::stick && sum.mode == ContactMode::detached))
    sum.mode = mode;
}

template <class Visitor>
void visit_points(Observation const& o, int element, bool grouped, Visitor const& visitor) {
  auto const& active = SceneWorkspace::of(o.dynamics.terms()).active;
  auto const before = [&](ActivePoint const& point) {
    return point.grouped != grouped ? grouped : point.element < element;
  };
  for (auto point = std::partition_point(active.begin(), active.end(), before);
       point != active.end() && point->grouped == grouped && point->element == element; ++point) {
    visitor(*point);
  }
}

ContactObservation observe(Observation const& o, int element, bool grouped) {
  ContactObservation sum;
  visit_points(o, element, grouped, [&](ActivePoint const& point) { add_point(o, point, sum); });
  return sum;
}

}  // namespace

ContactObservation observe_contact(Observation const& observation, int contact) {
  return observe(observation, contact, false);
}

ContactObservation observe_group(Observation const& observation, int group) {
  return observe(observation, group, true);
}

Paradox observe_paradox(Observation const& observation, int contact) {
  Paradox worst = Paradox::regular;
  visit_points(observation, contact, false, [&](ActivePoint const& point) {
    if (point.block < 0) return;
    worst = std::max(worst,
                     sliding_contact(observation.dynamics, static_cast<std::size_t>(point.block)).paradox());
  });
  return worst;
}

int find_block(Observation const& observation, BlockIdentity identity) {
  auto const& blocks = observation.dynamics.terms().blocks;
  auto const found =
      std::lower_bound(blocks.begin(), blocks.end(), identity,
                       [](ConstraintBlock const& block, BlockIdentity id) { return block.identity < id; });
  return found == blocks.end() || found->identity != identity ? -1 : static_cast<int>(found - blocks.begin());
}

}  // namespace delassus
