// Where a contact of a scene jams soonest: the local minima of mu_jam (Peiret et al. 2019, (36)) over all configurations
// that the joints allow while the contact stays closed, as in their Fig. 6.
#pragma once

#include <span>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/analysis/configuration_search.hpp"
#include "solver/problem/delassus_operator.hpp"
#include "solver/problem/generalised_friction_cone.hpp"

namespace delassus {

// The cone of a declared contact with a configuration q, its joints taken into account; of its first point where it has
// several. The contact need not be closed there. `mu` is that of the set at rest.
class ConeAtConfiguration {
 public:
  // The spans of `at` must outlive this; its q and v are not used.
  ConeAtConfiguration(SceneSystem const& system, Instant const& at, std::size_t contact);
  GeneralisedFrictionCone operator()(std::span<const double> q);

 private:
  SceneSystem const* system_;
  Instant at_;
  std::vector<double> rest_;
  BlockIdentity identity_;
  Terms terms_;
  DelassusOperator delassus_;
  ContactProblem problem_;
};

// From the configuration at.q. Configurations in which a named point lies below the ground are left out, as long as the
// contact is one with the ground. By rising value.
std::vector<ConfigurationMinimum> minima_of_mu_jam(SceneSystem const& system, Instant const& at,
                                                   std::size_t contact,
                                                   ConfigurationSearch const& search = {});

}  // namespace delassus
