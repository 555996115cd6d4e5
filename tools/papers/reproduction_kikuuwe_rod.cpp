// Kikuuwe and Brogliato 2017, section 5.3: Painleve's rod (Figs. 5-7).
#include <Eigen/LU>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "solver/block/exact_solver.hpp"
#include "tools/analyse/scene_instant.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_parts.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/contour_map.hpp"

namespace delassus {
namespace {

using paper_constants::g;
using paper_constants::slip_mode;
constexpr double detach_rule = 2, stick_rule = 3;
ReproducedFigure kikuuwe_rod_figure(std::string const& file, std::string const& caption, Chart const& chart) {
  return {"kikuuwe_brogliato_" + file, caption, write_svg(chart), write_csv(chart)};
}

struct RodTerms {
  Eigen::Matrix2d A;
  Eigen::Vector2d b, r_a, r_b, r;
};

std::map<std::string, double> rod_state(double theta, double mu, double thetadot, double pdot_t,
                                        double delta) {
  return {{"rod.initial.angle", theta},
          {"tip_ground.mu", mu},
          {"rod.initial.angular_velocity", thetadot},
          {"rod.initial.velocity[1]", pdot_t},
          {"tip_ground.delta", delta}};
}

ContactProblem problem_of(SceneInstant& rod, std::map<std::string, double> const& state) {
  for (auto const& [name, value] : state) rod.set(name, value);
  return rod.dynamics().problem();
}

RodTerms terms_of(ContactProblem const& problem, double pdot_t, double delta) {
  RodTerms terms;
  terms.A = problem.dense();
  terms.b = problem.b;
  terms.r = terms.A.inverse() * terms.b;                  // (116): where b asks the force to be
  terms.r_b = terms.A.inverse() * Eigen::Vector2d(1, 0);  // (119)
  terms.r_a = terms.r + 2 * pdot_t / delta * terms.r_b;   // zeta = 1
  return terms;
}

BlockSolutions solutions_of(ContactProblem const& problem) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  A.topLeftCorner<2, 2>() = problem.dense();
  return enumerate_block(problem.blocks[0].set, A, {problem.b[0], problem.b[1], 0});
}

Chart section(std::string const& title, std::string const& subtitle, RodTerms const& terms, double mu,
              BlockSolutions const& solutions, ChartAxis const& x, ChartAxis const& y) {
  Chart chart;
  chart.title = title;
  chart.subtitles = {subtitle};
  chart.x = x;
  chart.y = y;
  chart.equal = true;
  double const far = 400;
  chart.regions = {{"friction cone F", {0, mu * far, -mu * far}, {0, far, far}, 5}};
  // The half-space S(q): the side of r_b's line where A x points down, (A x)_n < 0.
  Eigen::Vector2d const along = terms.r_b.normalized();
  Eigen::Vector2d down(along[1], -along[0]);
  if ((terms.A * down)[1] > 0) down = -down;
  Eigen::Vector2d const p = far * along, s = far * down;
  chart.regions.push_back({"half-space S",
                           {-p[0], p[0], p[0] + s[0], -p[0] + s[0]},
                           {-p[1], p[1], p[1] + s[1], -p[1] + s[1]},
                           4});
  auto const vector = [](double a, double b) { return std::vector<double>{a, b}; };
  chart.series.push_back({"half-line from r_a along r_b", vector(terms.r_a[0], terms.r[0]),
                          vector(terms.r_a[1], terms.r[1]), true, ChartMark::none, true, -2});
  std::vector<double> lines_x, lines_y;
  // C(lambda) at points of the cone's rim: half-lines parallel to r_b, outwards in the sense of the slip.
  for (double const n : {0.15, 0.3, 0.45, 0.6, 0.75, 0.9}) {
    for (double const side : {1.0, -1.0}) {
      double const top = *y.maximum * n;
      double const length = 0.12 * (*y.maximum - *y.minimum);
      lines_x.insert(lines_x.end(), {side * mu * top, side * (mu * top + length * along[0]), std::nan("")});
      lines_y.insert(lines_y.end(), {top, top + side * length * along[1], std::nan("")});
    }
  }
  chart.series.push_back({"C(\u03bb) on the rim", lines_x, lines_y, true, ChartMark::none, false, 5});
  chart.series.push_back(
      {"r(\u03b4, q, q\u0307)", {terms.r[0]}, {terms.r[1]}, false, ChartMark::ring, false, 1});
  chart.series.push_back({"r_a", {terms.r_a[0]}, {terms.r_a[1]}, false, ChartMark::cross, false, -2});
  ChartSeries found{"solutions", {}, {}, false, ChartMark::dot, false, 2};
  for (int i = 0; i < solutions.count; ++i) {
    auto const& one = solutions.item[static_cast<std::size_t>(i)];
    found.x.push_back(one.lambda[0]);
    found.y.push_back(one.lambda[1]);
    chart.notes.push_back({one.lambda[0], one.lambda[1],
                           one.mode == ContactMode::detached ? "detach"
                           : one.mode == ContactMode::stick  ? "stick"
                                                             : "slip",
                           10, 16});
  }
  chart.series.push_back(found);
  return chart;
}

ReproducedItem sections(ReproductionRun& run) {
  run.begin("Kikuuwe and Brogliato: cone sections");
  ReproducedItem item{"Figs. 6, 7", "Graphical solution of (114): one solution, and three", {}, {}, {}};
  item.text = {
      "The plane of the contact force with the friction cone F, the half-space S(q) and the half-lines "
      "C(\u03bb), drawn to scale "
      "from the scene painleve_rod. A force \u03bb solves (114) where C(\u03bb) contains r. The paper draws "
      "r infinitely far away; here "
      "delta = 120 and 50 ms keep it on the page. For delta = 1 ms the table has the three solutions of the "
      "example "
      "at \u03b8 = 45\u00b0, \u03bc = "
      "2, \u03b8\u0307 = 4 rad/s, p\u0307_t = \u22121 m/s: the rules of the FMU reach the detached and the "
      "sticking one, the enumeration has all.",
      "With G_A = g \u2212 l \u03b8\u0307\u00b2 sin \u03b8 (121) and 4 G_B/m = 1 + 3 cos\u00b2\u03b8 \u2212 "
      "3\u03bc sin \u03b8 cos \u03b8 (120): one solution where G_B > 0, three where "
      "both are negative."};
  auto const model = read_scene_model(find_model("painleve_rod"));
  SceneInstant rod(model);
  double const quarter = std::numbers::pi / 4, wide = .05;
  {
    auto const problem = problem_of(rod, rod_state(1, .6, -1, -2, .12));
    RodTerms const terms = terms_of(problem, -2, .12);
    item.figures.push_back(kikuuwe_rod_figure(
        "fig_6",
        "As Fig. 6: G_A > 0 and G_B > 0. S does not meet F, and the half-line from the cone's rim is the "
        "only one through r.",
        section(
            "One solution: G_A > 0, G_B > 0",
            "\u03b8 = 1, \u03bc = 0.6, \u03b8\u0307 = \u22121 rad/s, p\u0307_t = \u22122 m/s, delta = 120 ms",
            terms, .6, solutions_of(problem), {"\u03bb_t", "N", false, -14, 34},
            {"\u03bb_n", "N", false, -8, 26})));
  }
  {
    auto const problem = problem_of(rod, rod_state(quarter, 2, 4, -1, wide));
    RodTerms const terms = terms_of(problem, -1, wide);
    item.figures.push_back(kikuuwe_rod_figure(
        "fig_7",
        "As Fig. 7: G_A < 0 and G_B < 0. r lies in F (stick), on a half-line from the rim (slip) and, with "
        "r_a in S, also in C(0) (detach).",
        section(
            "Three solutions: G_A < 0, G_B < 0",
            "\u03b8 = 45\u00b0, \u03bc = 2, \u03b8\u0307 = 4 rad/s, p\u0307_t = \u22121 m/s, delta = 50 ms",
            terms, 2, solutions_of(problem), {"\u03bb_t", "N", false, -14, 24},
            {"\u03bb_n", "N", false, -8, 14})));
  }
  auto const state = rod_state(quarter, 2, 4, -1, 1e-3);
  BlockSolutions const all = solutions_of(problem_of(rod, state));
  ReproducedValue number = compared("solutions at the example", "", printed("3"), 3, all.count, 0);
  item.values.push_back(number);
  for (int i = 0; i < all.count; ++i) {
    auto const& one = all.item[static_cast<std::size_t>(i)];
    if (one.mode == ContactMode::slip) {
      item.values.push_back(
          compared("slip: \u03bb_t (enumeration)", "N", {}, 6.01483399594, one.lambda[0], 1e-10));
      item.values.push_back(
          compared("slip: \u03bb_n (enumeration)", "N", {}, 3.00741699797, one.lambda[1], 1e-10));
    }
  }
  auto by_rule = state;
  by_rule["solver.rule"] = detach_rule;
  NamedRun detached(run.fmu("painleve_rod"), by_rule);
  ReproducedValue zero = compared(
      "detach: |\u03bb| (FMU, rule detach)", "N", printed("0"), 0,
      elementary::hypot(detached.get("tip_ground.force[1]"), detached.get("tip_ground.force[2]")), 0);
  item.values.push_back(zero);
  by_rule["solver.rule"] = stick_rule;
  NamedRun stick(run.fmu("painleve_rod"), by_rule);
  item.values.push_back(compared("stick: \u03bb_t (FMU, rule stick)", "N", {}, 1242.36504150,
                                 stick.get("tip_ground.force[1]"), 1e-9));
  item.values.push_back(compared("stick: \u03bb_n (FMU, rule stick)", "N", {}, 744.817541501,
                                 stick.get("tip_ground.force[2]"), 1e-9));

  // The number of solutions over angle and mu; the print's statement is one of the limit of delta to 0.
  run.begin("Kikuuwe and Brogliato: number of solutions");
  ContourMap map;
  map.title = "Number of solutions of Painlev\u00e9's rod";
  map.subtitles = {
      "\u03b8\u0307 = 4 rad/s, p\u0307_t = \u22121 m/s, delta = 1 \u00b5s; enumeration at 60 x 60 states of "
      "the scene painleve_rod"};
  map.x = {"\u03b8", "deg"};
  map.y = {"\u03bc", ""};
  map.value = {"solutions", ""};
  map.counts = true;
  std::size_t wrong = 0, judged = 0;
  for (int i = 0; i < 60; ++i) map.grid.x.push_back(1.5 * (i + .25));
  for (int j = 0; j < 60; ++j) map.grid.y.push_back(.05 * (j + 1));
  map.grid.values.resize(3600);
  for (auto const& [name, value] : rod_state(1, 1, 4, -1, 1e-6)) rod.set(name, value);
  for (std::size_t j = 0; j < 60; ++j) {
    for (std::size_t i = 0; i < 60; ++i) {
      double const theta = map.grid.x[i] * std::numbers::pi / 180, mu = map.grid.y[j];
      rod.set("rod.initial.angle", theta);
      rod.set("tip_ground.mu", mu);
      int const found = solutions_of(rod.dynamics().problem()).count;
      map.grid.at(i, j) = found;
      double const c = elementary::cos(theta), s = elementary::sin(theta), G_A = g - 16 * s,
                   G_B = 1 + 3 * c * c - 3 * mu * s * c;
      if (std::abs(G_A) < .05 || std::abs(G_B) < .005) continue;
      int const expected = G_B > 0 || G_A > 0 ? 1 : 3;
      ++judged;
      wrong += expected != found ? 1 : 0;
    }
  }
  ChartSeries G_B{"G_B = 0 (120)", {}, {}, true, ChartMark::none, false, -2},
      G_A{"G_A = 0 (121)", {}, {}, true, ChartMark::none, true, -2};
  for (int k = 1; k < 180; ++k) {
    double const theta = k * std::numbers::pi / 360, c = elementary::cos(theta), s = elementary::sin(theta),
                 mu = (1 + 3 * c * c) / (3 * s * c);
    if (mu > 3.1) continue;
    G_B.x.push_back(k / 2.0);
    G_B.y.push_back(mu);
  }
  double const theta_A = elementary::asin(g / 16) * 180 / std::numbers::pi;
  G_A.x = {theta_A, theta_A};
  G_A.y = {0, 3};
  map.series = {G_B,
                G_A,
                {"\u03bc = 4/3, tan \u03b8 = 2",
                 {elementary::atan(2) * 180 / std::numbers::pi},
                 {4.0 / 3},
                 false,
                 ChartMark::dot}};
  item.figures.push_back({"kikuuwe_brogliato_solutions",
                          "Beyond the print: the regions of one and three solutions, by enumeration, with "
                          "the paper's two curves.",
                          write_svg(map), write_csv(map)});
  ReproducedValue regions = compared(
      "states where the count contradicts (120), (121)", "", printed("0"), 0, static_cast<double>(wrong), 0,
      fmt::format("of {} states; those within 0.05 of a curve are left out", judged));
  item.values.push_back(regions);
  // The lowest point of G_B = 0, by golden sections on the number itself: the smallest mu of a grid column with three.
  auto const smallest = [&](double theta) {
    rod.set("rod.initial.angle", theta);
    double low = 0, high = 4;
    while (high - low > 1e-12) {
      double const mu = (low + high) / 2;
      rod.set("tip_ground.mu", mu);
      (solutions_of(rod.dynamics().problem()).count == 3 ? high : low) = mu;
    }
    return high;
  };
  rod.set("tip_ground.delta", 1e-9);
  item.values.push_back(
      compared("smallest \u03bc with three solutions at tan \u03b8 = 2 (bisection of the count)", "",
               printed("4/3", 4.0 / 3, 1e-6), 4.0 / 3, smallest(elementary::atan(2)), 1e-6));
  return item;
}

ReproducedItem rod_run(ReproductionRun& run) {
  run.begin("Kikuuwe and Brogliato: Painleve's rod");
  ReproducedItem item{"Section 5.3, Fig. 5", "Painlev\u00e9's rod slips", {}, {}, {}};
  item.text = {
      "m = l = 1, \u03b8 = 1, \u03b8\u0307 = \u22121 rad/s, the contact point at the origin with velocity "
      "(\u22122, 0) m/s, \u03bc = 0.6, \u03b6 = 1, delta = 1 ms: the "
      "FMU of the scene painleve_rod. The paper describes the system and runs nothing; the numbers were "
      "computed apart with 25 "
      "digits. (117) prints J\u1d40M\u207b\u00b9J where JM\u207b\u00b9J\u1d40 is meant."};
  NamedRun fmu(run.fmu("painleve_rod"), {});
  std::vector<std::string> const names{"rod.position[1]",     "rod.position[2]",      "rod.angle",
                                       "tip_ground.force[1]", "tip_ground.force[2]",  "rod.velocity[1]",
                                       "rod.velocity[2]",     "rod.angular_velocity", "tip_ground.mode"};
  TimeTable const first = fmu.record(names, .04, 40);
  TimeTable const second = fmu.record(names, .2, 160);
  constexpr std::array<double, 5> at_40{.497922344986425, .818612892116453, .958991735418882,
                                        4.66788824507244, 7.77981374178740};
  constexpr std::array<double, 8> at_200{.395733635246296,   .682439077661898,  .751094353079093,
                                         2.829018056213444,  4.715030093689073, -.363670691502549,
                                         -1.177538433052215, -1.610986458506549};
  std::array<std::string, 8> const symbols{"q_t",      "q_n", "\u03b8", "\u03bb_t",
                                           "\u03bb_n", "v_t", "v_n",    "\u03b8\u0307"};
  std::array<std::string, 8> const units{"m", "m", "rad", "N", "N", "m/s", "m/s", "rad/s"};
  for (std::size_t i = 0; i < at_40.size(); ++i)
    item.values.push_back(compared(symbols[i] + " at 0.04 s", units[i], {}, at_40[i], first.columns[i].back(),
                                   i < 3 ? 1e-9 : 1e-8));
  for (std::size_t i = 0; i < at_200.size(); ++i)
    item.values.push_back(compared(symbols[i] + " at 0.2 s", units[i], {}, at_200[i],
                                   second.columns[i].back(), i == 3 || i == 4 ? 1e-8 : 2e-9));
  bool slips = true;
  for (auto const* table : {&first, &second}) {
    for (double const mode : table->columns[8]) slips = slips && mode == slip_mode;
  }
  ReproducedValue mode;
  mode.name = "mode at every communication point";
  mode.apart = 1;
  mode.ours = slips ? 1 : 0;
  mode.ours_text = slips ? "slip" : "not only slip";
  item.values.push_back(mode);
  auto const joined = [&](std::size_t column) {
    std::vector<double> values = first.columns[column];
    values.insert(values.end(), second.columns[column].begin() + 1, second.columns[column].end());
    return values;
  };
  std::vector<double> time = first.time;
  time.insert(time.end(), second.time.begin() + 1, second.time.end());
  Chart motion;
  motion.title = "Painlev\u00e9's rod: configuration";
  motion.subtitles = {"FMU painleve_rod"};
  motion.x = {"time", "s"};
  motion.y = {"q_t, q_n [m], \u03b8 [rad]", ""};
  for (std::size_t i = 0; i < 3; ++i) motion.series.push_back({symbols[i], time, joined(i)});
  item.figures.push_back(kikuuwe_rod_figure("5_3_motion", "The rod of Fig. 5 on its way.", motion));
  Chart force;
  force.title = "Painlev\u00e9's rod: contact force";
  force.subtitles = {"FMU painleve_rod; \u03bb_t = \u03bc \u03bb_n throughout"};
  force.x = {"time", "s"};
  force.y = {"force", "N"};
  for (std::size_t i = 3; i < 5; ++i) force.series.push_back({symbols[i], time, joined(i)});
  item.figures.push_back(kikuuwe_rod_figure("5_3_force", "Contact force of the same run.", force));
  return item;
}

}  // namespace

std::vector<ReproducedItem> reproduce_kikuuwe_rod(ReproductionRun& run) {
  return {rod_run(run), sections(run)};
}

}  // namespace delassus
