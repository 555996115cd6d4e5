#include "solver/linear/block_factor.hpp"

#include <algorithm>

#include "solver/linear/dense_front.hpp"

namespace delassus {
namespace {

using Index = std::ptrdiff_t;

}  // namespace

void BlockFactor::analyse(std::span<const std::size_t> first, std::span<const int> neighbour,
                          int usual_size) {
  ordering_.analyse(first, neighbour, usual_size);
  laid_out_ = false;
}

double BlockFactor::work(std::span<const int> size) const {
  double sum = 0;
  for (BlockOrdering::Group const& group : ordering_.groups()) {
    double pivots = 0, front = 0;
    for (int k = 0; k < group.nodes; ++k)
      pivots += size[as_index(ordering_.order()[as_index(group.first_node + k)])];
    for (int k = 0; k < group.borders; ++k)
      front += size[as_index(ordering_.border()[as_index(group.first_border + k)])];
    front += pivots;
    // The sum of 2 (front - i)^2 over the pivots.
    sum += 2 * pivots * (front * front - front * pivots + pivots * pivots / 3);
  }
  return sum;
}

void BlockFactor::begin(std::span<const int> size, Form form) {
  form_ = form;
  if (!laid_out_ || !std::equal(size.begin(), size.end(), size_.begin(), size_.end())) lay_out(size);
  std::fill(numbers_.begin(), numbers_.begin() + static_cast<Index>(used_), 0.0);
}

void BlockFactor::lay_out(std::span<const int> size) {
  laid_out_ = true;
  auto const groups = ordering_.groups();
  auto const order = ordering_.order(), border = ordering_.border();
  size_.assign(size.begin(), size.end());
  node_row_.resize(size.size());
  node_offset_.resize(size.size());
  border_offset_.resize(border.size());
  offset_in_parent_.resize(border.size());
  fronts_.resize(groups.size());
  rows_ = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    node_row_[i] = rows_;
    rows_ += as_index(size[i]);
  }
  std::size_t numbers = 0, first_row = 0;
  int largest = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    BlockOrdering::Group const& group = groups[g];
    Front& front = fronts_[g];
    int offset = 0;
    for (int k = 0; k < group.nodes; ++k) {
      int const node = order[as_index(group.first_node + k)];
      node_offset_[as_index(node)] = offset;
      offset += size[as_index(node)];
    }
    front.pivots = offset;
    for (int k = 0; k < group.borders; ++k) {
      border_offset_[as_index(group.first_border + k)] = offset;
      offset += size[as_index(border[as_index(group.first_border + k)])];
    }
    front.size = offset;
    front.first_row = first_row;
    first_row += as_index(front.pivots);
    front.first = numbers;
    numbers += as_index(front.size) * as_index(front.size);
    largest = std::max(largest, front.size);
  }
  for (BlockOrdering::Group const& group : groups) {
    if (group.parent < 0) continue;
    for (int k = group.first_border; k < group.first_border + group.borders; ++k)
      offset_in_parent_[as_index(k)] = offset_in_front(border[as_index(k)], group.parent);
  }
  if (numbers_.size() < numbers) numbers_.resize(numbers);
  used_ = numbers;
  exchange_.resize(rows_);
  if (gathered_.size() < as_index(largest)) gathered_.resize(as_index(largest));
}

int BlockFactor::offset_in_front(int node, int group) const {
  if (ordering_.group_of(node) == group) return node_offset_[as_index(node)];
  BlockOrdering::Group const& g = ordering_.groups()[as_index(group)];
  auto const border = ordering_.border().subspan(as_index(g.first_border), as_index(g.borders));
  auto const found = std::lower_bound(border.begin(), border.end(), node, [this](int a, int b) {
    return ordering_.position(a) < ordering_.position(b);
  });
  return border_offset_[as_index(g.first_border) + static_cast<std::size_t>(found - border.begin())];
}

BlockFactor::Place BlockFactor::place(int i, int j) {
  int const group = std::min(ordering_.group_of(i), ordering_.group_of(j));
  Front const& front = fronts_[as_index(group)];
  Index const stride = front.size;
  return {numbers_.data() + front.first + offset_in_front(i, group) + offset_in_front(j, group) * stride,
          stride};
}

bool BlockFactor::factorise() {
  for (std::size_t g = 0; g < fronts_.size(); ++g) {
    Front const& front = fronts_[g];
    double* const F = numbers_.data() + front.first;
    if (front.pivots > 0) {
      bool const good = form_ == Form::symmetric ? eliminate_symmetric(F, front.size, front.pivots)
                                                 : eliminate_general(F, front.size, front.pivots,
                                                                     exchange_.data() + front.first_row);
      if (!good) return false;
    }
    if (ordering_.groups()[g].parent >= 0 && front.size > front.pivots) pass_on(g);
  }
  return true;
}

// Adds the remainder to the front of the parent, which contains all of the border in the same order.
void BlockFactor::pass_on(std::size_t number) {
  BlockOrdering::Group const& group = ordering_.groups()[number];
  Front const &own = fronts_[number], &parent = fronts_[as_index(group.parent)];
  double const* const from = numbers_.data() + own.first;
  double* const to = numbers_.data() + parent.first;
  Index const f = own.size, g = parent.size;
  int const end = group.first_border + group.borders;
  for (int b = group.first_border; b < end; ++b) {
    Index const columns = size_[as_index(ordering_.border()[as_index(b)])];
    Index const source_column = border_offset_[as_index(b)], target_column = offset_in_parent_[as_index(b)];
    for (int a = form_ == Form::symmetric ? b : group.first_border; a < end; ++a) {
      Index const rows = size_[as_index(ordering_.border()[as_index(a)])];
      Index const source_row = border_offset_[as_index(a)], target_row = offset_in_parent_[as_index(a)];
      for (Index j = 0; j < columns; ++j) {
        double const* const s = from + source_row + (source_column + j) * f;
        double* const t = to + target_row + (target_column + j) * g;
        for (Index i = 0; i < rows; ++i) t[i] += s[i];
      }
    }
  }
}

void BlockFactor::solve(double* x) {
  double* const y = gathered_.data();
  auto const groups = ordering_.groups();
  auto const order = ordering_.order(), border = ordering_.border();
  auto const gather = [&](BlockOrdering::Group const& group) {
    for (int k = 0; k < group.nodes; ++k) {
      std::size_t const node = as_index(order[as_index(group.first_node + k)]);
      std::copy_n(x + node_row_[node], size_[node], y + node_offset_[node]);
    }
  };
  auto const scatter = [&](BlockOrdering::Group const& group) {
    for (int k = 0; k < group.nodes; ++k) {
      std::size_t const node = as_index(order[as_index(group.first_node + k)]);
      std::copy_n(y + node_offset_[node], size_[node], x + node_row_[node]);
    }
  };
  for (std::size_t g = 0; g < fronts_.size(); ++g) {
    Front const& front = fronts_[g];
    if (front.pivots == 0) continue;
    double const* const F = numbers_.data() + front.first;
    gather(groups[g]);
    std::fill(y + front.pivots, y + front.size, 0.0);
    if (form_ == Form::symmetric) {
      forward_symmetric(F, front.size, front.pivots, y);
    } else {
      forward_general(F, front.size, front.pivots, exchange_.data() + front.first_row, y);
    }
    scatter(groups[g]);
    for (int k = groups[g].first_border; k < groups[g].first_border + groups[g].borders; ++k) {
      std::size_t const node = as_index(border[as_index(k)]);
      double* const to = x + node_row_[node];
      double const* const change = y + border_offset_[as_index(k)];
      for (int i = 0; i < size_[node]; ++i) to[i] += change[i];
    }
  }
  for (std::size_t g = fronts_.size(); g-- > 0;) {
    Front const& front = fronts_[g];
    if (front.pivots == 0) continue;
    double const* const F = numbers_.data() + front.first;
    gather(groups[g]);
    for (int k = groups[g].first_border; k < groups[g].first_border + groups[g].borders; ++k) {
      std::size_t const node = as_index(border[as_index(k)]);
      std::copy_n(x + node_row_[node], size_[node], y + border_offset_[as_index(k)]);
    }
    if (form_ == Form::symmetric) {
      backward_symmetric(F, front.size, front.pivots, y);
    } else {
      backward_general(F, front.size, front.pivots, y);
    }
    scatter(groups[g]);
  }
}

}  // namespace delassus
