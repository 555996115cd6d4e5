#include "tools/cosim/fixed_point.hpp"

#include <algorithm>

#include "solver/linear/dense.hpp"

namespace delassus {

bool FixedPoint::improve(Eigen::VectorXd& x, Eigen::VectorXd const& g) {
  constexpr std::size_t deepest = 6;
  if (x.size() == 0) return true;
  Eigen::VectorXd const scaled_g = g.cwiseQuotient(scale_);
  Eigen::VectorXd const f = scaled_g - x.cwiseQuotient(scale_);
  residual_ = f.lpNorm<Eigen::Infinity>();
  if (residual_ <= tolerance_) return true;
  if (last_f_.size() > 0) {
    f_changes_.push_back(f - last_f_);
    g_changes_.push_back(scaled_g - last_g_);
    std::size_t const most = std::min(deepest, static_cast<std::size_t>(x.size()));
    if (f_changes_.size() > most) {
      f_changes_.erase(f_changes_.begin());
      g_changes_.erase(g_changes_.begin());
    }
  }
  // Evaluations that tell nothing about the slope, as where x moves and g(x) - x stays, would throw x anywhere.
  if (!f_changes_.empty() && !(f_changes_.back().norm() > 1e-8 * f.norm())) {
    f_changes_.clear();
    g_changes_.clear();
  }
  last_f_ = f;
  last_g_ = scaled_g;
  Eigen::VectorXd next = scaled_g;
  if (!f_changes_.empty()) {
    auto const count = static_cast<Eigen::Index>(f_changes_.size());
    Eigen::MatrixXd changes(x.size(), count);
    for (Eigen::Index i = 0; i < count; ++i) changes.col(i) = f_changes_[static_cast<std::size_t>(i)];
    Eigen::VectorXd const shares = PivotedQr(changes).solve(f);
    for (Eigen::Index i = 0; i < count; ++i) next -= shares[i] * g_changes_[static_cast<std::size_t>(i)];
  }
  x = next.cwiseProduct(scale_);
  return false;
}

}  // namespace delassus
