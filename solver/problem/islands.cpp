#include "solver/problem/islands.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {

int Islands::root(int block) {
  auto const parent = [this](int k) -> int& { return parent_[static_cast<std::size_t>(k)]; };
  while (parent(block) != block) {
    parent(block) = parent(parent(block));  // halves the path for the next time
    block = parent(block);
  }
  return block;
}

// The root of both.
int Islands::join(int one, int other) {
  one = root(one);
  other = root(other);
  parent_[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
  return std::min(one, other);
}

void Islands::find(ContactProblem const& problem) {
  std::size_t const count = problem.blocks.size();
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0);
  if (problem.W.empty()) {
    for (std::size_t k = 0; k < count; ++k) {
      int one = root(static_cast<int>(k));
      for (BlockMatrix::Entry const& entry : problem.A.row(k)) {
        if (parent_[static_cast<std::size_t>(entry.column)] != one) one = join(one, entry.column);
      }
    }
  } else {
    of_mass_.assign(static_cast<std::size_t>(problem.W.masses()), -1);
    for (FactorTerms::Term const& term : problem.W.terms()) {
      int& known = of_mass_[static_cast<std::size_t>(term.mass)];
      known = known < 0 ? term.block : join(known, term.block);
    }
  }
  // Count, then fill: a root precedes the rest of its tree, so numbers rise with the first block.
  number_.resize(count);
  first_.assign(1, 0);
  for (std::size_t k = 0; k < count; ++k) {
    // A parent precedes its children, and has its root for a parent by now.
    int const top = parent_[k] = parent_[static_cast<std::size_t>(parent_[k])];
    if (top == static_cast<int>(k)) {
      number_[k] = static_cast<int>(first_.size()) - 1;
      first_.push_back(0);
    }
    ++first_[static_cast<std::size_t>(number_[static_cast<std::size_t>(top)]) + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  blocks_.resize(count);
  // first_ serves as the position of the next block, which leaves it shifted by one island.
  for (std::size_t k = 0; k < count; ++k) {
    auto const top = static_cast<std::size_t>(parent_[k]);
    blocks_[first_[static_cast<std::size_t>(number_[top])]++] = static_cast<int>(k);
  }
  std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
  first_[0] = 0;
}

}  // namespace delassus
