// Anderson acceleration (Anderson 1965; Walker and Ni 2011) of the estimates of a smooth motion. With g(v) the velocity
// over the step that the equations at the end configuration of v give, and f = g(v) - v,
//
//   v_next = g(v) - sum_j gamma_j (g_j+1 - g_j),   gamma = argmin |f - sum_j gamma_j (f_j+1 - f_j)|
//
// over the last few estimates. The estimates alone contract by the angle that bodies turn in a step, and not at all
// where the forces of joints would turn a body by about its own angle within it, as the tension of a chain of light
// links does; the accelerated ones are as good as GMRES on the linearised equations. Only for joints: contacts change
// their modes between estimates.
#pragma once

#include <Eigen/Core>
#include <span>

namespace delassus {

class MotionAcceleration {
 public:
  explicit MotionAcceleration(std::size_t size);
  // The differences of velocities are measured as lengths: each times its arm, that of an angle is L.
  void begin(std::span<const double> arm) {
    count_ = 0;
    for (Eigen::Index i = 0; i < arm_.size(); ++i) arm_[i] = arm[static_cast<std::size_t>(i)];
  }
  // From v and g(v), in `estimate`, to v_next in its place.
  void accelerate(std::span<const double> v, std::span<double> estimate);

 private:
  static constexpr int memory = 10;
  int count_ = 0;  // estimates since the beginning
  Eigen::VectorXd arm_, f_, g_, f_last_, g_last_;
  Eigen::MatrixXd df_, dg_;  // differences, as a ring of columns
};

}  // namespace delassus
