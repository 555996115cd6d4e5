// The order in which a sparse matrix of small blocks is eliminated: its nodes, whose pattern is symmetric, in groups
// that are eliminated together, and what each group acts on.
//
// Approximate minimum degree (Amestoy, Davis and Duff 1996). Nodes that have the same neighbours, such as the contacts
// between two bodies, are eliminated together. The border of a group are the nodes of later groups that it acts on;
// its parent is the first group among theirs, whose own nodes and border contain all of it.
//
// Only the adjacency decides, so that the order can be reused as long as the pattern stays. Memory only grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace delassus {

inline std::size_t as_index(int i) {
  return static_cast<std::size_t>(i);
}

class BlockOrdering {
 public:
  struct Group {
    int first_node = 0, nodes = 0;      // in order()
    int first_border = 0, borders = 0;  // in border()
    int parent = -1;
  };

  // Node i is adjacent to neighbour[first[i]] ... neighbour[first[i + 1] - 1]; i itself may be among them. The
  // pattern must be symmetric. `usual_size` is what most nodes will have of rows: it decides which groups are too small
  // to be worth dividing.
  void analyse(std::span<const std::size_t> first, std::span<const int> neighbour, int usual_size);

  std::span<const Group> groups() const { return groups_; }
  std::span<const int> order() const { return order_; }  // nodes, group by group
  std::span<const int> border() const {
    return border_;
  }  // nodes, of each group in the order of their elimination
  int group_of(int node) const { return group_of_[static_cast<std::size_t>(node)]; }
  int position(int node) const { return position_[static_cast<std::size_t>(node)]; }  // in order()

 private:
  void one_group(std::size_t nodes);
  void merge_alike(std::span<const std::size_t> first, std::span<const int> neighbour);
  void minimum_degree(std::span<const std::size_t> first, std::span<const int> neighbour);
  void list_in_degrees(int node, int degree);
  void take_from_degrees(int node);
  void absorb(int pivot);
  void form_groups(std::size_t nodes);

  std::vector<Group> groups_;
  std::vector<int> order_, border_;
  std::vector<int> group_of_, position_;  // of each node

  // Nodes that have the same neighbours are led by the first of them; the leaders are eliminated one by one.
  // Eliminating one makes an element: the leaders that it acted on.
  std::vector<int> leader_, next_alike_, last_alike_, weight_;
  std::vector<std::uint64_t> hash_;
  std::vector<int> by_hash_;
  std::vector<std::size_t> list_first_;                       // of each leader in list_
  std::vector<int> list_, elements_count_, variables_count_;  // its elements, then the leaders beside it
  std::vector<int> buffer_;
  std::vector<std::size_t> element_first_;  // of each leader when eliminated, in element_nodes_
  std::vector<int> element_size_, element_weight_, element_outside_, element_stamp_;
  std::vector<int> element_nodes_;
  std::vector<int> degree_, mark_, head_, next_, previous_;
  std::vector<char> eliminated_, absorbed_;
  std::vector<int> elimination_;                // leaders in their order
  std::vector<int> place_;                      // of each leader in elimination_
  std::vector<int> parent_, own_weight_, top_;  // of each leader; the leader whose group it joins
  int lowest_degree_ = 0;
  int left_ = 0;         // weight of the nodes that are not eliminated
  int small_front_ = 0;  // nodes
};

}  // namespace delassus
