// Islands of bodies that constraints connect with each other and with nothing that does not move freely, and their angular
// momentum.
//
// Let r_k be the velocities of all bodies of an island that turns about the k-th axis of the world (System::turn_about), and
// P = M v. Then L_k = r_k^T P is its angular momentum about the origin. With t_j the translations, and mass m,
//
//   r'_k = r_k - sum_j t_j (t_j^T M r_k)/m
//
// turns it about its centre of mass. r'_k changes no linear momentum, and no velocity of a row between bodies of the island. So
// an angular momentum that lacks Delta L is given back by v + sum_k r'_k omega_k with (r'^T M r') omega = Delta L.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "model/equations/system.hpp"

namespace delassus {

class FreeIslands {
 public:
  explicit FreeIslands(System const& system);

  // Those of the blocks with these indices, rising.
  void find(Terms const& terms, std::span<const int> blocks);
  bool empty() const { return count_ == 0; }

  // Of each island with the masses of `terms` and the velocities v at q, three numbers each.
  void measure(Terms const& terms, std::span<const double> q, std::span<const double> v,
               std::vector<double>& momentum);
  // Turns each island about its centre, so that it has this angular momentum.
  void turn_to(Terms const& terms, std::span<const double> q, std::span<const double> momentum,
               std::span<double> v);

 private:
  int root(int mass);
  // r_k in turning_, and M r_k in product_.
  void find_turning(Terms const& terms, std::span<const double> q);

  System const* system_;
  int axes_, translations_;
  int count_ = 0;
  std::vector<int> parent_;    // of each mass block
  std::vector<char> touched_;  // whether a block acts on it
  std::vector<char> held_;     // of each root
  std::vector<int> island_;    // of each mass block; -1: none
  Eigen::MatrixXd turning_, product_;
  std::vector<double> present_;
};

}  // namespace delassus
