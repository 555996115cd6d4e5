#include "solver/analysis/distance_from_cone.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// A gain below this fraction is rounding.
constexpr double least_gain = 1e-12;

Eigen::VectorXd least_squares(Eigen::MatrixXd const& E, std::vector<Eigen::Index> const& columns,
                              Eigen::VectorXd const& f) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(E.cols());
  if (columns.empty()) return result;
  Eigen::MatrixXd const part = E(Eigen::all, columns);
  Eigen::VectorXd const weights = OrthogonalDecomposition(part).solve(f);
  for (std::size_t k = 0; k < columns.size(); ++k) result[columns[k]] = weights[static_cast<Eigen::Index>(k)];
  return result;
}

}  // namespace

double distance_from_cone(Eigen::Ref<const Eigen::MatrixXd> given, Eigen::Ref<const Eigen::VectorXd> target) {
  Eigen::VectorXd const f = target;
  // Columns of length one; what is shorter than rounding is none.
  Eigen::MatrixXd E = given;
  double const longest = E.size() > 0 ? E.colwise().norm().maxCoeff() : 0;
  for (Eigen::Index j = 0; j < E.cols(); ++j) {
    double const length = E.col(j).norm();
    E.col(j) /= length > least_gain * longest ? length : std::numeric_limits<double>::infinity();
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(E.cols());
  std::vector<Eigen::Index> entered;
  for (Eigen::Index round = 0; round < 10 * E.cols(); ++round) {
    Eigen::VectorXd gain = E.transpose() * (f - E * x);
    for (Eigen::Index const j : entered) gain[j] = 0;
    Eigen::Index next = 0;
    if (gain.maxCoeff(&next) <= least_gain * f.norm()) break;
    entered.push_back(next);
    Eigen::VectorXd wanted = least_squares(E, entered, f);
    // As far towards it as no weight becomes negative; the first that would leaves.
    while (!entered.empty()) {
      double share = 1;
      auto leaving = entered.end();
      for (auto j = entered.begin(); j != entered.end(); ++j) {
        double const reach = wanted[*j] > 0 ? 1 : x[*j] / std::max(x[*j] - wanted[*j], 1e-300);
        if (reach >= share) continue;
        share = reach;
        leaving = j;
      }
      x += share * (wanted - x);
      if (leaving == entered.end()) break;
      x[*leaving] = 0;
      entered.erase(leaving);
      wanted = least_squares(E, entered, f);
    }
  }
  return (f - E * x).norm();
}

}  // namespace delassus
