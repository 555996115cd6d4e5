#include "solver/delassus_operator.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {
namespace {

struct ZetaDelta {
  double zeta, delta;
};

ZetaDelta relaxation_of(ConstraintBlock const& block, Relaxation const& relaxation) {
  switch (relaxation.source) {
    case Relaxation::Source::blocks:
      return {block.zeta, block.delta};
    case Relaxation::Source::step:
      return {0.5, relaxation.step};
    case Relaxation::Source::blocks_within_step: {
      // Semi-implicit Euler on x'' + (2 zeta/delta) x' + x/delta^2 = 0 is stable for r^2 + 4 zeta r < 4 with
      // r = h/delta. Half of that keeps the velocity from changing its sign in one step (2 zeta r < 1); a
      // block beyond it is too stiff for this step.
      double const r = relaxation.step / block.delta;
      if (r * r + 4 * block.zeta * r > 2) return {0.5, relaxation.step};
      return {block.zeta, block.delta};
    }
  }
  return {block.zeta, block.delta};
}

// x = L^-1 x and x = L^-T x. By hand: the matrices are tiny, and Eigen's general solvers would take memory.
void forward(Eigen::MatrixXd const& L, double* x) {
  for (Eigen::Index j = 0; j < L.rows(); ++j) {
    x[j] /= L(j, j);
    for (Eigen::Index i = j + 1; i < L.rows(); ++i) x[i] -= L(i, j) * x[j];
  }
}
void backward(Eigen::MatrixXd const& L, double* x) {
  for (Eigen::Index j = L.rows() - 1; j >= 0; --j) {
    for (Eigen::Index i = j + 1; i < L.rows(); ++i) x[j] -= L(i, j) * x[i];
    x[j] /= L(j, j);
  }
}

}  // namespace

DelassusOperator::DelassusOperator(System const& system) {
  Terms const terms = system.make_terms();
  // Of the identity, not of nothing: an LLT that has factorised nothing may not even be copied.
  for (MassBlock const& mass : terms.M) {
    factor_.emplace_back(Eigen::MatrixXd::Identity(mass.M.rows(), mass.M.rows()));
  }
  free_ = Eigen::VectorXd::Zero(system.velocity_size());
}

void DelassusOperator::factorise(Terms const& terms) {
  free_ = terms.Phi;
  for (std::size_t k = 0; k < terms.M.size(); ++k) {
    factor_[k].compute(terms.M[k].M);
    forward(factor_[k].matrixLLT(), free_.data() + terms.M[k].first);
  }
  weighted_.clear();
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    JacobianTerms::Term const& term = terms.J.term(i);
    auto const J = terms.J[i];
    weighted_.resize(term.first + static_cast<std::size_t>(term.rows * term.columns));
    double* W = weighted_.data() + term.first;
    for (Eigen::Index row = 0; row < term.rows; ++row, W += term.columns) {
      for (Eigen::Index column = 0; column < term.columns; ++column) W[column] = J(row, column);
      forward(factor_[static_cast<std::size_t>(term.mass)].matrixLLT(), W);
    }
  }
}

// Counts, then places.
void DelassusOperator::list_terms_of_masses(Terms const& terms) {
  first_of_mass_.assign(terms.M.size() + 1, 0);
  for (std::size_t i = 0; i < terms.J.size(); ++i)
    ++first_of_mass_[static_cast<std::size_t>(terms.J.term(i).mass) + 1];
  std::partial_sum(first_of_mass_.begin(), first_of_mass_.end(), first_of_mass_.begin());
  term_of_mass_.resize(terms.J.size());
  for (std::size_t i = 0; i < terms.J.size(); ++i)
    term_of_mass_[first_of_mass_[static_cast<std::size_t>(terms.J.term(i).mass)]++] = i;
  // Placing has shifted the beginnings by one mass block.
  std::copy_backward(first_of_mass_.begin(), first_of_mass_.end() - 1, first_of_mass_.end());
  first_of_mass_[0] = 0;
}

// The block row of the terms from begin to end.
void DelassusOperator::assemble_row(Terms const& terms, std::size_t begin, std::size_t end,
                                    BlockMatrix& A) const {
  A.begin_row();
  for (std::size_t i = begin; i < end; ++i) {
    JacobianTerms::Term const& term = terms.J.term(i);
    Weighted const W = weighted(term);
    auto const mass = static_cast<std::size_t>(term.mass);
    for (std::size_t place = first_of_mass_[mass]; place < first_of_mass_[mass + 1]; ++place) {
      JacobianTerms::Term const& other = terms.J.term(term_of_mass_[place]);
      Eigen::Matrix3d& value = A.at(other.block);
      double const* const ours = W.data();
      double const* const theirs = weighted_.data() + other.first;
      for (int column = 0; column < other.rows; ++column) {
        for (int row = 0; row < term.rows; ++row) {
          double sum = 0;
          for (int c = 0; c < term.columns; ++c)
            sum += ours[row * term.columns + c] * theirs[column * term.columns + c];
          value(row, column) += sum;
        }
      }
    }
  }
}

void DelassusOperator::assemble(Terms const& terms, Relaxation relaxation, ContactProblem& problem) {
  factorise(terms);
  list_terms_of_masses(terms);
  problem.A.clear(terms.blocks.size());
  problem.b.resize(terms.rows());  // no allocation when the size stays
  problem.blocks.resize(terms.blocks.size());

  std::size_t i = 0;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    problem.blocks[k] = {block.first_row, block.set};
    auto const [zeta, delta] = relaxation_of(block, relaxation);
    for (int row = block.first_row; row < block.first_row + block.rows(); ++row) {
      auto const at = static_cast<std::size_t>(row);
      problem.b[row] =
          -terms.Jdot_v[at] - 2 * zeta / delta * terms.velocity[at] - terms.Psi[at] / (delta * delta);
    }
    std::size_t const begin = i;
    for (; i < terms.J.size() && terms.J.term(i).block == static_cast<int>(k); ++i) {
      JacobianTerms::Term const& term = terms.J.term(i);
      Weighted const W = weighted(term);
      auto const part = free_.segment(terms.M[static_cast<std::size_t>(term.mass)].first, term.columns);
      for (int row = 0; row < term.rows; ++row) problem.b[block.first_row + row] += W.col(row).dot(part);
    }
    assemble_row(terms, begin, i, problem.A);
  }
}

void DelassusOperator::acceleration(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda,
                                    std::span<double> vdot) {
  for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] = -free_[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    JacobianTerms::Term const& term = terms.J.term(i);
    Weighted const W = weighted(term);
    int const row = terms.blocks[static_cast<std::size_t>(term.block)].first_row;
    double* const out = vdot.data() + terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int k = 0; k < term.rows; ++k) {
      for (int c = 0; c < term.columns; ++c) out[c] += W(c, k) * lambda[row + k];
    }
  }
  for (std::size_t k = 0; k < terms.M.size(); ++k)
    backward(factor_[k].matrixLLT(), vdot.data() + terms.M[k].first);
}

}  // namespace delassus
