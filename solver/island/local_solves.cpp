#include "solver/island/local_solves.hpp"

#include <algorithm>

namespace delassus {

// By falling distance, until they carry the share.
void LocalSolves::select_worst(LocalTask const& task, BlockVector const& lambda) {
  IslandProblem const& island = task.island;
  island.motion(lambda, motion_);
  distance_.resize(island.size());
  worst_.resize(island.size());
  double sum = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    Eigen::Vector3d const eta = island.relative_motion(k, motion_.data()) - island.b()[k];
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
  while (count < island.size() && reached < task.share * sum)
    reached += distance_[static_cast<std::size_t>(worst_[count++])];
  worst_.resize(count);
}

// The worst contacts with all that touch the same bodies, divided into clusters that have no body in common.
void LocalSolves::find_clusters(IslandProblem const& island) {
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
    for_neighbours(k, [&](int other) { part_[static_cast<std::size_t>(other)] = Part::selected; });
  members_.clear();
  first_member_.assign(1, 0);
  auto const add = [&](int k) {
    Part& part = part_[static_cast<std::size_t>(k)];
    if (part == Part::selected) members_.push_back(k);
    if (part == Part::selected) part = Part::clustered;
  };
  for (int const k : worst_) {
    add(k);
    if (members_.size() == first_member_.back()) continue;  // in a cluster already
    for (std::size_t next = first_member_.back(); next < members_.size(); ++next)
      for_neighbours(members_[next], add);
    std::sort(members_.begin() + static_cast<std::ptrdiff_t>(first_member_.back()), members_.end());
    first_member_.push_back(members_.size());
  }
}

// With b' = A_ll lambda_l - eta_l, which is b_l - A_lo lambda_o.
void LocalSolves::gather_cluster(LocalTask const& task, std::span<const int> members,
                                 BlockVector const& lambda) {
  member_blocks_.clear();
  for (int const k : members) member_blocks_.push_back(task.blocks[static_cast<std::size_t>(k)]);
  cluster_.gather(task.problem, member_blocks_);
  cluster_lambda_.resize(members.size());
  cluster_previous_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    cluster_lambda_[i] = lambda[k];
    cluster_previous_[i] = task.previous[k];
  }
  cluster_.product(cluster_lambda_, product_);
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    Eigen::Vector3d const eta = task.island.relative_motion(k, motion_.data()) - task.island.b()[k];
    cluster_.replace_b(i, product_[i] - eta);
  }
  cluster_.set_measure(task.settings.measure, task.settings.law);
  cluster_.set_floor(task.island.scale());
}

int LocalSolves::solve_cluster(LocalTask const& task, std::span<const int> members, BlockVector& lambda) {
  gather_cluster(task, members, lambda);
  SolveSettings own = task.settings;
  own.iteration_limit = cascade.clusters.iterations;
  own.acceptable = task.tolerance;
  own.least_norm = false;
  IslandSolver::Result const result = solver_.solve({.island = cluster_,
                                                     .settings = own,
                                                     .tolerance = task.tolerance,
                                                     .previous = cluster_previous_,
                                                     .begin = IslandTask::Begin::equations},
                                                    cluster_lambda_, cluster_eta_);
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const k = static_cast<std::size_t>(members[i]);
    Eigen::Vector3d const change = cluster_lambda_[i] - lambda[k];
    if (change.isZero(0)) continue;
    task.island.add_motion(k, change, motion_.data());
    lambda[k] = cluster_lambda_[i];
  }
  return result.iterations;
}

int LocalSolves::improve(LocalTask const& task, BlockVector& lambda) {
  std::size_t const count = task.problem.blocks.size();
  if (index_of_block_.size() < count) index_of_block_.resize(count);
  std::fill(index_of_block_.begin(), index_of_block_.end(), -1);
  for (std::size_t k = 0; k < task.blocks.size(); ++k)
    index_of_block_[static_cast<std::size_t>(task.blocks[k])] = static_cast<int>(k);
  select_worst(task, lambda);
  find_clusters(task.island);
  auto const too_large = cascade.clusters.largest * static_cast<double>(task.island.size());
  for (std::size_t i = 0; i + 1 < first_member_.size(); ++i) {
    if (static_cast<double>(first_member_[i + 1] - first_member_[i]) > too_large) return 0;
  }
  double work = 0;
  for (std::size_t i = 0; i + 1 < first_member_.size(); ++i) {
    auto const members =
        std::span<const int>(members_).subspan(first_member_[i], first_member_[i + 1] - first_member_[i]);
    work += static_cast<double>(members.size()) * solve_cluster(task, members, lambda);
  }
  return 1 + static_cast<int>(work / static_cast<double>(task.island.size()));
}

}  // namespace delassus
