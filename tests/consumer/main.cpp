// With the installed libraries: the worked example of Kikuuwe and Brogliato 2017 (65), solved and analysed; and a scene that is
// read from its file (sliding_block.xml, the first argument) and run to its end.
#include <cmath>
#include <cstdio>

#include "model/equations/scene_system.hpp"
#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/analysis/well_posedness.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/problem/residual.hpp"
#include "solver/time/stepper.hpp"
#include "xml/scene/reader.hpp"

namespace {

bool solves_a_contact_problem() {
  auto const problem = delassus::ContactProblem::from_dense(
      Eigen::Matrix3d{{2, 0, .6}, {0, 2, 0}, {.6, 0, 1.5}}, Eigen::Vector3d{4, 1, 3},
      {{0, {delassus::ForceSetKind::cone3, .3}}});
  delassus::ContactSolver solver;
  delassus::Solution solution;
  solver.solve(problem, {}, Eigen::Vector3d::Zero(), solution);
  double const residual = delassus::scale_free_residual(problem, solution.lambda);
  double const count = delassus::all_solutions(problem).count();
  std::printf("%s, residual %g, %g solution\n", std::string(text(solution.status)).c_str(), residual, count);

  Eigen::Vector3d const expected{.509802354619, .174449298386, 1.79607905815};
  return (solution.lambda - expected).norm() < 1e-11 && residual < 1e-11 && count == 1;
}

// A block with 2 m/s on a floor with mu = 0.4 comes to rest after v^2 / (2 mu g).
bool runs_a_scene(char const* file) {
  delassus::Scene const scene = delassus::read_scene_file(file);
  delassus::SceneSystem const system(scene);
  auto const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q(static_cast<std::size_t>(system.configuration_size()));
  std::vector<double> v(static_cast<std::size_t>(system.velocity_size()));
  system.initial_state(parameters, inputs, q, v);

  auto const stepper = delassus::make_stepper(system, {});
  stepper->start(0, q, v);
  stepper->advance(1, inputs, parameters);
  delassus::Dynamics const& now = stepper->observe(inputs, parameters);
  auto const analysis = delassus::analyse_well_posedness(now.terms(), now.problem());

  double const slid = stepper->q()[0] - q[0], expected = 2 * 2 / (2 * .4 * 9.81);
  std::printf("slid %.9f m, expected %.9f m, then moves with %g m/s\n", slid, expected, stepper->v()[0]);
  return std::abs(slid - expected) < 1e-6 && std::abs(stepper->v()[0]) < 1e-7 &&
         analysis.unique == delassus::Certainty::yes;
}

}  // namespace

int main(int, char** arguments) {
  bool const solved = solves_a_contact_problem(), run = runs_a_scene(arguments[1]);
  return solved && run ? 0 : 1;
}
