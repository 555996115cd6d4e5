// Anderson acceleration of a fixed-point iteration x = g(x) (Anderson 1965; Walker and Ni 2011): where sweeps converge
// slowly, combine their last few results so that the fixed-point residual f = g(x) - x would be least if g were linear,
//
//   x_next = g - sum_j a_j dg_j,   a = argmin |f - sum_j a_j df_j|,
//
// with the differences dg_j and df_j of successive results. Contacts that change their modes make g nonlinear: where f
// grows, restart without the past.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace delassus {

class AndersonAcceleration {
 public:
  using BlockVector = std::vector<Eigen::Vector3d>;

  // Restarts without past results.
  void begin() { count_ = 0, next_ = 0, known_ = false; }

  // From x and g = g(x) to the next x, in place of g. `image`, where it is given, is that of g under some linear map,
  // and becomes that of the next x: it has to be given each time then. Memory only grows.
  void accelerate(BlockVector const& x, BlockVector& g, std::vector<double>* image = nullptr);

 private:
  // More than five gain nothing on piles of spheres and cost as much as sweeps.
  static constexpr int memory = 5;

  std::array<BlockVector, memory> df_, dg_;
  BlockVector f_, g_;  // of the last call
  std::array<std::vector<double>, memory> d_image_;
  std::vector<double> image_;  // of the last call, before acceleration
  Eigen::Matrix<double, memory, memory> products_ = Eigen::Matrix<double, memory, memory>::Zero();  // of df
  double norm_ = 0;                                                                                 // of f_
  int count_ = 0, next_ = 0;
  bool known_ = false;
};

}  // namespace delassus
