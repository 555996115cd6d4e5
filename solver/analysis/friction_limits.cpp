#include "solver/analysis/friction_limits.hpp"

#include <algorithm>
#include <cmath>

#include "solver/analysis/p_matrix.hpp"
#include "solver/analysis/sliding_region.hpp"
#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A singular value below this fraction of the largest is rounding.
constexpr double least_singular_value = 1e-12;

double largest_singular_value(Eigen::MatrixXd const& A) {
  return A.size() == 0 ? 0 : singular_values(A)[0];
}

double smallest_singular_value(Eigen::MatrixXd const& A) {
  Eigen::VectorXd const all = singular_values(A);
  double const smallest = all[all.size() - 1];
  return smallest > least_singular_value * all[0] ? smallest : 0;
}

double singular_value_limit(Eigen::MatrixXd const& A_n, Eigen::MatrixXd const& A_t) {
  if (A_n.size() == 0) return infinity;
  double const least = smallest_singular_value(A_n), most = largest_singular_value(A_t);
  return most > least_singular_value * A_n.norm() ? least / most : infinity;
}

// Up to here Proposition 13 is tried for every side of the bilateral normals.
constexpr Eigen::Index most_turned = 4;

// Of the ways in which contacts at rest may start the least favourable counts; of the sides of the normals, which are
// free, the most favourable.
MixedFriction best_mixed_friction(SlidingContacts const& contacts, std::vector<SlidingContacts> const& ways) {
  Eigen::Index const sides = contacts.bilateral() <= most_turned ? contacts.bilateral() : 0;
  MixedFriction best;
  for (unsigned turned = 0; turned < 1u << sides; ++turned) {
    MixedFriction worst;
    for (std::size_t way = 0; way < ways.size(); ++way) {
      MixedFriction const found = mixed_friction(with_normals_turned(ways[way], turned));
      bool const guaranteed = found.guaranteed && (way == 0 || worst.guaranteed);
      if (way == 0 || found.limit < worst.limit) worst = found;
      worst.guaranteed = guaranteed;
    }
    bool const guaranteed = best.guaranteed || worst.guaranteed;
    if (turned == 0 || worst.limit > best.limit) best = worst;
    best.guaranteed = guaranteed;
  }
  return best;
}

std::string statement_of(FrictionLimit const& limit, SlidingContacts const& contacts) {
  if (!limit.applies) return "nothing follows: " + limit.failed_assumption;
  std::string result = contacts.redundant > 0
                           ? "acceleration and contact forces (not those of redundant joints)"
                           : "acceleration and all forces";
  result += " exist and are unique, whatever acts on the bodies, ";
  result += contacts.all_slide() ? "while the contacts slide as they do"
                                 : "once the contacts slide, whichever way those at rest start";
  if (limit.guaranteed) return result;
  // Proposition 13 is a condition on all coefficients together; its limit is of one that they share.
  std::string const condition = limit.criterion == FrictionCriterion::mixed
                                    ? "with the same mu below the limit at every contact, "
                                    : "with every mu below the limit, ";
  return condition + result + "; above it the criterion says nothing";
}

}  // namespace

std::string_view text(FrictionCriterion criterion) {
  switch (criterion) {
    case FrictionCriterion::bilateral:  // (38)
      return "bilateral contacts, Propositions 9 and 11";
    case FrictionCriterion::unilateral:  // (51)
      return "unilateral contacts, Proposition 12";
    case FrictionCriterion::unilateral_beside_joints:  // (64)
      return "unilateral contacts beside frictionless bilateral ones, Proposition 14";
    case FrictionCriterion::mixed:
      return "unilateral and bilateral contacts, Proposition 13";
  }
  return "?";
}

double singular_value_limit(SlidingContacts const& contacts) {
  return singular_value_limit(contacts.A_n, contacts.every_direction());
}

SlidingContacts with_normals_turned(SlidingContacts contacts, unsigned turned) {
  for (Eigen::Index i = 0; i < contacts.bilateral(); ++i) {
    if ((turned >> i & 1u) == 0) continue;
    contacts.A_n.row(i) *= -1;
    contacts.A_n.col(i) *= -1;
    contacts.A_t.row(i) *= -1;
    contacts.A_tangents.row(i) *= -1;
  }
  return contacts;
}

MixedFriction mixed_friction(SlidingContacts const& contacts) {
  Eigen::Index const b = contacts.bilateral();
  Eigen::VectorXd const mu = contacts.mu();
  Eigen::VectorXd ones = Eigen::VectorXd::Ones(contacts.size());
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    if (contacts.contacts[static_cast<std::size_t>(i)].tangents == 0) ones[i] = 0;
  }
  MixedFriction result;
  Eigen::MatrixXd const M_0 = sliding_matrix(contacts, Eigen::VectorXd::Zero(contacts.size()));
  result.beta_2 = beta_2(M_0);
  result.bilateral_limit =
      singular_value_limit(contacts.A_n.topLeftCorner(b, b), contacts.A_t.topLeftCorner(b, b));
  auto const perturbation = [&](Eigen::VectorXd const& at) {
    double const size = largest_singular_value(sliding_matrix(contacts, at) - M_0);
    return std::isnan(size) ? infinity : size;
  };
  result.perturbation = perturbation(mu);
  result.guaranteed =
      result.beta_2 * result.perturbation < 1 && (b == 0 || mu.head(b).maxCoeff() < result.bilateral_limit);
  auto const too_much = [&](double common) { return !(result.beta_2 * perturbation(common * ones) < 1); };
  // Up to (38) A is regular. Where friction does not reach the bilateral normals there is no such end, and the first
  // power of two that is too much brackets the root.
  double end = result.bilateral_limit;
  if (end == infinity) {
    end = 1e-3;
    while (end < 1e9 && !too_much(end)) end *= 2;
    if (end >= 1e9) {
      result.limit = infinity;
      return result;
    }
  }
  // |P_mu| need not rise everywhere: the smallest root, in steps of a thousandth.
  constexpr int steps = 1000;
  double low = 0, high = end;
  bool found = false;
  for (int k = 1; k < steps && !found; ++k) {
    double const at = end * k / steps;
    found = too_much(at);
    (found ? high : low) = at;
  }
  for (int k = 0; k < 100 && high - low > 1e-15 * high; ++k) {
    double const middle = low + (high - low) / 2;
    (too_much(middle) ? high : low) = middle;
  }
  result.limit = low;
  return result;
}

std::vector<FrictionLimit> friction_limits(SlidingContacts const& all) {
  if (all.size() == 0 || all.mu().maxCoeff() <= 0) return {};
  Eigen::Index const b = all.bilateral();
  bool const frictionless = b > 0 && b < all.size() && all.mu().head(b).maxCoeff() <= 0;
  SlidingContacts const contacts = frictionless ? without_bilateral(all) : all;
  FrictionLimit result;
  result.criterion = contacts.bilateral() == contacts.size() ? FrictionCriterion::bilateral
                     : contacts.bilateral() > 0              ? FrictionCriterion::mixed
                     : contacts.eliminated > 0               ? FrictionCriterion::unilateral_beside_joints
                                                             : FrictionCriterion::unilateral;
  if (!all.not_covered.empty())
    result.failed_assumption = "dry friction of known bound sticks, which the criterion does not treat";
  else if (!normals_are_independent(contacts))
    result.failed_assumption = "the normals of the contacts are not independent, A_n is singular";
  if (result.criterion != FrictionCriterion::mixed) {
    result.limit = singular_value_limit(contacts);
    result.guaranteed = contacts.mu().maxCoeff() < result.limit;
  } else if (contacts.size() > largest_beta_2) {
    result.failed_assumption = "beta_2 is computed for up to " + std::to_string(largest_beta_2) +
                               " contacts, there are " + std::to_string(contacts.size());
  } else if (std::vector<SlidingContacts> const ways = contacts.ways_to_slide(); ways.empty()) {
    result.failed_assumption = "contacts are at rest, in space or too many, and their directions not known";
  } else {
    MixedFriction const mixed = best_mixed_friction(contacts, ways);
    result.limit = mixed.limit;
    result.guaranteed = mixed.guaranteed;
  }
  result.applies = result.failed_assumption.empty();
  result.guaranteed = result.guaranteed && result.applies;
  auto const offset = static_cast<int>(all.size() - contacts.size());
  for (Eigen::Index i = 0; i < contacts.size(); ++i) {
    double const mu = contacts.mu()[i];
    if (mu > 0 && mu >= result.limit)
      result.excesses.push_back({offset + static_cast<int>(i), mu, mu - result.limit});
  }
  result.statement = statement_of(result, contacts);
  return {result};
}

}  // namespace delassus
