// A. Blumentals, B. Brogliato, F. Bertails-Descoubes: The contact problem in Lagrangian systems subject to bilateral and
// unilateral constraints, with or without sliding Coulomb's friction: a tutorial, Multibody System Dynamics 38 (2016)
// 43-76: the Painleve-Klein rod (Fig. 1) and the falling ladder (Fig. 2).
#include <algorithm>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "solver/analysis/friction_limits.hpp"
#include "solver/analysis/sliding_region.hpp"
#include "tools/analyse/scene_instant.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_run.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/contour_map.hpp"

namespace delassus {
namespace {

using paper_constants::degree;
using paper_constants::g;

ReproducedFigure blumentals_figure(std::string const& file, std::string const& caption, auto const& picture) {
  return {"blumentals_" + file, caption, write_svg(picture), write_csv(picture)};
}

// Its contacts as they slide at the start.
SlidingContacts sliding(SceneInstant& scene) {
  return sliding_contacts(scene.dynamics().problem(), scene.dynamics().terms().velocity);
}

// 0: a solution may be missing, 1: one for every load, 2: at least one for every load, several for some.
ContourMap region_map(SlidingContacts const& contacts, double largest, int cells) {
  ContourMap map;
  map.counts = true;
  map.value = {"region", ""};
  map.names = {"for some loads none", "one solution for every load", "at least one, for some loads several"};
  for (int i = 0; i < cells; ++i) map.grid.x.push_back(largest * (i + .5) / cells);
  map.grid.y = map.grid.x;
  map.grid.values.resize(map.grid.x.size() * map.grid.y.size());
  for (std::size_t j = 0; j < map.grid.y.size(); ++j) {
    for (std::size_t i = 0; i < map.grid.x.size(); ++i) {
      SlidingRegion const region = sliding_region(contacts, Eigen::Vector2d(map.grid.x[i], map.grid.y[j]));
      map.grid.at(i, j) = region.unique == Certainty::yes ? 1 : region.exists == Certainty::yes ? 2 : 0;
    }
  }
  return map;
}

ReproducedItem klein(ReproductionRun& run) {
  run.begin("Blumentals: Painleve-Klein rod");
  ReproducedItem item{"Fig. 1", "The Painlev\u00e9-Klein rod: two frictional guides", {}, {}, {}};
  item.text = {
      "A rod of 1 m and 1 kg between two parallel guides (scene painleve_klein). Proposition 9 bounds both "
      "coefficients by \u03c3_min(A_nb)/\u03c3_max(A_tb) (38). The curve of Fig. 1(c) is "
      "computed from the scene at 171 angles, and has the closed form min(1/(3 sin \u03b8 cos \u03b8), cot "
      "\u03b8), to which the print's formula reduces.",
      "The print calls |\u03bc\u2081 \u2212 \u03bc\u2082| < 2/tan \u03b8 the exact condition of a unique "
      "solution. It is that of existence for every load; uniqueness for every load needs \u03bc\u2081 + "
      "\u03bc\u2082 < 2/tan \u03b8. At 60\u00b0 with "
      "\u03bc\u2081 = \u03bc\u2082 = 0.9 the rod has three solutions under its weight."};
  SceneInstant rod(read_scene_model(find_model("painleve_klein")));
  auto const at = [&](double theta) {
    rod.set({{"rod.initial.angle", theta}, {"guides.upper.position[2]", elementary::sin(theta)}});
    return sliding(rod);
  };
  Chart curve;
  curve.title = "Bound on friction over the angle";
  curve.subtitles = {"\u03c3_min(A_nb)/\u03c3_max(A_tb) (38) of the scene painleve_klein"};
  curve.x = {"\u03b8", "deg", false, 0, 90};
  curve.y = {"\u03bc_max^b", "", false, 0, 2.2};
  ChartSeries ours{"from the scene", {}, {}},
      closed{"min(1/(3 sin \u03b8 cos \u03b8), cot \u03b8)", {}, {}, true, ChartMark::none, true, -2},
      exists{"2/tan \u03b8", {}, {}, true, ChartMark::none, false, 2};
  double largest = 0;
  for (int k = 4; k <= 174; ++k) {
    double const theta = k * degree / 2, s = elementary::sin(theta), c = elementary::cos(theta),
                 expected = std::min(1 / (3 * s * c), c / s);
    double const limit = singular_value_limit(at(theta));
    for (auto* series : {&ours, &closed, &exists}) series->x.push_back(k / 2.0);
    ours.y.push_back(limit);
    closed.y.push_back(expected);
    exists.y.push_back(2 * c / s);
    largest = std::max(largest, std::abs(limit / expected - 1));
  }
  curve.series = {ours, closed, exists};
  item.figures.push_back(blumentals_figure(
      "fig_1c", "As Fig. 1(c). The bound stays below 2/tan \u03b8, as the paper checks numerically.", curve));
  ReproducedValue all =
      compared("largest relative deviation from the closed form over \u03b8", "", {}, 0, largest, 0);
  all.bound = 1e-10;
  item.values.push_back(all);
  auto const print_formula = [](double theta) {
    double const c2 = elementary::cos(theta) * elementary::cos(theta);
    return 2 / (3 * std::sqrt(1 - elementary::cos(4 * theta))) *
           std::sqrt(-(3 * c2 + 1) * std::abs(3 * c2 - 1) + 9 * c2 * c2 + 1);
  };
  for (auto const& [angle, expected] : {std::pair{45.0, 2.0 / 3}, std::pair{60.0, .577350269190}}) {
    double const value = print_formula(angle * degree);
    item.values.push_back(compared(fmt::format("\u03bc_max^b at {:g}\u00b0", angle), "",
                                   printed(fmt::format("{:.6f} (its formula)", value), value, 1e-9), expected,
                                   singular_value_limit(at(angle * degree)), 1e-10));
  }
  SlidingContacts const contacts = at(60 * degree);
  double const edge = 2 / elementary::tan(60 * degree), bound = singular_value_limit(contacts);
  ContourMap map = region_map(contacts, 2.4, 80);
  map.title = "Friction plane at \u03b8 = 60\u00b0";
  map.subtitles = {"exact, by the cones of all signs of the two normal forces"};
  map.x = {"\u03bc\u2081", ""};
  map.y = {"\u03bc\u2082", ""};
  map.series = {
      {"square of Proposition 9", {0, bound, bound}, {bound, bound, 0}, true, ChartMark::none, false, -2},
      {"|\u03bc\u2081 \u2212 \u03bc\u2082| = 2/tan \u03b8, the print's condition",
       {edge, 2.4, std::nan(""), 0, 2.4 - edge},
       {0, 2.4 - edge, std::nan(""), edge, 2.4},
       true,
       ChartMark::none,
       true,
       -2}};
  item.figures.push_back(
      blumentals_figure("fig_1b",
                        "As Fig. 1(b): the square and the strip of the print, and what is exact. The "
                        "strip is where a solution exists, the triangle where it is unique.",
                        map));
  std::size_t contradict = 0, outside_unique = 0;
  for (std::size_t j = 0; j < map.grid.y.size(); ++j) {
    for (std::size_t i = 0; i < map.grid.x.size(); ++i) {
      double const a = map.grid.x[i], b = map.grid.y[j];
      if (std::abs(a + b - edge) < 1e-6 || std::abs(std::abs(a - b) - edge) < 1e-6) continue;
      double const expected = a + b < edge ? 1 : std::abs(a - b) < edge ? 2 : 0;
      contradict += expected != map.grid.at(i, j) ? 1 : 0;
      outside_unique += std::abs(a - b) < edge && map.grid.at(i, j) != 1 ? 1 : 0;
    }
  }
  item.values.push_back(
      compared("cells that contradict \u03bc\u2081 + \u03bc\u2082 < 2/tan \u03b8 (unique) and |\u03bc\u2081 "
               "\u2212 \u03bc\u2082| < 2/tan \u03b8 (exists)",
               "", {}, 0, static_cast<double>(contradict), 0));
  item.values.push_back(compared(
      "cells in the print's strip without a unique solution", "", printed("0"),
      static_cast<double>(outside_unique),
      "|\u03bc\u2081 \u2212 \u03bc\u2082| < 2/tan \u03b8 is the condition of existence, not of uniqueness"));
  // The example: both coefficients 0.9, gravity, sliding to the left.
  auto const solutions = sliding_solutions(contacts, Eigen::Vector2d(.9, .9), Eigen::Vector2d(-g, -g));
  item.values.push_back(compared("solutions at 60\u00b0, \u03bc\u2081 = \u03bc\u2082 = 0.9, under gravity",
                                 "", printed("1"), 3, static_cast<double>(solutions.size()), 0,
                                 "0.9 and 0.9 lie in the strip; see above"));
  std::vector<Eigen::Vector2d> sorted(solutions.begin(), solutions.end());
  std::ranges::sort(sorted, {}, [](Eigen::Vector2d const& one) { return one[0]; });
  constexpr std::array<std::array<double, 2>, 3> expected{
      {{-2.7411, 12.5511}, {4.905, 4.905}, {12.5511, -2.7411}}};
  for (std::size_t k = 0; k < sorted.size() && k < 3; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      ReproducedValue value = compared(fmt::format("solution {}: \u03bb_n{}", k + 1, i + 1), "N", {},
                                       expected[k][i], sorted[k][static_cast<Eigen::Index>(i)], 0);
      value.bound = 5.1e-5;
      item.values.push_back(value);
    }
  }
  return item;
}

ReproducedItem ladder(ReproductionRun& run) {
  run.begin("Blumentals: ladder");
  ReproducedItem item{"Fig. 2", "The falling ladder: one bilateral, one unilateral contact", {}, {}, {}};
  item.text = {
      "A ladder of 2 m and 1 kg in bilateral contact with the wall and in unilateral contact with the ground "
      "(scene ladder), falling. Proposition 13 bounds friction through \u03b2\u2082 of the frictionless "
      "matrix (59); \u03b2\u2082 is the largest 1/\u03c3_min over principal submatrices, which needs no "
      "optimisation. The bound depends on the side to which the wall's normal points, though the problem "
      "does not.",
      "The print's \"around 0.65\" at 45\u00b0 could not be reproduced, neither with either normal nor with "
      "the misprints of (57) and (62) left in."};
  SceneInstant scene(read_scene_model(find_model("ladder")));
  auto const at = [&](double theta) {
    double const c = elementary::cos(theta), s = elementary::sin(theta), rate = std::sqrt(.5);
    scene.set({{"ladder.initial.position[1]", c},
               {"ladder.initial.position[2]", s},
               {"ladder.initial.angle", std::numbers::pi - theta},
               {"ladder.initial.velocity[1]", rate * s},
               {"ladder.initial.velocity[2]", -rate * c},
               {"ladder.initial.angular_velocity", rate}});
    return sliding(scene);
  };
  Chart curve;
  curve.title = "Bound of Proposition 13 over the angle";
  curve.subtitles = {"scene ladder, falling; the same problem with the wall's normal turned round"};
  curve.x = {"\u03b8", "deg", false, 0, 90};
  curve.y = {"\u03bc_max^ub", "", false, 0, {}};
  ChartSeries room{"normal into the room", {}, {}}, wall{"normal into the wall", {}, {}},
      read{"print at 45\u00b0, \"around 0.65\"", {45}, {.65}, false, ChartMark::cross, false, -2};
  for (int k = 2; k <= 88; ++k) {
    SlidingContacts const contacts = at(k * degree);
    for (auto* series : {&room, &wall}) series->x.push_back(k);
    room.y.push_back(mixed_friction(contacts).limit);
    wall.y.push_back(mixed_friction(with_normals_turned(contacts, 1)).limit);
  }
  curve.series = {room, wall, read};
  item.figures.push_back(blumentals_figure("fig_2b", "As Fig. 2(b).", curve));
  SlidingContacts const contacts = at(45 * degree);
  MixedFriction const into_room = mixed_friction(contacts),
                      into_wall = mixed_friction(with_normals_turned(contacts, 1));
  std::string const reason = "not reproducible: 0.7519 or 0.4084, by the side of the wall's normal";
  item.values.push_back(compared("\u03b2\u2082 at 45\u00b0", "", {}, 1.09901904695, into_room.beta_2, 1e-9));
  item.values.push_back(compared("bound at 45\u00b0, normal into the room", "", printed("0.65"),
                                 .751895854423, into_room.limit, 1e-9, reason));
  item.values.push_back(compared("bound at 45\u00b0, normal into the wall", "", printed("0.65"),
                                 .408396596354, into_wall.limit, 1e-9, reason));
  ContourMap map = region_map(contacts, 1.6, 80);
  map.title = "Friction plane of the ladder at \u03b8 = 45\u00b0";
  map.subtitles = {"where M_ub of (58) is a P-matrix: one solution for every load"};
  map.x = {"\u03bc_b (wall)", ""};
  map.y = {"\u03bc_u (ground)", ""};
  ChartSeries border{
      "\u03bc_u = (4 \u2212 3\u03bc_b)/(3 \u2212 2\u03bc_b)", {}, {}, true, ChartMark::none, true, -2};
  for (int k = 0; k <= 100; ++k) {
    double const mu_b = 4.0 / 3 * k / 100;
    border.x.push_back(mu_b);
    border.y.push_back((4 - 3 * mu_b) / (3 - 2 * mu_b));
  }
  double const limit = into_room.limit;
  map.series = {
      border,
      {"square of Proposition 13", {0, limit, limit}, {limit, limit, 0}, true, ChartMark::none, false, -2}};
  item.figures.push_back(blumentals_figure(
      "fig_2c", "As Fig. 2(c): the P-matrix region is larger than the square of the bound.", map));
  std::size_t contradict = 0;
  for (std::size_t j = 0; j < map.grid.y.size(); ++j) {
    for (std::size_t i = 0; i < map.grid.x.size(); ++i) {
      double const mu_b = map.grid.x[i], mu_u = map.grid.y[j];
      bool const inside = mu_b < 4.0 / 3 && mu_u < (4 - 3 * mu_b) / (3 - 2 * mu_b);
      contradict += inside != (map.grid.at(i, j) == 1) ? 1 : 0;
    }
  }
  item.values.push_back(compared("cells that contradict the closed form of the region", "", {}, 0,
                                 static_cast<double>(contradict), 0));
  return item;
}

}  // namespace

ReproducedPaper reproduce_blumentals(ReproductionRun& run) {
  ReproducedPaper paper;
  paper.key = "blumentals";
  paper.title = "Blumentals, Brogliato and Bertails-Descoubes 2016: well-posedness";
  paper.citation =
      "A. Blumentals, B. Brogliato, F. Bertails-Descoubes, The Contact Problem in Lagrangian Systems Subject "
      "to Bilateral and Unilateral Constraints, with or without Sliding Coulomb\u2019s "
      "Friction: a Tutorial, Multibody System Dynamics 38 (2016) 43\u201376";
  paper.misprints.emplace_back(
      "(57): the factor of \u03bb\u207b in the second line is A_nunb + A_nutb[\u03bc\u03be].");
  paper.misprints.emplace_back("(62) has 2 C K_\u03bc.");
  paper.misprints.emplace_back(
      "(33): w_c = \u2212\u2207h_u\u1d40M_c\u207b\u00b9F + d/dt(\u2207h_u\u1d40)q\u0307 "
      "\u2212 A_nbnu\u1d40A_nb\u207b\u00b9 d/dt(\u2207h_b\u1d40)q\u0307.");
  paper.misprints.emplace_back("(26) projects \u2212(S D)_r.");
  paper.misprints.emplace_back(
      "The exact condition |\u03bc\u2081 \u2212 \u03bc\u2082| < 2/tan \u03b8 of the example "
      "is that of existence, not of uniqueness.");
  paper.items = {klein(run), ladder(run)};
  return paper;
}

}  // namespace delassus
