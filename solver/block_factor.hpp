// LU factors of a sparse matrix of small blocks whose pattern is symmetric: the equations of Newton's method
// over contacts, or over bodies.
//
// Multifrontal elimination (Duff and Reid 1983). `analyse` orders the nodes of the pattern by approximate
// minimum degree (Amestoy, Davis and Duff 1996); nodes that have the same neighbours, such as the contacts
// between two bodies, are eliminated together. Each such group has a front, a dense matrix over its own rows
// and those that it still acts on; eliminating the group's rows leaves a remainder, which is added to the
// front of the group that comes next among these. Nearly all the work is thus in dense matrices, and a full
// matrix is one front.
//
// Pivots are exchanged within a group only. That is enough where the matrix is a positive semidefinite one
// with a little added on its diagonal: a vector that a diagonal block sends to nothing, its whole column
// sends to nothing, so that a tiny pivot meets tiny numbers.
//
// Sizes of nodes are given anew for every factorisation and may be zero, while the order stays. Memory only
// grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace delassus {

class BlockFactor {
 public:
  // Node i is adjacent to neighbour[first[i]] ... neighbour[first[i + 1] - 1]; i itself may be among them. The
  // pattern must be symmetric. `usual_size` is what most nodes will have of rows: it decides which fronts are too small
  // to be worth dividing.
  void analyse(std::span<const std::size_t> first, std::span<const int> neighbour, int usual_size);

  // Multiplications and additions of a factorisation where the nodes have these numbers of rows.
  double work(std::span<const int> size) const;

  // Sets all numbers to zero; the nodes have these numbers of rows.
  void begin(std::span<const int> size);
  // A place in the matrix, column by column: (row, column) is at data[row + column * stride].
  struct Place {
    double* data;
    std::ptrdiff_t stride;
  };
  // Where the block of rows of node i and columns of node j stands; i and j are adjacent or the same.
  Place place(int i, int j);

  // False where some pivot is zero or no number.
  bool factorise();
  // x holds the rows of all nodes in their order, without gaps.
  void solve(double* x);

  std::size_t rows() const { return rows_; }

 private:
  struct Group {
    int first_node = 0, nodes = 0;      // in order_
    int first_border = 0, borders = 0;  // in border_: nodes of later groups
    int parent = -1;
    // With the present sizes:
    int pivots = 0, size = 0;   // rows of its own; of its front
    std::size_t front = 0;      // in numbers_
    std::size_t first_row = 0;  // of its pivots among those of all groups
  };

  void one_group(std::size_t nodes);
  void merge_alike(std::span<const std::size_t> first, std::span<const int> neighbour);
  void minimum_degree(std::span<const std::size_t> first, std::span<const int> neighbour);
  void list_in_degrees(int node, int degree);
  void take_from_degrees(int node);
  void absorb(int pivot);
  void form_groups(std::size_t nodes);
  void lay_out(std::span<const int> size);
  int offset_in_front(int node, int group) const;
  bool eliminate(Group const& group);
  bool eliminate_small(Group const& group);
  void pass_on(Group const& group);

  std::vector<Group> groups_;
  std::vector<int> order_;     // nodes, group by group
  std::vector<int> border_;    // nodes, of each group in the order of their elimination
  std::vector<int> group_of_;  // of each node
  std::vector<int> position_;  // of each node in order_

  // With the present sizes.
  std::vector<int> size_;              // of each node
  std::vector<std::size_t> node_row_;  // of each node in x
  std::vector<int> node_offset_;       // of each node in the front of its group
  std::vector<int> border_offset_;     // of each node of border_ in the front
  std::vector<double> numbers_;        // fronts, column by column
  std::vector<int> exchange_;          // of each pivot: the row of its group that it was exchanged with
  std::vector<double> gathered_;
  std::size_t rows_ = 0, used_ = 0;  // the latter: of numbers_
  bool laid_out_ = false;            // for size_, since the analysis

  // Of the analysis. Nodes that have the same neighbours are led by the first of them; the leaders are
  // eliminated one by one. Eliminating one makes an element: the leaders that it acted on.
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
  int small_front_ = 0;  // nodes
};

}  // namespace delassus
