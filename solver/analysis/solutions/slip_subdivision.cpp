#include "solver/analysis/solutions/slip_subdivision.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// Half widths, where S is singular those beside x:
constexpr double shrunk = 1e-9;     // at which a shrinking cell is one solution
constexpr double narrowest = 1e-7;  // at which a cell that does not shrink is left
constexpr double corner = 1e-8;     // x below which a slip counts as stick where S is singular
constexpr double rounding = 1e-14;  // of F, beside its terms

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

struct Cell {
  Vector low, high;
};

// The equations in units in which every S_ii and the forces are near one.
class ScaledSystem {
 public:
  explicit ScaledSystem(SlipSystem const& given) : k_(static_cast<int>(given.rho.size())) {
    int const n = 2 * k_;
    unit_.resize(n);
    for (int i = 0; i < k_; ++i) unit_.segment<2>(2 * i).setConstant(1 / std::sqrt(given.scale[i]));
    S = unit_.asDiagonal() * given.S * unit_.asDiagonal();
    c = unit_.asDiagonal() * given.c;
    g = given.g * unit_.asDiagonal();
    rho = given.rho;
    for (int i = 0; i < k_; ++i) {
      g.row(i) /= unit_[2 * i];
      rho[i] /= unit_[2 * i];
    }
    force_ = std::max(c.cwiseAbs().maxCoeff(), rho.cwiseAbs().maxCoeff());
    if (!(force_ > 0)) force_ = 1;
    c /= force_;
    rho /= force_;
    I_S = Matrix::Identity(n, n) - S;
    either_sign = given.either_sign;
    singular = symmetric_eigenvalues(S)[0] < 1e-10;
  }

  int k() const { return k_; }
  Eigen::VectorXd in_given_units(Vector const& y) const { return force_ * unit_.cwiseProduct(y); }

  Matrix S, I_S, g;
  Vector c, rho;
  std::vector<bool> either_sign;
  bool singular = false;

 private:
  int k_;
  Vector unit_;
  double force_ = 1;
};

// u, y, r, F and their derivatives by x at a point.
struct Point {
  Vector u, y, r, F;
  Matrix K, U, Y, R, J;

  void evaluate(ScaledSystem const& system, Vector const& x) {
    int const k = system.k(), n = 2 * k;
    Vector x_rows(n);
    for (int a = 0; a < n; ++a) x_rows[a] = x[a / 2];
    Matrix const P = system.S + system.I_S * x_rows.asDiagonal();
    RegularLu const lu(P);
    u = lu.solve(system.c);
    K = lu.solve_columns(system.I_S);
    U.resize(n, k);
    Y.resize(n, k);
    for (int j = 0; j < k; ++j) {
      U.col(j) = -(K.col(2 * j) * u[2 * j] + K.col(2 * j + 1) * u[2 * j + 1]);
      Y.col(j) = (1 - x_rows.array()).matrix().cwiseProduct(U.col(j));
      Y(2 * j, j) -= u[2 * j];
      Y(2 * j + 1, j) -= u[2 * j + 1];
    }
    y = (1 - x_rows.array()).matrix().cwiseProduct(u);
    r = system.rho + system.g * y;
    R = system.g * Y;
    F.resize(k);
    J.resize(k, k);
    for (int i = 0; i < k; ++i) {
      F[i] = r[i] * r[i] - y.segment<2>(2 * i).squaredNorm();
      J.row(i) = 2 * r[i] * R.row(i) - 2 * (y[2 * i] * Y.row(2 * i) + y[2 * i + 1] * Y.row(2 * i + 1));
    }
  }
};

class Subdivision {
 public:
  Subdivision(SlipSystem const& given, std::size_t cell_limit) : system_(given), cell_limit_(cell_limit) {}

  Slips run() {
    waiting_.push_back({Vector::Zero(system_.k()), Vector::Ones(system_.k())});
    while (!waiting_.empty()) {
      if (slips_.cells >= cell_limit_) {
        slips_.undecided += waiting_.size();
        break;
      }
      Cell const cell = std::move(waiting_.back());
      waiting_.pop_back();
      ++slips_.cells;
      examine(cell);
    }
    slips_.complete = slips_.undecided == 0;
    return std::move(slips_);
  }

 private:
  void examine(Cell const& cell) {
    int const k = system_.k(), n = 2 * k;
    if (system_.singular && cell.high.minCoeff() <= corner) return;
    Vector const x = 0.5 * (cell.low + cell.high), w = 0.5 * (cell.high - cell.low);
    at_.evaluate(system_, x);
    Matrix const K = at_.K.cwiseAbs();
    Vector w_rows(n), x_rows(n);
    for (int a = 0; a < n; ++a) {
      w_rows[a] = w[a / 2];
      x_rows[a] = x[a / 2];
    }
    Matrix const B = K * w_rows.asDiagonal();
    double const contraction = B.rowwise().sum().maxCoeff();
    if (!(contraction < 0.7)) {
      // Only rounding makes P so nearly singular.
      if (narrower(x, w, narrowest)) {
        ++slips_.undecided;
        return;
      }
      split(cell, widest(K, w));
      return;
    }
    // |u| over the cell, then how far u is from its centre and from its tangent.
    Vector const u = at_.u.cwiseAbs();
    Vector most = Vector::Constant(n, u.maxCoeff() / (1 - contraction));
    for (int round = 0; round < 2; ++round) most = u + B * most;
    Vector const first = B * most, second = B * first;
    Vector const linear = at_.U.cwiseAbs() * w;
    Vector const y_rest =
        w_rows.cwiseProduct(linear) + (1 - x_rows.array() + w_rows.array()).matrix().cwiseProduct(second);
    Vector const r_rest = system_.g.cwiseAbs() * y_rest;
    Vector const r_linear = at_.R.cwiseAbs() * w;
    Vector const y_linear = at_.Y.cwiseAbs() * w;
    Vector E(k);
    for (int i = 0; i < k; ++i) {
      double const r_part = r_linear[i] + r_rest[i];
      if (!system_.either_sign[static_cast<std::size_t>(i)] && at_.r[i] + r_part < 0) return;
      double up = 2 * std::abs(at_.r[i]) * r_rest[i] + r_part * r_part,
             down = 2 * std::abs(at_.r[i]) * r_rest[i];
      double terms = at_.r[i] * at_.r[i];
      for (int a = 2 * i; a < 2 * i + 2; ++a) {
        double const part = y_linear[a] + y_rest[a], cross = 2 * std::abs(at_.y[a]) * y_rest[a];
        up += cross;
        down += cross + part * part;
        terms += at_.y[a] * at_.y[a];
      }
      double const slope = at_.J.row(i).cwiseAbs().dot(w) + rounding * terms;
      if (at_.F[i] + slope + up < 0 || at_.F[i] - slope - down > 0) return;
      E[i] = std::max(up, down) + rounding * terms;
    }
    shrink_or_split(cell, x, w, K, E);
  }

  void shrink_or_split(Cell const& cell, Vector const& x, Vector const& w, Matrix const& K, Vector const& E) {
    int const k = system_.k();
    PivotedLu const lu(at_.J);
    if (lu.is_invertible()) {
      Matrix const inverse = lu.inverse();
      Vector const to = -(inverse * at_.F), spread = inverse.cwiseAbs() * E;
      Cell part = cell;
      double ratio = 1;
      for (int i = 0; i < k; ++i) {
        part.low[i] = std::max(cell.low[i], x[i] + to[i] - spread[i]);
        part.high[i] = std::min(cell.high[i], x[i] + to[i] + spread[i]);
        if (!(part.low[i] <= part.high[i])) return;
        ratio *= w[i] > 0 ? (part.high[i] - part.low[i]) / (2 * w[i]) : 1;
      }
      if (narrower(x, 0.5 * (part.high - part.low), shrunk)) {
        polish(0.5 * (part.low + part.high), 1e3 * shrunk);
        return;
      }
      if (ratio < 0.5) {
        waiting_.push_back(part);
        return;
      }
    }
    if (narrower(x, w, narrowest)) {
      // Two solutions about to merge, or nearly a solution.
      ++slips_.undecided;
      polish(x, 1e-3);
      return;
    }
    split(cell, widest(K, w));
  }

  bool narrower(Vector const& x, Vector const& w, double width) const {
    return system_.singular ? (w.array() < width * x.array()).all() : w.maxCoeff() < width;
  }

  // The direction in which u changes most over the cell.
  int widest(Matrix const& K, Vector const& w) const {
    int best = 0;
    double most = -1;
    for (int j = 0; j < system_.k(); ++j) {
      double const change = w[j] * (1 + K.middleCols<2>(2 * j).rowwise().sum().maxCoeff());
      if (w[j] > 0 && change > most) {
        most = change;
        best = j;
      }
    }
    return best;
  }

  void split(Cell const& cell, int direction) {
    // Towards a corner without limit faster than by halves: what counts there is the ratio of slips.
    double const low = cell.low[direction], high = cell.high[direction];
    double const middle = system_.singular && low == 0 ? std::max(high / 4, corner) : 0.5 * (low + high);
    Cell one = cell, other = cell;
    one.high[direction] = middle;
    other.low[direction] = middle;
    waiting_.push_back(other);
    waiting_.push_back(one);
  }

  // Newton's method from within a cell; `reach` is how far it may lead.
  void polish(Vector const& from, double reach) {
    Vector x = from;
    Point point;
    double last = 1e300;
    for (int iteration = 0; iteration < 40; ++iteration) {
      point.evaluate(system_, x);
      double const error = point.F.cwiseAbs().maxCoeff();
      if (!std::isfinite(error)) return;
      if (error == 0 || (iteration > 3 && error >= last)) break;
      last = error;
      x += PivotedLu(point.J).solve(-point.F);
      if (!((x - from).cwiseAbs().maxCoeff() < reach)) return;
    }
    x = x.cwiseMax(0.0).cwiseMin(1.0);
    point.evaluate(system_, x);
    for (int i = 0; i < system_.k(); ++i) {
      double const terms = point.r[i] * point.r[i] + point.y.segment<2>(2 * i).squaredNorm();
      if (!(std::abs(point.F[i]) <= 1e-9 * terms)) return;
    }
    slips_.y.push_back(system_.in_given_units(point.y));
  }

  ScaledSystem system_;
  std::size_t cell_limit_;
  std::vector<Cell> waiting_;
  Point at_;
  Slips slips_;
};

}  // namespace

Slips find_slips(SlipSystem const& system, std::size_t cell_limit) {
  return Subdivision(system, cell_limit).run();
}

}  // namespace delassus
