#include "solver/island/cascade.hpp"

#include <array>

namespace delassus {
namespace {

constexpr bool is_searchable(Situation const& now) {
  return now.searchable;
}
constexpr bool is_not_redundant(Situation const& now) {
  return !now.redundant;
}
constexpr bool is_near(Situation const& now) {
  return now.residual < cascade.proximal.near;
}

using Name = StageName;
using Method = StageMethod;
using Start = StageStart;
constexpr NewtonSettings const& newton = cascade.newton;
constexpr InteriorPointSettings const& interior = cascade.interior_point;

constexpr std::array from_sweeps{
    // The modes are mostly those of the last step.
    Stage{.name = Name::least_norm_of_last_modes,
          .method = Method::least_norm,
          .when = [](Situation const& now) { return now.warm && now.follows_last && now.least_norm; },
          .steps = cascade.least_norm.steps_warm},
    Stage{.name = Name::newton_from_last_force,
          .method = Method::newton,
          .when =
              [](Situation const& now) {
                bool const promising = now.residual < newton.near && now.newton_cost < newton.tried_at_once;
                return now.warm && now.follows_last && (!now.large || promising);
              },
          .start = Start::best,
          .steps = newton.steps,
          .patience = 1,
          .parameter = newton.compliance},
    // Many problems of few contacts need nothing else.
    Stage{.name = Name::first_sweeps,
          .method = Method::sweeps,
          .start = Start::given,
          .steps = cascade.sweeps.first,
          .steps_large = cascade.sweeps.first_large,
          .parameter = cascade.sweeps.first_worth,
          .accelerated = [](Situation const& now) { return now.large; }},
    Stage{.name = Name::newton_after_first_sweeps,
          .method = Method::newton,
          .steps = newton.steps,
          .patience = newton.patience,
          .patience_large = newton.patience_large,
          .parameter = newton.compliance},
    // Where a Newton step is dear, the first sweeps were many, and Anderson acceleration has just failed.
    Stage{.name = Name::second_sweeps,
          .method = Method::sweeps,
          .start = Start::swept,
          .steps = cascade.sweeps.second,
          .steps_large = cascade.sweeps.second_large,
          .parameter = cascade.sweeps.second_worth,
          .accelerated = [](Situation const& now) { return !(now.newton_cost > newton.tried_at_once); }},
    Stage{.name = Name::newton_after_second_sweeps,
          .method = Method::newton,
          .steps = newton.steps,
          .patience = newton.patience,
          .patience_large = newton.patience_large,
          .parameter = newton.compliance},
    // Ten to 25 steps where a pile comes to rest, which takes sweeps tens of thousands.
    Stage{.name = Name::interior_point,
          .method = Method::interior_point,
          .when = is_not_redundant,
          .start = Start::swept,
          .steps = interior.steps,
          .patience = interior.patience,
          .parameter = interior.inside},
    Stage{.name = Name::interior_point_nearer_boundary,
          .method = Method::interior_point,
          .when = is_not_redundant,
          .start = Start::swept,
          .steps = interior.steps,
          .patience = interior.patience,
          .parameter = interior.inside_next},
};

constexpr std::array from_equations{
    Stage{.name = Name::newton_near_solution,
          .method = Method::newton,
          .when = is_near,
          .steps = newton.steps,
          .patience = 1,
          .parameter = newton.compliance},
    Stage{.name = Name::proximal_near_solution,
          .method = Method::proximal,
          .when = is_near,
          .start = Start::best,
          .steps = cascade.proximal.steps_near},
    // Comes near from anywhere, or gives up soon.
    Stage{.name = Name::interior_point_of_set,
          .method = Method::interior_point,
          .when = [](Situation const& now) { return !now.redundant && now.residual > interior.too_near; },
          .start = Start::best,
          .steps = interior.steps,
          .patience = interior.patience_of_set,
          .parameter = interior.inside},
};

constexpr std::array after_opening{
    // Finds modes where full steps jump about.
    Stage{.name = Name::damped_newton,
          .method = Method::damped_newton,
          .when = is_searchable,
          .steps = cascade.damped_newton.steps,
          .parameter = newton.compliance},
    Stage{.name = Name::proximal,
          .method = Method::proximal,
          .when = is_searchable,
          .start = Start::best,
          .steps = cascade.proximal.steps},
    Stage{.name = Name::search, .method = Method::search, .when = is_searchable},
    Stage{.name = Name::proximal_to_the_end,
          .method = Method::proximal,
          .start = Start::best,
          .steps = to_the_end},
};

constexpr std::array of_search{
    // Where bodies jam, a path may lead off to infinity; friction bounds do not.
    Stage{.name = Name::friction_bounds,
          .method = Method::friction_bounds,
          .steps = cascade.search.bound_rounds},
    Stage{.name = Name::compliance_path, .method = Method::path, .steps = cascade.search.path_factorisations},
    // Double cones and directed frictions have neither path nor bounds.
    Stage{.name = Name::damped_newton_from_centre,
          .method = Method::damped_newton,
          .when = [](Situation const& now) { return !now.has_path; },
          .start = Start::centre,
          .steps = cascade.damped_newton.steps_from_centre,
          .parameter = cascade.damped_newton.compliance_from_centre},
};

constexpr std::array<std::string_view, static_cast<std::size_t>(StageName::count)> names{
    "least norm in the last modes",
    "Newton from the last force",
    "first sweeps",
    "Newton after the first sweeps",
    "second sweeps",
    "Newton after the second sweeps",
    "interior point",
    "interior point, nearer the boundary",
    "Newton near a solution (set, cluster)",
    "proximal point near a solution (set, cluster)",
    "interior point (set, cluster)",
    "damped Newton",
    "proximal point",
    "search",
    "proximal point to the end",
    "search: friction bounds",
    "search: compliance path",
    "search: damped Newton from the centre",
    "Anderson acceleration",
    "interior point: crossing to Newton",
    "least norm: dense decomposition",
    "least norm: continuation",
    "working set",
    "working set: Anderson acceleration",
    "working set: clusters",
    "working set: equations",
};
static_assert(!names.back().empty());

}  // namespace

std::string_view text(StageName name) {
  return names[static_cast<std::size_t>(name)];
}

std::span<const Stage> stages_from_sweeps() {
  return from_sweeps;
}
std::span<const Stage> stages_from_equations() {
  return from_equations;
}
std::span<const Stage> stages_after_opening() {
  return after_opening;
}
std::span<const Stage> stages_of_search() {
  return of_search;
}

}  // namespace delassus
