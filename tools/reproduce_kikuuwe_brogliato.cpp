// R. Kikuuwe, B. Brogliato: A New Representation of Systems with Frictional Unilateral Constraints and Its
// Baumgarte-Like Relaxation, Multibody System Dynamics 39 (2017) 267-290, section 5.
#include <Eigen/LU>
#include <numbers>

#include "model/number.hpp"
#include "model/restitution.hpp"
#include "solver/block_solver.hpp"
#include "tools/chart.hpp"
#include "tools/contour_map.hpp"
#include "tools/reproduction_run.hpp"
#include "tools/scene_instant.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81;
constexpr double detach_rule = 2, stick_rule = 3;  // solver.rule
constexpr double detached_mode = 1, stick_mode = 2, slip_mode = 3;

ReproducedFigure figure(std::string const& file, std::string const& caption, Chart const& chart) {
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
  double const speed = std::hypot(limit.get("block.velocity[1]"), limit.get("block.velocity[2]"));
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
  item.figures.push_back(figure("5_1_velocity",
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
    circle_x.push_back(std::cos(k * std::numbers::pi / 60));
    circle_y.push_back(std::sin(k * std::numbers::pi / 60));
  }
  force.series = {{"\u03bb(t)", history.columns[4], history.columns[5]},
                  {"|\u03bb| = F", circle_x, circle_y, true, ChartMark::none, true, -2}};
  force.notes = {{history.columns[4].front(), history.columns[5].front(), "t = 0", 8, 14},
                 {history.columns[4].back(), history.columns[5].back(), "t = 3 s", 8, -8}};
  item.figures.push_back(figure("5_1_force", "The path of the friction force in the disc of (86).", force));
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
      "A mass meets the ground at 1 m/s; the relaxation alone makes it bounce. The curve is (104), continued "
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
    auto& fmu = run.fmu("impact", fmt::format("e{:g}", e),
                        {{"zeta=\"0.2\"", fmt::format("restitution=\"{:g}\"", e)}});
    NamedRun started(fmu, {});
    item.values.push_back(compared(fmt::format("\u03b6 for restitution {:g} (FMU, calculated parameter)", e),
                                   "", {}, zeta, started.get("ground.zeta"), 1e-10));
  }
  Chart chart;
  chart.title = "Restitution over the damping ratio";
  chart.subtitles = {"FMU impact on the closed form (104)"};
  chart.x = {"\u03b6", "", false, 0, 2.05};
  chart.y = {"V_a / V", "", false, 0, 1.03};
  chart.series = {{"(104)", curve_x, curve_y},
                  {"FMU, weightless", points_x, points_y, false, ChartMark::dot},
                  {"FMU with weight", weight_x, weight_y, false, ChartMark::ring}};
  item.figures.push_back(figure(
      "fig_4", "As Fig. 4 of the print. The curve is what the paper plots; every point is a run of an FMU.",
      chart));
  return item;
}

// ---- 5.3

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
  auto const model = read_model(find_model("painleve_rod"));
  SceneInstant rod(model);
  double const quarter = std::numbers::pi / 4, wide = .05;
  {
    auto const problem = problem_of(rod, rod_state(1, .6, -1, -2, .12));
    RodTerms const terms = terms_of(problem, -2, .12);
    item.figures.push_back(figure(
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
    item.figures.push_back(figure(
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
  ReproducedValue zero =
      compared("detach: |\u03bb| (FMU, rule detach)", "N", printed("0"), 0,
               std::hypot(detached.get("tip_ground.force[1]"), detached.get("tip_ground.force[2]")), 0);
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
      double const c = std::cos(theta), s = std::sin(theta), G_A = g - 16 * s,
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
    double const theta = k * std::numbers::pi / 360, c = std::cos(theta), s = std::sin(theta),
                 mu = (1 + 3 * c * c) / (3 * s * c);
    if (mu > 3.1) continue;
    G_B.x.push_back(k / 2.0);
    G_B.y.push_back(mu);
  }
  double const theta_A = std::asin(g / 16) * 180 / std::numbers::pi;
  G_A.x = {theta_A, theta_A};
  G_A.y = {0, 3};
  map.series = {G_B,
                G_A,
                {"\u03bc = 4/3, tan \u03b8 = 2",
                 {std::atan(2) * 180 / std::numbers::pi},
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
               printed("4/3", 4.0 / 3, 1e-6), 4.0 / 3, smallest(std::atan(2)), 1e-6));
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
  mode.ours_text = slips ? "slip" : "not slip alone";
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
  item.figures.push_back(figure("5_3_motion", "The rod of Fig. 5 on its way.", motion));
  Chart force;
  force.title = "Painlev\u00e9's rod: contact force";
  force.subtitles = {"FMU painleve_rod; \u03bb_t = \u03bc \u03bb_n throughout"};
  force.x = {"time", "s"};
  force.y = {"force", "N"};
  for (std::size_t i = 3; i < 5; ++i) force.series.push_back({symbols[i], time, joined(i)});
  item.figures.push_back(figure("5_3_force", "Contact force of the same run.", force));
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
  paper.items = {laws(), planar_friction(run), restitution(run), rod_run(run), sections(run)};
  return paper;
}

}  // namespace delassus
