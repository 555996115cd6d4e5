#include "solver/analysis/configuration_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// Pivots of the rows of joints below this fraction of the largest are rounding: the rows are redundant there.
constexpr double rank_threshold = 1e-9;

}  // namespace

// Asked with a step of a second, a scene lists contacts that are still far apart.
ConfigurationManifold::ConfigurationManifold(System const& system, Instant const& at,
                                             std::vector<BlockIdentity> held)
    : system_(&system),
      at_(at),
      rest_(static_cast<std::size_t>(system.velocity_size()), 0.0),
      held_(std::move(held)),
      terms_(system.make_terms()) {
  at_.step = 1;
  at_.v = rest_;
  std::sort(held_.begin(), held_.end());
}

// The position rows of the held blocks: of a frictional contact the normal row, of a joint all of them.
ConfigurationManifold::Rows ConfigurationManifold::rows_at(std::span<const double> q) {
  at_.q = q;
  system_->evaluate(at_, terms_);
  std::vector<Eigen::Index> place(terms_.blocks.size(), -1);
  Eigen::Index count = 0;
  auto const position_rows = [](ConstraintBlock const& block) {
    return is_free(block.set.kind) ? block.rows() : has_normal(block.set.kind) ? 1 : 0;
  };
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    if (!std::binary_search(held_.begin(), held_.end(), terms_.blocks[k].identity)) continue;
    place[k] = count;
    count += position_rows(terms_.blocks[k]);
  }
  Rows rows{Eigen::MatrixXd::Zero(count, system_->velocity_size()), Eigen::VectorXd::Zero(count)};
  for (std::size_t i = 0; i < terms_.J.size(); ++i) {
    auto const& term = terms_.J.term(i);
    auto const k = static_cast<std::size_t>(term.block);
    if (place[k] < 0) continue;
    int const kept = position_rows(terms_.blocks[k]);
    rows.J.block(place[k], terms_.M[static_cast<std::size_t>(term.mass)].first, kept, term.columns) +=
        terms_.J[i].bottomRows(kept);
  }
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    if (place[k] < 0) continue;
    ConstraintBlock const& block = terms_.blocks[k];
    int const kept = position_rows(block);
    for (int i = 0; i < kept; ++i)
      rows.Psi[place[k] + i] =
          terms_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - kept + i)];
  }
  return rows;
}

Eigen::MatrixXd ConfigurationManifold::tangents_at(std::span<const double> q) {
  Rows const rows = rows_at(q);
  Eigen::Index const size = system_->velocity_size();
  if (rows.J.rows() == 0) return Eigen::MatrixXd::Identity(size, size);
  return OrthogonalDecomposition(rows.J.transpose(), rank_threshold).complement();
}

void ConfigurationManifold::advance(std::span<double> q, Eigen::Ref<const Eigen::VectorXd> v) const {
  // In parts of a tenth, so that a quaternion turns as far as it should.
  int const parts = 1 + static_cast<int>(10 * v.norm());
  std::vector<double> velocity(v.data(), v.data() + v.size()), rate(q.size());
  for (double& x : velocity) x /= parts;
  for (int i = 0; i < parts; ++i) {
    Instant at = at_;
    at.q = q;
    at.v = velocity;
    system_->configuration_rate(at, rate);
    system_->advance_configuration(q, velocity, rate, 1);
  }
}

int ConfigurationManifold::dimension(std::span<const double> q) {
  return static_cast<int>(tangents_at(q).cols());
}

bool ConfigurationManifold::close(std::span<double> q) {
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    Rows const rows = rows_at(q);
    double const error = rows.Psi.size() == 0 ? 0 : rows.Psi.cwiseAbs().maxCoeff();
    if (!std::isfinite(error) || error > 1e3) return false;
    // As near as rounding lets it: it no longer falls.
    if (error < 1e-11 && !(error < last / 2)) return true;
    last = error;
    advance(q, OrthogonalDecomposition(rows.J, rank_threshold).solve(-rows.Psi));
  }
  return last < 1e-11;
}

bool ConfigurationManifold::move(std::span<const double> from, std::span<const double> tangent,
                                 std::span<double> to) {
  Eigen::MatrixXd const basis = tangents_at(from);
  Eigen::Map<const Eigen::VectorXd> const along(tangent.data(), static_cast<Eigen::Index>(tangent.size()));
  std::copy(from.begin(), from.end(), to.begin());
  if (basis.cols() != along.size()) return false;
  advance(to, basis * along);
  return close(to);
}

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// Newton's method with the eigenvalues of the second derivative made positive, derivatives by differences in the
// tangent space of the present configuration.
class Descent {
 public:
  Descent(ConfigurationManifold& manifold, std::function<double(std::span<const double>)> const& quantity)
      : manifold_(manifold), quantity_(quantity) {}

  // The minimum that is reached from q; its value is infinite where none is.
  ConfigurationMinimum from(std::vector<double> q) {
    int const size = manifold_.dimension(q);
    double value = quantity_(q);
    for (int iteration = 0; iteration < 200 && std::isfinite(value); ++iteration) {
      Derivatives const at = derivatives(q, value, size);
      if (!at.known) break;
      SymmetricEigen const eigen(at.second);
      double const largest = eigen.values.cwiseAbs().maxCoeff();
      double const flat = 1e-5 * std::max(largest, std::abs(value));
      Eigen::VectorXd coordinates = eigen.vectors.transpose() * at.first;
      for (int i = 0; i < size; ++i) coordinates[i] /= std::max(std::abs(eigen.values[i]), flat);
      Eigen::VectorXd step = -(eigen.vectors * coordinates);
      double const promised = -at.first.dot(step);  // twice what the step would gain
      if (step.norm() > 0.3) step *= 0.3 / step.norm();
      bool const bottom = eigen.values.minCoeff() > -flat;
      bool lower = false;
      for (int halving = 0; halving < 12 && !lower; ++halving, step /= 2) {
        std::vector<double> next(q.size());
        if (!manifold_.move(q, {step.data(), static_cast<std::size_t>(size)}, next)) continue;
        double const there = quantity_(next);
        if (!(there < value)) continue;
        lower = true;
        q = std::move(next);
        value = there;
      }
      if (lower) continue;
      // No way down: a minimum, if none was promised either; else an edge.
      if (bottom && promised < 1e-9 * std::abs(value)) return {q, value};
      break;
    }
    return {q, unknown};
  }

 private:
  struct Derivatives {
    Eigen::VectorXd first;
    Eigen::MatrixXd second;
    bool known = true;
  };

  // Fourth-order differences for the slope, which decides the configuration; second-order ones for the curvature.
  Derivatives derivatives(std::vector<double> const& q, double value, int size) {
    Derivatives result{Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
    std::vector<double> there(q.size());
    auto const at = [&](Eigen::VectorXd const& tangent) {
      if (!manifold_.move(q, {tangent.data(), static_cast<std::size_t>(size)}, there)) return unknown;
      return quantity_(there);
    };
    double const h = 1e-3;
    for (int i = 0; i < size; ++i) {
      Eigen::VectorXd const e = Eigen::VectorXd::Unit(size, i) * h;
      double const one = at(e), minus_one = at(-e), two = at(2 * e), minus_two = at(-2 * e);
      result.first[i] = (8 * (one - minus_one) - (two - minus_two)) / (12 * h);
      result.second(i, i) = (one - 2 * value + minus_one) / (h * h);
      for (int j = 0; j < i; ++j) {
        Eigen::VectorXd const f = Eigen::VectorXd::Unit(size, j) * h;
        result.second(i, j) = result.second(j, i) =
            (at(e + f) - at(e - f) - at(f - e) + at(-e - f)) / (4 * h * h);
      }
    }
    result.known = result.first.allFinite() && result.second.allFinite();
    return result;
  }

  ConfigurationManifold& manifold_;
  std::function<double(std::span<const double>)> const& quantity_;
};

}  // namespace

std::vector<ConfigurationMinimum> local_minima(ConfigurationManifold& manifold, std::span<const double> q,
                                               std::function<double(std::span<const double>)> const& quantity,
                                               ConfigurationSearch const& search) {
  std::vector<ConfigurationMinimum> minima;
  std::mt19937_64 engine(search.seed);
  // Not a distribution of the library, whose numbers differ between libraries.
  auto const uniform = [&] { return 2 * (static_cast<double>(engine() >> 11U) * 0x1p-53) - 1; };
  std::vector<double> place(q.begin(), q.end());
  if (!manifold.close(place)) return minima;
  Descent descent(manifold, quantity);
  for (int start = 0; start < search.starts; ++start) {
    if (start > 0) {
      // Straight on for a while, then another way: the walk leads on from where the last began.
      double walked = 0;
      while (walked < search.length) {
        int const size = manifold.dimension(place);
        if (size == 0) break;
        std::vector<double> tangent(static_cast<std::size_t>(size)), next(place.size());
        double length = 0;
        for (double& x : tangent) {
          x = uniform();
          length += x * x;
        }
        for (double& x : tangent) x *= 0.5 / std::sqrt(length);
        walked += 0.5;
        if (manifold.move(place, tangent, next)) place = next;
      }
    }
    ConfigurationMinimum const found = descent.from(place);
    if (!std::isfinite(found.value)) continue;
    bool const known = std::any_of(minima.begin(), minima.end(), [&](ConfigurationMinimum const& minimum) {
      return std::abs(minimum.value - found.value) <= 1e-8 * std::abs(found.value);
    });
    if (!known) minima.push_back(found);
  }
  std::stable_sort(minima.begin(), minima.end(),
                   [](auto const& x, auto const& y) { return x.value < y.value; });
  return minima;
}

}  // namespace delassus
