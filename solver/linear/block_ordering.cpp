#include "solver/linear/block_ordering.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {
namespace {

using Index = std::ptrdiff_t;

// Rows; the matrix of a pattern that is no larger is taken as full.
constexpr int always_full = 18;
// A front over no more rows than this is not worth being divided.
constexpr int small_front = 15;

std::uint64_t mixed(int node) {
  std::uint64_t x = static_cast<std::uint64_t>(node) + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

void BlockOrdering::analyse(std::span<const std::size_t> first, std::span<const int> neighbour,
                            int usual_size) {
  std::size_t const nodes = first.size() - 1;
  group_of_.resize(nodes);
  position_.resize(nodes);
  order_.clear();
  border_.clear();
  groups_.clear();
  small_front_ = small_front / usual_size;
  if (nodes <= as_index(always_full / usual_size) || neighbour.size() >= nodes * nodes) {
    one_group(nodes);
    return;
  }
  merge_alike(first, neighbour);
  minimum_degree(first, neighbour);
  form_groups(nodes);
}

void BlockOrdering::one_group(std::size_t nodes) {
  order_.resize(nodes);
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(position_.begin(), position_.end(), 0);
  std::fill(group_of_.begin(), group_of_.end(), 0);
  groups_.push_back({});
  groups_[0].nodes = static_cast<int>(nodes);
}

// Nodes with the same neighbours, themselves included, have the same hash.
void BlockOrdering::merge_alike(std::span<const std::size_t> first, std::span<const int> neighbour) {
  std::size_t const nodes = first.size() - 1;
  hash_.resize(nodes);
  by_hash_.resize(nodes);
  leader_.resize(nodes);
  next_alike_.assign(nodes, -1);
  last_alike_.resize(nodes);
  weight_.assign(nodes, 1);
  mark_.assign(nodes, -1);
  for (std::size_t i = 0; i < nodes; ++i) {
    hash_[i] = mixed(static_cast<int>(i));
    for (std::size_t e = first[i]; e < first[i + 1]; ++e) {
      if (neighbour[e] != static_cast<int>(i)) hash_[i] += mixed(neighbour[e]);
    }
  }
  std::iota(by_hash_.begin(), by_hash_.end(), 0);
  std::iota(leader_.begin(), leader_.end(), 0);
  std::iota(last_alike_.begin(), last_alike_.end(), 0);
  std::sort(by_hash_.begin(), by_hash_.end(), [this](int a, int b) {
    return hash_[as_index(a)] != hash_[as_index(b)] ? hash_[as_index(a)] < hash_[as_index(b)] : a < b;
  });
  for (std::size_t run = 0; run < nodes;) {
    std::size_t end = run + 1;
    while (end < nodes && hash_[as_index(by_hash_[end])] == hash_[as_index(by_hash_[run])]) ++end;
    for (std::size_t k = run; k + 1 < end; ++k) {
      int const i = by_hash_[k];
      if (leader_[as_index(i)] != i) continue;
      std::size_t closed = 1;
      mark_[as_index(i)] = i;
      for (std::size_t e = first[as_index(i)]; e < first[as_index(i) + 1]; ++e) {
        if (neighbour[e] == i) continue;
        mark_[as_index(neighbour[e])] = i;
        ++closed;
      }
      for (std::size_t l = k + 1; l < end; ++l) {
        int const j = by_hash_[l];
        if (leader_[as_index(j)] != j || mark_[as_index(j)] != i) continue;
        std::size_t same = 1;
        for (std::size_t e = first[as_index(j)]; e < first[as_index(j) + 1]; ++e)
          same += neighbour[e] != j && mark_[as_index(neighbour[e])] == i;
        std::size_t own = 1;
        for (std::size_t e = first[as_index(j)]; e < first[as_index(j) + 1]; ++e) own += neighbour[e] != j;
        if (same != closed || own != closed) continue;
        leader_[as_index(j)] = i;
        next_alike_[as_index(last_alike_[as_index(i)])] = j;
        last_alike_[as_index(i)] = j;
        ++weight_[as_index(i)];
      }
    }
    run = end;
  }
}

void BlockOrdering::list_in_degrees(int node, int degree) {
  degree_[as_index(node)] = degree;
  int& head = head_[as_index(degree)];
  next_[as_index(node)] = head;
  previous_[as_index(node)] = -1;
  if (head >= 0) previous_[as_index(head)] = node;
  head = node;
  lowest_degree_ = std::min(lowest_degree_, degree);
}

void BlockOrdering::take_from_degrees(int node) {
  int const before = previous_[as_index(node)], after = next_[as_index(node)];
  if (before >= 0) {
    next_[as_index(before)] = after;
  } else {
    head_[as_index(degree_[as_index(node)])] = after;
  }
  if (after >= 0) previous_[as_index(after)] = before;
}

void BlockOrdering::minimum_degree(std::span<const std::size_t> first, std::span<const int> neighbour) {
  std::size_t const nodes = first.size() - 1;
  list_first_.resize(nodes);
  list_.clear();
  elements_count_.assign(nodes, 0);
  variables_count_.assign(nodes, 0);
  element_first_.resize(nodes);
  element_size_.assign(nodes, 0);
  element_weight_.assign(nodes, 0);
  element_outside_.assign(nodes, 0);
  element_stamp_.assign(nodes, -1);
  element_nodes_.clear();
  eliminated_.assign(nodes, 0);
  absorbed_.assign(nodes, 0);
  degree_.resize(nodes);
  next_.resize(nodes);
  previous_.resize(nodes);
  place_.assign(nodes, -1);
  elimination_.clear();
  std::fill(mark_.begin(), mark_.end(), -1);
  int total = 0;
  std::size_t leaders = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    list_first_[i] = list_.size();
    if (leader_[i] != static_cast<int>(i)) continue;
    ++leaders;
    total += weight_[i];
    mark_[i] = static_cast<int>(i);
    for (std::size_t e = first[i]; e < first[i + 1]; ++e) {
      int const other = leader_[as_index(neighbour[e])];
      if (mark_[as_index(other)] == static_cast<int>(i)) continue;
      mark_[as_index(other)] = static_cast<int>(i);
      list_.push_back(other);
      ++variables_count_[i];
    }
  }
  head_.assign(as_index(total) + 1, -1);
  lowest_degree_ = left_ = total;
  // Backwards, so that of equal degrees the first node comes first.
  for (std::size_t i = nodes; i-- > 0;) {
    if (leader_[i] != static_cast<int>(i)) continue;
    int degree = 0;
    for (int k = 0; k < variables_count_[i]; ++k)
      degree += weight_[as_index(list_[list_first_[i] + as_index(k)])];
    list_in_degrees(static_cast<int>(i), degree);
  }
  std::fill(mark_.begin(), mark_.end(), -1);
  while (elimination_.size() < leaders) {
    while (head_[as_index(lowest_degree_)] < 0) ++lowest_degree_;
    int const pivot = head_[as_index(lowest_degree_)];
    take_from_degrees(pivot);
    absorb(pivot);
  }
}

// Eliminates a leader: its element is made of the leaders beside it and of those in its elements, which it
// absorbs.
void BlockOrdering::absorb(int pivot) {
  std::size_t const p = as_index(pivot);
  place_[p] = static_cast<int>(elimination_.size());
  elimination_.push_back(pivot);
  eliminated_[p] = 1;
  left_ -= weight_[p];
  element_first_[p] = element_nodes_.size();
  mark_[p] = pivot;
  auto const add = [&](int node) {
    if (eliminated_[as_index(node)] || mark_[as_index(node)] == pivot) return;
    mark_[as_index(node)] = pivot;
    element_nodes_.push_back(node);
    element_weight_[p] += weight_[as_index(node)];
  };
  for (int k = 0; k < elements_count_[p]; ++k) {
    int const element = list_[list_first_[p] + as_index(k)];
    if (absorbed_[as_index(element)]) continue;
    for (int m = 0; m < element_size_[as_index(element)]; ++m)
      add(element_nodes_[element_first_[as_index(element)] + as_index(m)]);
    absorbed_[as_index(element)] = 1;
  }
  for (int k = 0; k < variables_count_[p]; ++k) add(list_[list_first_[p] + as_index(elements_count_[p] + k)]);
  element_size_[p] = static_cast<int>(element_nodes_.size() - element_first_[p]);

  // How much of the other elements lies outside of this one.
  for (int m = 0; m < element_size_[p]; ++m) {
    int const i = element_nodes_[element_first_[p] + as_index(m)];
    for (int k = 0; k < elements_count_[as_index(i)]; ++k) {
      std::size_t const element = as_index(list_[list_first_[as_index(i)] + as_index(k)]);
      if (absorbed_[element]) continue;
      if (element_stamp_[element] != pivot) {
        element_stamp_[element] = pivot;
        element_outside_[element] = element_weight_[element];
      }
      element_outside_[element] -= weight_[as_index(i)];
    }
  }
  for (int m = 0; m < element_size_[p]; ++m) {
    int const node = element_nodes_[element_first_[p] + as_index(m)];
    std::size_t const i = as_index(node);
    take_from_degrees(node);
    // Elements that are still there, this one, and leaders that it does not contain: never more than there
    // were before.
    buffer_.clear();
    int degree = element_weight_[p] - weight_[i];
    int const bound = degree_[i] + degree;
    for (int k = 0; k < elements_count_[i]; ++k) {
      int const element = list_[list_first_[i] + as_index(k)];
      if (absorbed_[as_index(element)]) continue;
      if (element_outside_[as_index(element)] == 0) {
        absorbed_[as_index(element)] = 1;
        continue;
      }
      degree += element_outside_[as_index(element)];
      buffer_.push_back(element);
    }
    buffer_.push_back(pivot);
    int const elements = static_cast<int>(buffer_.size());
    for (int k = 0; k < variables_count_[i]; ++k) {
      int const other = list_[list_first_[i] + as_index(elements_count_[i] + k)];
      if (eliminated_[as_index(other)] || mark_[as_index(other)] == pivot) continue;
      degree += weight_[as_index(other)];
      buffer_.push_back(other);
    }
    std::copy(buffer_.begin(), buffer_.end(), list_.begin() + static_cast<Index>(list_first_[i]));
    elements_count_[i] = elements;
    variables_count_[i] = static_cast<int>(buffer_.size()) - elements;
    // Nodes in several elements are counted several times: there are never more than are left.
    list_in_degrees(node, std::min({degree, bound, left_ - weight_[i]}));
  }
}

// Leaders whose element is that of the next one with this one added join its group.
void BlockOrdering::form_groups(std::size_t nodes) {
  parent_.resize(nodes);
  own_weight_.resize(nodes);
  top_.resize(nodes);
  for (int const leader : elimination_) {
    std::size_t const l = as_index(leader);
    auto const begin = element_nodes_.begin() + static_cast<Index>(element_first_[l]);
    auto const end = begin + element_size_[l];
    std::sort(begin, end, [this](int a, int b) { return place_[as_index(a)] < place_[as_index(b)]; });
    parent_[l] = element_size_[l] > 0 ? *begin : -1;
    own_weight_[l] = weight_[l];
    top_[l] = leader;
  }
  for (int const leader : elimination_) {
    std::size_t const l = as_index(leader);
    if (parent_[l] < 0) continue;
    std::size_t const p = as_index(parent_[l]);
    int const merged = own_weight_[p] + element_weight_[p];
    if (element_weight_[l] == merged || own_weight_[l] + merged <= small_front_) {
      top_[l] = parent_[l];
      own_weight_[p] += own_weight_[l];
    }
  }
  // Tops of tops; the parent comes later in the order.
  for (std::size_t k = elimination_.size(); k-- > 0;) {
    std::size_t const l = as_index(elimination_[k]);
    top_[l] = top_[as_index(top_[l])];
  }
  std::fill(group_of_.begin(), group_of_.end(), -1);
  int count = 0;
  for (int const leader : elimination_) {
    if (top_[as_index(leader)] == leader) group_of_[as_index(leader)] = count++;
  }
  groups_.resize(as_index(count));
  for (Group& group : groups_) group = {};
  for (int const leader : elimination_) {
    int const group = group_of_[as_index(top_[as_index(leader)])];
    group_of_[as_index(leader)] = group;
    groups_[as_index(group)].nodes += weight_[as_index(leader)];
  }
  int first = 0;
  for (Group& group : groups_) {
    group.first_node = first;
    first += group.nodes;
    group.nodes = 0;
  }
  order_.resize(nodes);
  for (int const leader : elimination_) {
    int const number = group_of_[as_index(leader)];
    Group& group = groups_[as_index(number)];
    for (int node = leader; node >= 0; node = next_alike_[as_index(node)]) {
      position_[as_index(node)] = group.first_node + group.nodes;
      order_[as_index(group.first_node + group.nodes++)] = node;
      group_of_[as_index(node)] = number;
    }
    if (top_[as_index(leader)] != leader) continue;
    std::size_t const l = as_index(leader);
    for (int m = 0; m < element_size_[l]; ++m) {
      int const other = element_nodes_[element_first_[l] + as_index(m)];
      if (m == 0) group.parent = other;  // a leader for now
    }
  }
  for (int const leader : elimination_) {
    std::size_t const l = as_index(leader);
    if (top_[l] != leader) continue;
    Group& group = groups_[as_index(group_of_[l])];
    group.parent = group.parent < 0 ? -1 : group_of_[as_index(group.parent)];
    group.first_border = static_cast<int>(border_.size());
    for (int m = 0; m < element_size_[l]; ++m) {
      for (int node = element_nodes_[element_first_[l] + as_index(m)]; node >= 0;
           node = next_alike_[as_index(node)])
        border_.push_back(node);
    }
    group.borders = static_cast<int>(border_.size()) - group.first_border;
    std::sort(border_.begin() + group.first_border, border_.end(),
              [this](int a, int b) { return position_[as_index(a)] < position_[as_index(b)]; });
  }
}

}  // namespace delassus
