// A force of a family lambda + N y that meets conditions: where redundant constraints leave a continuum of forces, one
// of them stands for all.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace delassus {

struct FeasibleForce {
  Eigen::VectorXd lambda;
  bool one_of_many = false;  // others near it meet the conditions too
};

// `worst` is the largest violation of the conditions, a convex function of the force near its zeros; `scale` a force
// that is neither large nor small in this problem. lambda itself where it meets them; else by descent on `worst` in the
// few directions of N. Nothing: none was found.
std::optional<FeasibleForce> find_feasible_force(Eigen::VectorXd const& lambda, Eigen::MatrixXd const& N,
                                                 std::function<double(Eigen::VectorXd const&)> const& worst,
                                                 double scale, double met);

}  // namespace delassus
