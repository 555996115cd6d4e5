// All solutions of a contact problem: every block detached, sticking or slipping, each way.
//
// The problem falls into islands, and each island's bilateral rows (joints) are eliminated by Schur complement. Of what
// is left, every combination of modes is tried:
//  * In the plane, and wherever no block slips in space, a combination is a system of linear equations whose solution
//    either meets the conditions of its modes or not.
//  * One block that slips in space: the others' rows are eliminated, and the secular equation of that block has its
//    slips (enumerate_block).
//  * Two or three that slip in space: slip_subdivision, which leaves no part of the space of slips unexamined.
// Up to three blocks besides joints this is exhaustive, in the plane up to `combinations` combinations of modes. Beyond,
// the island solver is started from many forces, and the result says that it was a search.
//
// `exhaustive` holds up to rounding: solutions that differ by less than 1e-7 of the force are one, slips whose
// s = |eta_t| / |lambda_t| is below 1e-8 of A count as stick, and where two solutions are about to merge or a singular A
// leaves a continuum that no least-norm representative stands for, it is false.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/scene/enumeration.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

struct FoundSolution {
  Eigen::VectorXd lambda;          // in the rows of the problem; zero outside the island
  std::vector<ContactMode> modes;  // of the island's blocks
  // Would stiff, damped contacts stay at this solution? With G = d eta_n / d lambda_n over the contacts that press,
  // along the branch (sticking ones stick, slipping ones slip), all eigenvalues of G have a real part that is not
  // negative. For one contact this is `stable` of BlockSolution (Song et al. 2001, Table 1).
  bool stable = true;
  // d eta_n / d lambda_n of each of the island's blocks along the branch, the other normal forces held: the A of Song's problem.
  std::vector<double> normal_answer;  // NaN where a block does not press
  bool one_of_many = false;           // lambda stands for a continuum
  double residual = 0;                // scale-free, of the island
};

enum class SolutionMethod {
  modes,        // linear equations and secular equations for every combination of modes
  subdivision,  // these, and subdivision for slips of two or three contacts in space
  search,       // many starts of the island solver
};

struct IslandSolutions {
  std::vector<int> blocks;  // of the problem, rising
  std::vector<FoundSolution> solutions;
  SolutionMethod method = SolutionMethod::modes;
  bool exhaustive = true;
  bool infinitely_many = false;
  bool redundant_joints = false;  // their forces are then those of least norm
  std::size_t undecided = 0;      // cells of the subdivision that were left
};

struct AllSolutions {
  std::vector<IslandSolutions> islands;

  bool exhaustive() const;
  bool infinitely_many() const;
  // Of the whole problem: the product over the islands.
  double count() const;
  // Solutions of the whole problem, the last island changing first; at most `limit` of them.
  std::vector<FoundSolution> combined(std::size_t limit = 1000) const;
};

struct AllSolutionsSettings {
  // Per block: the unit vector along which the contact slides already. Its friction is then -mu e_t |lambda_n|, as in
  // the rigid-body problems of the literature (Painleve; Song et al. 2001; Blumentals et al. 2016, (28)), and neither
  // stick nor another direction is a mode. Empty: nothing is known of any. In the plane the second component is zero.
  std::vector<std::optional<Eigen::Vector2d>> sliding = {};
  int contacts = 3;            // blocks besides joints up to which slips in space are subdivided
  double combinations = 2e4;   // of modes that are tried
  std::size_t cells = 400000;  // of one subdivision
  int starts = 200;            // of a search
  std::uint64_t seed = 1;
};

AllSolutions all_solutions(ContactProblem const& problem, AllSolutionsSettings const& settings = {});

}  // namespace delassus
