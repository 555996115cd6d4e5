// Impacts: the velocity jumps, the configuration stays. With u = J v, the velocities of the rows, and impulses P,
//
//   u_plus = u_minus + A P,   A = J M^-1 J^T.
//
// Newton's law: a contact that closes leaves with the share e of its speed, u_n_plus >= -e u_n_minus, P_n >= 0,
// complementary; friction is Coulomb's on the impulses, and stops the slip or opposes what is left of it. So P
// solves the contact problem (65) of Kikuuwe and Brogliato 2017 with b_n = -u_n_minus - e min(u_n_minus, 0) and
// b_t = -u_t_minus. Joints hold: their rows end at zero. Dry friction of known bound gives no impulse, because
// its force is finite.
//
// Poisson's law, in the form of Glocker and Pfeiffer 1995: compression, the impact with e = 0, has impulses P_C and
// ends at u_C. Expansion gives each contact the share e of its normal impulse again, and more only where it would
// close otherwise:
//
//   u_plus = u_C + A P_E,   P_E,n >= e P_C,n,   u_n_plus >= 0,   complementary,
//
// so a contact that others pressed together opens, too. Friction is Coulomb's on P_E. This is (65) again: with
// P_E,n = e P_C,n + Q_n, the disc of radius mu P_E,n is the sum of one of known radius mu e P_C,n and one of radius
// mu Q_n, and where the contact slips, the two forces have one direction. So expansion has the known normal
// impulses e P_C,n, dry friction of known bound, and a contact for Q. The latter is left out unless one would close.
//
// Where contacts of both laws meet in one impact, all are compressed, and one with Newton's law ends its expansion
// with u_n_plus >= -e u_n_minus and P_E,n >= 0. Without a contact of Poisson's law, Newton's law is as above.
//
// All contacts that touch are solved at once (simultaneous); or one after the other, the fastest first, until none
// closes (sequential). These are two laws, and a row of touching balls shows the difference.
//
// Energy. The impulses do the work P.(u_minus + u_plus)/2. It is never positive for e = 0, because then
// P.u_plus <= 0; with e > 0 and friction, Newton's law can create energy (Kane and Levinson 1985), and Poisson's as
// well. Between both, P = P_0 + s (P_e - P_0) is in the cones again, nothing closes after it, and the work is
// quadratic in s: the largest s without gain is taken in each island, and told. With Poisson's law P_0 = P_C and P_e =
// P_C + P_E.
// Newton's law with friction can also be without a solution: a ball that slides under a rod, wedged between rod and
// floor, cannot leave with the speed that e > 0 asks for. Islands without solution do not bounce, and this is told.
// Smooth friction, whose share is that of the slip before the impact, is a cone here: along the slip before it, it could
// turn the slip round and drive it.
#pragma once

#include <span>
#include <vector>

#include "model/equations/system.hpp"
#include "model/scene/enumeration.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/problem/delassus_operator.hpp"
#include "solver/problem/islands.hpp"

namespace delassus {

// Of the size of what moves (System::length_scale), or rad. A contact that is nearer touches.
inline constexpr double touching_share = 1e-9;

struct ImpactReport {
  SolveStatus status = SolveStatus::converged;
  double residual = 0;
  double share_of_restitution = 1;  // s above
};

class ImpactLaw {
 public:
  explicit ImpactLaw(System const& system);

  // What an impact does to a block.
  struct Part {
    bool takes_part = false;
    double restitution = 0;  // of a contact that closes
    double rest = 0;         // m/s: the normal velocity that a contact ends at where it does not bounce; <= 0
    // N s: friction that the block can give besides. A contact with some does not close.
    double spare_friction = 0;
    RestitutionLaw law = RestitutionLaw::newton;
    bool expands() const { return law == RestitutionLaw::poisson && restitution > 0; }
  };

  // The impact of the blocks of `terms`, which are those at an instant with v; v becomes that after it. What is slow
  // beside `speed` and the velocities of all rows is rounding.
  ImpactReport apply(Terms const& terms, std::span<const Part> parts, ImpactOrder order,
                     SolveSettings const& settings, std::span<double> v, double speed = 0);

  // Of the last impact, in the rows of its terms.
  Eigen::VectorXd const& impulse() const { return impulse_; }

 private:
  ImpactReport apply_together(Terms const& terms, std::span<const Part> parts, SolveSettings const& settings);
  ImpactReport apply_in_turn(Terms const& terms, std::span<const Part> parts, SolveSettings const& settings);
  void choose(Terms const& terms, std::span<const Part> parts);
  void add(Terms const& terms, std::size_t block, std::size_t first_term, ForceSet const& set, int row,
           Part const& part);
  SolveStatus solve(SolveSettings const& settings, bool bounces, Solution& solution);
  SolveStatus judged(Solution const& solution);
  // Poisson's law: P_ becomes P_C + P_E of the compression in plastic_, `bounced` whether there is an expansion.
  ImpactReport expand(SolveSettings const& settings, bool& bounced);
  // The blocks of the expansion from the velocities in start_. `against_closing`: with those for Q.
  void choose_expansion(bool against_closing);
  double newton_velocity(std::size_t k) const;
  // No bounce in the islands that elastic_ does not solve. Whether one is missed that is worth telling.
  bool withhold_bounce(SolveSettings const& settings);
  // P_, that of elastic_, becomes P_0 + s (P_e - P_0) in each island that it would give energy.
  void withhold_gain(SolveSettings const& settings, bool at_once, ImpactReport& report);
  // Makes P_, which is no solution, so small that it creates no energy, and no larger than impulses are.
  void take_no_energy();
  double work(Eigen::Ref<const Eigen::VectorXd> P);

  DelassusOperator delassus_;
  Islands islands_;
  ContactSolver solver_;
  Terms chosen_;  // the blocks that take part
  struct Origin {
    int block = 0, row = 0;  // in the given terms, and the first of its rows
  };
  std::vector<Origin> origin_;      // of each chosen block
  std::vector<Part> parts_, turn_;  // of the chosen blocks; of one turn
  ContactProblem problem_;
  Solution plastic_, elastic_;
  Terms expanding_;                      // the blocks of an expansion
  std::vector<std::size_t> compressed_;  // of each of these: the chosen block
  ContactProblem expansion_;
  std::vector<double> velocity_;  // u, in the rows of the given terms
  double speed_ = 0;              // m/s or rad/s, the largest
  Eigen::VectorXd before_, product_, P_, impulse_;
  Eigen::VectorXd known_, start_, guess_;  // impulses e P_C, the velocities after P_C and these; zero
  Eigen::VectorXd expansion_product_;      // A (P_e - P_0), this difference being in known_ by then
  std::vector<char> gained_;               // of each island
  std::vector<double> change_;
};

}  // namespace delassus
