#include "solver/island/local_solves.hpp"

#include <algorithm>

namespace delassus {
namespace {

// Of one place: Newton steps and others.
constexpr int place_iterations = 60;

}  // namespace

// By falling distance, until they make up the share.
void LocalSolves::find_worst(IslandProblem const& island, double share, BlockVector const& lambda) {
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
  std::sort(worst_.begin(), worst_.end(), [&](int i, int j) {
    double const one = distance_[static_cast<std::size_t>(i)];
    double const other = distance_[static_cast<std::size_t>(j)];
    return one > other || (one == other && i < j);
  });
  double reached = 0;
  std::size_t count = 0;
  while (count < island.size() && reached < share * sum)
    reached += distance_[static_cast<std::size_t>(worst_[count++])];
  worst_.resize(count);
}

// The worst contacts with all that touch the same bodies, divided into places that have no body in common.
void LocalSolves::find_places(IslandProblem const& island) {
  FactorTerms const& W = island.W();
  auto const for_neighbours = [&](int k, auto const& act) {
    for (FactorTerms::Term const& term : island.terms(static_cast<std::size_t>(k))) {
      for (int const i : W.of_mass(term.mass)) {
        int const block = W.terms()[static_cast<std::size_t>(i)].block;
        int const other = index_of_block_[static_cast<std::size_t>(block)];
        if (other >= 0) act(other);
      }
    }
  };
  part_.assign(island.size(), Part::none);
  for (int const k : worst_)
    for_neighbours(k, [&](int other) { part_[static_cast<std::size_t>(other)] = Part::chosen; });
  members_.clear();
  first_member_.assign(1, 0);
  auto const place = [&](int k) {
    Part& part = part_[static_cast<std::size_t>(k)];
    if (part == Part::chosen) members_.push_back(k);
    if (part == Part::chosen) part = Part::placed;
  };
  for (int const k : worst_) {
    place(k);
    if (members_.size() == first_member_.back()) continue;  // in a place already
    for (std::size_t next = first_member_.back(); next < members_.size(); ++next)
      for_neighbours(members_[next], place);
    std::sort(members_.begin() + static_cast<std::ptrdiff_t>(first_member_.back()), members_.end());
    first_member_.push_back(members_.size());
  }
}

int LocalSolves::solve_place(ContactProblem const& problem, std::span<const int> blocks,
                             IslandProblem const& island, SolveSettings const& settings, double tolerance,
                             BlockVector const& previous, std::span<const int> members, BlockVector& lambda) {
  member_blocks_.clear();
  for (int const k : members) member_blocks_.push_back(blocks[static_cast<std::size_t>(k)]);
  place_.gather(problem, member_blocks_);
  place_lambda_.resize(members.size());
  place_previous_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    place_lambda_[i] = lambda[k];
    place_previous_[i] = previous[k];
  }
  place_.product(place_lambda_, product_);
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    Eigen::Vector3d const eta = island.relative_motion(k, x_.data()) - island.b()[k];
    place_.replace_b(i, product_[i] - eta);
  }
  place_.set_measure(settings.measure, settings.law);
  place_.set_floor(island.scale());
  SolveSettings own = settings;
  own.iteration_limit = place_iterations;
  own.acceptable = tolerance;
  own.least_norm = false;
  IslandSolver::Result const result = solver_.solve(place_, own, tolerance, place_previous_, place_lambda_,
                                                    place_eta_, nullptr, 0, IslandSolver::Begin::equations);
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    Eigen::Vector3d const change = place_lambda_[i] - lambda[k];
    if (change.isZero(0)) continue;
    island.add_motion(k, change, x_.data());
    lambda[k] = place_lambda_[i];
  }
  return result.iterations;
}

int LocalSolves::improve(ContactProblem const& problem, std::span<const int> blocks,
                         IslandProblem const& island, SolveSettings const& settings, double tolerance,
                         BlockVector const& previous, double share, BlockVector& lambda) {
  if (index_of_block_.size() < problem.blocks.size()) index_of_block_.resize(problem.blocks.size());
  std::fill(index_of_block_.begin(), index_of_block_.end(), -1);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    index_of_block_[static_cast<std::size_t>(blocks[k])] = static_cast<int>(k);
  find_worst(island, share, lambda);
  find_places(island);
  double work = 0;
  for (std::size_t i = 0; i + 1 < first_member_.size(); ++i) {
    auto const members =
        std::span<const int>(members_).subspan(first_member_[i], first_member_[i + 1] - first_member_[i]);
    work += static_cast<double>(members.size()) *
            solve_place(problem, blocks, island, settings, tolerance, previous, members, lambda);
  }
  return 1 + static_cast<int>(work / static_cast<double>(island.size()));
}

}  // namespace delassus
