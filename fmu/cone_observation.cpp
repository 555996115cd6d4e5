#include "fmu/cone_observation.hpp"

#include <algorithm>

#include "model/contact_law.hpp"
#include "solver/generalised_friction_cone.hpp"

namespace delassus {

ConeObservation observe_cone(Observation const& o, int contact) {
  ContactParameters const& law = o.system.scene().contacts[static_cast<std::size_t>(contact)].law;
  ConeObservation worst;
  worst.margin = largest_mu_jam - friction_bound(law.mu, o.at.parameter, 0);
  auto const& active = SceneWorkspace::of(o.dynamics.terms()).active;
  auto const before = [&](ActivePoint const& point) { return !point.grouped && point.element < contact; };
  for (auto point = std::partition_point(active.begin(), active.end(), before);
       point != active.end() && !point->grouped && point->element == contact; ++point) {
    if (point->block < 0) continue;
    ReducedContact const reduced = reduce_to_contact(o.dynamics.problem(), point->block);
    int const tangential = reduced.rows() - 1;
    if (!has_normal(reduced.set.kind) || tangential < 1) continue;
    double const mu = friction_bound(law.mu, o.at.parameter, point->velocity.head(tangential).norm());
    GeneralisedFrictionCone const cone = generalised_friction_cone(reduced, mu);
    worst.mu_crit = std::max(worst.mu_crit, std::min(cone.mu_crit, largest_mu_jam));
    worst.mu_jam = std::min(worst.mu_jam, cone.mu_jam);
    worst.margin = std::min(worst.margin, std::min(cone.mu_jam, largest_mu_jam) - mu);
    worst.locking_angle = std::max(worst.locking_angle, cone.locking_angle);
  }
  return worst;
}

}  // namespace delassus
