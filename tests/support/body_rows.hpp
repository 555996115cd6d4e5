// Contact problems put together from rigid bodies: A = J M^-1 J^T and W of A = W^T W, as a system gives them,
// without a scene. Masses are diagonal.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "solver/problem/contact_problem.hpp"
#include "solver/problem/form_matrix.hpp"

namespace delassus::test {

// Two tangents and the normal, as rows; the angle turns the tangents.
inline Eigen::Matrix3d contact_frame(Eigen::Vector3d const& normal, double angle = 0) {
  Eigen::Vector3d const n = normal.normalized();
  Eigen::Vector3d const t = Eigen::AngleAxisd(angle, n) * n.unitOrthogonal();
  Eigen::Matrix3d frame;
  frame << t.transpose(), n.cross(t).transpose(), n.transpose();
  return frame;
}

// The velocity of a point of a body, in the frame: three velocities of the body, then three of its rotation.
inline Eigen::Matrix<double, 3, 6> point_rows(Eigen::Matrix3d const& frame, Eigen::Vector3d const& arm) {
  Eigen::Matrix3d cross;
  cross << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
  Eigen::Matrix<double, 3, 6> rows;
  rows << frame, frame * cross.transpose();
  return rows;
}

class BodyRows {
 public:
  // The diagonal of the body's mass matrix. The index of the body.
  int add_body(Eigen::VectorXd const& mass) {
    bodies_.push_back({columns_, mass});
    columns_ += static_cast<int>(mass.size());
    return static_cast<int>(bodies_.size()) - 1;
  }
  int bodies() const { return static_cast<int>(bodies_.size()); }
  int columns() const { return columns_; }

  // Opens a block; without a term it acts on nothing that can move.
  void add_block(ForceSet const& set) { blocks_.push_back({set, {}}); }
  // What the open block sees of a body; a body of a negative index is fixed.
  void add_term(int body, Eigen::MatrixXd const& J) {
    if (body >= 0) blocks_.back().terms.push_back({body, J});
  }

  // A and W; b = 0.
  ContactProblem problem() const {
    ContactProblem problem;
    problem.W.clear(bodies(), columns_);
    int rows = 0;
    for (Block const& block : blocks_) {
      problem.blocks.push_back({rows, block.set});
      rows += rows_of(block.set.kind);
      problem.W.begin_block();
      for (Term const& term : block.terms) {
        Body const& body = bodies_[static_cast<std::size_t>(term.body)];
        auto const size = static_cast<int>(body.mass.size());
        double* number = problem.W.add(term.body, body.first, size, rows_of(block.set.kind));
        for (Eigen::Index row = 0; row < term.J.rows(); ++row)
          for (Eigen::Index i = 0; i < size; ++i) *number++ = term.J(row, i) / std::sqrt(body.mass[i]);
      }
    }
    problem.b = Eigen::VectorXd::Zero(rows);
    form_matrix(problem);
    return problem;
  }

  // J v
  Eigen::VectorXd relative(Eigen::VectorXd const& v) const {
    std::vector<double> result;
    for (Block const& block : blocks_) {
      Eigen::VectorXd part = Eigen::VectorXd::Zero(rows_of(block.set.kind));
      for (Term const& term : block.terms) {
        Body const& body = bodies_[static_cast<std::size_t>(term.body)];
        part += term.J * v.segment(body.first, body.mass.size());
      }
      result.insert(result.end(), part.begin(), part.end());
    }
    return Eigen::Map<Eigen::VectorXd>(result.data(), static_cast<Eigen::Index>(result.size()));
  }

 private:
  struct Body {
    int first;
    Eigen::VectorXd mass;
  };
  struct Term {
    int body;
    Eigen::MatrixXd J;
  };
  struct Block {
    ForceSet set;
    std::vector<Term> terms;
  };
  std::vector<Body> bodies_;
  std::vector<Block> blocks_;
  int columns_ = 0;
};

}  // namespace delassus::test
