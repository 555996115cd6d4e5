// Whether the demands of an island exclude each other, whatever the forces are: a body squeezed between two that do not
// yield, joints that contradict each other.
//
// Every solution has eta_n >= 0 in the normal row of a contact that can open, and eta = 0 in the rows of a joint and in
// the normal row of a bilateral contact, with eta = W^T x - b for some x (here x = W lambda). By Farkas' lemma there is
// such an x, or there are weights z, not negative for contacts that can open and zero in rows of friction, with
//
//   W z = 0   and   b^T z > 0,
//
// for then z^T eta = -b^T z < 0 whatever x is. These weights are the certificate: a state of self-stress that the motion
// would have to do work against. Lawson and Hanson (Solving Least Squares Problems, chapter 23) find them as the
// solution of the least-squares problem
//
//   |W z|^2 + (b^T z - 1)^2 -> min,   z >= 0 where it has to be,
//
// whose value is zero exactly if the demands exclude each other.
#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "solver/linear/growing.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

class SqueezeSearch {
 public:
  // The island that `find` refers to; both stay as they are until then.
  void begin(ContactProblem const& problem, std::span<const int> island) {
    problem_ = &problem;
    island_ = island;
    blocks_.clear();
  }

  // Forces of a squeezed body grow without bound, so that in a large island only the contacts with the largest of these
  // forces are looked at. False where there is no certificate, and where the problem has A only.
  bool find(std::span<const Eigen::Vector3d> lambda);

  // Of the last certificate: blocks of the problem with a weight, rising; and how much the demands are short of each
  // other, m/s2: b^T z where the weights of contacts, or those of joints where there are no contacts, add up to one.
  std::vector<int> const& blocks() const { return blocks_; }
  double excess() const { return excess_; }

 private:
  struct Column {
    int block = 0, row = 0;  // of the problem
    bool free = false;
    double scale = 1;  // 1 / |W of this row|
  };
  bool gather(std::span<const Eigen::Vector3d> lambda);
  bool solve();
  // Least squares over the columns that carry a weight.
  void solve_passive();

  ContactProblem const* problem_ = nullptr;
  std::span<const int> island_;
  std::vector<Column> columns_;
  std::vector<int> local_;  // of each velocity of the problem; -1: none
  int velocities_ = 0;
  GrowingMatrix E_, passive_matrix_;
  GrowingVector passive_right_, passive_z_, left_;
  std::vector<char> passive_;
  std::vector<double> z_, trial_, gradient_;
  std::vector<std::pair<double, int>> order_;
  LeastNorm least_norm_;
  std::vector<int> blocks_;
  double excess_ = 0;
};

}  // namespace delassus
