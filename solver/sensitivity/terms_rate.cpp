#include "solver/sensitivity/terms_rate.hpp"

namespace delassus {
namespace {

// use(row, column, number) for every number of J.
template <class Use>
void for_each_number(TermsOf<Dual> const& terms, DualPart part, Use const& use) {
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    auto const J = terms.J[i];
    int const row = terms.blocks[static_cast<std::size_t>(term.block)].first_row,
              column = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int c = 0; c < term.columns; ++c) {
      for (int r = 0; r < term.rows; ++r)
        use(row + r, column + c, part == DualPart::value ? J(r, c).value : J(r, c).derivative);
    }
  }
}

// (2 zeta/delta) J v + (1/delta^2) Psi of a row.
Dual relaxed(RelaxationPairOf<Dual> const& pair, Relaxation const& relaxation, double step_rate,
             Dual const& velocity, Dual const& Psi) {
  Dual const step{relaxation.step, step_rate};
  bool const own = relaxation.source == Relaxation::Source::blocks;
  Dual const zeta = own ? pair.zeta : Dual(0.5), delta = own ? pair.delta : step;
  return 2 * zeta / delta * velocity + Psi / (delta * delta);
}

}  // namespace

void add_transposed_product(TermsOf<Dual> const& terms, DualPart part, Eigen::Ref<const Eigen::VectorXd> u,
                            Eigen::VectorXd& y) {
  for_each_number(terms, part, [&](int row, int column, double J) { y[column] += J * u[row]; });
}

void add_product(TermsOf<Dual> const& terms, DualPart part, Eigen::Ref<const Eigen::VectorXd> u,
                 Eigen::VectorXd& y) {
  for_each_number(terms, part, [&](int row, int column, double J) { y[row] += J * u[column]; });
}

void subtract_mass_rate(TermsOf<Dual> const& terms, Eigen::Ref<const Eigen::VectorXd> a, Eigen::VectorXd& y) {
  for (auto const& mass : terms.M) {
    for (Eigen::Index r = 0; r < mass.M.rows(); ++r) {
      for (Eigen::Index c = 0; c < mass.M.cols(); ++c)
        y[mass.first + r] -= mass.M(r, c).derivative * a[mass.first + c];
    }
  }
}

Eigen::VectorXd force_rate(TermsOf<Dual> const& terms) {
  return terms.Phi.unaryExpr([](Dual const& each) { return each.derivative; });
}

Eigen::VectorXd demand_rate(TermsOf<Dual> const& terms, Relaxation const& relaxation, double step_rate) {
  Eigen::VectorXd rate(terms.rows());
  for (ConstraintBlockOf<Dual> const& block : terms.blocks) {
    for (int i = 0; i < block.rows(); ++i) {
      auto const row = static_cast<std::size_t>(block.first_row + i);
      bool const tangential = has_normal(block.set.kind) && i + 1 < block.rows();
      rate[block.first_row + i] =
          terms.Jdot_v[row].derivative + relaxed(tangential ? block.tangential : block.relaxation, relaxation,
                                                 step_rate, terms.velocity[row], terms.Psi[row])
                                             .derivative;
    }
  }
  return rate;
}

}  // namespace delassus
