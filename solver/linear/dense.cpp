#include "solver/linear/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>

namespace delassus {

OrthogonalDecomposition::OrthogonalDecomposition(Eigen::MatrixXd const& A) : factor_(A) {}

OrthogonalDecomposition::OrthogonalDecomposition(Eigen::MatrixXd const& A, double threshold) {
  factor_.setThreshold(threshold);
  factor_.compute(A);
}

double OrthogonalDecomposition::smallest_pivot() const {
  return std::abs(factor_.matrixT()(factor_.rank() - 1, factor_.rank() - 1));
}

Eigen::VectorXd OrthogonalDecomposition::solve(Eigen::VectorXd const& b) const {
  return factor_.solve(b);
}

Eigen::MatrixXd OrthogonalDecomposition::solve_columns(Eigen::MatrixXd const& B) const {
  return factor_.solve(B);
}

Eigen::MatrixXd OrthogonalDecomposition::null_space() const {
  // The rows of Z beyond the rank.
  Eigen::MatrixXd const Z = factor_.matrixZ();
  return factor_.colsPermutation() * Z.bottomRows(factor_.cols() - factor_.rank()).transpose();
}

Eigen::MatrixXd OrthogonalDecomposition::complement() const {
  Eigen::Index const size = factor_.rows();
  Eigen::MatrixXd const Q = factor_.householderQ() * Eigen::MatrixXd::Identity(size, size);
  return Q.rightCols(size - factor_.rank());
}

PivotedQr::PivotedQr(Eigen::MatrixXd const& A) : factor_(A) {}

PivotedQr::PivotedQr(Eigen::MatrixXd const& A, double threshold) : factor_(A) {
  factor_.setThreshold(threshold);
}

Eigen::VectorXd PivotedQr::solve(Eigen::VectorXd const& b) const {
  return factor_.solve(b);
}

Eigen::MatrixXd PivotedQr::rotate(Eigen::MatrixXd const& columns) const {
  return factor_.householderQ().transpose() * columns;
}

PivotedLu::PivotedLu(Eigen::MatrixXd const& A) : factor_(A) {}

PivotedLu::PivotedLu(Eigen::MatrixXd const& A, double threshold) {
  factor_.setThreshold(threshold);
  factor_.compute(A);
}

double PivotedLu::determinant() const {
  return factor_.determinant();
}

Eigen::VectorXd PivotedLu::solve(Eigen::VectorXd const& b) const {
  return factor_.solve(b);
}

Eigen::MatrixXd PivotedLu::solve_columns(Eigen::MatrixXd const& B) const {
  return factor_.solve(B);
}

Eigen::MatrixXd PivotedLu::inverse() const {
  return factor_.inverse();
}

Eigen::MatrixXd PivotedLu::kernel() const {
  return factor_.kernel();
}

RegularLu::RegularLu(Eigen::MatrixXd const& A) : factor_(A) {}

double RegularLu::determinant() const {
  return factor_.determinant();
}

Eigen::VectorXd RegularLu::solve(Eigen::VectorXd const& b) const {
  return factor_.solve(b);
}

Eigen::MatrixXd RegularLu::solve_columns(Eigen::MatrixXd const& B) const {
  return factor_.solve(B);
}

Cholesky::Cholesky(Eigen::MatrixXd const& A) : factor_(A) {}

double Cholesky::smallest_pivot() const {
  return factor_.matrixLLT().diagonal().minCoeff();
}

Eigen::VectorXd Cholesky::solve(Eigen::VectorXd const& b) const {
  return factor_.solve(b);
}

Eigen::MatrixXd Cholesky::solve_columns(Eigen::MatrixXd const& B) const {
  return factor_.solve(B);
}

SymmetricEigen::SymmetricEigen(Eigen::MatrixXd const& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const eigen(A);
  values = eigen.eigenvalues();
  vectors = eigen.eigenvectors();
}

SingularValues::SingularValues(Eigen::MatrixXd const& A) {
  Eigen::JacobiSVD<Eigen::MatrixXd> const decomposition(A, Eigen::ComputeFullV);
  values = decomposition.singularValues();
  V = decomposition.matrixV();
}

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd const& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd singular_values(Eigen::MatrixXd const& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
}

Eigen::VectorXcd general_eigenvalues(Eigen::MatrixXd const& A) {
  return A.eigenvalues();
}

Eigen::MatrixXd inverse_of_regular(Eigen::MatrixXd const& A) {
  return A.inverse();
}

}  // namespace delassus
