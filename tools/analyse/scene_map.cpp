#include "tools/analyse/scene_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"
#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/rigid_problem.hpp"
#include "solver/time/sliding_state.hpp"
#include "tools/analyse/contact_view.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

int block_of(SceneInstant& scene, BlockIdentity contact) {
  auto const& blocks = scene.dynamics().terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (blocks[k].identity == contact) return static_cast<int>(k);
  }
  return -1;
}

template <double (*value)(GeneralisedFrictionCone const&)>
double of_cone(SceneInstant& scene, BlockIdentity contact) {
  int const block = block_of(scene, contact);
  return block < 0 ? nothing : value(cone_of(scene, block));
}

template <double (*value)(SlidingState const&)>
double of_song(SceneInstant& scene, BlockIdentity contact) {
  int const block = block_of(scene, contact);
  if (block < 0) return nothing;
  SlidingState const state = sliding_state(scene.dynamics(), static_cast<std::size_t>(block));
  return state.slides ? value(state) : nothing;
}

double relaxed_solutions(SceneInstant& scene, BlockIdentity) {
  return all_solutions(scene.dynamics().problem()).count();
}

double rigid_solutions(SceneInstant& scene, BlockIdentity) {
  RigidProblem const rigid = rigid_problem(scene.model().system(), scene.instant());
  AllSolutionsSettings settings;
  settings.sliding = rigid.sliding;
  return all_solutions(rigid.problem, settings).count();
}

double mu_jam(GeneralisedFrictionCone const& cone) {
  return cone.mu_jam;
}
double mu_crit(GeneralisedFrictionCone const& cone) {
  return cone.mu_crit;
}
double margin(GeneralisedFrictionCone const& cone) {
  return cone.margin();
}
double locking_angle(GeneralisedFrictionCone const& cone) {
  return cone.locking_angle;
}
double song_A(SlidingState const& state) {
  return state.A;
}
double song_B(SlidingState const& state) {
  return state.B;
}

}  // namespace

std::vector<MapQuantity> const& map_quantities() {
  static std::vector<MapQuantity> const quantities{
      {"mu_jam", "", "friction from which on some sliding directions jam", false, of_cone<mu_jam>},
      {"mu_crit", "", "friction from which on an impact can end sliding", false, of_cone<mu_crit>},
      {"margin", "", "mu_jam - mu", false, of_cone<margin>},
      {"locking_angle", "rad", "angle of the sliding directions that jam", false, of_cone<locking_angle>},
      {"A", "1/kg", "of the rigid sliding contact, Song et al.", false, of_song<song_A>},
      {"B", "m/s2", "of the rigid sliding contact, Song et al.", false, of_song<song_B>},
      {"solutions", "", "number of solutions of the problem that the simulation solves", true,
       relaxed_solutions},
      {"rigid_solutions", "", "number of solutions as rigid bodies", true, rigid_solutions}};
  return quantities;
}

MapQuantity const& find_quantity(std::string const& name) {
  std::vector<std::string_view> names;
  for (auto const& quantity : map_quantities()) {
    if (quantity.name == name) return quantity;
    names.push_back(quantity.name);
  }
  auto const near = did_you_mean(name, names);
  throw CommandError(ExitCode::usage, fmt::format("there is no quantity '{}' to map; it must be one of {}{}",
                                                  name, fmt::join(names, ", "),
                                                  near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

MapRange parse_range(SceneInstant& scene, std::string const& text) {
  auto const fail = [&](std::string const& rule) -> CommandError {
    return CommandError(
        ExitCode::usage,
        fmt::format("--over {}: {}; write NAME=FROM:TO:POINTS, such as rod.initial.angle=5deg:85deg:60", text,
                    rule));
  };
  auto const equals = text.find('=');
  if (equals == std::string::npos) throw fail("there is no '='");
  MapRange range;
  range.name = text.substr(0, equals);
  if (!scene.can_be_set(range.name) && !scene.is_output(range.name))
    throw fail("'" + range.name + "' is neither a parameter nor an input nor an output");
  UnitId const unit = scene.unit_of(range.name);
  range.is_angle = unit == UnitId::radian;
  std::string const values = text.substr(equals + 1);
  auto const first = values.find(':'),
             second = first == std::string::npos ? first : values.find(':', first + 1);
  if (second == std::string::npos) throw fail("two colons are needed");
  auto const from = parse_number(values.substr(0, first), unit),
             to = parse_number(values.substr(first + 1, second - first - 1), unit);
  auto const points = parse_number(values.substr(second + 1));
  if (!from || !to) throw fail("the ends are not numbers");
  if (!points || *points < 2 || *points > 100000 || *points != std::floor(*points))
    throw fail("the number of points must be a whole number from 2 to 100000");
  if (!(*from < *to)) throw fail("the first end must be below the second");
  range.from = *from;
  range.to = *to;
  range.points = static_cast<int>(*points);
  return range;
}

BlockIdentity find_contact(SceneInstant& scene, std::string const& name) {
  std::vector<BlockIdentity> identities;
  for (int const block : contact_blocks(scene))
    identities.push_back(scene.dynamics().terms().blocks[static_cast<std::size_t>(block)].identity);
  auto const names = block_names(scene.model().system(), identities);
  for (std::size_t i = 0; i < names.size(); ++i) {
    // The name without an index stands for the first of several points.
    if (name.empty() || names[i] == name || names[i] == name + "#1") return identities[i];
  }
  if (names.empty())
    throw CommandError(ExitCode::usage,
                       "no rigid contact of the scene is near enough to carry a force at this instant");
  throw CommandError(ExitCode::usage, fmt::format("there is no contact '{}' at this instant; there are {}",
                                                  name, fmt::join(names, ", ")));
}

SceneMap::SceneMap(SceneInstant& scene, BlockIdentity contact, MapQuantity const& quantity,
                   std::vector<MapRange> ranges)
    : scene_(&scene), contact_(contact), quantity_(&quantity), ranges_(std::move(ranges)), q_(scene.q()) {
  for (auto const& range : ranges_) moves_ = moves_ || !scene.can_be_set(range.name);
}

// Newton's method in the tangents of what is allowed, of least norm: other coordinates stay as near as they can.
bool SceneMap::reach(std::vector<double> const& coordinates) {
  std::vector<BlockIdentity> held{contact_};
  for (auto const& block : scene_->dynamics().terms().blocks) {
    if (is_free(block.set.kind)) held.push_back(block.identity);
  }
  ConfigurationManifold manifold(scene_->model().system(), scene_->instant(), held);
  std::vector<double> const rest(scene_->v().size(), 0.0);
  std::vector<double> q = q_, moved(q.size());
  if (!manifold.close(q)) return false;
  std::vector<std::size_t> read;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (!scene_->can_be_set(ranges_[i].name)) read.push_back(i);
  }
  auto const errors = [&](std::vector<double> const& at) {
    scene_->place(at, rest);
    Eigen::VectorXd error(static_cast<Eigen::Index>(read.size()));
    for (std::size_t i = 0; i < read.size(); ++i) {
      double difference = scene_->output(ranges_[read[i]].name) - coordinates[read[i]];
      if (ranges_[read[i]].is_angle) difference = std::remainder(difference, 2 * M_PI);
      error[static_cast<Eigen::Index>(i)] = difference;
    }
    return error;
  };
  Eigen::VectorXd error = errors(q);
  for (int iteration = 0; iteration < 60; ++iteration) {
    if (error.norm() < 1e-11) {
      q_ = q;
      scene_->place(q, rest);
      return true;
    }
    int const size = manifold.dimension(q);
    if (size == 0) return false;
    Eigen::MatrixXd slope(error.size(), size);
    constexpr double h = 1e-6;
    for (int k = 0; k < size; ++k) {
      std::vector<double> tangent(static_cast<std::size_t>(size), 0.0);
      tangent[static_cast<std::size_t>(k)] = h;
      if (!manifold.move(q, tangent, moved)) return false;
      slope.col(k) = (errors(moved) - error) / h;
    }
    Eigen::VectorXd step = -OrthogonalDecomposition(slope).solve(error);
    if (step.norm() > 0.3) step *= 0.3 / step.norm();  // m and rad: far steps leave the branch
    bool closer = false;
    for (int half = 0; half < 8 && !closer; ++half, step /= 2) {
      std::vector<double> const tangent(step.data(), step.data() + step.size());
      if (!manifold.move(q, tangent, moved)) continue;
      Eigen::VectorXd const there = errors(moved);
      if (!(there.norm() < error.norm())) continue;
      closer = true;
      q = moved;
      error = there;
    }
    if (!closer) return error.norm() < 1e-9;
  }
  return false;
}

double SceneMap::at(std::vector<double> const& coordinates) {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (scene_->can_be_set(ranges_[i].name)) values[ranges_[i].name] = coordinates[i];
  }
  if (!values.empty()) scene_->set(values);
  if (moves_ && !reach(coordinates)) return nothing;
  return quantity_->value(*scene_, contact_);
}

ValueGrid SceneMap::grid(std::function<bool(double)> const& progress) {
  ValueGrid grid;
  for (int i = 0; i < ranges_[0].points; ++i) grid.x.push_back(ranges_[0].at(i));
  if (ranges_.size() > 1) {
    for (int j = 0; j < ranges_[1].points; ++j) grid.y.push_back(ranges_[1].at(j));
  } else {
    grid.y = {0};
  }
  grid.values.assign(grid.x.size() * grid.y.size(), nothing);
  std::size_t done = 0;
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t k = 0; k < grid.x.size(); ++k) {
      // To and fro, so that the next place is near the last.
      std::size_t const i = j % 2 == 0 ? k : grid.x.size() - 1 - k;
      std::vector<double> coordinates{grid.x[i]};
      if (ranges_.size() > 1) coordinates.push_back(grid.y[j]);
      grid.at(i, j) = at(coordinates);
      ++done;
      if (!progress(static_cast<double>(done) / static_cast<double>(grid.values.size()))) return grid;
    }
  }
  return grid;
}

std::vector<MapMinimum> refine_minima(SceneMap& map, std::vector<MapRange> const& ranges,
                                      ValueGrid const& grid) {
  std::vector<MapMinimum> minima;
  auto const value = [&](std::size_t i, std::size_t j) {
    double const found = grid.at(i, j);
    return std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
  };
  bool const flat = ranges.size() < 2;
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      if (i == 0 || i + 1 == grid.x.size() || (!flat && (j == 0 || j + 1 == grid.y.size())) ||
          !std::isfinite(value(i, j)))
        continue;
      bool lowest = true;
      for (int di = -1; di <= 1; ++di) {
        for (int dj = flat ? 0 : -1; dj <= (flat ? 0 : 1); ++dj) {
          if (di == 0 && dj == 0) continue;
          lowest = lowest &&
                   value(i, j) <= value(i + static_cast<std::size_t>(di), j + static_cast<std::size_t>(dj));
        }
      }
      if (!lowest) continue;
      MapMinimum minimum{{grid.x[i]}, 0};
      if (!flat) minimum.coordinates.push_back(grid.y[j]);
      minimum.value = map.at(minimum.coordinates);
      // Compass search: a step each way, halved where none of them goes down.
      std::vector<double> step;
      step.reserve(ranges.size());
      for (auto const& range : ranges) step.push_back((range.to - range.from) / (range.points - 1));
      double const smallest = 1e-9;
      while (step[0] > smallest * (ranges[0].to - ranges[0].from)) {
        bool moved = false;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
          for (double const way : {1.0, -1.0}) {
            auto trial = minimum.coordinates;
            trial[k] += way * step[k];
            double const there = map.at(trial);
            if (!(there < minimum.value)) continue;
            minimum = {trial, there};
            moved = true;
            break;
          }
        }
        if (!moved) {
          for (double& length : step) length /= 2;
        }
      }
      bool known = false;
      for (auto const& other : minima) known = known || std::abs(other.value - minimum.value) < 1e-9;
      if (!known) minima.push_back(minimum);
    }
  }
  std::ranges::sort(minima, {}, &MapMinimum::value);
  return minima;
}

}  // namespace delassus
