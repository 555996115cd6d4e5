#include "solver/analysis/sliding_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/numbers/elementary.hpp"
#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"

namespace delassus {
namespace {

// Where the normal row and the direction of one contact lie in A.
struct Place {
  SlidingContact contact;
  Eigen::Index normal = 0;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
};

bool is_bilateral(ForceSetKind kind) {
  return kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}

Place place_of(ProblemBlock const& block, int index, std::span<const double> velocity, double slip) {
  Place place;
  place.contact.block = index;
  place.contact.bilateral = is_bilateral(block.set.kind);
  place.contact.tangents = block.rows() - 1;
  place.normal = block.first + place.contact.tangents;
  if (place.contact.tangents == 0) return place;
  place.direction[0] = 1;
  if (block.set.kind == ForceSetKind::directed2 || block.set.kind == ForceSetKind::directed3) {
    // The friction is given with its direction: it slides against it.
    Eigen::Vector2d const given(-block.set.direction[0],
                                place.contact.tangents > 1 ? -block.set.direction[1] : 0);
    place.contact.mu = given.norm();
    place.contact.slides = true;
    if (place.contact.mu > 0) place.direction = given / place.contact.mu;
    return place;
  }
  place.contact.mu = block.set.limit;
  Eigen::Vector2d sliding = Eigen::Vector2d::Zero();
  for (int t = 0; t < place.contact.tangents; ++t)
    sliding[t] = velocity[static_cast<std::size_t>(block.first + t)];
  place.contact.slides = sliding.norm() > slip;
  if (place.contact.slides) place.direction = sliding.normalized();
  return place;
}

}  // namespace

Eigen::Index SlidingContacts::bilateral() const {
  return std::count_if(contacts.begin(), contacts.end(), [](auto const& c) { return c.bilateral; });
}

Eigen::VectorXd SlidingContacts::mu() const {
  Eigen::VectorXd result(size());
  for (Eigen::Index i = 0; i < size(); ++i) result[i] = contacts[static_cast<std::size_t>(i)].mu;
  return result;
}

Eigen::MatrixXd SlidingContacts::every_direction() const {
  Eigen::MatrixXd result(size(), A_tangents.cols());
  Eigen::Index used = 0, first = 0;
  for (Eigen::Index i = 0; i < size(); ++i) {
    SlidingContact const& contact = contacts[static_cast<std::size_t>(i)];
    if (contact.mu > 0 && contact.slides) result.col(used++) = A_t.col(i);
    if (contact.mu > 0 && !contact.slides) {
      result.middleCols(used, contact.tangents) = A_tangents.middleCols(first, contact.tangents);
      used += contact.tangents;
    }
    first += contact.tangents;
  }
  return result.leftCols(used);
}

bool SlidingContacts::all_slide() const {
  return resting().empty();
}

std::vector<Eigen::Index> SlidingContacts::resting() const {
  std::vector<Eigen::Index> result;
  for (Eigen::Index i = 0; i < size(); ++i) {
    SlidingContact const& contact = contacts[static_cast<std::size_t>(i)];
    if (contact.mu > 0 && !contact.slides) result.push_back(i);
  }
  return result;
}

std::vector<SlidingContacts> SlidingContacts::ways_to_slide() const {
  std::vector<Eigen::Index> const at_rest = resting();
  bool const planar = std::all_of(at_rest.begin(), at_rest.end(), [this](Eigen::Index i) {
    return contacts[static_cast<std::size_t>(i)].tangents == 1;
  });
  if (!planar || at_rest.size() > 10 || 1 << at_rest.size() > most_ways) return {};
  std::vector<SlidingContacts> result;
  for (unsigned way = 0; way < 1u << at_rest.size(); ++way) {
    result.push_back(*this);
    for (std::size_t k = 0; k < at_rest.size(); ++k) {
      if (way >> k & 1u) result.back().A_t.col(at_rest[k]) *= -1;
    }
  }
  return result;
}

bool normals_are_independent(SlidingContacts const& contacts) {
  if (contacts.size() == 0) return true;
  Eigen::VectorXd const eigenvalues = symmetric_eigenvalues(contacts.A_n);
  return eigenvalues[0] > LeastNorm::rank_tolerance * eigenvalues[contacts.size() - 1];
}

SlidingContacts sliding_contacts(ContactProblem const& problem, std::span<const double> velocity,
                                 std::span<const int> blocks, double slip) {
  SlidingContacts result;
  std::vector<Place> places;
  std::vector<Eigen::Index> joints;
  for (int const k : blocks) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    if (has_normal(block.set.kind)) {
      places.push_back(place_of(block, k, velocity, slip));
    } else if (is_free(block.set.kind)) {
      for (int row = 0; row < block.rows(); ++row) joints.push_back(block.first + row);
    } else {
      double speed = 0;
      for (int row = 0; row < block.rows(); ++row)
        speed = elementary::hypot(speed, velocity[static_cast<std::size_t>(block.first + row)]);
      if (speed <= slip && block.set.limit > 0) result.not_covered.push_back(k);
    }
  }
  std::stable_partition(places.begin(), places.end(), [](Place const& p) { return p.contact.bilateral; });

  Eigen::MatrixXd A = problem.dense();
  if (!joints.empty()) {
    // Where joints are redundant, any of their forces has the same effect, so that the pseudo-inverse will do.
    OrthogonalDecomposition const inner(A(joints, joints), LeastNorm::rank_tolerance);
    result.eliminated = static_cast<int>(joints.size());
    result.redundant = result.eliminated - static_cast<int>(inner.rank());
    Eigen::MatrixXd const across = A(joints, Eigen::all);
    Eigen::VectorXd const before = A.diagonal();
    A -= across.transpose() * inner.solve_columns(across);
    // What the joints hold already moves no more, but for rounding.
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (A(i, i) > 1e-12 * before[i]) continue;
      A.row(i).setZero();
      A.col(i).setZero();
    }
  }
  auto const count = static_cast<Eigen::Index>(places.size());
  result.A_n.resize(count, count);
  result.A_t = Eigen::MatrixXd::Zero(count, count);
  std::vector<Eigen::Index> normals;
  for (Place const& place : places) {
    result.contacts.push_back(place.contact);
    normals.push_back(place.normal);
  }
  result.A_n = A(normals, normals);
  std::vector<Eigen::Index> tangents;
  for (Eigen::Index i = 0; i < count; ++i) {
    Place const& place = places[static_cast<std::size_t>(i)];
    for (int t = 0; t < place.contact.tangents; ++t) {
      tangents.push_back(place.normal - place.contact.tangents + t);
      result.A_t.col(i) += A(normals, tangents.back()) * place.direction[t];
    }
  }
  result.A_tangents = A(normals, tangents);
  return result;
}

SlidingContacts sliding_contacts(ContactProblem const& problem, std::span<const double> velocity) {
  std::vector<int> all(problem.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return sliding_contacts(problem, velocity, all);
}

SlidingContacts without_bilateral(SlidingContacts const& all) {
  Eigen::Index const bilateral = all.bilateral(), count = all.size() - bilateral;
  SlidingContacts result = all;
  result.contacts.erase(result.contacts.begin(), result.contacts.begin() + bilateral);
  OrthogonalDecomposition const inner(all.A_n.topLeftCorner(bilateral, bilateral), LeastNorm::rank_tolerance);
  Eigen::MatrixXd const right = all.A_n.topRightCorner(bilateral, count);
  Eigen::MatrixXd const across = inner.solve_columns(right).transpose();  // A_nunb A_nb^-1
  auto const reduced = [&](Eigen::MatrixXd const& A) -> Eigen::MatrixXd {
    return A.bottomRows(count) - across * A.topRows(bilateral);
  };
  result.A_n = reduced(all.A_n).rightCols(count);
  result.A_t = reduced(all.A_t).rightCols(count);
  Eigen::Index tangents = 0;
  for (SlidingContact const& contact : result.contacts) tangents += contact.tangents;
  result.A_tangents = reduced(all.A_tangents).rightCols(tangents);
  result.eliminated += static_cast<int>(bilateral);
  result.redundant += static_cast<int>(bilateral - inner.rank());
  return result;
}

}  // namespace delassus
