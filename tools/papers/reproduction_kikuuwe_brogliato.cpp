// R. Kikuuwe, B. Brogliato: A New Representation of Systems with Frictional Unilateral Constraints and Its
// Baumgarte-Like Relaxation, Multibody System Dynamics 39 (2017) 267-290, section 5.
#include <array>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "model/scene/restitution.hpp"
#include "solver/block/exact_solver.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_parts.hpp"
#include "tools/plot/chart.hpp"

namespace delassus {
namespace {

using paper_constants::detached_mode;
using paper_constants::stick_mode;

ReproducedFigure kikuuwe_brogliato_figure(std::string const& file, std::string const& caption,
                                          Chart const& chart) {
  return {"kikuuwe_brogliato_" + file, caption, write_svg(chart), write_csv(chart)};
}

// ---- 5.1

ReproducedItem planar_friction(ReproductionRun& run) {
  run.begin("Kikuuwe and Brogliato: planar friction");
  ReproducedItem item{"Section 5.1", "Planar friction", {}, {}, {}};
  item.text = {
      "A point mass on a table with dry friction of bound F = 1 N, pushed by 0.5 N and started at (1, 0.5) "
      "m/s, delta = 10 "
      "ms. The FMU of the scene planar_friction runs; the numbers computed apart integrate (90) with 25 "
      "digits. The paper "
      "prints no numbers here."};
  NamedRun fmu(run.fmu("planar_friction"), {});
  std::vector<std::string> const names{"block.velocity[1]", "block.velocity[2]", "block.position[1]",
                                       "block.position[2]", "table.force[1]",    "table.force[2]"};
  struct Point {
    double t, q1, q2, v1, v2;
  };
  double const none = std::nan("");
  TimeTable history;
  history.names = names;
  history.columns.resize(names.size());
  for (Point const& point : {Point{.5, .448818606830, .198108867946, .791897375201, .300180670921},
                             Point{1, none, none, .565630208784, .148725555755},
                             Point{2, 1.113478459292, .366165077676, .0783012438905, .00306820846468},
                             Point{3, none, none, none, none}}) {
    TimeTable const part =
        fmu.record(names, point.t, static_cast<std::size_t>(std::lround((point.t - fmu.time()) / .01)));
    for (std::size_t k = history.rows() == 0 ? 0 : 1; k < part.rows(); ++k) {
      std::vector<double> row;
      for (auto const& column : part.columns) row.push_back(column[k]);
      history.add_row(part.time[k], row);
    }
    auto const compare = [&](std::string const& name, std::string const& unit, double expected,
                             std::size_t column) {
      if (!std::isnan(expected))
        item.values.push_back(compared(fmt::format("{} at {:g} s", name, point.t), unit, {}, expected,
                                       part.columns[column].back(), 1e-7));
    };
    compare("q\u2081", "m", point.q1, 2);
    compare("q\u2082", "m", point.q2, 3);
    compare("v\u2081", "m/s", point.v1, 0);
    compare("v\u2082", "m/s", point.v2, 1);
  }
  NamedRun again(run.fmu("planar_friction"), {});
  double const leaves = again.time_when([](NamedRun& r) { return r.get("table.mode") == stick_mode; }, 3, 30);
  item.values.push_back(
      compared("the force leaves the boundary of the disc", "s", {}, 2.14667786756, leaves, 1e-7));
  NamedRun limit(run.fmu("planar_friction"), {{"push[1]", 1}});
  limit.run_to(40);
  double const speed = elementary::hypot(limit.get("block.velocity[1]"), limit.get("block.velocity[2]"));
  ReproducedValue equality = compared(
      "speed after 40 s where |f_e| = F", "m/s", printed("0 (v \u2192 0 for |f_e| \u2264 F)", 0, 1e-3), speed,
      "the text below (91) says \u2264; its own proof needs |f_e| < F. At equality the part of the "
      "velocity along f_e is not braked");
  item.values.push_back(equality);

  Chart chart;
  chart.title = "Planar friction: velocity of the mass";
  chart.subtitles = {"FMU planar_friction, bound 1 N, push 0.5 N, delta = 10 ms"};
  chart.x = {"time", "s"};
  chart.y = {"velocity", "m/s"};
  chart.series = {{"v\u2081", history.time, history.columns[0]},
                  {"v\u2082", history.time, history.columns[1]}};
  item.figures.push_back(
      kikuuwe_brogliato_figure("5_1_velocity",
                               "Both components come to rest although the push goes on: the force leaves "
                               "the disc's boundary at 2.147 s.",
                               chart));
  Chart force;
  force.title = "Friction force";
  force.subtitles = {
      "It lies on the circle of radius F while the mass slips, and ends where it holds the push"};
  force.x = {"\u03bb\u2081", "N", false, -1.15, 1.15};
  force.y = {"\u03bb\u2082", "N", false, -1.15, 0.4};
  force.equal = true;
  std::vector<double> circle_x, circle_y;
  for (int k = 0; k <= 120; ++k) {
    circle_x.push_back(elementary::cos(k * std::numbers::pi / 60));
    circle_y.push_back(elementary::sin(k * std::numbers::pi / 60));
  }
  force.series = {{"\u03bb(t)", history.columns[4], history.columns[5]},
                  {"|\u03bb| = F", circle_x, circle_y, true, ChartMark::none, true, -2}};
  force.notes = {{history.columns[4].front(), history.columns[5].front(), "t = 0", 8, 14},
                 {history.columns[4].back(), history.columns[5].back(), "t = 3 s", 8, -8}};
  item.figures.push_back(
      kikuuwe_brogliato_figure("5_1_force", "The path of the friction force in the disc of (86).", force));
  return item;
}

// ---- 5.2

double rebound(ReproductionRun& run, double zeta, bool weight) {
  std::map<std::string, double> values{{"ground.zeta", zeta}};
  if (!weight) values["gravity[2]"] = 0;
  NamedRun fmu(run.fmu("impact"), values);
  if (!weight) {
    fmu.run_to(.5);
    return fmu.get("ball.velocity");
  }
  bool touched = false;
  fmu.time_when(
      [&](NamedRun& r) {
        touched = touched || r.get("ground.force") > 0;
        return touched && r.get("ground.force") == 0;
      },
      .2, 1000);
  return fmu.get("ball.velocity");
}

// Whether the force returns to zero: above a critical damping the mass creeps to its rest under its weight.
bool leaves(ReproductionRun& run, double zeta) {
  NamedRun fmu(run.fmu("impact"), {{"ground.zeta", zeta}});
  return !std::isnan(fmu.time_when(
      [](NamedRun& r) { return r.time() > 1e-3 && r.get("ground.mode") == detached_mode; }, .15, 600));
}

ReproducedItem restitution(ReproductionRun& run) {
  run.begin("Kikuuwe and Brogliato: restitution");
  ReproducedItem item{"Fig. 4", "Coefficient of restitution over the damping ratio \u03b6", {}, {}, {}};
  item.text = {
      "A mass meets the ground at 1 m/s; only the relaxation makes it bounce. The curve is (104), continued "
      "above \u03b6 = 1 by "
      "e = exp(\u2212\u03b6 acosh(2\u03b6\u00b2 \u2212 1)/\u221a(\u03b6\u00b2 \u2212 1)) and e(1) = "
      "exp(\u22122); the points are runs of the FMU of the scene impact without "
      "gravity. With its weight (delta = 10 ms) the mass leaves more slowly, and above a critical \u03b6 it "
      "does not leave."};
  std::vector<double> curve_x, curve_y, points_x, points_y, weight_x, weight_y;
  for (int k = 0; k <= 200; ++k) {
    curve_x.push_back(2.0 * k / 200);
    curve_y.push_back(restitution_from_zeta(curve_x.back()));
  }
  constexpr std::array<std::pair<double, double>, 10> expected{{{.1, .744079397722},
                                                                {.2, .571740027585},
                                                                {.3, .450975452893},
                                                                {.4, .363526860769},
                                                                {.5, .298436059192},
                                                                {.6, .248840580378},
                                                                {.8, .179783315363},
                                                                {1.5, .075588309365},
                                                                {2, .047768732506},
                                                                {5, .009284522147}}};
  for (auto const& [zeta, e] : expected) {
    double const ours = rebound(run, zeta, false);
    points_x.push_back(zeta);
    points_y.push_back(ours);
    item.values.push_back(compared(fmt::format("e at \u03b6 = {:g} (FMU)", zeta), "", {}, e, ours, 1e-6));
  }
  constexpr std::array<std::pair<double, double>, 4> with_weight{
      {{0, .995176562224}, {.2, .562844650931}, {.4, .347587241554}, {.6, .216295267799}}};
  for (auto const& [zeta, V_a] : with_weight) {
    double const ours = rebound(run, zeta, true);
    weight_x.push_back(zeta);
    weight_y.push_back(ours);
    item.values.push_back(
        compared(fmt::format("V_a with weight at \u03b6 = {:g} (FMU)", zeta), "m/s", {}, V_a, ours, 1e-6));
  }
  double low = .6, high = .8;
  while (high - low > 1e-7) (leaves(run, (low + high) / 2) ? low : high) = (low + high) / 2;
  item.values.push_back(compared("above this \u03b6 the mass does not leave (FMU, bisection)", "", {},
                                 .692962549946, high, 1e-6));
  constexpr std::array<std::pair<double, double>, 5> inverse{{{.1, 1.24318785101},
                                                              {.3, .497239394699},
                                                              {.5, .255275637649},
                                                              {.7, .122214747788},
                                                              {.9, .0342652041262}}};
  for (auto const& [e, zeta] : inverse) {
    item.values.push_back(compared(fmt::format("\u03b6 for restitution {:g} (inverse of (104))", e), "", {},
                                   zeta, zeta_from_restitution(e), 1e-10));
  }
  Chart chart;
  chart.title = "Restitution over the damping ratio";
  chart.subtitles = {"FMU impact on the closed form (104)"};
  chart.x = {"\u03b6", "", false, 0, 2.05};
  chart.y = {"V_a / V", "", false, 0, 1.03};
  chart.series = {{"(104)", curve_x, curve_y},
                  {"FMU, weightless", points_x, points_y, false, ChartMark::dot},
                  {"FMU with weight", weight_x, weight_y, false, ChartMark::ring}};
  item.figures.push_back(kikuuwe_brogliato_figure(
      "fig_4", "As Fig. 4 of the print. The curve is what the paper plots; every point is a run of an FMU.",
      chart));
  return item;
}

// ---- 4.5

ReproducedItem laws() {
  ReproducedItem item{"Section 4.5", "Three contact laws for one problem", {}, {}, {}};
  item.text = {
      "A = [[2, 0, 0.6], [0, 2, 0], [0.6, 0, 1.5]], b = (4, 1, 3), \u03bc = 0.3. Coulomb's law (65) keeps "
      "the normal motion at rest while "
      "it slips; Anitescu and Tasora's (78) moves apart, Nakaoka's (80) moves together, as the text below "
      "each says. The paper "
      "prints no numbers."};
  Eigen::Matrix3d A;
  A << 2, 0, .6, 0, 2, 0, .6, 0, 1.5;
  Eigen::Vector3d const b(4, 1, 3);
  struct Law {
    ContactLaw law;
    std::string name;
    Eigen::Vector3d lambda;
    double w_n, w_n_digits;
  };
  for (Law const& law :
       {Law{ContactLaw::coulomb, "Coulomb (65)", {.509802354619, .174449298386, 1.79607905815}, 0, 1e-12},
        Law{ContactLaw::anitescu_tasora,
            "Anitescu-Tasora (78)",
            {.590747977983, .215412293099, 2.09598990008},
            .498,
            5e-4},
        Law{ContactLaw::nakaoka,
            "Nakaoka (80)",
            {.390270156914, .122656335030, 1.36363636364},
            -.720,
            5e-4}}) {
    auto const choice = solve_block({ForceSetKind::cone3, .3}, law.law, SolutionRule::continuous, A, b,
                                    Eigen::Vector3d::Zero());
    constexpr std::array<const char*, 3> component{"\u03bb_t1", "\u03bb_t2", "\u03bb_n"};
    for (int i = 0; i < 3; ++i)
      item.values.push_back(compared(law.name + ": " + component[static_cast<std::size_t>(i)], "N", {},
                                     law.lambda[i], choice.lambda[i], 1e-9));
    ReproducedValue w = compared(law.name + ": w_n", "m/s2", {}, law.w_n, (A * choice.lambda - b)[2], 0);
    w.bound = law.w_n_digits;
    item.values.push_back(w);
  }
  return item;
}

}  // namespace

ReproducedPaper reproduce_kikuuwe_brogliato(ReproductionRun& run) {
  ReproducedPaper paper;
  paper.key = "kikuuwe";
  paper.title = "Kikuuwe and Brogliato 2017: the model";
  paper.citation =
      "R. Kikuuwe, B. Brogliato, A New Representation of Systems with Frictional Unilateral Constraints and "
      "Its Baumgarte-Like "
      "Relaxation, Multibody System Dynamics 39 (2017) 267\u2013290";
  paper.misprints = {
      "(117) prints A = J\u1d40M\u207b\u00b9J; (22) and the dimensions ask for JM\u207b\u00b9J\u1d40.",
      "Below (91) the velocity is said to vanish for |f_e| \u2264 F; it does for |f_e| < F."};
  paper.items = {laws(), planar_friction(run), restitution(run)};
  for (auto& item : reproduce_kikuuwe_rod(run)) paper.items.push_back(std::move(item));
  return paper;
}

}  // namespace delassus
