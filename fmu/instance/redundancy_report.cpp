#include "fmu/instance/redundancy_report.hpp"

#include <vector>

#include "solver/problem/delassus_operator.hpp"
#include "solver/problem/redundancy.hpp"

namespace delassus {

std::string redundancy_report(SceneModel const& model, std::span<const double> parameters,
                              std::span<const double> inputs) {
  Scene const& scene = model.scene();
  if (scene.joints.empty() && scene.rollings.empty() && scene.knife_edges.empty()) return "";
  SceneSystem const& system = model.system();
  std::vector<double> q(static_cast<std::size_t>(scene.configuration_size)),
      v(static_cast<std::size_t>(scene.velocity_size));
  system.initial_state(parameters, inputs, q, v);
  Terms terms = system.make_terms();
  system.evaluate({scene.experiment.start, q, v, inputs, parameters}, terms);
  ContactProblem problem;
  DelassusOperator(system).assemble(terms, {}, problem);
  std::vector<int> bilateral;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (is_free(problem.blocks[i].set.kind)) bilateral.push_back(static_cast<int>(i));
  }
  Redundancy const redundancy = find_redundancy(problem, bilateral);
  if (redundancy.deficiency == 0) return "";
  std::string names, last;
  for (int const block : redundancy.blocks) {
    std::string const name = system.block_name(terms.blocks[static_cast<std::size_t>(block)].identity);
    if (name == last) continue;  // translations and rotations of one joint
    names += (names.empty() ? "" : ", ") + name;
    last = name;
  }
  return "redundant constraints: " + std::to_string(redundancy.deficiency) + " row" +
         (redundancy.deficiency == 1 ? "" : "s") + " too many among " + names +
         "; the solver returns the forces of least norm, and the motion is unique";
}

}  // namespace delassus
