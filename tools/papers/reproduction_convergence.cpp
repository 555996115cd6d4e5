// Beyond the print: the relaxed model goes to the rigid one as delta goes to 0, with a measured order. The rigid
// motions are integrated here, apart from the solver: Painleve's rod in its two coordinates while its tip slips on
// the ground, and the mass on the table by vdot = f_e - F v/|v|.
#include <algorithm>
#include <array>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_run.hpp"
#include "tools/plot/chart.hpp"

namespace delassus {
namespace {

using paper_constants::g;
constexpr double implicit_stepper = 3;

RunnableModel& rigid_song_rod(ReproductionRun& run) {
  return run.fmu(
      "song_rod", "rigid",
      {{R"(law="hunt_crossley" mu="0.27" stiffness="15765943.458251147" damping="13.914458458617492" exponent="2" delta="1e-5")",
        R"(law="rigid" mu="0.27" delta="1e-5")"}});
}

template <std::size_t n, class Derivative>
std::array<double, n> integrate(std::array<double, n> x, double end, int steps,
                                Derivative const& derivative) {
  double const h = end / steps;
  auto const along = [](std::array<double, n> const& from, std::array<double, n> const& d, double length) {
    std::array<double, n> to = from;
    for (std::size_t i = 0; i < n; ++i) to[i] += length * d[i];
    return to;
  };
  for (int k = 0; k < steps; ++k) {  // the classical method of Runge and Kutta
    auto const k1 = derivative(x), k2 = derivative(along(x, k1, h / 2)), k3 = derivative(along(x, k2, h / 2)),
               k4 = derivative(along(x, k3, h));
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

// Painleve's rod, m = l = 1, mu = .6, its tip slipping to the left on the ground: (p_t, theta, their rates) at .2 s.
std::array<double, 4> rigid_rod() {
  return integrate<4>({0, 1, -2, -1}, .2, 20000, [](std::array<double, 4> const& x) {
    double const s = elementary::sin(x[1]), c = elementary::cos(x[1]), w = x[3], mu = .6, I = 1.0 / 3;
    // Accelerations of the tip per unit of normal force with its friction, and without force; (109).
    double const theta_per = (mu * s - c) / I;
    double const normal = (g - w * w * s) / (1 - c * theta_per);
    double const theta = theta_per * normal;
    return std::array<double, 4>{x[2], x[3], mu * normal + s * theta + c * w * w, theta};
  });
}

double rod_error(RunnableModel& model, std::map<std::string, double> const& values,
                 std::array<double, 4> const& rigid) {
  NamedRun fmu(model, values);
  fmu.run_to(.2);
  double const p_t = fmu.get("rod.position[1]") - elementary::cos(fmu.get("rod.angle"));
  return elementary::hypot(p_t - rigid[0], fmu.get("rod.angle") - rigid[1]);
}

double table_error(RunnableModel& model, double delta, std::array<double, 2> const& rigid) {
  NamedRun fmu(model, {{"table.delta", delta}});
  fmu.run_to(1);
  return elementary::hypot(fmu.get("block.velocity[1]") - rigid[0], fmu.get("block.velocity[2]") - rigid[1]);
}

double reversal_error(ReproductionRun& run, double delta) {
  NamedRun fmu(rigid_song_rod(run), {{"tip_ground.delta", delta}, {"solver.tolerance", 1e-11}});
  fmu.run_to(.19);
  double const time =
      fmu.time_when([](NamedRun& r) { return r.get("tip_ground.velocity[1]") > 0; }, .215, 10);
  return std::abs(time - .203115306222);
}

ReproducedItem convergence(ReproductionRun& run) {
  ReproducedItem item{
      "Convergence", "Errors as \u03b4, or the step h of the implicit scheme (70), goes to 0", {}, {}, {}};
  item.text = {
      "The mass on the table after 1 s, error of its velocity; Song's rod (Case 1, rigid law), error of the "
      "time at which its sliding turns round; Painlev\u00e9's rod "
      "after 0.2 s of slip by the implicit scheme, which is the model with \u03b4 = h and \u03b6 = 1/2. The "
      "rigid motions are integrated apart from the solver.",
      "A contact that slips from a state without gap and normal velocity is not relaxed at all: there the "
      "relaxed motion is the rigid one, whatever \u03b4 is. "
      "\u03b4 costs something where the friction turns (table, reversal), and where contacts close."};
  auto const rod = rigid_rod();
  auto const table = integrate<2>({1, .5}, 1, 20000, [](std::array<double, 2> const& v) {
    double const speed = elementary::hypot(v[0], v[1]);
    return std::array<double, 2>{.5 - v[0] / speed, -v[1] / speed};
  });
  ChartSeries table_series{"mass on a table, \u03b4", {}, {}, true, ChartMark::dot},
      song_series{"reversal of Song's rod, \u03b4", {}, {}, true, ChartMark::dot},
      implicit_series{"Painlev\u00e9's rod, implicit, h", {}, {}, true, ChartMark::ring};
  double slip_error = 0;
  for (double delta = 1.6e-3; delta > 2e-5; delta /= 2) {
    run.begin(fmt::format("Convergence: delta = {:.1e} s", delta));
    for (auto* series : {&table_series, &song_series, &implicit_series}) series->x.push_back(delta);
    table_series.y.push_back(table_error(run.fmu("planar_friction"), delta, table));
    song_series.y.push_back(reversal_error(run, delta));
    implicit_series.y.push_back(rod_error(
        run.fmu("painleve_rod"), {{"solver.stepper", implicit_stepper}, {"solver.step", delta}}, rod));
    slip_error = std::max(
        slip_error,
        rod_error(run.fmu("painleve_rod"), {{"tip_ground.delta", delta}, {"solver.tolerance", 1e-12}}, rod));
  }
  auto const order = [](ChartSeries const& series) {
    return elementary::log(series.y[2] / series.y.back()) / elementary::log(series.x[2] / series.x.back());
  };
  Chart chart;
  chart.title = "Error against the rigid motion";
  chart.subtitles = {fmt::format("measured orders: table {:.3f}, reversal {:.3f}, implicit scheme {:.3f}",
                                 order(table_series), order(song_series), order(implicit_series))};
  chart.x = {"\u03b4 or h", "s", true};
  chart.y = {"error", "m/s, s, m and rad", true};
  ChartSeries line{"order 1", {2.5e-5, 1.6e-3}, {8e-6, 5.12e-4}, true, ChartMark::none, true, -2};
  chart.series = {table_series, song_series, implicit_series, line};
  item.figures.push_back({"convergence", "Every point is a run of an FMU. Halving \u03b4 halves the error.",
                          write_svg(chart), write_csv(chart)});
  for (auto const* series : {&table_series, &song_series, &implicit_series})
    item.values.push_back(compared("measured order: " + series->name, "", {}, 1, order(*series), .05));
  ReproducedValue slip = compared("Painlev\u00e9's rod while it slips: largest error over all \u03b4 (FMU)",
                                  "m and rad", {}, 0, slip_error, 0);
  slip.bound = 1e-11;
  item.values.push_back(slip);
  return item;
}

// The rod at 45 degrees with mu = 2 slides into the jam: rigid sliding has no solution, and the relaxation makes an
// impact without collision of it.
ReproducedItem through_the_paradox(ReproductionRun& run) {
  ReproducedItem item{"Paradox", "Running through it: an impact without collision", {}, {}, {}};
  item.text = {
      "Painlev\u00e9's rod at 45\u00b0, \u03bc = 2, its tip sliding at \u22121 m/s: A < 0 and B < 0, no "
      "rigid solution. The relaxed motion goes on: the force grows like 1/\u03b4, the sliding stops within "
      "some \u03b4, and nothing else has time to change. Halving \u03b4 halves the duration and doubles the "
      "peak."};
  Chart speed, force;
  speed.title = "Tangential velocity of the tip";
  force.title = "Normal force";
  for (auto* chart : {&speed, &force}) {
    chart->subtitles = {"FMU painleve_rod, \u03b8 = 45\u00b0, \u03bc = 2, \u03b6 = 1"};
    chart->x = {"time", "ms", false, 0, 24};
  }
  speed.y = {"velocity", "m/s"};
  force.y = {"force", "N"};
  std::vector<double> durations, peaks;
  double largest_gain = 0;
  for (double const delta : {8e-3, 4e-3, 2e-3, 1e-3}) {
    run.begin(fmt::format("Paradox: delta = {:.0e} s", delta));
    NamedRun fmu(run.fmu("painleve_rod"), {{"rod.initial.angle", std::numbers::pi / 4},
                                           {"tip_ground.mu", 2},
                                           {"rod.initial.angular_velocity", 0},
                                           {"rod.initial.velocity[1]", -1},
                                           {"tip_ground.delta", delta}});
    TimeTable table =
        fmu.record({"tip_ground.velocity[1]", "tip_ground.force[2]", "energy.total"}, .04, 2000);
    double const peak = *std::ranges::max_element(table.columns[1]);
    // Until a hundredth of the sliding is left.
    std::size_t k = 0;
    while (k < table.rows() && std::abs(table.columns[0][k]) > .01) ++k;
    durations.push_back(k < table.rows() ? table.time[k] : std::nan(""));
    peaks.push_back(peak);
    for (std::size_t i = 1; i < table.rows(); ++i)
      largest_gain = std::max(largest_gain, table.columns[2][i] - table.columns[2][i - 1]);
    std::vector<double> milliseconds;
    for (double const t : table.time) milliseconds.push_back(1e3 * t);
    std::string const name = fmt::format("\u03b4 = {:g} ms", 1e3 * delta);
    speed.series.push_back({name, milliseconds, table.columns[0]});
    force.series.push_back({name, milliseconds, table.columns[1]});
  }
  item.figures.push_back(
      {"paradox_velocity", "The sliding stops within some \u03b4.", write_svg(speed), write_csv(speed)});
  item.figures.push_back(
      {"paradox_force", "The force that stops it grows like 1/\u03b4.", write_svg(force), write_csv(force)});
  for (std::size_t i = 1; i < peaks.size(); ++i) {
    std::string const step =
        fmt::format("from \u03b4 = {:g} to {:g} ms", 8.0 / elementary::pow(2, static_cast<double>(i - 1)),
                    4.0 / elementary::pow(2, static_cast<double>(i - 1)));
    item.values.push_back(
        compared("duration falls by, " + step, "", {}, 2, durations[i - 1] / durations[i], .05));
    item.values.push_back(compared("peak force grows by, " + step, "", {}, 2, peaks[i] / peaks[i - 1], .05));
  }
  ReproducedValue gain =
      compared("largest gain of energy from one point to the next", "J", {}, 0, largest_gain, 0);
  gain.bound = 1e-9;
  item.values.push_back(gain);
  return item;
}

}  // namespace

ReproducedPaper reproduce_convergence(ReproductionRun& run) {
  ReproducedPaper paper;
  paper.key = "convergence";
  paper.title = "Beyond the print: from the relaxed model to the rigid one";
  paper.citation =
      "Kikuuwe and Brogliato 2017 relax the contact by \u03b6 and \u03b4 (64); what does \u03b4 cost?";
  paper.items = {convergence(run), through_the_paradox(run)};
  return paper;
}

}  // namespace delassus
