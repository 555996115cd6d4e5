#include "solver/problem/free_islands.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace delassus {
namespace {

// Of a moment of inertia: what is less is rounding, as of point masses in a line about it.
constexpr double no_inertia = 1e-10;

// omega of I omega = delta, whose axes without inertia of their own do not turn.
Eigen::Vector3d turn_of(Eigen::Matrix3d I, Eigen::Vector3d delta) {
  Eigen::Vector3d const whole = I.diagonal();
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();
  std::array<bool, 3> turns{};
  for (int k = 0; k < 3; ++k) {
    auto const i = static_cast<std::size_t>(k);
    turns[i] = I(k, k) > no_inertia * whole[k];
    for (int row = k + 1; turns[i] && row < 3; ++row) {
      double const factor = I(row, k) / I(k, k);
      I.row(row).tail(3 - k) -= factor * I.row(k).tail(3 - k);
      delta[row] -= factor * delta[k];
    }
  }
  for (int k = 2; k >= 0; --k) {
    if (!turns[static_cast<std::size_t>(k)]) continue;
    double rest = delta[k];
    for (int column = k + 1; column < 3; ++column) rest -= I(k, column) * omega[column];
    omega[k] = rest / I(k, k);
  }
  return omega;
}

}  // namespace

FreeIslands::FreeIslands(System const& system)
    : system_(&system),
      axes_(system.turning_axes()),
      translations_(system.translations()),
      turning_(system.velocity_size(), axes_),
      product_(system.velocity_size(), axes_) {}

int FreeIslands::root(int mass) {
  int& parent = parent_[static_cast<std::size_t>(mass)];
  if (parent != mass) parent = root(parent);
  return parent;
}

void FreeIslands::find(Terms const& terms, std::span<const int> blocks) {
  count_ = 0;
  if (axes_ == 0) return;
  parent_.resize(terms.M.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  held_.assign(terms.M.size(), 0);
  touched_.assign(terms.M.size(), 0);
  island_.assign(terms.M.size(), -1);
  // In two passes: what is held is known only when all are joined.
  auto const visit = [&](auto const& use) {
    std::size_t term = 0;
    for (int const block : blocks) {
      while (term < terms.J.size() && terms.J.term(term).block < block) ++term;
      std::size_t const first = term;
      while (term < terms.J.size() && terms.J.term(term).block == block) ++term;
      use(first, term);
    }
  };
  visit([&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      touched_[static_cast<std::size_t>(terms.J.term(i).mass)] = 1;
      int const a = root(terms.J.term(first).mass), b = root(terms.J.term(i).mass);
      parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  });
  // With one body, the other side does not move freely.
  visit([&](std::size_t first, std::size_t end) {
    if (end == first + 1) held_[static_cast<std::size_t>(root(terms.J.term(first).mass))] = 1;
  });
  // The root of an island is the first of its masses.
  for (std::size_t i = 0; i < parent_.size(); ++i) {
    auto const first = static_cast<std::size_t>(root(static_cast<int>(i)));
    if (touched_[i] == 0 || held_[first] != 0) continue;
    island_[i] = first == i ? count_++ : island_[first];
  }
}

void FreeIslands::find_turning(Terms const& terms, std::span<const double> q) {
  for (std::size_t i = 0; i < terms.M.size(); ++i) {
    if (island_[i] < 0) continue;
    MassBlock const& mass = terms.M[i];
    auto const n = mass.M.rows();
    for (int k = 0; k < axes_; ++k)
      system_->turn_about(k, static_cast<int>(i), q, turning_.col(k).segment(mass.first, n));
    product_.middleRows(mass.first, n).noalias() = mass.M.lazyProduct(turning_.middleRows(mass.first, n));
  }
}

void FreeIslands::measure(Terms const& terms, std::span<const double> q, std::span<const double> v,
                          std::vector<double>& momentum) {
  momentum.assign(3 * static_cast<std::size_t>(count_), 0.0);
  find_turning(terms, q);
  for (std::size_t i = 0; i < terms.M.size(); ++i) {
    if (island_[i] < 0) continue;
    MassBlock const& mass = terms.M[i];
    for (int k = 0; k < axes_; ++k) {
      for (Eigen::Index j = mass.first; j < mass.first + mass.M.rows(); ++j)
        momentum[static_cast<std::size_t>(3 * island_[i] + k)] +=
            product_(j, k) * v[static_cast<std::size_t>(j)];
    }
  }
}

void FreeIslands::turn_to(Terms const& terms, std::span<const double> q, std::span<const double> momentum,
                          std::span<double> v) {
  measure(terms, q, v, present_);
  for (int island = 0; island < count_; ++island) {
    double m = 0;
    Eigen::Matrix3d linear = Eigen::Matrix3d::Zero();  // t_j^T M r_k
    auto const visit = [&](auto const& use) {
      for (std::size_t i = 0; i < terms.M.size(); ++i) {
        if (island_[i] == island) use(terms.M[i]);
      }
    };
    visit([&](MassBlock const& mass) {
      m += mass.M(0, 0);
      linear.topLeftCorner(translations_, axes_) += product_.block(mass.first, 0, translations_, axes_);
    });
    // r' and M r', in place.
    visit([&](MassBlock const& mass) {
      for (int k = 0; k < axes_; ++k) {
        for (int j = 0; j < translations_; ++j) {
          turning_(mass.first + j, k) -= linear(j, k) / m;
          product_(mass.first + j, k) -= mass.M(0, 0) * linear(j, k) / m;
        }
      }
    });
    Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
    visit([&](MassBlock const& mass) {
      auto const n = mass.M.rows();
      I.topLeftCorner(axes_, axes_) +=
          turning_.middleRows(mass.first, n).transpose().lazyProduct(product_.middleRows(mass.first, n));
    });
    Eigen::Vector3d lack = Eigen::Vector3d::Zero();
    for (int k = 0; k < axes_; ++k)
      lack[k] = momentum[static_cast<std::size_t>(3 * island + k)] -
                present_[static_cast<std::size_t>(3 * island + k)];
    Eigen::Vector3d const omega = turn_of(I, lack);
    visit([&](MassBlock const& mass) {
      for (Eigen::Index j = mass.first; j < mass.first + mass.M.rows(); ++j) {
        for (int k = 0; k < axes_; ++k) v[static_cast<std::size_t>(j)] += turning_(j, k) * omega[k];
      }
    });
  }
}

}  // namespace delassus
