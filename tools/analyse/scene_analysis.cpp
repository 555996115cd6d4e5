#include "tools/analyse/scene_analysis.hpp"

#include <algorithm>
#include <limits>

#include "solver/problem/rigid_problem.hpp"
#include "tools/analyse/contact_view.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_listed = 64;

std::vector<BlockIdentity> identities_of(Terms const& terms) {
  std::vector<BlockIdentity> identities;
  for (auto const& block : terms.blocks) identities.push_back(block.identity);
  return identities;
}

// Where contacts are redundant, many forces do the same.
bool differ_in_forces_alone(std::vector<AnalysedSolution> const& solutions) {
  if (solutions.size() < 2) return false;
  for (auto const& solution : solutions) {
    for (std::size_t i = 0; i < solution.parts.size(); ++i) {
      AnalysedPart const &one = solution.parts[i], &first = solutions.front().parts[i];
      if ((one.acceleration - first.acceleration).norm() > 1e-6 * (1 + first.acceleration.norm()))
        return false;
    }
  }
  return true;
}

AnalysedProblem name_solutions(AllSolutions const& all, ContactProblem const& problem,
                               ContactProblem const& rigid_like, std::vector<std::string> const& names) {
  AnalysedProblem result;
  result.count = all.count();
  result.exhaustive = all.exhaustive();
  result.infinitely_many = all.infinitely_many();
  Eigen::MatrixXd const A = problem.dense();
  for (auto const& found : all.combined(most_listed)) {
    AnalysedSolution solution;
    solution.stable = found.stable;
    solution.one_of_many = found.one_of_many;
    Eigen::VectorXd const acceleration = A * found.lambda - rigid_like.b;
    for (std::size_t block = 0; block < problem.blocks.size(); ++block) {
      ProblemBlock const& rows = problem.blocks[block];
      if (is_free(rows.set.kind)) continue;  // joints always hold
      AnalysedPart part{names[block],
                        found.modes[block],
                        rows.rows(),
                        has_normal(rows.set.kind),
                        Eigen::Vector3d::Zero(),
                        Eigen::Vector3d::Zero()};
      part.force.head(rows.rows()) = found.lambda.segment(rows.first, rows.rows());
      part.acceleration.head(rows.rows()) = acceleration.segment(rows.first, rows.rows());
      solution.parts.push_back(part);
    }
    result.solutions.push_back(std::move(solution));
  }
  result.same_motion = differ_in_forces_alone(result.solutions);
  return result;
}

void mark_taken(AnalysedProblem& problem, std::vector<FoundSolution> const& found,
                Eigen::VectorXd const& lambda) {
  std::size_t nearest = found.size();
  double distance = 1e-5 * (1 + lambda.norm());
  for (std::size_t i = 0; i < found.size() && i < problem.solutions.size(); ++i) {
    if ((found[i].lambda - lambda).norm() > distance) continue;
    distance = (found[i].lambda - lambda).norm();
    nearest = i;
  }
  if (nearest < found.size()) problem.solutions[nearest].taken = true;
}

AnalysedContact analyse_contact(SceneInstant& scene, int block, std::string const& name) {
  Dynamics const& dynamics = scene.dynamics();
  auto const k = static_cast<std::size_t>(block);
  ConstraintBlock const& rows = dynamics.terms().blocks[k];
  AnalysedContact contact;
  contact.name = name;
  contact.block = block;
  contact.rows = rows.rows();
  contact.bilateral =
      rows.set.kind == ForceSetKind::double_cone2 || rows.set.kind == ForceSetKind::double_cone3;
  auto const first = static_cast<std::size_t>(rows.first_row),
             normal = first + static_cast<std::size_t>(rows.rows() - 1);
  for (std::size_t i = first; i <= normal; ++i)
    contact.velocity[static_cast<Eigen::Index>(i - first)] = dynamics.terms().velocity[i];
  contact.gap = dynamics.terms().Psi[normal];
  contact.closed = contact.bilateral || is_closed(contact.gap, dynamics.terms().velocity[normal]);
  contact.free_acceleration = free_contact_acceleration(scene, block);
  contact.cone = cone_of(scene, block);
  Eigen::Vector2d tangential = Eigen::Vector2d::Zero();
  tangential.head(rows.rows() - 1) = contact.velocity.head(rows.rows() - 1);
  if (tangential.norm() > WellPosednessSettings{}.slip) {
    contact.sliding = tangential.normalized();
    contact.jams = contact.cone.jams(*contact.sliding);
  }
  contact.song = sliding_state(dynamics, k);
  return contact;
}

}  // namespace

SceneAnalysis analyse_scene(SceneInstant& scene) {
  SceneAnalysis analysis;
  analysis.scene = scene.scene().name;
  analysis.time = scene.time();
  analysis.rule = scene.settings().rule;
  System const& system = scene.model().system();
  Dynamics const& dynamics = scene.dynamics();
  auto const identities = identities_of(dynamics.terms());
  analysis.block_names = block_names(system, identities);
  for (int const block : contact_blocks(scene))
    analysis.contacts.push_back(
        analyse_contact(scene, block, analysis.block_names[static_cast<std::size_t>(block)]));
  for (auto const& contact : scene.scene().contacts) {
    if (contact.law.compliant()) analysis.compliant.push_back(contact.name);
  }

  // What a solution does to the contacts is told without the relaxation's demands: as an acceleration.
  RigidProblem const rows = rigid_problem(system, scene.instant(), std::numeric_limits<double>::infinity());
  ContactProblem const& relaxed = dynamics.problem();
  AllSolutions const all = all_solutions(relaxed);
  analysis.relaxed = name_solutions(all, relaxed, rows.problem, analysis.block_names);
  mark_taken(analysis.relaxed, all.combined(most_listed), dynamics.solution().lambda);

  RigidProblem const closed = rigid_problem(system, scene.instant());
  AllSolutionsSettings settings;
  settings.sliding = closed.sliding;
  analysis.rigid = name_solutions(all_solutions(closed.problem, settings), closed.problem, closed.problem,
                                  block_names(system, closed.identity));
  analysis.well_posedness = analyse_well_posedness(dynamics.terms(), relaxed);
  return analysis;
}

}  // namespace delassus
