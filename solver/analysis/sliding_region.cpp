#include "solver/analysis/sliding_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "model/numbers/elementary.hpp"
#include "solver/analysis/p_matrix.hpp"
#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

constexpr Eigen::Index most_contacts = 16;    // whose 2^m cones are gone through
constexpr Eigen::Index most_for_degree = 10;  // the same, in maps where it is done at every point

// p_i and n_i of (57).
struct Generators {
  Eigen::MatrixXd p, n;
};

Generators generators(SlidingContacts const& contacts, Eigen::Ref<const Eigen::VectorXd> mu) {
  Eigen::Index const count = contacts.size(), bilateral = contacts.bilateral();
  Eigen::MatrixXd const friction = contacts.A_t * mu.asDiagonal();
  Generators result{contacts.A_n - friction, -Eigen::MatrixXd::Identity(count, count)};
  result.n.leftCols(bilateral) = (-contacts.A_n - friction).leftCols(bilateral);
  return result;
}

// The sides of each contact that a number from 0 to 2^m - 1 stands for, and the solution within their cone.
class Cones {
 public:
  explicit Cones(Generators const& all) : all_(all), columns_(all.p.rows(), all.p.cols()) {}

  bool positive(unsigned cone, Eigen::Index i) const { return (cone >> i & 1u) == 0; }

  // x and y together, where this cone's generators are independent and the load lies in it.
  bool solve(unsigned cone, Eigen::VectorXd const& load, double tolerance) {
    for (Eigen::Index i = 0; i < columns_.cols(); ++i)
      columns_.col(i) = positive(cone, i) ? all_.p.col(i) : all_.n.col(i);
    factor_ = PivotedLu(columns_);
    if (!factor_.is_invertible()) return false;
    parts = factor_.solve(load);
    return parts.minCoeff() >= -tolerance * std::max(parts.cwiseAbs().maxCoeff(), 1e-300);
  }
  // Of the piece of the map on this orthant, whose columns are p_i and -n_i.
  double orientation(unsigned cone) const {
    double sign = factor_.determinant() > 0 ? 1 : -1;
    for (Eigen::Index i = 0; i < columns_.cols(); ++i) sign = positive(cone, i) ? sign : -sign;
    return sign;
  }

  Eigen::VectorXd parts;

 private:
  Generators const& all_;
  Eigen::MatrixXd columns_;
  PivotedLu factor_;
};

double cross(Eigen::Vector2d const& a, Eigen::Vector2d const& b) {
  return a[0] * b[1] - a[1] * b[0];
}

// Whether the four cones of two contacts fill the plane: between two neighbours of the four generators, by angle,
// a direction in the middle must lie in one of the cones. Cones that are only a ray or a line do not count: what the
// others leave out is open.
bool plane_is_filled(Generators const& all) {
  std::array<Eigen::Vector2d, 4> const rays{all.p.col(0), all.n.col(0), all.p.col(1), all.n.col(1)};
  std::array<double, 5> angles{};
  for (std::size_t i = 0; i < 4; ++i) angles[i] = elementary::atan2(rays[i][1], rays[i][0]);
  std::sort(angles.begin(), angles.begin() + 4);
  angles[4] = angles[0] + 2 * M_PI;
  auto const inside = [](Eigen::Vector2d a, Eigen::Vector2d b, Eigen::Vector2d const& v) {
    if (cross(a, b) < 0) std::swap(a, b);
    return cross(a, b) > 1e-14 * a.norm() * b.norm() && cross(a, v) >= 0 && cross(v, b) >= 0;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    if (angles[i + 1] - angles[i] < 1e-12) continue;
    double const middle = (angles[i] + angles[i + 1]) / 2;
    Eigen::Vector2d const v(elementary::cos(middle), elementary::sin(middle));
    if (!inside(rays[0], rays[2], v) && !inside(rays[0], rays[3], v) && !inside(rays[1], rays[2], v) &&
        !inside(rays[1], rays[3], v))
      return false;
  }
  return true;
}

// The degree of the piecewise linear map: the number of solutions of a load in general position, each counted with
// its orientation. It is the same for all loads where no cone is flat, and where it is not zero none is without.
// Zero also where a cone is flat.
int degree(Generators const& all) {
  Eigen::Index const count = all.p.rows();
  Eigen::VectorXd load(count);
  for (Eigen::Index i = 0; i < count; ++i) load[i] = elementary::sin(1 + 7.3 * static_cast<double>(i));
  Cones cones(all);
  double sum = 0;
  for (unsigned cone = 0; cone < 1u << count; ++cone) {
    bool const inside = cones.solve(cone, load, 0);
    if (cones.parts.size() == 0) return 0;
    if (inside) sum += cones.orientation(cone);
    cones.parts.resize(0);
  }
  return static_cast<int>(sum);
}

Certainty existence(Generators const& all) {
  if (all.p.rows() == 1) return certainty(all.p(0, 0) * all.n(0, 0) < 0);
  if (all.p.rows() == 2) return certainty(plane_is_filled(all));
  if (all.p.rows() > most_for_degree) return Certainty::unknown;
  return degree(all) != 0 ? Certainty::yes : Certainty::unknown;
}

}  // namespace

Eigen::MatrixXd sliding_matrix(SlidingContacts const& contacts, Eigen::Ref<const Eigen::VectorXd> mu) {
  Eigen::Index const b = contacts.bilateral(), u = contacts.size() - b;
  Eigen::MatrixXd const friction = contacts.A_t * mu.asDiagonal();
  Eigen::MatrixXd const minus = contacts.A_n - friction, plus = contacts.A_n + friction;
  Eigen::MatrixXd result(b + u, b + u);
  result.bottomRightCorner(u, u) = minus.bottomRightCorner(u, u);
  if (b == 0) return result;
  // A, B, C, Abar, Cbar, D of (58).
  PivotedLu const A(minus.topLeftCorner(b, b));
  if (!A.is_invertible()) {
    result.setConstant(std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  Eigen::MatrixXd const C = minus.bottomLeftCorner(u, b), C_bar = plus.bottomLeftCorner(u, b);
  result.topLeftCorner(b, b) = A.solve_columns(plus.topLeftCorner(b, b));
  result.topRightCorner(b, u) = -A.solve_columns(minus.topRightCorner(b, u));
  result.bottomLeftCorner(u, b) = C * result.topLeftCorner(b, b) - C_bar;
  result.bottomRightCorner(u, u) += C * result.topRightCorner(b, u);
  return result;
}

SlidingRegion sliding_region(SlidingContacts const& contacts, Eigen::Ref<const Eigen::VectorXd> mu) {
  SlidingRegion result;
  if (contacts.size() == 0) {
    result.unique = result.exists = Certainty::yes;
    return result;
  }
  result.independent = normals_are_independent(contacts);
  Eigen::MatrixXd const M = sliding_matrix(contacts, mu);
  if (!result.independent || !M.allFinite()) {
    result.unique = Certainty::no;  // a cone is flat: some load has infinitely many solutions or none
  } else {
    PMatrix const test = test_p_matrix(M);
    result.unique = test.is_p;
    if (contacts.bilateral() == 0) result.together = test.rows;
  }
  result.exists = result.unique == Certainty::yes ? Certainty::yes : existence(generators(contacts, mu));
  return result;
}

SlidingRegion sliding_region(SlidingContacts const& contacts) {
  SlidingRegion result;
  std::vector<SlidingContacts> const ways = contacts.ways_to_slide();
  if (ways.empty()) {
    result.independent = normals_are_independent(contacts);
    if (!result.independent) result.unique = Certainty::no;
    return result;
  }
  result.unique = result.exists = Certainty::yes;
  for (SlidingContacts const& way : ways) {
    SlidingRegion const found = sliding_region(way, way.mu());
    if (result.unique == Certainty::yes) result.together = found.together;
    result.unique = both(result.unique, found.unique);
    result.exists = both(result.exists, found.exists);
    result.independent = found.independent;
  }
  return result;
}

std::vector<Eigen::VectorXd> sliding_solutions(SlidingContacts const& contacts,
                                               Eigen::Ref<const Eigen::VectorXd> mu,
                                               Eigen::Ref<const Eigen::VectorXd> w) {
  Eigen::Index const count = contacts.size();
  if (count > most_contacts)
    throw std::invalid_argument("sliding_solutions: " + std::to_string(count) + " contacts have 2^" +
                                std::to_string(count) + " cases; give at most " +
                                std::to_string(most_contacts));
  Generators const all = generators(contacts, mu);
  Cones cones(all);
  Eigen::VectorXd const load = -w;
  std::vector<Eigen::VectorXd> result, known;  // known: x - y of each
  for (unsigned cone = 0; cone < 1u << count; ++cone) {
    if (!cones.solve(cone, load, 1e-12)) continue;
    Eigen::VectorXd signed_parts = cones.parts.cwiseMax(0);
    for (Eigen::Index i = 0; i < count; ++i) signed_parts[i] *= cones.positive(cone, i) ? 1 : -1;
    bool const again = std::any_of(known.begin(), known.end(), [&](Eigen::VectorXd const& other) {
      return (other - signed_parts).norm() <= 1e-9 * signed_parts.norm();
    });
    if (again) continue;
    known.push_back(signed_parts);
    result.push_back(signed_parts);
    Eigen::Index const unilateral = count - contacts.bilateral();
    result.back().tail(unilateral) = signed_parts.tail(unilateral).cwiseMax(0);
  }
  return result;
}

}  // namespace delassus
