// A primal-dual interior-point method for an island of contacts: forces and motions stay inside their cones, and
// a path leads from the middle of the cones to a solution. Where contacts are many, redundant and nearly all at
// rest, and sweeps and Newton's method cycle between modes, it mostly takes about twenty steps whatever
// it starts from (Acary, Armand, Nguyen and Shpakovych 2023). Its path can turn back, and it then fails.
//
// For a contact let lambda^ = (lambda_t, mu lambda_n) and eta^ = (eta_t, eta_n / mu), so that both cones are the
// Lorentz cone |v_t| <= v_n and products stay as they are. De Saxce's form of Coulomb's law is then
//
//   u = eta^ + |eta_t| e_n,   u o lambda^ = 0,   u and lambda^ in the cone,
//
// with the product v o w = (v_n w_t + w_n v_t, v . w). The path is u o lambda^ = tau e_n for falling tau. Each step
// linearises it after the scaling of Nesterov and Todd, which is the symmetric S with S lambda^ = S^-1 u = nu:
//
//   S^-1 du + S d = q,   du = E deta^ + D d + what u still lacks,   E = 1 + e_n (u_t / |u_t|)^T,
//
// so that the change d of the force is f - (S^2 + D)^-1 E deta^, and with deta = A d a linear equation of the form
// (1 + N A) d = f (force_equations.hpp). D is a small compliance around the present force: it changes no solution, and
// keeps N and with it rounding within bounds. Predictor and corrector (Mehrotra 1992) share the factors.
//
// Coulomb's law is not the optimality condition of anything: u lags behind |u_t|. Where tau falls faster than that
// is made up for, points run into the boundary and steps shrink to nothing; so the next tau is held above the
// product of a mean force and of what the u still lack, and after each step u_n is set to what it should be as far as
// the cone allows.
//
// Contacts without friction are half-lines, joints are held by a stiffness. Frictions of known bound, double cones
// and directed ones are not offered.
#pragma once

#include <vector>

#include "solver/island/force_equations.hpp"
#include "solver/island/problem.hpp"

namespace delassus {

class InteriorPoint {
 public:
  // Whether all of the island's sets are offered.
  static bool applies(IslandProblem const& island);

  // Starts from this force, moved inside of the cones by this share of the usual force.
  void begin(IslandProblem const& island, BlockVector const& lambda, double inside);
  // False where the equations could not be solved or no step could be made.
  bool step(IslandProblem const& island);
  BlockVector const& lambda() const { return lambda_; }

 private:
  struct Contact {
    Eigen::Matrix3d P;  // eta^ = P eta, lambda = P^T lambda^; the normal comes last
    bool free = false;
    bool slides = false;            // has tangential rows
    Eigen::Vector3d force, motion;  // lambda^ and u
    Eigen::Vector3d lack;           // of u
    Eigen::Vector3d nu, force_change, motion_change, q;
    Eigen::Matrix3d scaling, inverse_scaling, stiffness;
    double D = 0;
    Eigen::Matrix3d E;
  };
  void scale(Contact& contact) const;
  void make_up(Contact& contact, Eigen::Vector3d const& eta) const;
  void solve(IslandProblem const& island);
  double longest_step() const;

  std::vector<Contact> contacts_;
  std::vector<Eigen::Matrix3d> N_;
  BlockVector lambda_, change_, change_eta_;
  ForceEquations equations_;
  double cones_ = 0;  // how many contacts are not free
};

}  // namespace delassus
