// Peiret, Kovecses and Font-Llagunes 2019: the rod (Figs. 2-4).
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "solver/block/sliding_class.hpp"
#include "solver/problem/generalised_friction_cone.hpp"
#include "tools/analyse/contact_view.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_parts.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/cone_picture.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

using paper_constants::degree;

ReproducedFigure peiret_rod_figure(std::string const& file, std::string const& caption, auto const& picture) {
  return {"peiret_" + file, caption, write_svg(picture), write_csv(picture)};
}

// Painleve's rod in space, because the cone is one: m = l = 1, its tip on the ground, leaning in the plane of x and z.
SceneInstant spatial_rod() {
  std::string const text = R"(<scene name="spatial_rod" dimension="3">
    <gravity acceleration="0 0 -9.81"/>
    <body name="rod" type="rigid" mass="1" inertia="1e-9 0.33333333333333331 0.33333333333333331">
      <point name="tip" position="-1 0 0"/>
      <initial point="tip" position="0 0 0" rotation="0 -45deg 0"/>
    </body>
    <contact name="tip_ground" point="rod.tip" mu="2"/>
  </scene>)";
  return SceneInstant(
      std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "spatial_rod.xml"))));
}

ReproducedItem rod_cone(SceneInstant& rod) {
  ReproducedItem item{"Fig. 2", "Generalised friction cone of a rod at 45\u00b0", {}, {}, {}};
  item.text = {
      "The changes of contact velocity that forces of Coulomb's cone can cause, (28), for several \u03bc, "
      "from the contact-space matrix of a rod in "
      "space. From \u03bc_crit on the normal direction lies in the cone; from \u03bc_jam on the cone dips "
      "below the tangent plane."};
  auto const cone = [&](double mu) { return cone_of(rod, 0, mu); };
  auto const base = cone(2);
  item.values.push_back(compared("\u03bc_crit (34)", "", {}, .6, base.mu_crit, 1e-9));
  item.values.push_back(compared("\u03bc_jam (36)", "", printed("1.67"), 5.0 / 3, base.mu_jam, 1e-9));
  ConePicture left, right;
  left.title = "Cones of a rod at 45\u00b0";
  right.title = "At the critical and at the jamming \u03bc";
  for (auto* picture : {&left, &right}) {
    picture->tangential_1 = "\u03b4u_t1";
    picture->tangential_2 = "\u03b4u_t2";
    picture->normal = "\u03b4u_n";
    picture->azimuth = -1.15;
    picture->elevation = .3;
  }
  for (double const mu : {.3, 1.0, 2.0}) left.cones.push_back({fmt::format("\u03bc = {:g}", mu), base.A, mu});
  right.cones = {{"\u03bc_crit = 0.6", base.A, base.mu_crit}, {"\u03bc_jam = 1.667", base.A, base.mu_jam}};
  item.figures.push_back(peiret_rod_figure(
      "fig_2_left",
      "As Fig. 2, left: for \u03bc = 2 a part (dashed rim, darker) lies below the tangent plane.", left));
  item.figures.push_back(
      peiret_rod_figure("fig_2_right",
                        "As Fig. 2, right: at \u03bc_crit a generator is the normal itself, at "
                        "\u03bc_jam one lies in the plane.",
                        right));
  // The matrix Q against the cone itself: every generator makes the quadratic form zero.
  double largest = 0;
  for (int k = 0; k < 360; ++k) {
    Eigen::Vector3d const u = base.generator({elementary::cos(k * degree), elementary::sin(k * degree)});
    largest = std::max(largest, std::abs(u.dot(base.Q * u)) / (u.squaredNorm() * base.Q.norm()));
  }
  ReproducedValue form = compared("largest |u\u1d40Qu| on 360 generators, relative (28)-(31)", "",
                                  printed("0", 0, 1e-12), 0, largest, 0);
  form.bound = 1e-12;
  item.values.push_back(form);
  return item;
}

ReproducedItem locking_angle(SceneInstant& rod) {
  ReproducedItem item{"Fig. 3", "Locking angle of a rod", {}, {}, {}};
  item.text = {
      "The sliding directions that jam, (39), as an angle (41): for which \u03bc and rod angle it has a "
      "given size, and the directions for 45\u00b0 and \u03bc = 2."};
  Chart curves;
  curves.title = "Friction at which the locking angle is \u03b1";
  curves.subtitles = {"\u03bc_jam(\u03b8)/cos(\u03b1/2), from the contact-space matrix of the scene"};
  curves.x = {"\u03b8", "deg", false, 0, 90};
  curves.y = {"\u03bc", "", false, 0, 5};
  std::vector<double> angles, mu_jam;
  double smallest = 100, at = 0;
  auto const jam = [&](double theta) {
    rod.set("rod.initial.rotation[2]", -theta);
    return cone_of(rod, 0, 2).mu_jam;
  };
  for (int k = 4; k <= 176; ++k) {
    angles.push_back(k / 2.0);
    mu_jam.push_back(jam(k / 2.0 * degree));
  }
  // The lowest point by golden sections.
  double low = 50 * degree, high = 75 * degree;
  for (int i = 0; i < 60; ++i) {
    double const a = high - (high - low) / std::numbers::phi, b = low + (high - low) / std::numbers::phi;
    (jam(a) < jam(b) ? high : low) = jam(a) < jam(b) ? b : a;
  }
  at = (low + high) / 2;
  smallest = jam(at);
  for (double const alpha : {0.0, 30.0, 60.0, 90.0, 120.0}) {
    ChartSeries series{fmt::format("\u03b1 = {:g}\u00b0", alpha), angles, mu_jam};
    for (double& mu : series.y) mu /= elementary::cos(alpha / 2 * degree);
    curves.series.push_back(series);
  }
  curves.series.push_back({"", {45}, {2}, false, ChartMark::ring, false, -2});
  curves.notes = {{45, 2, "\u03b1 = 67.1\u00b0", 10, 4}, {at / degree, smallest, "4/3", -4, 18}};
  item.figures.push_back(
      peiret_rod_figure("fig_3_left", "As Fig. 3, left. The ring is the case of the right picture.", curves));
  item.values.push_back(compared("smallest \u03bc_jam over \u03b8", "", printed("4/3", 4.0 / 3, 1e-9),
                                 4.0 / 3, smallest, 1e-9));
  ReproducedValue where =
      compared("its angle, tan \u03b8 = 2", "deg", {}, elementary::atan(2) / degree, at / degree, 0);
  where.bound = 1e-4;  // a minimum is flat: half of the digits of its value
  item.values.push_back(where);
  rod.set("rod.initial.rotation[2]", -45 * degree);
  auto const cone = cone_of(rod, 0, 2);
  item.values.push_back(compared("locking angle at 45\u00b0, \u03bc = 2 (41)", "deg", printed("67.1"),
                                 67.1146195238, cone.locking_angle / degree, 1e-9));

  Chart view;
  view.title = "Seen from above: \u03b8 = 45\u00b0, \u03bc = 2";
  view.subtitles = {"sliding directions that jam, and the cone with its part below the plane"};
  view.x = {"u_t1", "", false, -1.75, 1.75};
  view.y = {"u_t2", "", false, -1.2, 1.2};
  view.equal = true;
  ChartRegion sector{"sliding directions that jam", {0}, {0}, 1};
  double const middle = elementary::atan2(cone.e_jam[1], cone.e_jam[0]), half = cone.locking_angle / 2;
  for (int k = 0; k <= 40; ++k) {
    double const angle = middle - half + 2 * half * k / 40;
    sector.x.push_back(elementary::cos(angle));
    sector.y.push_back(elementary::sin(angle));
  }
  view.regions = {sector};
  ChartSeries above{"rim of the cone", {}, {}, true, ChartMark::none, false, 0},
      below{"below the plane", {}, {}, true, ChartMark::none, true, 1},
      circle{"all directions", {}, {}, true, ChartMark::none, true, -2};
  double longest = 0;
  for (int k = 0; k < 360; ++k)
    longest = std::max(
        longest, cone.generator({elementary::cos(k * degree), elementary::sin(k * degree)}).head<2>().norm());
  double const nan = std::nan("");
  for (int k = 0; k <= 720; ++k) {
    double const angle = k * degree / 2;
    Eigen::Vector3d const u = cone.generator({elementary::cos(angle), elementary::sin(angle)}) / longest;
    above.x.push_back(u[2] >= 0 ? u[0] : nan);
    above.y.push_back(u[1]);
    below.x.push_back(u[2] < 0 ? u[0] : nan);
    below.y.push_back(u[1]);
    circle.x.push_back(elementary::cos(angle));
    circle.y.push_back(elementary::sin(angle));
  }
  view.series = {above, below, circle};
  view.notes = {
      {cone.e_jam[0], cone.e_jam[1], "e_jam", cone.e_jam[0] < 0 ? -8.0 : 8.0, -6, cone.e_jam[0] < 0}};
  item.figures.push_back(peiret_rod_figure(
      "fig_3_right",
      "As Fig. 3, right. The opening of the cone in the plane is not the locking angle, as the paper says.",
      view));
  return item;
}

ReproducedItem possible_solutions(SceneInstant& rod) {
  ReproducedItem item{"Fig. 4", "Solvability of the sliding rod", {}, {}, {}};
  item.text = {
      "A rod at 45\u00b0 that slides into the jam: per unit of normal force the contact velocity changes by "
      "A\u03bb; other forces change it by \u03b4u\u2080. In the section of the plane "
      "of motion the cone of \u03bc = 1 stays above the tangent plane, that of \u03bc = 2 has a side below "
      "it. Counted by Song's problem of one row, A\u03bb + B."};
  Chart section;
  section.title = "Section of the cones in the plane of motion";
  section.subtitles = {"the side on which the sliding rod's force acts is drawn solid"};
  section.x = {"\u03b4u_t", "", false, -6, 6};
  section.y = {"\u03b4u_n", "", false, -2, 5.4};
  section.equal = true;
  auto const sliding = cone_of(rod, 0, 1).e_jam;  // into the jam
  for (double const mu : {1.0, 2.0}) {
    auto const cone = cone_of(rod, 0, mu);
    Eigen::Vector3d const jam = 3 * cone.generator(sliding), other = 3 * cone.generator(-sliding);
    int const colour = mu == 1 ? 2 : 1;
    section.regions.push_back(
        {fmt::format("\u03bc = {:g}", mu), {0, jam[0], other[0]}, {0, jam[2], other[2]}, colour});
    section.series.push_back({"", {0, jam[0]}, {0, jam[2]}, true, ChartMark::none, false, colour});
    section.series.push_back({"", {0, other[0]}, {0, other[2]}, true, ChartMark::none, true, colour});
    for (bool const pushed : {true, false}) {
      double const B = pushed ? -1 : 1;
      SlidingClass const kind = classify_sliding(cone.normal_answer(sliding), B);
      std::string const expected = mu < 1.5 ? (pushed ? "contact" : "detached")
                                            : (pushed ? "no solution" : "two: contact and detached");
      std::string const found = kind.solutions() == 0   ? "no solution"
                                : kind.solutions() == 2 ? "two: contact and detached"
                                : kind.contact          ? "contact"
                                                        : "detached";
      ReproducedValue value;
      value.name =
          fmt::format("\u03bc = {:g}, \u03b4u\u2080 {}", mu, pushed ? "pushes together" : "pulls apart");
      value.print = printed_word(expected, expected == found);
      value.ours_text = found;
      value.apart = value.ours = 1;
      if (expected != found) value.ours = 0;
      item.values.push_back(value);
    }
    ReproducedValue A = compared(fmt::format("\u03b4u_n per unit of \u03bb_n at \u03bc = {:g} (38)", mu),
                                 "1/kg", {}, 2.5 - 1.5 * mu, cone.normal_answer(sliding), 0);
    A.bound = 1e-12;
    item.values.push_back(A);
  }
  item.figures.push_back(
      peiret_rod_figure("fig_4",
                        "After Fig. 4: for \u03bc = 2 the solid side lies below the plane, and a "
                        "force there cannot hold what is pushed together.",
                        section));
  return item;
}

}  // namespace

std::vector<ReproducedItem> reproduce_peiret_rod(ReproductionRun& run) {
  run.begin("Peiret: the rod");
  SceneInstant rod = spatial_rod();
  return {rod_cone(rod), locking_angle(rod), possible_solutions(rod)};
}

}  // namespace delassus
