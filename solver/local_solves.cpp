#include "solver/local_solves.hpp"

#include <algorithm>

namespace delassus {
namespace {

// Of what is wrong, the share that is looked at; and how many places at the most, beside the number of blocks.
constexpr double share = 0.9;
constexpr std::size_t blocks_of_a_centre = 20;
// Of one place: sweeps and Newton steps.
constexpr int place_iterations = 200;
// What may be left at a place beside what is left in the island.
constexpr double place_share = 0.01;

}  // namespace

// By falling distance, until they make up the share.
void LocalSolves::find_worst(IslandProblem const& island, BlockVector const& lambda) {
  island.motion(lambda, x_);
  distance_.resize(island.size());
  worst_.resize(island.size());
  double sum = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    Eigen::Vector3d const eta = island.relative_motion(k, x_.data()) - island.b()[k];
    BlockScale const rho = scale_of(island.set(k), island.diagonal(k), island.compliance(k));
    distance_[k] = squared_distance(island.set(k), rho, lambda[k], eta);
    worst_[k] = static_cast<int>(k);
    sum += distance_[k];
  }
  std::size_t const most = std::min(island.size(), 10 + island.size() / blocks_of_a_centre);
  std::partial_sort(worst_.begin(), worst_.begin() + static_cast<std::ptrdiff_t>(most), worst_.end(),
                    [&](int i, int j) {
                      double const one = distance_[static_cast<std::size_t>(i)];
                      double const other = distance_[static_cast<std::size_t>(j)];
                      return one > other || (one == other && i < j);
                    });
  double reached = 0;
  std::size_t count = 0;
  while (count < most && reached < share * sum)
    reached += distance_[static_cast<std::size_t>(worst_[count++])];
  worst_.resize(count);
}

// The contacts around this one, nearest first.
void LocalSolves::find_place(IslandProblem const& island, std::size_t centre, std::size_t most_blocks) {
  for (int const k : members_) taken_[static_cast<std::size_t>(k)] = 1;
  members_.assign(1, static_cast<int>(centre));
  taken_[centre] = 2;
  FactorTerms const& W = island.W();
  for (std::size_t next = 0; next < members_.size() && members_.size() < most_blocks; ++next) {
    for (FactorTerms::Term const& term : island.terms(static_cast<std::size_t>(members_[next]))) {
      for (int const i : W.of_mass(term.mass)) {
        int const other =
            index_of_block_[static_cast<std::size_t>(W.terms()[static_cast<std::size_t>(i)].block)];
        if (other < 0 || taken_[static_cast<std::size_t>(other)] == 2 || members_.size() >= most_blocks)
          continue;
        taken_[static_cast<std::size_t>(other)] = 2;
        members_.push_back(other);
      }
    }
  }
  std::sort(members_.begin(), members_.end());
}

int LocalSolves::solve_place(ContactProblem const& problem, std::span<const int> blocks,
                             IslandProblem const& island, SolveSettings const& settings, double tolerance,
                             BlockVector const& previous, BlockVector& lambda) {
  member_blocks_.clear();
  for (int const k : members_) member_blocks_.push_back(blocks[static_cast<std::size_t>(k)]);
  place_.gather(problem, member_blocks_);
  place_lambda_.resize(members_.size());
  place_previous_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto const k = static_cast<std::size_t>(members_[i]);
    place_lambda_[i] = lambda[k];
    place_previous_[i] = previous[k];
  }
  place_.product(place_lambda_, product_);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto const k = static_cast<std::size_t>(members_[i]);
    Eigen::Vector3d const eta = island.relative_motion(k, x_.data()) - island.b()[k];
    place_.replace_b(i, product_[i] - eta);
  }
  place_.set_measure(settings.measure, settings.law);
  place_.set_floor(island.scale());
  SolveSettings own = settings;
  own.iteration_limit = place_iterations;
  own.acceptable = tolerance;
  own.least_norm = false;
  IslandSolver::Result const result =
      solver_.solve(place_, own, tolerance, place_previous_, place_lambda_, place_eta_, nullptr, 0);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto const k = static_cast<std::size_t>(members_[i]);
    Eigen::Vector3d const change = place_lambda_[i] - lambda[k];
    if (change.isZero(0)) continue;
    island.add_motion(k, change, x_.data());
    lambda[k] = place_lambda_[i];
  }
  return result.iterations;
}

int LocalSolves::improve(ContactProblem const& problem, std::span<const int> blocks,
                         IslandProblem const& island, SolveSettings const& settings, double residual,
                         BlockVector const& previous, std::size_t most_blocks, BlockVector& lambda) {
  if (index_of_block_.size() < problem.blocks.size()) index_of_block_.resize(problem.blocks.size());
  std::fill(index_of_block_.begin(), index_of_block_.end(), -1);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    index_of_block_[static_cast<std::size_t>(blocks[k])] = static_cast<int>(k);
  taken_.assign(island.size(), 0);
  members_.clear();
  find_worst(island, lambda);
  double const tolerance = place_share * std::max(settings.acceptable, residual);
  double work = 0;
  for (int const centre : worst_) {
    if (taken_[static_cast<std::size_t>(centre)]) continue;
    find_place(island, static_cast<std::size_t>(centre), most_blocks);
    work += static_cast<double>(members_.size()) *
            solve_place(problem, blocks, island, settings, tolerance, previous, lambda);
  }
  return 1 + static_cast<int>(work / static_cast<double>(island.size()));
}

}  // namespace delassus
