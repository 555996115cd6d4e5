#include "solver/island/body_equations.hpp"

#include <algorithm>

#include "solver/linear/number_pair.hpp"

namespace delassus {
namespace {

// target += Q W^T, Q and W of some columns by rows; the target's columns are `stride` apart.
template <int columns, int rows>
void add_outer(double const* Q, double const* W, BlockFactor::Place const& target) {
  // A copy, which the target cannot be part of: it stays in registers.
  Eigen::Matrix<double, columns, rows> const q = Eigen::Map<const Eigen::Matrix<double, columns, rows>>(Q);
  Eigen::Map<const Eigen::Matrix<double, columns, rows>> const w(W);
  for (int c = 0; c < columns; ++c) {
    Eigen::Map<Eigen::Matrix<double, columns, 1>> out(target.data + c * target.stride);
    if constexpr (rows == 3) {
      out += q.col(0) * w(c, 0) + q.col(1) * w(c, 1) + q.col(2) * w(c, 2);
    } else {
      for (int k = 0; k < rows; ++k) out += q.col(k) * w(c, k);
    }
  }
}
void add_outer(double const* Q, int Q_columns, double const* W, int W_columns, int rows,
               BlockFactor::Place const& target) {
  if (Q_columns == 6 && W_columns == 6 && rows == 3) return add_outer<6, 3>(Q, W, target);
  if (Q_columns == 3 && W_columns == 3 && rows == 2) return add_outer<3, 2>(Q, W, target);
  for (int c = 0; c < W_columns; ++c) {
    double* const out = target.data + c * target.stride;
    for (int k = 0; k < rows; ++k) {
      for (int r = 0; r < Q_columns; ++r) out[r] += Q[r + k * Q_columns] * W[c + k * W_columns];
    }
  }
}

// target += n V W^T of three rows of two rigid bodies; of column c the rows from first(c) on.
template <class First>
[[gnu::always_inline]] inline void add_scaled(double const* V, double const* W, double n,
                                              BlockFactor::Place const& target, First const& first) {
#pragma GCC unroll 6
  for (int c = 0; c < 6; ++c) {
    double const w0 = n * W[c], w1 = n * W[c + 6], w2 = n * W[c + 12];
    double* const out = target.data + c * target.stride;
#pragma GCC unroll 3
    for (int r = first(c); r < 6; r += 2)
      store_pair(load_pair(out + r) +
                     (load_pair(V + r) * w0 + load_pair(V + r + 6) * w1 + load_pair(V + r + 12) * w2),
                 out + r);
  }
}
void add_scaled_outer(double const* V, double const* W, double n, BlockFactor::Place const& target) {
  add_scaled(V, W, n, target, [](int) { return 0; });
}
// From the diagonal down, and one number above it in every other column.
void add_scaled_square(double const* W, double n, BlockFactor::Place const& target) {
  add_scaled(W, W, n, target, [](int c) { return c & ~1; });
}

// Q = W N.
template <int columns>
void multiply(double const* W, Eigen::Matrix3d const& N, double* Q) {
  Eigen::Map<const Eigen::Matrix<double, columns, 3>> const w(W);
  Eigen::Map<Eigen::Matrix<double, columns, 3>> q(Q);
  for (int c = 0; c < 3; ++c) q.col(c) = w.col(0) * N(0, c) + w.col(1) * N(1, c) + w.col(2) * N(2, c);
}
void multiply(double const* W, int columns, int rows, Eigen::Matrix3d const& N, double* Q) {
  if (columns == 6 && rows == 3) return multiply<6>(W, N, Q);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      double sum = 0;
      for (int l = 0; l < rows; ++l) sum += W[c + l * columns] * N(l, r);
      Q[c + r * columns] = sum;
    }
  }
}

}  // namespace

void BodyEquations::begin(IslandProblem const& island) {
  if (touches_the_same(island)) return;
  touched_.clear();
  for (std::size_t k = 0; k < island.size(); ++k) {
    for (FactorTerms::Term const& term : island.terms(k)) touched_.push_back({term.mass, term.columns});
    touched_.push_back({-1, 0});
  }
  placed_ = false;
  find_neighbours(island);
  if (new_first_ != first_ || new_neighbour_ != neighbour_) {
    // Copied, so that both keep the memory that they have grown to.
    first_ = new_first_;
    neighbour_ = new_neighbour_;
    factor_.analyse(first_, neighbour_, size_.empty() ? 6 : size_[0]);
  }
  find_pairs(island);
}

bool BodyEquations::touches_the_same(IslandProblem const& island) const {
  std::size_t i = 0;
  auto const is_next = [&](int mass, int columns) {
    return i < touched_.size() && touched_[i][0] == mass && touched_[i++][1] == columns;
  };
  for (std::size_t k = 0; k < island.size(); ++k) {
    for (FactorTerms::Term const& term : island.terms(k))
      if (!is_next(term.mass, term.columns)) return false;
    if (!is_next(-1, 0)) return false;
  }
  return i == touched_.size();
}

// Into new_first_ and new_neighbour_.
void BodyEquations::find_neighbours(IslandProblem const& island) {
  std::size_t const nodes = island.masses().size();
  node_of_mass_.resize(static_cast<std::size_t>(island.W().masses()));
  size_.resize(nodes);
  new_first_.assign(nodes + 1, 1);  // itself
  new_first_[0] = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    node_of_mass_[static_cast<std::size_t>(island.masses()[i].mass)] = static_cast<int>(i);
    size_[i] = island.masses()[i].columns;
  }
  for (std::size_t k = 0; k < island.size(); ++k) {
    auto const terms = island.terms(k);
    for (FactorTerms::Term const& term : terms)
      new_first_[static_cast<std::size_t>(node_of_mass_[static_cast<std::size_t>(term.mass)]) + 1] +=
          terms.size() - 1;
  }
  // Count with repetition, fill, then take repetitions out.
  for (std::size_t i = 0; i < nodes; ++i) new_first_[i + 1] += new_first_[i];
  new_neighbour_.resize(new_first_[nodes]);
  filled_.assign(new_first_.begin(), new_first_.end() - 1);
  for (std::size_t i = 0; i < nodes; ++i) new_neighbour_[filled_[i]++] = static_cast<int>(i);
  for (std::size_t k = 0; k < island.size(); ++k) {
    for (FactorTerms::Term const& one : island.terms(k)) {
      for (FactorTerms::Term const& other : island.terms(k)) {
        if (&one == &other) continue;
        auto const node = static_cast<std::size_t>(node_of_mass_[static_cast<std::size_t>(one.mass)]);
        new_neighbour_[filled_[node]++] = node_of_mass_[static_cast<std::size_t>(other.mass)];
      }
    }
  }
  mark_.assign(nodes, -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    std::size_t const begin = new_first_[i], end = filled_[i];
    new_first_[i] = kept;
    for (std::size_t e = begin; e < end; ++e) {
      int const other = new_neighbour_[e];
      if (mark_[static_cast<std::size_t>(other)] == static_cast<int>(i)) continue;
      mark_[static_cast<std::size_t>(other)] = static_cast<int>(i);
      new_neighbour_[kept++] = other;
    }
  }
  new_first_[nodes] = kept;
  new_neighbour_.resize(kept);
}

void BodyEquations::find_pairs(IslandProblem const& island) {
  first_pair_.resize(island.size());
  pair_.clear();
  for (std::size_t k = 0; k < island.size(); ++k) {
    first_pair_[k] = pair_.size();
    for (FactorTerms::Term const& one : island.terms(k)) {
      auto const i = static_cast<std::size_t>(node_of_mass_[static_cast<std::size_t>(one.mass)]);
      for (FactorTerms::Term const& other : island.terms(k)) {
        int const j = node_of_mass_[static_cast<std::size_t>(other.mass)];
        std::size_t e = first_[i];
        while (neighbour_[e] != j) ++e;
        pair_.push_back(static_cast<int>(e));
      }
    }
  }
}

// S += W_k N W_k^T.
void BodyEquations::add_block(IslandProblem const& island, std::size_t k, Eigen::Matrix3d const& N) {
  FactorTerms const& W = island.W();
  int const* pair = pair_.data() + first_pair_[k];
  for (FactorTerms::Term const& one : island.terms(k)) {
    Q_.resize(static_cast<std::size_t>(3 * one.columns));
    multiply(W.numbers(one), one.columns, one.rows, N, Q_.data());
    for (FactorTerms::Term const& other : island.terms(k))
      add_outer(Q_.data(), one.columns, W.numbers(other), other.columns, one.rows,
                place_[static_cast<std::size_t>(*pair++)]);
  }
}

// The same with N = n, in the part of S that is needed of a symmetric matrix.
void BodyEquations::add_block(IslandProblem const& island, std::size_t k, double n) {
  FactorTerms const& W = island.W();
  auto const terms = island.terms(k);
  int const* pair = pair_.data() + first_pair_[k];
  for (FactorTerms::Term const& one : terms) {
    for (FactorTerms::Term const& other : terms) {
      auto const e = static_cast<std::size_t>(*pair++);
      if (!needed_[e]) continue;
      double const *const v = W.numbers(one), *const w = W.numbers(other);
      if (one.columns == 6 && other.columns == 6 && one.rows == 3) {
        if (v == w) {
          add_scaled_square(w, n, place_[e]);
        } else {
          add_scaled_outer(v, w, n, place_[e]);
        }
        continue;
      }
      int const size = one.rows * one.columns;
      Q_.resize(static_cast<std::size_t>(size));
      for (int i = 0; i < size; ++i) Q_[static_cast<std::size_t>(i)] = n * v[i];
      add_outer(Q_.data(), one.columns, w, other.columns, one.rows, place_[e]);
    }
  }
}

// S = 1.
void BodyEquations::begin_matrix(BlockFactor::Form form) {
  factor_.begin(size_, form);
  if (!placed_) {
    place_.resize(neighbour_.size());
    needed_.resize(neighbour_.size());
    for (std::size_t i = 0; i < size_.size(); ++i) {
      for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
        place_[e] = factor_.place(static_cast<int>(i), neighbour_[e]);
        needed_[e] = factor_.is_needed(static_cast<int>(i), neighbour_[e]);
      }
    }
    placed_ = true;
  }
  for (std::size_t i = 0; i < size_.size(); ++i) {
    BlockFactor::Place const& own = place_[first_[i]];
    for (int c = 0; c < size_[i]; ++c) own.data[c + c * own.stride] = 1;
  }
}

bool BodyEquations::factorise(IslandProblem const& island, std::span<const Eigen::Matrix3d> N) {
  begin_matrix(BlockFactor::Form::general);
  // The N of a block without force is zero, and nearly all of an open one.
  for (std::size_t k = 0; k < island.size(); ++k)
    if (!N[k].isZero(0)) add_block(island, k, N[k]);
  return factor_.factorise();
}

bool BodyEquations::factorise(IslandProblem const& island, std::span<const double> n) {
  begin_matrix(BlockFactor::Form::symmetric);
  for (std::size_t k = 0; k < island.size(); ++k)
    if (n[k] != 0) add_block(island, k, n[k]);
  return factor_.factorise();
}

// x from S x, in place.
void BodyEquations::solve_for_motion(IslandProblem const& island) {
  nodes_.resize(factor_.rows());
  double* node = nodes_.data();
  for (IslandProblem::Mass const& mass : island.masses())
    node = std::copy_n(x_.begin() + mass.first, mass.columns, node);
  factor_.solve(nodes_.data());
  node = nodes_.data();
  for (IslandProblem::Mass const& mass : island.masses()) {
    std::copy_n(node, mass.columns, x_.begin() + mass.first);
    node += mass.columns;
  }
}

void BodyEquations::solve(IslandProblem const& island, std::span<const Eigen::Matrix3d> N, BlockVector& d,
                          std::vector<double> const* rest) {
  island.motion(d, x_);
  if (rest) {
    for (IslandProblem::Mass const& mass : island.masses()) {
      for (int c = mass.first; c < mass.first + mass.columns; ++c)
        x_[static_cast<std::size_t>(c)] += (*rest)[static_cast<std::size_t>(c)];
    }
  }
  solve_for_motion(island);
  for (std::size_t k = 0; k < island.size(); ++k)
    d[k].noalias() -= N[k] * island.relative_motion(k, x_.data());
}

void BodyEquations::solve(IslandProblem const& island, std::span<const double> n, BlockVector& d) {
  island.motion(d, x_);
  solve_for_motion(island);
  for (std::size_t k = 0; k < island.size(); ++k)
    if (n[k] != 0) d[k] -= n[k] * island.relative_motion(k, x_.data());
}

}  // namespace delassus
