// One island of a contact problem, combination of modes by combination: the work of all_solutions.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/analysis/solutions/block_options.hpp"
#include "solver/problem/sub_problem.hpp"

namespace delassus {

class IslandModes {
 public:
  IslandModes(SubProblem const& sub, std::span<const std::optional<Eigen::Vector2d>> sliding,
              AllSolutionsSettings const& settings);

  // Whether there are few enough combinations of modes to try them all.
  bool within_limits() const;
  // False: some combination is left to a search.
  bool enumerate(IslandSolutions& island);

  // A force of the island that solves it: its residual, how it answers.
  FoundSolution describe(Eigen::VectorXd const& lambda, std::vector<ContactMode> const& modes) const;
  void add_if_new(FoundSolution solution, std::vector<FoundSolution>& solutions) const;

 private:
  using Options = std::vector<BlockOption>;  // one for each block besides joints

  void eliminate_joints();
  Eigen::VectorXd with_joints(Eigen::VectorXd const& contact_force) const;
  bool try_combination(Options const& options, IslandSolutions& island);
  void solve_linear(Options const& options, IslandSolutions& island);
  void solve_curved(Options const& options, std::vector<std::size_t> const& slipping,
                    IslandSolutions& island);
  void accept(Options const& options, Eigen::VectorXd const& lambda, Eigen::MatrixXd const& null,
              bool one_of_many, IslandSolutions& island);
  double worst_violation(Options const& options, Eigen::VectorXd const& lambda) const;
  FoundSolution describe_contacts(Options const& options, Eigen::VectorXd const& lambda) const;

  SubProblem const& sub_;
  AllSolutionsSettings const& settings_;
  std::vector<std::size_t> joints_, contacts_;  // blocks of sub_
  bool contradictory_ = false;                  // the joints by themselves have no solution
  bool redundant_ = false;
  bool known_sliding_ = false;  // of a bilateral contact
  // The contacts, with the joints eliminated.
  std::vector<ProblemBlock> blocks_;
  std::vector<std::vector<BlockOption>> options_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  double rho_ = 1, motion_scale_ = 1;
  // Of the joints: lambda_j = answer_ (b_j - A_jc lambda_c).
  Eigen::MatrixXd joint_answer_;
  std::vector<Eigen::Index> joint_rows_, contact_rows_;
};

}  // namespace delassus
