// Bounds on friction below which sliding contacts have one solution, whatever acts on them (Blumentals, Brogliato,
// Bertails-Descoubes 2016, section 3). They are sufficient; `sliding_region` is exact, but takes 2^m cases.
//
//   bilateral   Propositions 9 and 11   mu < sigma_min(A_nb)/sigma_max(A_tb)                           (38)
//   unilateral  Proposition 12          mu < sigma_min(A_nu)/sigma_max(A_tu)                           (51)
//               Proposition 14, with joints or bilateral contacts without friction: A_nu and A_tu are the
//               Schur complements over them                                                            (64)
//   mixed       Proposition 13          |P_mu|_2 < 1/beta_2(M_ub^0) and mu_b < (38), P_mu = M_ub^mu - M_ub^0 of (58)
//
// Misprints in (57) and (62) are corrected in `sliding_matrix`: the factor of lambda^- in the second line of (57) is
// A_nunb + A_nutb[mu xi], and (62) has 2 C K_mu; P_mu is formed as a difference, without the series (60)-(63).
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "solver/analysis/sliding_contacts.hpp"

namespace delassus {

enum class FrictionCriterion { bilateral, unilateral, unilateral_beside_joints, mixed };

// With its proposition, for users.
std::string_view text(FrictionCriterion criterion);

struct FrictionExcess {
  int contact = 0;    // index into SlidingContacts
  double mu = 0;      // 1
  double excess = 0;  // 1: by how much mu is above the limit
};

struct FrictionLimit {
  FrictionCriterion criterion = FrictionCriterion::unilateral;
  // Of every friction coefficient, in the mixed case of one that all contacts share, 1. Infinite where friction does
  // not act on the normal motion, NaN where it was not computed.
  double limit = std::numeric_limits<double>::quiet_NaN();
  bool applies = false;                  // the assumptions hold
  std::string failed_assumption;         // the first that does not
  std::vector<FrictionExcess> excesses;  // the contacts at or above the limit
  bool guaranteed = false;               // applies, and the coefficients as they are meet the condition
  std::string statement;                 // what follows, in a sentence
};

// The bounds that fit these contacts: one, or none where no contact has friction.
std::vector<FrictionLimit> friction_limits(SlidingContacts const& contacts);

// sigma_min(A_n)/sigma_max(A_t) over all contacts, in every direction that they may slide in.
double singular_value_limit(SlidingContacts const& contacts);

// Proposition 13.
struct MixedFriction {
  double beta_2 = 0;           // of M_ub^0 (59)
  double bilateral_limit = 0;  // (38) of the bilateral contacts only
  // The friction coefficient, the same at every contact, up to which both conditions hold: the smallest root of
  // |P_mu|_2 = 1/beta_2.
  double limit = 0;
  double perturbation = 0;  // |P_mu|_2 at the coefficients as they are
  bool guaranteed = false;  // at the coefficients as they are
};

// With the normals as they are. For bilateral contacts it is arbitrary which side the normal points to. The problem
// is the same, but P_mu is not, and neither is the bound (the ladder has .7519 with the normal of the wall into
// the room, .4084 into the wall).
MixedFriction mixed_friction(SlidingContacts const& contacts);

// The same contacts with the normals of some bilateral ones turned round: bit i of `turned` stands for contact i.
SlidingContacts with_normals_turned(SlidingContacts contacts, unsigned turned);

}  // namespace delassus
