#include "solver/analysis/solutions/feasible_force.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace delassus {
namespace {

// The simplex method of Nelder and Mead: the largest of several violations has edges, which stop methods that follow
// its slope, and there are one to six directions.
class Simplex {
 public:
  Simplex(std::function<double(Eigen::VectorXd const&)> const& value, Eigen::VectorXd const& from,
          double size)
      : value_(value) {
    Eigen::Index const dimension = from.size();
    corners_.push_back({from, value(from)});
    for (Eigen::Index i = 0; i < dimension; ++i) {
      Eigen::VectorXd corner = from;
      corner[i] += size;
      corners_.push_back({corner, value(corner)});
    }
  }

  // The lowest corner; ends where it is negative.
  Eigen::VectorXd descend(int steps) {
    auto const lower = [](Corner const& x, Corner const& y) { return x.value < y.value; };
    for (int step = 0; step < steps; ++step) {
      std::stable_sort(corners_.begin(), corners_.end(), lower);
      if (corners_.front().value < 0) break;
      Corner& last = corners_.back();
      Eigen::VectorXd middle = Eigen::VectorXd::Zero(last.place.size());
      for (std::size_t i = 0; i + 1 < corners_.size(); ++i) middle += corners_[i].place;
      middle /= static_cast<double>(corners_.size() - 1);
      auto const at = [&](double factor) {
        Eigen::VectorXd const place = middle + factor * (last.place - middle);
        return Corner{place, value_(place)};
      };
      Corner const reflected = at(-1);
      if (reflected.value < corners_.front().value) {
        Corner const expanded = at(-2);
        last = expanded.value < reflected.value ? expanded : reflected;
      } else if (reflected.value < corners_[corners_.size() - 2].value) {
        last = reflected;
      } else {
        Corner const contracted = at(reflected.value < last.value ? -0.5 : 0.5);
        if (contracted.value < std::min(reflected.value, last.value)) {
          last = contracted;
        } else {
          for (std::size_t i = 1; i < corners_.size(); ++i) {
            corners_[i].place = 0.5 * (corners_[i].place + corners_[0].place);
            corners_[i].value = value_(corners_[i].place);
          }
        }
      }
    }
    return std::min_element(corners_.begin(), corners_.end(), lower)->place;
  }

 private:
  struct Corner {
    Eigen::VectorXd place;
    double value;
  };
  std::function<double(Eigen::VectorXd const&)> const& value_;
  std::vector<Corner> corners_;
};

}  // namespace

std::optional<FeasibleForce> find_feasible_force(Eigen::VectorXd const& lambda, Eigen::MatrixXd const& N,
                                                 std::function<double(Eigen::VectorXd const&)> const& worst,
                                                 double scale, double met) {
  double const size = std::max({lambda.cwiseAbs().maxCoeff(), scale, 1e-300});
  Eigen::MatrixXd directions = N;
  for (Eigen::Index i = 0; i < N.cols(); ++i) directions.col(i) *= size / N.col(i).norm();
  std::function<double(Eigen::VectorXd const&)> const value = [&](Eigen::VectorXd const& y) {
    return worst(lambda + directions * y);
  };
  Eigen::VectorXd y = Eigen::VectorXd::Zero(N.cols());
  if (value(y) > met) {
    // From several sizes: the family may be met far from its least force.
    for (double const reach : {0.3, 3.0, 30.0, -0.3, -3.0, -30.0}) {
      for (int again = 0; again < 3; ++again) y = Simplex(value, y, reach).descend(150);
      if (value(y) <= met) break;
    }
    if (value(y) > met) return std::nullopt;
  }
  FeasibleForce found{lambda + directions * y, false};
  for (Eigen::Index i = 0; i < N.cols() && !found.one_of_many; ++i) {
    for (double const step : {1e-3, -1e-3}) {
      Eigen::VectorXd near = y;
      near[i] += step;
      if (value(near) <= met) found.one_of_many = true;
    }
  }
  return found;
}

}  // namespace delassus
