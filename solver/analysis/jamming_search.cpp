#include "solver/analysis/jamming_search.hpp"

#include <cmath>
#include <limits>

namespace delassus {
namespace {

// As far as a named point may be below the plane that the contact touches.
constexpr double height_rounding = 1e-9;

bool all_above_ground(SceneSystem const& system, Contact const& contact, Instant const& at) {
  Scene const& scene = system.scene();
  double const height = contact.height < 0 ? 0 : at.parameter[static_cast<std::size_t>(contact.height)];
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    PointReference const point{scene.points[i].body, static_cast<int>(i)};
    if (system.motion_of(point, at).position[scene.normal_axis()] < height - height_rounding) return false;
  }
  return true;
}

}  // namespace

ConeAtConfiguration::ConeAtConfiguration(SceneSystem const& system, Instant const& at, std::size_t contact)
    : system_(&system),
      at_(at),
      rest_(static_cast<std::size_t>(system.velocity_size()), 0.0),
      identity_(identity_of(BlockOwner::contact, contact)),
      terms_(system.make_terms()),
      delassus_(system) {
  at_.step = 1;  // lists contacts that are still far apart
  at_.v = rest_;
}

GeneralisedFrictionCone ConeAtConfiguration::operator()(std::span<const double> q) {
  at_.q = q;
  system_->evaluate(at_, terms_);
  delassus_.assemble(terms_, {}, problem_);
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    if (terms_.blocks[k].identity != identity_) continue;
    ReducedContact const reduced = reduce_to_contact(problem_, static_cast<int>(k));
    return generalised_friction_cone(reduced, reduced.set.limit);
  }
  return {};
}

std::vector<ConfigurationMinimum> minima_of_mu_jam(SceneSystem const& system, Instant const& at,
                                                   std::size_t contact, ConfigurationSearch const& search) {
  Contact const& declared = system.scene().contacts[contact];
  // Held: the contact, and what is bilateral and has positions: joints. Rolling and knife edges only bound velocities.
  std::vector<BlockIdentity> held = {identity_of(BlockOwner::contact, contact)};
  for (std::size_t i = 0; i < system.scene().joints.size(); ++i) {
    for (JointPart const part : {JointPart::translations, JointPart::rotations})
      held.push_back(identity_of(BlockOwner::joint, i, static_cast<std::size_t>(part)));
  }
  ConfigurationManifold manifold(system, at, held);
  ConeAtConfiguration cone(system, at, contact);
  bool const on_ground = declared.a.point.body == ground_body && declared.a.shape < 0;
  return local_minima(
      manifold, at.q,
      [&](std::span<const double> q) {
        Instant there = at;
        there.q = q;
        if (on_ground && !all_above_ground(system, declared, there))
          return std::numeric_limits<double>::infinity();
        return cone(q).mu_jam;
      },
      search);
}

}  // namespace delassus
