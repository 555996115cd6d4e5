// Dense decompositions, compiled once. Eigen instantiates a decomposition anew in every source that uses it, and each takes
// seconds: fifteen such sources were two thirds of the solver's build. Here they stand behind plain functions; what they
// compute is Eigen's, to the bit. For analysis and for what happens rarely: they allocate.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/QR>

namespace delassus {

// A P = Q [T 0; 0 0] Z, which gives the least-squares solution of least norm, the rank and the null space (Golub and Van
// Loan, Matrix Computations, 5.4-5.5). `threshold` is the fraction of the largest pivot below which one counts as rounding.
class OrthogonalDecomposition {
 public:
  OrthogonalDecomposition() = default;
  explicit OrthogonalDecomposition(Eigen::MatrixXd const& A);  // with Eigen's own threshold
  OrthogonalDecomposition(Eigen::MatrixXd const& A, double threshold);

  Eigen::Index rank() const { return factor_.rank(); }
  double largest_pivot() const { return factor_.maxPivot(); }
  double smallest_pivot() const;  // of those that count, the last on the diagonal of T
  Eigen::VectorXd solve(Eigen::VectorXd const& b) const;
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd const& B) const;
  Eigen::MatrixXd null_space() const;  // orthonormal columns that A does not see
  Eigen::MatrixXd complement() const;  // orthonormal columns orthogonal to the range of A

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

// A P = Q R with column pivoting.
class PivotedQr {
 public:
  explicit PivotedQr(Eigen::MatrixXd const& A);  // with Eigen's own threshold
  PivotedQr(Eigen::MatrixXd const& A, double threshold);

  Eigen::Index rank() const { return factor_.rank(); }
  Eigen::VectorXd solve(Eigen::VectorXd const& b) const;         // of least squares
  Eigen::MatrixXd rotate(Eigen::MatrixXd const& columns) const;  // Q^T times the columns

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor_;
};

// P A Q = L U with full pivoting, which tells whether A is invertible.
class PivotedLu {
 public:
  PivotedLu() = default;
  explicit PivotedLu(Eigen::MatrixXd const& A);  // with Eigen's own threshold
  PivotedLu(Eigen::MatrixXd const& A, double threshold);

  bool is_invertible() const { return factor_.isInvertible(); }
  Eigen::Index rank() const { return factor_.rank(); }
  double determinant() const;
  Eigen::VectorXd solve(Eigen::VectorXd const& b) const;
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd const& B) const;
  Eigen::MatrixXd inverse() const;
  Eigen::MatrixXd kernel() const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> factor_;
};

// P A = L U with row pivoting, for matrices that are known to be regular.
class RegularLu {
 public:
  explicit RegularLu(Eigen::MatrixXd const& A);

  double determinant() const;
  Eigen::VectorXd solve(Eigen::VectorXd const& b) const;
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd const& B) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
};

// A = L L^T.
class Cholesky {
 public:
  explicit Cholesky(Eigen::MatrixXd const& A);

  bool is_positive_definite() const { return factor_.info() == Eigen::Success; }
  double smallest_pivot() const;  // of the diagonal of L
  Eigen::VectorXd solve(Eigen::VectorXd const& b) const;
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd const& B) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

// A = V diag(values) V^T of a symmetric matrix, of which the lower triangle counts; the values rise.
struct SymmetricEigen {
  explicit SymmetricEigen(Eigen::MatrixXd const& A);

  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

// A = U diag(values) V^T; the values fall, V is square.
struct SingularValues {
  explicit SingularValues(Eigen::MatrixXd const& A);

  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd const& A);  // they rise
Eigen::VectorXd singular_values(Eigen::MatrixXd const& A);        // they fall
Eigen::VectorXcd general_eigenvalues(Eigen::MatrixXd const& A);

Eigen::MatrixXd inverse_of_regular(Eigen::MatrixXd const& A);

}  // namespace delassus
