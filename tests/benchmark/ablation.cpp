// What each stage of the island solver (solver/island/cascade.hpp) is worth: every stage is left out once, and the same
// problems are solved without it. Prints a table in Markdown: for each group of problems how many are lost, the
// processor time beside that of the whole cascade, and how many solutions have other bits.
//
// The groups: the generated problems that have a solution, those of other seeds that only a search solves, some that
// have none, the problems of ../shared/fc3d to a residual of 1e-12, and problems of stacks and piles, recorded while the
// whole cascade moves them, so that every variant solves the same ones.
//
// Arguments, where there are any, are the numbers of the stages to measure, counted from 0 in the order of StageName.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "solver/island/contact_solver.hpp"
#include "solver/problem/residual.hpp"
#include "tests/support/generated_problem.hpp"
#include "tests/support/pile_run.hpp"
#include "tests/support/pile_scene.hpp"
#include "tools/solve/problem_file.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

using test::ProblemFamily;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Case {
  ContactProblem problem;
  Eigen::VectorXd previous;
  SolveSettings settings;
};

struct Group {
  std::string name;
  double solved;  // residual
  int rounds;     // of which the fastest counts
  std::vector<Case> cases;
  // Of the whole cascade:
  std::vector<Eigen::VectorXd> forces;
  double seconds = 0;
};

Case from_zero(ContactProblem problem, SolveSettings const& settings = {}) {
  Eigen::VectorXd const zero = Eigen::VectorXd::Zero(problem.b.size());
  return {std::move(problem), zero, settings};
}

void add_generated(Group& group, ProblemFamily family, int count) {
  for (int i = 0; i < count; ++i) group.cases.push_back(from_zero(generate_problem(family, 1, i).problem));
}

Group generated() {
  Group group{"generated", 1e-8, 1, {}, {}};
  using enum ProblemFamily;
  for (ProblemFamily const family : {dense, tower, spheres, bodies}) add_generated(group, family, 1600);
  for (ProblemFamily const family : {one_body, mixed}) add_generated(group, family, 1000);
  add_generated(group, singular, 600);
  add_generated(group, planar, 400);
  return group;
}

// Found in some hundred thousand problems of other seeds.
Group searched() {
  Group group{"hard", 1e-8, 1, {}, {}};
  using enum ProblemFamily;
  struct Found {
    ProblemFamily family;
    unsigned seed;
    int index;
  };
  for (auto const& [family, seed, index] :
       {Found{tower, 1, 1481},    Found{tower, 5, 956},     Found{tower, 8, 751},
        Found{bodies, 10, 889},   Found{bodies, 11, 1308},  Found{spheres, 100, 140},
        Found{bodies, 104, 1310}, Found{bodies, 113, 1360}, Found{tower, 127, 1353},
        Found{singular, 3, 573},  Found{singular, 4, 418},  Found{singular, 5, 160},
        Found{singular, 7, 248},  Found{singular, 8, 328},  Found{mixed, 9, 374},
        Found{one_body, 2, 482},  Found{one_body, 11, 911}, Found{spheres, 5, 1571},
        Found{singular, 12, 155}, Found{spheres, 143, 1276}})
    group.cases.push_back(from_zero(generate_problem(family, seed, index).problem));
  return group;
}

Group unsolvable() {
  Group group{"no solution", 1e-8, 1, {}, {}};
  for (ProblemFamily const family : test::problem_families)
    if (!has_solution(family)) add_generated(group, family, 5);
  return group;
}

Group foreign() {
  Group group{"fc3d", 1e-12, 5, {}, {}};
  std::filesystem::path const folder = std::filesystem::path(DELASSUS_TEST_DATA) / "fc3d";
  if (!std::filesystem::exists(folder)) return group;
  std::vector<std::filesystem::path> files;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  SolveSettings settings;
  settings.tolerance = settings.acceptable = 1e-12;
  settings.iteration_limit = 10000;
  for (auto const& file : files) group.cases.push_back(from_zero(read_problem(file), settings));
  return group;
}

// Lets a scene fall with a few sweeps a step, then records steps of 1 ms.
void record(Group& group, Scene scene, double fall, double fall_step, int steps, bool least_norm,
            int every = 1) {
  PileRun pile(std::move(scene));
  SolveSettings few;
  few.method = SolveMethod::gauss_seidel;
  few.iteration_limit = 20;
  for (double t = 0; t < fall; t += fall_step) pile.advance(fall_step, few);
  SolveSettings settings;
  settings.least_norm = least_norm;
  for (int k = 0; k < steps; ++k) {
    pile.advance(1e-3, settings);
    settings.iteration_limit = 10000;
    if (k % every == 0) group.cases.push_back({pile.problem, pile.previous, settings});
    settings.iteration_limit = SolveSettings{}.iteration_limit;
  }
}

Scene pile_scene(PileKind kind, int side, int layers) {
  return compile_scene(read_scene_source(pile_scene_text({kind, side, layers}), "pile.xml"));
}
Scene library_scene(std::string const& name) {
  return read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml");
}

Group small_scenes() {
  Group group{"stack, gripper, piles of 100", 1.1e-8, 5, {}, {}};
  record(group, library_scene("box_stack"), 0, 1e-3, 300, true);
  record(group, library_scene("gripper"), 0, 1e-3, 300, true, 3);
  record(group, library_scene("articulated_arm"), 0, 1e-3, 300, true, 3);
  record(group, pile_scene(PileKind::heap, 3, 4), 0.2, 1e-3, 100, false);
  record(group, pile_scene(PileKind::spheres, 3, 4), 0.2, 1e-3, 100, false);
  record(group, pile_scene(PileKind::boxes, 2, 4), 0.15, 1e-3, 100, true);
  return group;
}

Group large_piles() {
  Group group{"piles of 250 to 1,000", 1.1e-8, 1, {}, {}};
  record(group, library_scene("sphere_pile"), 0.35, 1e-3, 300, true, 6);
  record(group, pile_scene(PileKind::heap, 7, 8), 0.3, 1e-3, 5, false);
  record(group, pile_scene(PileKind::spheres, 7, 8), 0.3, 1e-3, 5, false);
  record(group, pile_scene(PileKind::boxes, 5, 7), 0.28, 1e-3, 5, false);
  record(group, pile_scene(PileKind::spheres, 6, 6), 1.5, 5e-3, 1, false);
  return group;
}

void print_cells(Group& group, StageSet const& left_out, bool is_whole) {
  ContactSolver solver;
  solver.leave_out(left_out);
  Solution solution;
  int lost = 0, changed = 0;
  double seconds = 0;
  for (int round = 0; round < group.rounds; ++round) {
    double sum = 0;
    for (std::size_t i = 0; i < group.cases.size(); ++i) {
      Case const& given = group.cases[i];
      double const begin = processor_seconds();
      solver.solve(given.problem, given.settings, given.previous, solution);
      sum += processor_seconds() - begin;
      if (round > 0) continue;
      double const residual = scale_free_residual(given.problem, solution.lambda);
      lost += !(residual <= group.solved) || solution.status != SolveStatus::converged;
      if (is_whole) group.forces.push_back(solution.lambda);
      changed += solution.lambda != group.forces[i];
    }
    seconds = round == 0 ? sum : std::min(seconds, sum);
  }
  if (is_whole) group.seconds = seconds;
  std::printf(" %d | %.2f | %d |", lost, seconds / group.seconds, changed);
  std::fflush(stdout);
}

}  // namespace
}  // namespace delassus

int main(int count, char** arguments) {
  using namespace delassus;
  std::vector<int> stages;
  for (int i = 1; i < count; ++i) stages.push_back(std::atoi(arguments[i]));
  for (int i = 0; count == 1 && i < static_cast<int>(StageName::count); ++i) stages.push_back(i);
  std::vector<Group> groups;
  groups.push_back(generated());
  groups.push_back(searched());
  groups.push_back(unsolvable());
  groups.push_back(foreign());
  groups.push_back(small_scenes());
  groups.push_back(large_piles());
  std::printf("| left out |");
  for (Group const& group : groups)
    std::printf(" %zu %s: lost | time | bits |", group.cases.size(), group.name.c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < groups.size(); ++i) std::printf("--:|--:|--:|");
  std::printf("\n| nothing |");
  for (Group& group : groups) print_cells(group, {}, true);
  for (int const i : stages) {
    auto const stage = static_cast<StageName>(i);
    StageSet left_out;
    left_out.add(stage);
    std::printf("\n| %s |", std::string(text(stage)).c_str());
    for (Group& group : groups) print_cells(group, left_out, false);
  }
  std::printf("\n");
}
