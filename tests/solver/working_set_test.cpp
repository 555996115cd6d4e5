// Large islands: without their open contacts, and cluster by cluster. Whatever is left out on the way, the residual is
// that of the whole problem, computed from the raw data.
#include "solver/island/working_set.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "solver/problem/islands.hpp"
#include "solver/problem/residual.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/pile_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

constexpr double step = 1e-3;  // s

// The example of a hundred spheres, let fall until it presses.
class SpherePile : public PileRun {
 public:
  SpherePile() : PileRun(read_scene_file(std::filesystem::path(DELASSUS_SCENES_DIR) / "sphere_pile.xml")) {
    SolveSettings few;
    few.method = SolveMethod::gauss_seidel;
    few.iteration_limit = 20;
    for (int k = 0; k < 350; ++k) advance(step, few);
    assemble(step);
  }
};

// The blocks of the largest island.
std::vector<int> largest_island(ContactProblem const& problem) {
  Islands islands;
  islands.find(problem);
  std::size_t largest = 0;
  for (std::size_t i = 1; i < islands.size(); ++i)
    if (islands[i].size() > islands[largest].size()) largest = i;
  return {islands[largest].begin(), islands[largest].end()};
}

TEST(WorkingSets, SolveTheWholeIslandAndNotOnlyTheContactsThatCarryForce) {
  SpherePile pile;
  std::vector<int> const blocks = largest_island(pile.problem);
  IslandProblem island;
  island.gather(pile.problem, blocks);
  ASSERT_TRUE(WorkingSet::applies(island, {})) << blocks.size() << " contacts";
  for (int k = 0; k < 20; ++k) {
    pile.advance(step, {});
    ASSERT_EQ(pile.solution.status, SolveStatus::converged) << "step " << k;
    ASSERT_LT(scale_free_residual(pile.problem, pile.solution.lambda), 1.1e-8) << "step " << k;
  }
}

TEST(WorkingSets, NeedNoAllocationInAWarmSolveAndGiveTheSameBitsAgain) {
  SpherePile pile;
  pile.solver.solve(pile.problem, {}, pile.previous, pile.solution);
  Eigen::VectorXd const first = pile.solution.lambda;
  pile.solver.solve(pile.problem, {}, pile.previous, pile.solution);
  long const before = test::allocation_count;
  pile.solver.solve(pile.problem, {}, pile.previous, pile.solution);
  EXPECT_EQ(test::allocation_count - before, 0);
  EXPECT_EQ(pile.solution.lambda, first);
}

// A contact in the middle of a pile that is solved gets a wrong force. The cluster around it carries all of the residual,
// and the other contacts keep their forces.
TEST(LocalSolves, SolveTheClusterThatCarriesTheResidualAndKeepAllOtherForces) {
  SpherePile pile;
  SolveSettings settings;
  pile.solver.solve(pile.problem, settings, pile.previous, pile.solution);
  std::vector<int> const blocks = largest_island(pile.problem);
  IslandProblem island;
  island.gather(pile.problem, blocks);
  island.set_measure(settings.measure, settings.law);
  BlockVector solved(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k)
    solved[k] =
        pile.solution.lambda.segment<3>(pile.problem.blocks[static_cast<std::size_t>(blocks[k])].first);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (solved[k][2] > solved[wrong][2]) wrong = k;
  BlockVector lambda = solved, eta;
  lambda[wrong] = {0, 0, 3 * solved[wrong][2]};
  island.eta(lambda, eta);
  double const before = island.residual(lambda, eta);
  ASSERT_GT(before, 1e-3);

  std::size_t const most = 30;
  LocalSolves clusters;
  clusters.improve({pile.problem, blocks, island, settings, solved, 0.01 * before, 0.9}, lambda);
  island.eta(lambda, eta);
  EXPECT_LT(island.residual(lambda, eta), 0.02 * before);
  std::size_t changed = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) changed += lambda[k] != solved[k];
  EXPECT_LE(changed, most);
  EXPECT_GE(changed, 1u);
}

// Found as a crash: a cluster is no closed island, its bodies have contacts that are not in it.
TEST(SomeBlocksOfAnIsland, AreAProblemOfTheirOwnWithoutTheOthers) {
  SpherePile pile;
  std::vector<int> const blocks = largest_island(pile.problem);
  Eigen::MatrixXd const A = pile.problem.dense();
  std::mt19937 engine(3);
  for (int const size : {2, 7, 15, 40}) {  // the first three as blocks of A, the last as W
    std::vector<int> some = blocks;
    std::shuffle(some.begin(), some.end(), engine);
    some.resize(static_cast<std::size_t>(size));
    std::sort(some.begin(), some.end());
    IslandProblem part;
    part.gather(pile.problem, blocks);  // what it held before is to be forgotten
    part.gather(pile.problem, some);
    BlockVector x(some.size()), product;
    for (Eigen::Vector3d& value : x) value = Eigen::Vector3d::Random();
    part.product(x, product);
    for (std::size_t i = 0; i < some.size(); ++i) {
      Eigen::Vector3d expected = Eigen::Vector3d::Zero();
      for (std::size_t j = 0; j < some.size(); ++j)
        expected += A.block<3, 3>(pile.problem.blocks[static_cast<std::size_t>(some[i])].first,
                                  pile.problem.blocks[static_cast<std::size_t>(some[j])].first) *
                    x[j];
      EXPECT_LT((product[i] - expected).norm(), 1e-12 * (1 + expected.norm()));
    }
  }
}

}  // namespace
}  // namespace delassus
