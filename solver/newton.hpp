// Several blocks at once: a semismooth Newton (active-set) method on the function of Alart and Curnier 1991
// for one island.
//
// With eta = A lambda - b and y = lambda - rho eta (rho of each block from its own diagonal), a block is
//   detached  y_n <= 0:                        lambda = 0
//   stick     |y_t| <= r, or free:             eta = 0
//   slip      else:                            eta_n = 0, lambda_t = r e with e = y_t / |y_t|
// where the radius r is mu y_n of a cone, mu |y_n| of a double cone, the bound of an interval or disc. In the
// equations of a slip stands the radius mu lambda_n, which is the same where eta_n = 0. Their derivative,
// with P = I - e e^T and k = r / |y_t|, and P y_t = 0, makes Newton's equation for the new lambda
//
//   lambda_t - mu lambda_n e - k P (lambda_t - rho (A_t lambda - b_t)) = 0,
//
// nonsymmetric and exact. A directed block has lambda_t = direction lambda_n in both of its modes.
//
// Each step solves its equations for the new lambda itself, not for a correction, by the least-norm solver
// where they are singular: at convergence lambda is the force of least norm within the modes, and it does not
// depend on the force from which the iteration started but through the modes. An island of free blocks takes
// one step, lambda = A^+ b.
#pragma once

#include <vector>

#include "model/enumeration.hpp"
#include "solver/island_problem.hpp"
#include "solver/least_norm.hpp"

namespace delassus {

struct NewtonResult {
  double residual = 0;  // scale-free, of lambda
  int iterations = 0;
  int deficiency = 0;       // of the rank of the last step's equations
  bool stationary = false;  // a further step would not change lambda
};

class Newton {
 public:
  enum class WhenSingular { go_on, stop };

  // Improves lambda, and takes one step at least. Full steps at first, since modes may have to get worse
  // before they get better; where they lead nowhere, from the best lambda damped steps that each must reduce
  // the residual. On return lambda is the best that was met.
  NewtonResult solve(IslandProblem const& island, double tolerance, int limit, WhenSingular when_singular,
                     Eigen::Ref<Eigen::VectorXd> lambda);

  // The same with the modes at which the last solve ended.
  NewtonResult solve_in_modes(IslandProblem const& island, double tolerance, int limit,
                              Eigen::Ref<Eigen::VectorXd> lambda);

  // Whether some block of a solution is on the edge between two modes: at its bound without moving against
  // it, or without force and without parting. Forces may then not be unique, though the equations in these
  // modes are regular.
  bool on_edge(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda);

  // Scale-free, of any force.
  double residual(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
    eta_.resize(island.rows());
    return evaluate(island, lambda);
  }

 private:
  double evaluate(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda);
  void choose_modes(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda);
  void assemble(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda);
  void assemble_slip(IslandProblem const& island, std::size_t k, Eigen::Ref<const Eigen::VectorXd> lambda);
  int step(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda);
  void demand_rest(IslandProblem const& island, Eigen::Index row, double rho);
  NewtonResult damped(IslandProblem const& island, double tolerance, int limit, NewtonResult result,
                      Eigen::Ref<Eigen::VectorXd> lambda);

  struct Scale {
    double t, n;  // rho of the tangential rows and of the normal one
  };
  std::vector<Scale> rho_;
  std::vector<ContactMode> modes_;
  GrowingVector eta_, best_, next_, right_;
  GrowingMatrix G_;
  LeastNorm least_norm_;
};

}  // namespace delassus
