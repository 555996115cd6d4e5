#include "solver/time/mode_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

// The value of a function without a block: detached, and not sticking. m/s2
constexpr double absent = -1;
// 1/s2. The contact function of an open contact is its gap, negative; this fine, so that the band of rounding is far
// below what a gap is known to.
constexpr double of_gap = 1e4;
// s. The velocity of a gap beside the gap: about a step of an integrator, so that both count in it.
constexpr double of_velocity = 1e-2;

// Of what is demanded of a contact, and m/s2 or N: one that carries less counts only in part for whether all stick.
constexpr double carrying = 1e-4;

// m/s2. Where no contact that is no source is open; that of one which is further apart is not larger.
constexpr double far = 1;

// Share of what is demanded of a block: by how much a function has to pass zero for an importer, whose integrator leaves
// errors of this size in the forces of contacts that share a load.
constexpr double integrated = 1e-4;

// The diagonal of A in the rows of a block.
Eigen::Vector3d diagonal(FactorTerms const& W, std::size_t block) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (FactorTerms::Term const& term : W.of_block(block)) {
    double const* number = W.numbers(term);
    for (int row = 0; row < term.rows; ++row) {
      for (int column = 0; column < term.columns; ++column, ++number) sum[row] += *number * *number;
    }
  }
  return sum;
}

struct BlockFunctions {
  bool has_contact = false, has_stick = false;
  double contact = 0, stick = 0;
};

BlockFunctions functions_of(Dynamics const& dynamics, std::size_t index) {
  ConstraintBlock const& block = dynamics.terms().blocks[index];
  ForceSetKind const kind = block.set.kind;
  BlockFunctions functions;
  if (is_free(kind)) return functions;
  Eigen::Vector3d const a = diagonal(dynamics.problem().W, index), eta = eta_of(dynamics, index);
  auto const lambda = dynamics.solution().lambda.segment(block.first_row, block.rows());
  bool const normal = has_normal(kind),
             directed = kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3,
             bilateral = kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
  int const tangential = block.rows() - (normal ? 1 : 0);
  if (normal && !bilateral) {
    functions.has_contact = true;
    functions.contact = a[tangential] * lambda[tangential] - eta[tangential];
  }
  if (tangential > 0 && !directed) {
    functions.has_stick = true;
    double const bound = block.set.limit * (normal ? std::abs(lambda[tangential]) : 1.0);
    double const a_t = a.head(tangential).mean();
    functions.stick = a_t * (bound - lambda.head(tangential).norm()) - eta.head(tangential).norm();
  }
  return functions;
}

// What a block's friction can accelerate. Little may be demanded of a joint at rest, whose friction another force loads.
double most_of_friction(Dynamics const& dynamics, std::size_t index) {
  ConstraintBlock const& block = dynamics.terms().blocks[index];
  int const tangential = block.rows() - (has_normal(block.set.kind) ? 1 : 0);
  if (tangential == 0 || is_free(block.set.kind)) return 0;
  double const normal =
      has_normal(block.set.kind) ? std::abs(dynamics.solution().lambda[block.first_row + tangential]) : 1.0;
  return diagonal(dynamics.problem().W, index).head(tangential).mean() * block.set.limit * normal;
}

}  // namespace

ModeFunctions::ModeFunctions(System const& system) : system_(&system), sources_(system.mode_sources()) {
  for (ModeSource const& source : sources_) {
    first_.push_back(count_);
    if (source.unilateral) of_contact_.push_back(1);
    if (source.frictional) of_contact_.push_back(0);
    count_ = of_contact_.size();
  }
}

void ModeFunctions::evaluate(Dynamics const& dynamics, std::vector<double>& values, Open of_open) const {
  values.assign(count_, absent);
  if (count_ == 0) return;
  // A stick function that nothing has been said of yet, so that the least of several can be taken.
  constexpr double unsaid = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count_; ++i) {
    if (!is_contact(i)) values[i] = unsaid;
  }
  auto const say = [&](int source, BlockFunctions const& said) {
    ModeSource const& of = sources_[static_cast<std::size_t>(source)];
    std::size_t const first = first_[static_cast<std::size_t>(source)];
    bool const touches = !said.has_contact || said.contact > 0;
    if (of.unilateral && said.has_contact) {
      double& contact = values[first];
      // The first to speak replaces what stands for nothing, also where it is further from contact.
      contact = contact == absent ? said.contact : std::max(contact, said.contact);
    }
    if (of.frictional && said.has_stick && touches) {
      double& stick = values[first + (of.unilateral ? 1 : 0)];
      stick = std::min(stick, said.stick);
    }
  };
  auto const& blocks = dynamics.terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    int const source = system_->mode_source_of(blocks[k].identity);
    if (source >= 0) say(source, functions_of(dynamics, k));
  }
  for (OpenContact const& open : dynamics.terms().open) {
    if (of_open == Open::nothing) break;
    int const source = system_->mode_source_of(open.identity);
    if (source >= 0) say(source, {true, false, -of_gap * open.gap, 0});
  }
  for (CompliantTouch const& touch : dynamics.terms().touches) {
    double const contact = touch.normal_force > 0 ? touch.normal_force : absent;
    say(touch.source, {true, touch.rubs, contact, touch.sticks ? 1.0 : -1.0});
  }
  for (double& value : values) {
    if (value == unsaid) value = absent;
  }
}

// As `evaluate`, but continuous in the state: what stands for none is approached, not jumped to. A point counts the less
// for the stick function, the less it carries, so that points may come and go.
void ModeFunctions::evaluate_continuously(Dynamics const& dynamics, std::vector<double>& values) const {
  struct Point {
    std::size_t source = 0;
    bool has_contact = false, has_stick = false;
    double contact = 0, stick = 0, whole = 0;  // it counts as a whole from there on
  };
  std::vector<Point> points;
  auto const& blocks = dynamics.terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    int const source = system_->mode_source_of(blocks[k].identity);
    if (source < 0) continue;
    BlockFunctions const of = functions_of(dynamics, k);
    double const demand =
        dynamics.problem().b.segment(blocks[k].first_row, blocks[k].rows()).cwiseAbs().maxCoeff();
    points.push_back({static_cast<std::size_t>(source), of.has_contact, of.has_stick, of.contact, of.stick,
                      carrying * (1 + demand)});
  }
  for (CompliantTouch const& touch : dynamics.terms().touches) {
    double const contact = touch.normal_force > 0 ? touch.normal_force : -of_gap * std::max(touch.gap, 0.0);
    points.push_back(
        {static_cast<std::size_t>(touch.source), true, touch.rubs, contact, touch.spare, carrying});
  }
  values.assign(count_, absent);
  for (Point const& point : points) {
    if (!sources_[point.source].unilateral || !point.has_contact) continue;
    double& contact = values[first_[point.source]];
    contact = std::max(contact, point.contact);
  }
  auto const share = [&](Point const& point) {
    if (!sources_[point.source].unilateral) return 1.0;
    double const contact = point.has_contact ? point.contact : values[first_[point.source]];
    return std::clamp(contact / point.whole, 0.0, 1.0);
  };
  auto const stick_of = [&](std::size_t source) -> double& {
    return values[first_[source] + (sources_[source].unilateral ? 1 : 0)];
  };
  // First the largest, which what carries nothing has in the least of all.
  std::vector<double> largest(sources_.size(), absent);
  for (Point const& point : points) {
    if (!sources_[point.source].frictional || !point.has_stick) continue;
    double const w = share(point), stick = std::max(point.stick, absent);
    largest[point.source] = std::max(largest[point.source], w * stick + (1 - w) * absent);
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].frictional) stick_of(i) = largest[i];
  }
  for (Point const& point : points) {
    if (!sources_[point.source].frictional || !point.has_stick) continue;
    double const w = share(point), stick = std::max(point.stick, absent);
    double& least = stick_of(point.source);
    least = std::min(least, w * stick + (1 - w) * largest[point.source]);
  }
}

void ModeFunctions::indicators(Dynamics const& dynamics, Sides const& sides,
                               std::vector<double>& values) const {
  evaluate_continuously(dynamics, values);
  std::vector<double> shifts;
  bands(dynamics, shifts);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool const positive = sides.size() == values.size() ? sides[i] != 0 : values[i] > 0;
    values[i] += positive ? shifts[i] : -shifts[i];
  }
  std::vector<double> least(sources_.size(), far);  // how far the open contacts of a source are from closing
  double others = far;
  for (OpenContact const& open : dynamics.terms().open) {
    int const source = system_->mode_source_of(open.identity);
    double const way = std::max(open.gap, of_velocity * open.velocity);
    double& nearest = source < 0 ? others : least[static_cast<std::size_t>(source)];
    nearest = std::min(nearest, of_gap * way + band(0));
  }
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    if (!sources_[source].unilateral || least[source] == far) continue;
    // Beside a contact that carries force, one that closes is a change to the other side.
    double& contact = values[first_[source]];
    bool const carries = contact > 0;
    contact = carries ? std::min(contact, least[source]) : std::max(contact, -least[source]);
  }
  values.push_back(others);
}

void ModeFunctions::bands(Dynamics const& dynamics, std::vector<double>& bands) const {
  bands.assign(count_, band(0));
  auto const& blocks = dynamics.terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    ConstraintBlock const& block = blocks[k];
    int const source = system_->mode_source_of(block.identity);
    if (source < 0) continue;
    double const demand = dynamics.problem().b.segment(block.first_row, block.rows()).cwiseAbs().maxCoeff();
    double const own = band(0) + integrated * std::max(demand, most_of_friction(dynamics, k));
    auto const of = static_cast<std::size_t>(source);
    std::size_t const end = of + 1 < first_.size() ? first_[of + 1] : count_;
    for (std::size_t i = first_[of]; i < end; ++i) bands[i] = std::max(bands[i], own);
  }
}

void ModeFunctions::update_sides(std::span<const double> values, std::span<const double> bands,
                                 Sides& sides) {
  bool const known = sides.size() == values.size();
  sides.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (known && std::abs(values[i]) <= bands[i]) continue;
    sides[i] = values[i] > 0 ? 1 : 0;
  }
}

void ModeFunctions::update_sides(std::span<const double> values, double band, Sides& sides) {
  bool const known = sides.size() == values.size();
  sides.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (known && std::abs(values[i]) <= band) continue;
    sides[i] = values[i] > 0 ? 1 : 0;
  }
}

ContactMode ModeFunctions::mode(std::size_t source, Sides const& sides) const {
  ModeSource const& of = sources_[source];
  std::size_t const first = first_[source];
  if (of.unilateral && sides[first] == 0) return ContactMode::detached;
  if (!of.frictional) return of.touching;
  return sides[first + (of.unilateral ? 1 : 0)] != 0 ? ContactMode::stick : ContactMode::slip;
}

bool ModeFunctions::all_stick(Sides const& sides) const {
  if (sides.size() != count_) return false;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    if (sources_[source].frictional && mode(source, sides) == ContactMode::slip) return false;
  }
  return true;
}

void ModeFunctions::modes(Dynamics const& dynamics, std::vector<ContactMode>& modes) const {
  modes.assign(sources_.size(), ContactMode::detached);
  auto const say = [&](int source, ContactMode said) {
    ContactMode& mode = modes[static_cast<std::size_t>(source)];
    mode = std::max(mode, said);  // one point that slips is a slip, one that sticks is a contact
  };
  auto const& blocks = dynamics.terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    int const source = system_->mode_source_of(blocks[k].identity);
    if (source >= 0) say(source, dynamics.solution().modes[k]);
  }
  for (CompliantTouch const& touch : dynamics.terms().touches) {
    if (!(touch.normal_force > 0)) continue;
    ContactMode const rubbing = touch.sticks ? ContactMode::stick : ContactMode::slip;
    say(touch.source, touch.rubs ? rubbing : sources_[static_cast<std::size_t>(touch.source)].touching);
  }
}

void ModeFunctions::append_events(double t, Sides const& before, Sides const& after,
                                  std::vector<ModeEvent>& events) const {
  if (before == after) return;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    ContactMode const from = mode(source, before), to = mode(source, after);
    if (from != to) events.push_back({t, static_cast<int>(source), from, to});
  }
}

}  // namespace delassus
