#include "solver/problem/sub_problem.hpp"

#include <algorithm>
#include <map>

#include "solver/linear/factor_products.hpp"

namespace delassus {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Eigen::MatrixXd from_blocks(ContactProblem const& problem, SubProblem const& sub) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(sub.b.size(), sub.b.size());
  std::map<int, std::size_t> place;
  for (std::size_t k = 0; k < sub.origin.size(); ++k) place[sub.origin[k]] = k;
  for (std::size_t k = 0; k < sub.origin.size(); ++k) {
    for (BlockMatrix::Entry const& entry : problem.A.row(at(sub.origin[k]))) {
      auto const found = place.find(entry.column);
      if (found == place.end()) continue;
      ProblemBlock const& row = sub.blocks[k];
      ProblemBlock const& column = sub.blocks[found->second];
      A.block(row.first, column.first, row.rows(), column.rows()) =
          entry.value.topLeftCorner(row.rows(), column.rows());
    }
  }
  return A;
}

Eigen::MatrixXd from_factor(ContactProblem const& problem, SubProblem const& sub) {
  // Only the velocities that these blocks touch.
  std::map<int, Eigen::Index> first_of_mass;
  Eigen::Index columns = 0;
  for (int const k : sub.origin) {
    for (FactorTerms::Term const& term : problem.W.of_block(at(k))) {
      if (first_of_mass.emplace(term.mass, columns).second) columns += term.columns;
    }
  }
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(columns, sub.b.size());
  for (std::size_t k = 0; k < sub.origin.size(); ++k) {
    for (FactorTerms::Term const& term : problem.W.of_block(at(sub.origin[k])))
      W.block(first_of_mass[term.mass], sub.blocks[k].first, term.columns, term.rows) +=
          FactorBlock<Eigen::Dynamic, Eigen::Dynamic>(problem.W.numbers(term), term.columns, term.rows);
  }
  return W.transpose() * W;
}

}  // namespace

SubProblem sub_problem(ContactProblem const& problem, std::span<const int> chosen) {
  SubProblem sub;
  sub.origin.assign(chosen.begin(), chosen.end());
  int rows = 0;
  for (int const k : chosen) {
    sub.blocks.push_back({rows, problem.blocks[at(k)].set});
    rows += sub.blocks.back().rows();
  }
  sub.b.resize(rows);
  for (std::size_t k = 0; k < sub.origin.size(); ++k)
    sub.b.segment(sub.blocks[k].first, sub.blocks[k].rows()) =
        problem.b.segment(problem.blocks[at(sub.origin[k])].first, sub.blocks[k].rows());
  sub.A = problem.formed() ? from_blocks(problem, sub) : from_factor(problem, sub);
  return sub;
}

std::vector<int> bilateral_neighbours(ContactProblem const& problem, int block) {
  std::vector<bool> seen(problem.blocks.size(), false);
  seen[at(block)] = true;
  std::vector<int> found, waiting = {block};
  auto const meet = [&](int other) {
    if (seen[at(other)]) return;
    seen[at(other)] = true;
    if (!is_free(problem.blocks[at(other)].set.kind)) return;
    found.push_back(other);
    waiting.push_back(other);
  };
  std::vector<bool> mass_seen(problem.W.empty() ? 0 : at(problem.W.masses()), false);
  while (!waiting.empty()) {
    int const k = waiting.back();
    waiting.pop_back();
    if (problem.W.empty()) {
      for (BlockMatrix::Entry const& entry : problem.A.row(at(k))) meet(entry.column);
      continue;
    }
    for (FactorTerms::Term const& term : problem.W.of_block(at(k))) {
      if (mass_seen[at(term.mass)]) continue;
      mass_seen[at(term.mass)] = true;
      for (int const i : problem.W.of_mass(term.mass)) meet(problem.W.terms()[at(i)].block);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace delassus
