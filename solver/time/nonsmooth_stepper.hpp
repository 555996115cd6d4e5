// Steps of fixed size for rigid contacts and joints, with impacts inside of them. A step of h seconds alternates
//
// 1. impacts (impact.hpp) at the present configuration: contacts that touch and close bounce by Newton's law, joints
//    hold, and friction that had force to spare takes the rest of the slip;
// 2. smooth motion, to the end of the step or to the next impact.
//
// The smooth motion conserves energy and momentum (System::evaluate with q_end, model/equations/step_pose.hpp). With
// v_mid the velocity over it,
//
//   M (v_mid - v_start) = h/2 (J^T lambda - Phi),   q_end = q + h N v_mid,   v_end = 2 v_mid - v_start
//
// and each row of the contact problem (65) is on v_mid: a joint's Psi_end = Psi + h J v_mid is zero, a closed
// contact's not negative, and friction opposes v_mid. The work of all forces over the step is then what they do
// to the potentials, or what friction takes: nothing is gained where the equations are solved, however long the step is,
// and joints do not drift.
// The scheme is of second order. Terms depend on q_end, so the equations are solved again until it stays.
//
// Contacts that are open carry no force. Where one would close within the motion, it ends there, and an impact
// follows: so bounces happen at their time. After so many impacts in one step, the others are met early: their
// impact comes at once, and stops or reflects what would reach them in this step.
//
// A crowd (more than 64 contacts near, of more than four bodies) has an impact somewhere in every step. Its step has one
// contact problem, on the velocity at its end:
//
//   M (v_end - v_start) = h (J^T lambda - Phi),   q_end = q + h N v_end,
//
// with all contacts that may be reached in it, Psi + h J v_end >= 0. An impact without bounce and the force that
// follows it are one, and energy falls by 1/2 |v_end - v_start|_M^2 besides what friction takes. Contacts that bounce
// do so at the start of the step, in rounds: one round has those that are reached or touch, the next one those that it
// throws against each other. A motion that would stop what has not bounced is made again, after one more round. Bodies
// that touch nothing move as above.
//
// What is too fast, too thin or turns too far for its contact points to tell is found over the motion
// (passage_guard.hpp), which then ends where shapes meet.
//
// Stick is v_mid = 0, which turns the slip at the start round. The next impact stage takes it away with what the
// friction of the step had to spare, mu lambda_n - |lambda_t|: it comes to rest, and no friction exceeds its cone. A slip
// that stops or turns round within a motion ends it there.
//
// A body that turns by h omega over a contact that holds it has J v_mid = 0 and ends with J v_end = d, of the order h^2, as
// at a joint. Taking d away after each motion would be an error of the first order. The next motion of the same length ends
// with d' - d, of the order h^3: that is taken away. Nor does such a contact bounce by d.
//
// Where friction jams (Painleve), v_mid = 0 holds however short the motion is, and would turn the slip round at once. That
// is an impact: a motion as short as the jam lets it be, with the rows on v_end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/linear/mass_factor.hpp"
#include "solver/problem/free_islands.hpp"
#include "solver/problem/motion_scale.hpp"
#include "solver/time/impact.hpp"
#include "solver/time/motion_acceleration.hpp"
#include "solver/time/passage_guard.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

// What the parts of the stepper share.
namespace nonsmooth {

// In a crowd: the residual of forces and impulses that is good enough, and the share of velocities that are equal. A
// wall has many forces for one motion, and the digits beyond these are most of the work. Sweeps that go on from there
// let the forces of a pile that comes to rest converge over the steps.
inline constexpr double crowd_share = 1e-5;
// Halvings of a step whose motion is not found.
inline constexpr int most_halvings = 12;
// Impacts of what would be passed, in one step.
inline constexpr int most_timed_passages = 32;
// Of the step: motions that are shorter make no progress.
inline constexpr double shortest_share = 1e-3;
// Of the size of what moves, or rad. What a contact is closed more deeply by rounding and by features that appear is
// taken away by moving bodies apart.
inline constexpr double unnoticed_share = 1e-7;
inline constexpr char too_fast[] =
    "a step meets too many contacts; use a shorter solver.step, or the stepper relaxed with restitution or a "
    "small delta";

// More contacts than are worth a time of their own.
bool is_crowd(Terms const& terms);
void accept_in_crowd(SolveSettings& settings);
inline double largest(std::span<const double> values) {
  double most = 0;
  for (double const value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace nonsmooth

class NonsmoothStepper final : public Stepper {
 public:
  NonsmoothStepper(System const& system, StepperSettings const& settings);
  using Stepper::advance;
  StepReport advance(double end, InputSignal const& input, std::span<const double> parameter,
                     StopAt stop) override;

 protected:
  // Between two steps, forces are observed as (70) has them.
  Relaxation relaxation() const override { return observed_relaxation(settings_); }
  // Those of a crowd are as exact as in its steps: more digits would take as long as a dozen steps.
  SolveSettings observed_settings(Terms const& terms) const override;

 private:
  struct Drive {
    InputSignal const& input;
    std::span<const double> parameter;
  };
  // Friction that a block had to spare in the last smooth motion, N s.
  struct SpareFriction {
    BlockIdentity identity = 0;
    double impulse = 0;
    bool held = false;  // from the start of the motion on: its slip is that which the scheme leaves
  };

  void step(double h, Drive const& drive, StepReport& report);
  // The step as two halves, or each of these likewise, where a whole one differs from them by more than the tolerance.
  struct Divided {
    int times = 0;
    double difference =
        std::numeric_limits<double>::infinity();  // of the step before, in units of what is allowed
    int in_vain = 0;                              // divisions in a row that have not made it smaller
  };
  void step_adaptively(double h, Divided divided, Drive const& drive, StepReport& report);
  void step_of_crowd(double h, Drive const& drive, StepReport& report);
  void bounce_in_crowd(double ahead, Drive const& drive, StepReport& report);
  // Takes those from parts_ that struck_ does not reach.
  void leave_out_unmoved();
  void close_crowd();
  void find_free_acceleration();
  double pull_of(std::size_t term) const;
  // Fills met_early_ with contacts that the last motion has stopped instead of bounced; false: there are none.
  bool meets_unbounced();
  // The terms at the present state of trial_.
  void look(Drive const& drive);
  // Impacts at the present state of trial_, which terms_ belongs to. What is closed after them is in closed_.
  // Contacts of `met_early_` take part as well, as if they touched, so that they are not passed within `ahead`
  // seconds.
  // `starts`: at the start of a step.
  void collide(double ahead, Drive const& drive, StepReport& report, bool starts = false);
  // Smooth motion from trial_ over h: q_end_, v_mid_. False: it could not be found, h is too long.
  bool move(double h, Drive const& drive);
  // When the first open contact closes in the motion over h that was found last; h: none does.
  // `passes`: one of those that appear in it would be passed or pressed in.
  double first_closing(double h, bool& passes);
  // Slip of a block at the start of the motion over h that was found last, and at its end.
  struct Slip {
    Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();
    bool turns() const { return start.dot(end) < 0; }
    // The share of the motion at which it is smallest, where it changes evenly.
    double turn() const { return start.dot(start - end) / (start - end).squaredNorm(); }
  };
  Slip slip_of(std::size_t block) const;
  // m/s, with its rows at the start of that motion: where a body turns, those over the motion have another slip there.
  struct StartVelocity {
    double slip = 0, normal = 0;
  };
  StartVelocity start_velocity(ConstraintBlock const& block) const;
  // m/s: the slip that a motion over h leaves where friction holds all the time.
  double left_slip(double h);
  // Where friction turns round or stops a slip within that motion, it ends there: `h` and the motion are then shorter.
  bool end_at_reversal(double& h, Drive const& drive);
  // The first pair that the motion over h that was found last would lead through each other.
  std::optional<Passage> first_passage(double h, Drive const& drive);
  // The contact points of this pair take part in the next impact, as if they touched.
  void meet_early(Passage const& passage);
  // Moves bodies apart that overlap in terms_, by a share of it once in a step.
  void move_apart(Drive const& drive);
  // J: takes the energy that moving apart by v_mid_ has given from the velocities.
  void pay_for_lift(double lift);
  void accept(double h, Drive const& drive, StepReport& report);
  std::span<double> q() { return std::span(trial_.x).first(qdot_.size()); }
  std::span<const double> v() const { return std::span(trial_.x).subspan(qdot_.size()); }
  std::span<double> v() { return std::span(trial_.x).subspan(qdot_.size()); }
  // Of the last contact problem, as an acceleration of lengths.
  double largest_demand() const;
  static void note_impact(ImpactReport const& done, StepReport& report);
  // m/s2: what the rounding of forces leaves in accelerations. Forces between a heavy body and a light one are large
  // beside what moves the light one.
  static double rounding_of_forces(Terms const& terms, std::span<const BlockForce> forces);
  [[noreturn]] void fail_to_move(Drive const& drive);
  void find_shares(Terms const& terms);
  // Which bodies spin in a motion of h seconds: those on which nothing acts beside their centres.
  void find_spins(double h);
  // rad, of the others in this time.
  double fastest_turn(double h);
  // The others turn by Cayley's formula, which is late (step_pose.hpp).
  void note_late_angles(double h, StepReport& report);

  // Ends the run where a compliant contact is pressed in so deeply that its points no longer tell the way out.
  void check_not_sunk(double h, Drive const& drive);

  MotionScale scale_;
  PassageGuard guard_, sunk_;
  ImpactLaw impact_;
  FreeIslands islands_;
  MotionAcceleration acceleration_;
  bool coarse_told_ = false, late_angle_told_ = false;  // in this run
  bool joints_due_ = true;  // whether the next impact stage takes away what joints still move
  StepperState trial_;
  // Of each division of a step: where it starts, and where it ends as a whole.
  struct Division {
    StepperState state;
    std::vector<double> whole;
  };
  std::vector<Division> starts_;
  int impacts_ = 0;            // so far
  int divisible_impacts_ = 0;  // steps with impacts that may still be divided within the present one
  Terms terms_;                // at an instant
  std::vector<ImpactLaw::Part> parts_;
  std::vector<int> moved_;  // the blocks that take part in moving apart
  std::vector<double> angular_momentum_, no_momentum_;
  MassFactor mass_factor_;
  std::vector<double> free_acceleration_;  // of a crowd at terms_
  std::vector<char> struck_;               // masses, in a bounce of a crowd
  int rounds_ = 0;                         // of bounces, in this motion
  double fastest_ = 0;                     // m/s, approach in the first of them
  std::vector<BlockIdentity> closed_, met_early_, touched_;
  std::vector<SpareFriction> spare_;
  std::vector<BlockIdentity> held_;   // contacts that were closed throughout the last motion
  double left_ = 0;                   // m/s, that it may have left them with
  std::vector<std::size_t> closing_;  // blocks that an impact begins with
  std::vector<BlockForce> forces_;
  std::vector<double> q_end_, v_mid_, v_last_, v_end_, qdot_, q_mean_;
  double work_ = 0;            // of the present internal step, in iterations times blocks
  double step_ = 0;            // s, the present step
  double theta_ = 0.5;         // the same, as in Instant
  bool crowd_ = false;         // whether the step is that of a crowd
  std::vector<double> share_;  // theta of each velocity
  std::vector<char> spins_;    // the same, as in Instant
  std::vector<double> late_;   // rad, of each mass: how far its angle has fallen behind, for a message
};

}  // namespace delassus
