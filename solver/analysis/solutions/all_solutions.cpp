#include "solver/analysis/solutions/all_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "model/numbers/elementary.hpp"
#include "solver/analysis/solutions/island_modes.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/problem/islands.hpp"
#include "solver/problem/residual.hpp"
#include "solver/problem/sub_problem.hpp"

namespace delassus {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Starts the island solver from many forces, by every rule.
void search(SubProblem const& sub, AllSolutionsSettings const& settings, IslandModes const& modes,
            IslandSolutions& island) {
  island.method = SolutionMethod::search;
  ContactProblem const problem = sub.as_problem();
  ContactSolver solver;
  Solution solution;
  std::mt19937_64 engine(settings.seed);
  auto const uniform = [&] { return static_cast<double>(engine() >> 11U) * 0x1p-53; };
  double const rho = scale_free_rho(static_cast<double>(sub.b.size()), sub.A.trace());
  double const scale = std::max(rho * sub.b.cwiseAbs().maxCoeff(), 1e-300);
  SolutionRule const rules[] = {SolutionRule::continuous, SolutionRule::detach, SolutionRule::stick,
                                SolutionRule::stable};
  for (int start = 0; start < settings.starts; ++start) {
    Eigen::VectorXd previous = Eigen::VectorXd::Zero(sub.b.size());
    if (start >= 4) {
      double const size = scale * elementary::pow(10.0, 6 * uniform() - 3);
      for (ProblemBlock const& block : sub.blocks) {
        if (uniform() < 0.3) continue;
        for (int i = 0; i < block.rows(); ++i) previous[block.first + i] = size * (2 * uniform() - 1);
        if (has_normal(block.set.kind)) {
          double& normal = previous[block.first + block.rows() - 1];
          normal = std::abs(normal);
        }
      }
    }
    SolveSettings solve;
    solve.rule = rules[start % 4];
    solve.iteration_limit = 2000;
    solver.solve(problem, solve, previous, solution);
    if (solution.status != SolveStatus::converged || !(solution.residual < 1e-10)) continue;
    modes.add_if_new(modes.describe(solution.lambda, solution.modes), island.solutions);
  }
}

IslandSolutions solve_island(ContactProblem const& problem, std::span<const int> blocks,
                             AllSolutionsSettings const& settings) {
  IslandSolutions island;
  island.blocks.assign(blocks.begin(), blocks.end());
  SubProblem sub = sub_problem(problem, blocks);
  std::vector<std::optional<Eigen::Vector2d>> sliding(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (at(blocks[k]) >= settings.sliding.size() || !settings.sliding[at(blocks[k])]) continue;
    // Unilateral contact of known direction is a set of its own; of bilateral contact the direction is kept.
    Eigen::Vector2d const e_t = *settings.sliding[at(blocks[k])];
    ForceSet& set = sub.blocks[k].set;
    if (set.kind == ForceSetKind::cone2 || set.kind == ForceSetKind::cone3) {
      set.kind = set.kind == ForceSetKind::cone2 ? ForceSetKind::directed2 : ForceSetKind::directed3;
      set.direction = {-set.limit * e_t[0], -set.limit * e_t[1]};
    } else if (set.kind == ForceSetKind::double_cone2 || set.kind == ForceSetKind::double_cone3) {
      sliding[k] = e_t;
    }
  }
  IslandModes modes(sub, sliding, settings);
  bool const all_tried = modes.within_limits() && modes.enumerate(island);
  bool const solver_knows_them =
      std::none_of(sliding.begin(), sliding.end(), [](auto const& s) { return s.has_value(); });
  if (!all_tried && solver_knows_them) search(sub, settings, modes, island);
  if (!all_tried) island.exhaustive = false;
  // In the rows of the whole problem.
  for (FoundSolution& solution : island.solutions) {
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(problem.b.size());
    for (std::size_t k = 0; k < blocks.size(); ++k)
      whole.segment(problem.blocks[at(blocks[k])].first, sub.blocks[k].rows()) =
          solution.lambda.segment(sub.blocks[k].first, sub.blocks[k].rows());
    solution.lambda = std::move(whole);
  }
  return island;
}

}  // namespace

AllSolutions all_solutions(ContactProblem const& problem, AllSolutionsSettings const& settings) {
  AllSolutions all;
  Islands islands;
  islands.find(problem);
  for (std::size_t i = 0; i < islands.size(); ++i)
    all.islands.push_back(solve_island(problem, islands[i], settings));
  return all;
}

bool AllSolutions::exhaustive() const {
  return std::all_of(islands.begin(), islands.end(), [](auto const& island) { return island.exhaustive; });
}

bool AllSolutions::infinitely_many() const {
  return std::any_of(islands.begin(), islands.end(),
                     [](auto const& island) { return island.infinitely_many; });
}

double AllSolutions::count() const {
  double product = 1;
  for (IslandSolutions const& island : islands) product *= static_cast<double>(island.solutions.size());
  return product;
}

std::vector<FoundSolution> AllSolutions::combined(std::size_t limit) const {
  std::vector<FoundSolution> result;
  if (count() == 0 || islands.empty()) return result;
  std::size_t blocks = 0;
  for (IslandSolutions const& island : islands) blocks += island.blocks.size();
  std::vector<std::size_t> choice(islands.size(), 0);
  while (result.size() < limit) {
    FoundSolution whole;
    whole.modes.assign(blocks, ContactMode::detached);
    whole.normal_answer.assign(blocks, 0);
    for (std::size_t i = 0; i < islands.size(); ++i) {
      FoundSolution const& part = islands[i].solutions[choice[i]];
      whole.lambda = i == 0 ? part.lambda : Eigen::VectorXd(whole.lambda + part.lambda);
      whole.stable = whole.stable && part.stable;
      whole.one_of_many = whole.one_of_many || part.one_of_many;
      whole.residual = std::max(whole.residual, part.residual);
      for (std::size_t k = 0; k < islands[i].blocks.size(); ++k) {
        whole.modes[at(islands[i].blocks[k])] = part.modes[k];
        whole.normal_answer[at(islands[i].blocks[k])] = part.normal_answer[k];
      }
    }
    result.push_back(std::move(whole));
    std::size_t last = islands.size();
    while (last > 0 && ++choice[last - 1] == islands[last - 1].solutions.size()) choice[--last] = 0;
    if (last == 0) break;
  }
  return result;
}

}  // namespace delassus
