// A mechanical system with constraints, in the form of Kikuuwe and Brogliato 2017:
//
//   qdot = N(q) v                                    configuration map
//   M(q) vdot + Phi(q, v, t, u) = J(q)^T lambda      (39)
//   [J_v v; Psi_p(q)] in -lim N_C^{U_eps}(lambda)    (40)
//
// A System evaluates these terms at an instant; the solver uses them. Terms are kept in small blocks because
// both M and J are sparse: M is block-diagonal over bodies, and a constraint touches one or two of them. A
// system in minimal coordinates has one mass block and one Jacobian term per constraint block.
//
// The set of blocks may change from one instant to the next: contacts that are far apart are left out.
// A block keeps its identity over time, so that its last force can be found again.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/equations/force_set.hpp"
#include "model/equations/mode_source.hpp"
#include "model/geometry/dual.hpp"
#include "model/scene/enumeration.hpp"
#include "model/scene/instant.hpp"

namespace delassus {

// Damping ratio and time scale of the relaxation (64) of some rows.
template <class Scalar>
struct RelaxationPairOf {
  Scalar zeta = 1;
  Scalar delta = 1;  // s
};
using RelaxationPair = RelaxationPairOf<double>;

// A block of constraint rows. Rows of all blocks follow one another without gaps.
template <class Scalar>
struct ConstraintBlockOf {
  BlockIdentity identity = 0;
  int first_row = 0;
  ForceSetOf<Scalar> set;
  RelaxationPairOf<Scalar> relaxation;  // of the normal row, or of all rows where there is none
  RelaxationPairOf<Scalar> tangential;  // of the rows before a normal row
  // The coefficient of the impact law; negative: the contact has none, its relaxation is its impact law.
  Scalar restitution = -1;
  RestitutionLaw restitution_law = RestitutionLaw::newton;
  // Added to the diagonal of J M^-1 J^T: a spring or a compliant contact as a constraint that gives way.
  // 1/(N s^2/m); only in the terms of a step.
  Scalar compliance = 0;
  // The same of the tangential rows of a contact, whose friction grows smoothly with the slip.
  Scalar slip_compliance = 0;
  int rows() const { return rows_of(set.kind); }
};
using ConstraintBlock = ConstraintBlockOf<double>;

// A contact with an impact law that is open: no force acts, whatever its gap.
struct OpenContact {
  BlockIdentity identity = 0;
  double gap = 0;         // m or, of the limit of a joint, rad
  double velocity = 0;    // m/s, of the gap
  double gap_at_end = 0;  // in the terms of a step; NaN where it is not known
  // Of a contact that is only there at the end of a step: from half the size of the smaller body on, it is
  // passed rather than pressed in. The gap follows from the motion over the step. m; zero of all others
  double half_size = 0;
};

template <class Scalar>
struct MassBlockOf {
  int first = 0;                                            // first velocity component of the block
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> M;  // symmetric, positive definite
};
using MassBlock = MassBlockOf<double>;

// The non-zero parts of J: small matrices, each over the rows of one constraint block and the columns of one
// mass block, in the order of the constraint blocks. Their numbers lie in one array, which keeps its memory
// when it is filled again.
template <class Scalar>
class JacobianTermsOf {
 public:
  struct Term {
    int block = 0;  // index of the constraint block whose rows these are
    int mass = 0;   // index of the mass block whose columns these are
    int rows = 0, columns = 0;
    std::size_t first = 0;  // of its numbers, column by column
  };
  using Numbers = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Matrix = Eigen::Map<Numbers>;
  using ConstMatrix = Eigen::Map<const Numbers>;

  void clear() {
    terms_.clear();
    used_ = 0;
  }
  // Adds a term of zeros. The reference is valid until the next add.
  Matrix add(int block, int mass, int rows, int columns) {
    Matrix term = add_unset(block, mass, rows, columns);
    term.setZero();
    return term;
  }
  // Adds a term; the caller sets all of its numbers.
  Matrix add_unset(int block, int mass, int rows, int columns) {
    terms_.push_back({block, mass, rows, columns, used_});
    used_ += static_cast<std::size_t>(rows * columns);
    if (numbers_.size() < used_) numbers_.resize(used_ + used_ / 2);
    return (*this)[terms_.size() - 1];
  }
  std::size_t size() const { return terms_.size(); }
  // Of the first term of a block, or of the next one that has any.
  std::size_t first_of(int block) const {
    auto const found = std::partition_point(terms_.begin(), terms_.end(),
                                            [block](Term const& term) { return term.block < block; });
    return static_cast<std::size_t>(found - terms_.begin());
  }
  Term const& term(std::size_t i) const { return terms_[i]; }
  Matrix operator[](std::size_t i) {
    return {numbers_.data() + terms_[i].first, terms_[i].rows, terms_[i].columns};
  }
  ConstMatrix operator[](std::size_t i) const {
    return {numbers_.data() + terms_[i].first, terms_[i].rows, terms_[i].columns};
  }

 private:
  std::vector<Term> terms_;
  std::vector<Scalar> numbers_;  // only grows
  std::size_t used_ = 0;         // of these
};
using JacobianTerms = JacobianTermsOf<double>;

// Memory that a System needs while it evaluates, so that it does not allocate. Each System derives its own.
class SystemWorkspace {
 public:
  virtual ~SystemWorkspace() = default;
};

// The terms at an instant. System::make_terms creates them once; System::evaluate overwrites everything
// except the number and sizes of the mass blocks. It allocates only for more blocks than ever before.
template <class Scalar>
struct TermsOf {
  std::vector<MassBlockOf<Scalar>> M;
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> Phi;
  std::vector<ConstraintBlockOf<Scalar>> blocks;  // ascending identity
  JacobianTermsOf<Scalar> J;
  // One number per row.
  std::vector<Scalar> velocity;  // J v, plus the part of bodies with prescribed motion
  std::vector<Scalar> Jdot_v;    // (20): H v
  std::vector<Scalar> Psi;       // zero in velocity rows; gap or position error in position rows
  std::vector<CompliantTouch> touches;
  std::vector<OpenContact> open;       // rising identity
  std::vector<Scalar> start_velocity;  // in the terms of a step: v_start
  std::unique_ptr<SystemWorkspace> workspace = nullptr;

  int rows() const { return blocks.empty() ? 0 : blocks.back().first_row + blocks.back().rows(); }
};
using Terms = TermsOf<double>;

// Where a motion would lead one shape through another.
struct Passage {
  BlockIdentity identity = 0;  // of the pair: of its feature 0, the others follow in the lowest 8 bits
  double time = 0;             // s, from the start: a motion that ends here has passed nothing; > 0
  double gap = 0;              // m, at the start
  // Only where shapes may sink in: they are at the start so deep in each other that looking again is of no use.
  bool lost = false;
};

// What System::first_passage looks for.
struct PassageSearch {
  // Shapes that were apart are to meet at this gap, m. Negative: they may sink in, as laws that give way let them.
  // The motion is then cut where they have sunk in a little, and again before they are half through.
  double touching = 0;
  // m: how deep contact points are at the start, which the caller knows; of those that may sink in.
  double depth = 0;
  // Bodies turn by `v`, by any angle; otherwise from q to q_end, in space by at most half a revolution.
  bool turns_by_velocity = false;
};

class System {
 public:
  virtual ~System() = default;

  virtual int configuration_size() const = 0;
  virtual int velocity_size() const = 0;

  virtual Terms make_terms() const = 0;

  // The terms at an instant. With `at.q_end`, those of the step from q to q_end in at.step seconds, for
  // schemes whose velocities over the step satisfy (q_end - q)/h = N v_mid (solver/time/nonsmooth_stepper.hpp):
  //
  //   M (v_mid - v_start) = theta h (J^T lambda - Phi),   Psi(q_end) - Psi(q) = h J v_mid
  //
  // with theta = at.theta. M, Phi and J are those that make both exact: the work of J^T lambda over the step is what it
  // does to Psi, and Phi does the work of its potential. Terms::velocity is J v_start, Terms::Psi that at q, and Jdot_v
  // zero. (Discrete gradients: Gonzalez 1996; for rigid bodies Betsch and Steinmann 2001.)
  virtual void evaluate(Instant const& at, Terms& terms) const = 0;

  // qdot = N(q) v, and the rates of coordinates that have no velocity of their own (prescribed bodies).
  virtual void configuration_rate(Instant const& at, std::span<double> qdot) const = 0;

  // q after the time h with constant v: q + h N(q) v, or a better formula for coordinates with constraints
  // (unit quaternions). `rate` is configuration_rate at q with that v.
  virtual void advance_configuration(std::span<double> q, std::span<const double> v,
                                     std::span<const double> rate, double h) const {
    (void)v;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * rate[i];
  }

  // Of a step with v_mid = at.v: q becomes q_end; and the velocity at its end, where `at` has q, v and q_end.
  virtual void advance_over_step(Instant const& at, std::span<double> q, std::span<const double> rate) const {
    advance_configuration(q, at.v, rate, at.step);
  }
  virtual void velocity_at_end(Instant const& at, std::span<const double> v_mid,
                               std::span<double> v_end) const {
    for (std::size_t i = 0; i < v_end.size(); ++i) v_end[i] = 2 * v_mid[i] - at.v[i];
  }

  // Continuous collision. The motion goes from at.q to at.q_end in at.step seconds, each body with constant velocity
  // and constant angular velocity. The first pair of shapes that may touch and that it leads through each other, or
  // so far into each other that their contact points no longer tell. Nothing: the contacts at both ends tell all.
  virtual std::optional<Passage> first_passage(Instant const&, PassageSearch const&, SystemWorkspace*) const {
    return {};
  }
  virtual std::unique_ptr<SystemWorkspace> make_passage_workspace() const { return nullptr; }

  // m: the size of what moves. A length that is to be small is a share of it, so that a scene moves in the same way in any
  // units and at any size.
  virtual double length_scale(std::span<const double>) const { return 1; }
  // Whether the rows of a block are angles: those of joints against turning, limits and friction of joints that turn.
  virtual bool is_angular(BlockIdentity) const { return false; }

  // The velocities of the body of a mass block, `v` from its first one on, while all turn about the k-th axis through
  // the origin of the world by 1 rad/s; k counts from 0 to turning_axes(). r^T M v of all these is then the angular
  // momentum about this axis.
  virtual int turning_axes() const { return 0; }
  virtual void turn_about(int, int, std::span<const double>, Eigen::Ref<Eigen::VectorXd>) const {}
  // Of the velocities of every mass block, so many are translations along the axes of the world, and come first.
  virtual int translations() const { return 0; }

  // Whether the body of a mass block may spin (Instant::spins) in a motion that turns it by so many rad: no force acts on it
  // beside its centre of mass in these terms of an instant, and no other body holds it as it turns. Blocks that impacts
  // open and close are left to the caller.
  virtual bool may_spin(Terms const&, int, double) const { return false; }

  // rad/s: how fast the body of a mass block turns at this velocity.
  virtual double spin(int, std::span<const double>) const { return 0; }

  // J; it is zero at the origin of the world.
  virtual double potential_energy(Instant const& at) const = 0;

  // Whether something besides the inputs does work: a body with prescribed motion, a belt.
  virtual bool is_driven() const { return false; }

  // Whether some contact has a coefficient of restitution.
  virtual bool has_impact_laws() const { return false; }

  // For messages: the name of what a block belongs to, the same with its kind (`contact 'rod_ground'`), whether it is
  // a contact of any kind, and the bodies on its two sides as far as they are known.
  virtual std::string block_name(BlockIdentity identity) const = 0;
  virtual std::string block_description(BlockIdentity identity) const {
    return "constraint '" + block_name(identity) + "'";
  }
  virtual bool is_contact(BlockIdentity) const { return true; }
  virtual std::vector<std::string> block_sides(BlockIdentity) const { return {}; }
  // The body that a mass block belongs to, and whether the motion of a body is prescribed.
  virtual std::string mass_name(int) const { return ""; }
  virtual bool is_prescribed(std::string const&) const { return false; }

  // The sources of contact events, and the source that a block belongs to; -1: none.
  virtual std::vector<ModeSource> mode_sources() const { return {}; }
  virtual int mode_source_of(BlockIdentity) const { return -1; }
};

}  // namespace delassus
