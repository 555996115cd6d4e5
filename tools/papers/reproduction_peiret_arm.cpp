// Peiret, Kovecses and Font-Llagunes 2019: the articulated arm (Figs. 5, 6, (45)-(49)).
#include <algorithm>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "solver/analysis/jamming_search.hpp"
#include "solver/block/sliding_class.hpp"
#include "solver/problem/generalised_friction_cone.hpp"
#include "tools/analyse/contact_view.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/peiret_arm.hpp"
#include "tools/papers/reproduction_parts.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/contour_map.hpp"

namespace delassus {
namespace {

using paper_constants::degree;

ReproducedFigure peiret_arm_figure(std::string const& file, std::string const& caption, auto const& picture) {
  return {"peiret_" + file, caption, write_svg(picture), write_csv(picture)};
}

// The scene's values for a posture and its rates; link by link, each start where the one before ends.
std::map<std::string, double> posture_values(PeiretArm const& arm) {
  std::map<std::string, double> values;
  double const phidot = arm.rates[3];
  values["turntable.initial.angular_velocity[3]"] = phidot;
  double x = 0, z = PeiretArm::height, xdot = 0, zdot = 0;
  constexpr std::array<double, 3> length{PeiretArm::L1, PeiretArm::L2, PeiretArm::L3};
  for (std::size_t i = 0; i < 3; ++i) {
    std::string const link = fmt::format("link_{}.initial.", i + 1);
    double const theta = arm.theta[i], rate = arm.rates[static_cast<Eigen::Index>(i)];
    values[link + "position[1]"] = x;
    values[link + "position[2]"] = 0;
    values[link + "position[3]"] = z;
    values[link + "rotation[2]"] = theta;
    values[link + "velocity[1]"] = xdot;
    values[link + "velocity[2]"] = x * phidot;
    values[link + "velocity[3]"] = zdot;
    values[link + "angular_velocity[2]"] = rate;
    values[link + "angular_velocity[3]"] = phidot;
    x += length[i] * elementary::cos(theta);
    z -= length[i] * elementary::sin(theta);
    xdot -= length[i] * elementary::sin(theta) * rate;
    zdot -= length[i] * elementary::cos(theta) * rate;
  }
  return values;
}

// Masses for another density, and without the inertia that the scene gives to its turntable and to thin links.
std::map<std::string, double> density_values(double rho) {
  std::map<std::string, double> values;
  for (int i = 1; i <= 3; ++i) {
    values[fmt::format("turntable.inertia[{}]", i)] = 1e-9;
    std::string const link = fmt::format("link_{}.", i);
    double const length = i == 3 ? PeiretArm::L3 : PeiretArm::L1, mass = rho * length;
    values[link + "mass"] = mass;
    values[link + "inertia[1]"] = 1e-9;
    values[link + "inertia[2]"] = values[link + "inertia[3]"] = mass * length * length / 12;
  }
  return values;
}

ContourMap arm_map(SceneInstant& scene) {
  ContourMap map;
  map.title = "\u03bc_jam of the articulated arm";
  map.subtitles = {
      "scene articulated_arm, joints as constraints eliminated by Schur complement; tip on the plane, elbow "
      "up"};
  map.x = {"x", "m"};
  map.y = {"\u03b8\u2083", "deg"};
  map.value = {"\u03bc_jam", ""};
  for (int i = 0; i <= 70; ++i) map.grid.x.push_back(.1 + .012 * i);
  for (int j = 0; j <= 64; ++j) map.grid.y.push_back(20 + 2.1875 * j);
  map.grid.values.assign(map.grid.x.size() * map.grid.y.size(), std::nan(""));
  int const block = contact_blocks(scene).front();
  for (std::size_t j = 0; j < map.grid.y.size(); ++j) {
    for (std::size_t i = 0; i < map.grid.x.size(); ++i) {
      auto const arm = PeiretArm::with_tip_at(map.grid.x[i], map.grid.y[j] * degree);
      if (!arm) continue;
      scene.set(posture_values(*arm));
      map.grid.at(i, j) = cone_of(scene, block, .5).mu_jam;
    }
  }
  map.levels = {0, .42, .44, .46, .5, .55, .6, .7, .8, 1, 1.5, 2, 3, 5};
  return map;
}

ReproducedItem arm_figure(ReproductionRun& run, SceneInstant& scene) {
  run.begin("Peiret: map of mu_jam");
  ReproducedItem item{
      "Figs. 5, 6", "The articulated arm: \u03bc_jam over its postures, and its minima", {}, {}, {}};
  item.text = {
      "\u03bc_jam depends only on the place x of the tip and the angle \u03b8\u2083 of the last link. The "
      "map evaluates the scene articulated_arm, whose joints are constraints, at 71 x 65 "
      "postures. The minima are found by the program from the scene: minima_of_mu_jam walks over the "
      "postures "
      "that joints and contact allow, and knows nothing of "
      "the arm's coordinates.",
      "(42) prints the entries of link 3 with one power of L\u2083 too few; with them corrected, minimal "
      "coordinates and the scene agree."};
  ContourMap map = arm_map(scene);

  run.begin("Peiret: minima of mu_jam");
  auto const minima = minima_of_mu_jam(scene.model().system(), scene.instant(), 0);
  struct Found {
    double value = 0, x = 0;
    std::array<double, 3> theta{};
  };
  std::vector<Found> found;
  for (auto const& minimum : minima) {
    scene.place(minimum.q, std::vector<double>(scene.v().size(), 0.0));
    Found one{minimum.value, 0, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      // The link's x axis in the world, from its quaternion.
      std::string const link = fmt::format("link_{}.orientation", i + 1);
      double const w = scene.output(link + "[1]"), a = scene.output(link + "[2]"),
                   b = scene.output(link + "[3]"), c = scene.output(link + "[4]");
      Eigen::Vector3d const axis(w * w + a * a - b * b - c * c, 2 * (a * b + w * c), 2 * (a * c - w * b));
      // Outwards is where the tip is.
      double const tip_x = scene.output("tip_ground.position[1]"),
                   tip_y = scene.output("tip_ground.position[2]");
      one.x = elementary::hypot(tip_x, tip_y);
      double const outward = (axis[0] * tip_x + axis[1] * tip_y) / one.x;
      one.theta[i] = elementary::atan2(-axis[2], outward) / degree;
    }
    found.push_back(one);
  }
  auto const nearest = [&](double value) {
    return *std::ranges::min_element(found, {},
                                     [&](Found const& one) { return std::abs(one.value - value); });
  };
  Found const A = nearest(.420786822510), B = nearest(.4040);
  item.values.push_back(compared("minimum A of \u03bc_jam, found from the scene", "", printed("0.421"),
                                 .420786822510, A.value, 1e-9));
  constexpr std::array<double, 3> at_A{2.54376167, 106.29976808, 101.74712323};
  std::array<std::string, 3> const print_A{"2.5", "106.2", "101.8"};
  for (std::size_t i = 0; i < 3; ++i) {
    ReproducedValue angle =
        compared(fmt::format("\u03b8{} at A", std::array{"\u2081", "\u2082", "\u2083"}[i]), "deg",
                 printed(print_A[i]), at_A[i], A.theta[i], 0,
                 i == 0 ? ""
                        : "the print lies 0.1\u00b0 beside the minimum, which is flat: at x = 0.340, "
                          "\u03b8\u2083 = 101.75\u00b0 \u03bc_jam is 2.7e-6 larger");
    angle.bound = 1e-4;
    item.values.push_back(angle);
  }
  item.values.push_back(compared("x at A", "m", printed("0.340"), A.x,
                                 "the print's rounded posture has x = 0.3396; see the angles"));
  ReproducedValue b =
      compared("minimum B of \u03bc_jam, found from the scene", "", printed("0.404"), .404, B.value, 0);
  b.bound = 5e-4;
  item.values.push_back(b);
  ReproducedValue where;
  where.name = "posture at B (\u03b8\u2081, \u03b8\u2082, \u03b8\u2083)";
  where.ours_text = fmt::format("{:.3f}\u00b0, {:.3f}\u00b0, {:.3f}\u00b0, x = {:.4f} m", B.theta[0],
                                B.theta[1], B.theta[2], B.x);
  item.values.push_back(where);
  ReproducedValue others;
  others.name = "minima that the search found in all";
  others.ours_text = fmt::format("{}", found.size());
  others.reason =
      "the print's figure shows two; the other has its elbow below the line from shoulder to wrist, a sheet "
      "that "
      "the figure does not show";
  item.values.push_back(others);

  PeiretArm minimal;
  for (std::size_t i = 0; i < 3; ++i) minimal.theta[i] = at_A[i] * degree;
  Eigen::Matrix3d const contact = minimal.contact_matrix();
  double const mu_minimal = contact(2, 2) / contact.topRightCorner<2, 1>().norm();
  scene.set(posture_values(minimal));
  auto const cone = cone_of(scene, contact_blocks(scene).front(), .5);
  item.values.push_back(compared("\u03bc_jam at A: scene with joints against minimal coordinates (42)-(44)",
                                 "", {}, mu_minimal, cone.mu_jam, 1e-9));
  ReproducedValue alpha = compared(
      "locking angle at A, \u03bc = 0.5", "deg", printed("65.3"), 65.3867, cone.locking_angle / degree, 0,
      "65.39 rounds to 65.4; 65.3 is what 2 acos(0.421/0.5) with the rounded \u03bc_jam gives, 65.30");
  alpha.bound = 5e-5;
  item.values.push_back(alpha);
  ReproducedValue direction;
  direction.name = "coupled direction e_jam at A";
  // In the paper's directions: t2 is outwards, the scene's first tangent.
  bool const inwards = std::abs(cone.e_jam[0] + 1) < 1e-9 && std::abs(cone.e_jam[1]) < 1e-9;
  direction.print = printed_word("[0, \u22121]", inwards);
  direction.ours_text = fmt::format("[{:.9f}, {:.9f}]", -cone.e_jam[1] + 0.0, cone.e_jam[0]);
  direction.apart = 1;
  direction.ours = inwards ? 1 : 0;
  item.values.push_back(direction);

  map.series = {{"minima found", {A.x, B.x}, {A.theta[2], B.theta[2]}, false, ChartMark::dot}};
  map.notes = {{A.x, A.theta[2], fmt::format("A {:.4f}", A.value), 9, -7},
               {B.x, B.theta[2], fmt::format("B {:.4f}", B.value), 9, -7}};
  item.figures.push_back(peiret_arm_figure(
      "fig_6",
      "As Fig. 6: \u03bc_jam over x and \u03b8\u2083 with both minima. Blank: the arm does not reach.", map));
  Chart arm;
  arm.title = "The arm at A and B";
  arm.subtitles = {"from the shoulder at 0.6 m to the plane"};
  arm.x = {"x", "m", false, -.1, 1};
  arm.y = {"z", "m", false, -.06, .75};
  arm.equal = true;
  for (auto const& [name, posture] : {std::pair{"A", A}, std::pair{"B", B}}) {
    ChartSeries links{name, {0}, {PeiretArm::height}, true, ChartMark::ring};
    constexpr std::array<double, 3> length{PeiretArm::L1, PeiretArm::L2, PeiretArm::L3};
    for (std::size_t i = 0; i < 3; ++i) {
      links.x.push_back(links.x.back() + length[i] * elementary::cos(posture.theta[i] * degree));
      links.y.push_back(links.y.back() - length[i] * elementary::sin(posture.theta[i] * degree));
    }
    arm.series.push_back(links);
  }
  arm.series.push_back({"plane", {-.1, 1}, {0, 0}, true, ChartMark::none, false, -2});
  item.figures.push_back(peiret_arm_figure("fig_5", "As Fig. 5, right, for both minima.", arm));
  return item;
}

ReproducedItem arm_equations(ReproductionRun& run, SceneInstant& scene) {
  run.begin("Peiret: equations (45)-(49)");
  ReproducedItem item{"(45)\u2013(49)", "The arm slides into the jam: no solution, and two", {}, {}, {}};
  item.text = {
      "x = 0.340 m, \u03b8\u2083 = 101.75\u00b0, \u1e8b = \u22121 m/s, \u03c6\u0307 = 1 rad/s, \u03bc = 0.5. "
      "The print's numbers come out with \u03c1 = 1 kg/m, not the caption's 2, and without the terms of c "
      "with \u03c6\u0307, which it does "
      "keep in \u0226v. So they are computed here in the paper's coordinates; what the scene says with all "
      "terms stands below them."};
  PeiretArm arm = *PeiretArm::with_tip_at(.340, 101.75 * degree);
  arm.rho = 1;
  arm.move(-1, 0, 1);
  Eigen::Vector3d const u = arm.J() * arm.rates;
  item.values.push_back(compared("u_t1 (45)", "m/s", printed("-0.340"), u[0]));
  item.values.push_back(compared("u_t2 (45)", "m/s", printed("-1.0"), u[1]));
  Eigen::Vector2d const e_t = u.head<2>().normalized();
  item.values.push_back(compared("e_t1", "", printed("-0.3219"), e_t[0]));
  item.values.push_back(compared("e_t2", "", printed("-0.9468"), e_t[1]));
  std::array<std::string, 3> const names{"u\u0307_t1", "u\u0307_t2", "u\u0307_n"};
  auto const cone = generalised_friction_cone(arm.contact_matrix(), 3, .5);
  Eigen::Vector3d const per = cone.generator(e_t);
  auto const six_digits = [](ReproducedValue value) {
    value.bound = 5.1e-7;
    return value;
  };
  constexpr std::array<double, 3> per_apart{.126497, 8.316328, -.311758}, free_apart{1, -.016892, -9.766448},
      torque_apart{1, 1.262127, 3.222792};
  std::array<std::string, 3> const per_print{"0.1265", "8.316", "-0.3118"},
      free_print{"1.0", "-0.0169", "-9.766"}, torque_print{"1.0", "-1.262", "3.223"};
  for (std::size_t i = 0; i < 3; ++i)
    item.values.push_back(
        six_digits(compared(names[i] + " per unit of \u03bb_n (46)", "1/kg", printed(per_print[i]),
                            per_apart[i], per[static_cast<Eigen::Index>(i)], 0)));
  Eigen::Vector3d const free = arm.free_acceleration(0, false), torque = arm.free_acceleration(5, false);
  for (std::size_t i = 0; i < 3; ++i)
    item.values.push_back(six_digits(compared(names[i] + ", free part (46)", "m/s2", printed(free_print[i]),
                                              free_apart[i], free[static_cast<Eigen::Index>(i)], 0)));
  auto const solutions = [&](std::string const& name, double B, std::string const& expected, int number) {
    SlidingClass const kind = classify_sliding(cone.normal_answer(e_t), B);
    ReproducedValue value;
    value.name = name;
    value.print = printed_word(expected, kind.solutions() == number);
    value.ours_text = kind.solutions() == 0   ? "no solution"
                      : kind.solutions() == 2 ? "two solutions"
                                              : "one solution";
    value.apart = number;
    value.ours = kind.solutions();
    item.values.push_back(value);
  };
  solutions("LCP (47)", free[2], "no solution", 0);
  for (std::size_t i = 0; i < 3; ++i)
    item.values.push_back(
        six_digits(compared(names[i] + ", free part with \u03c4\u2081 = 5 N\u00b7m (48)", "m/s2",
                            printed(torque_print[i]), torque_apart[i], torque[static_cast<Eigen::Index>(i)],
                            0, i == 1 ? "the sign of this component is a misprint: it is +1.262" : "")));
  solutions("LCP (49)", torque[2], "two solutions", 2);
  ReproducedValue force = compared("\u03bb_n of the second solution (49)", "N", printed("10.3"), 10.337485,
                                   -torque[2] / cone.normal_answer(e_t), 0);
  force.bound = 5.1e-7;
  item.values.push_back(force);

  // The scene, whose joints are constraints: the same A, and the free part with all terms.
  auto values = density_values(1);
  for (auto const& [name, value] : posture_values(arm)) values[name] = value;
  scene.set(values);
  int const block = contact_blocks(scene).front();
  auto const of_scene = cone_of(scene, block, .5);
  // From the scene's (outwards, sideways, up) to the paper's (t1, t2, n).
  auto const paper = [](Eigen::Vector3d const& scene_vector) {
    return Eigen::Vector3d(-scene_vector[1], scene_vector[0], scene_vector[2]);
  };
  Eigen::Vector3d const per_scene = paper(of_scene.generator({e_t[1], -e_t[0]}));
  for (std::size_t i = 0; i < 3; ++i) {
    auto const k = static_cast<Eigen::Index>(i);
    ReproducedValue value = compared(names[i] + " per unit of \u03bb_n, from the scene with joints", "1/kg",
                                     printed(per_print[i]), per[k], per_scene[k], 0);
    value.bound = 1e-6;  // the scene's thin links and its turntable have an inertia of 1e-9 kg.m2
    item.values.push_back(value);
  }
  // The relaxed demands of gap and velocity are left out; the paper's components turn with the arm: + xdot phidot,
  // + x phidot^2.
  Eigen::Vector3d const acceleration = paper(free_contact_acceleration(scene, block));
  Eigen::Vector3d const turning = acceleration + Eigen::Vector3d(-1, .340, 0);
  constexpr std::array<double, 3> all_terms{.3566, .2114, -9.7809};
  Eigen::Vector3d const minimal = arm.free_acceleration(0, true);
  for (std::size_t i = 0; i < 3; ++i) {
    auto const k = static_cast<Eigen::Index>(i);
    ReproducedValue value =
        compared(names[i] + ", free part with all terms of c, from the scene", "m/s2", printed(free_print[i]),
                 all_terms[i], turning[k], 0,
                 "the print leaves out the terms of c with \u03c6\u0307, but keeps them in \u0226v");
    value.bound = 5.1e-5;
    item.values.push_back(value);
    ReproducedValue same = compared(names[i] + ": scene against minimal coordinates, all terms", "m/s2", {},
                                    minimal[k], turning[k], 0);
    same.bound = 1e-6;
    item.values.push_back(same);
  }
  return item;
}

}  // namespace

std::vector<ReproducedItem> reproduce_peiret_arm(ReproductionRun& run) {
  SceneInstant arm(read_scene_model(find_model("articulated_arm")));
  return {arm_figure(run, arm), arm_equations(run, arm)};
}

}  // namespace delassus
