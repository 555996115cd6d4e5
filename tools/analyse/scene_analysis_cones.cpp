// The generalised friction cone of a contact as a picture.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "tools/analyse/scene_analysis.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/cone_picture.hpp"
#include "tools/plot/picture_row.hpp"

namespace delassus {
namespace {

Chart section(AnalysedContact const& contact, std::string const& scene) {
  GeneralisedFrictionCone const& cone = contact.cone;
  Eigen::Vector2d const along =
      contact.sliding.value_or(cone.e_jam.norm() > 0 ? cone.e_jam : Eigen::Vector2d(1, 0));
  // Tangential components first, the normal one last: the third in space, the second in the plane.
  auto const point = [&](Eigen::Vector3d const& u) {
    return std::array<double, 2>{u.head(cone.tangential).dot(along.head(cone.tangential)),
                                 u[cone.tangential]};
  };
  auto const forward = point(cone.generator(along)), backward = point(cone.generator(-along));
  auto const natural = point(cone.generator(Eigen::Vector2d::Zero()));
  double const longest = std::max(
      {elementary::hypot(forward[0], forward[1]), elementary::hypot(backward[0], backward[1]), 1e-300});
  Chart chart;
  chart.title = contact.name + ": section of the cone";
  chart.subtitles = {fmt::format(
      "{}, mu = {:g}, mu_jam = {:.6g}; {}", scene, cone.mu, cone.mu_jam,
      contact.sliding ? (contact.jams ? "the sliding direction jams" : "the sliding direction does not jam")
                      : "at rest, along e_jam")};
  chart.x = {contact.sliding ? "along the sliding direction" : "along e_jam", "", false, -1.15, 1.15};
  chart.y = {"normal", "", false, -.75, 1.15};
  chart.equal = true;
  auto const scaled = [&](std::array<double, 2> const& p) {
    return std::array<double, 2>{p[0] / longest, p[1] / longest};
  };
  auto const f = scaled(forward), b = scaled(backward), n = scaled(natural);
  chart.regions = {{"changes of velocity that friction allows", {0, f[0], b[0]}, {0, f[1], b[1]}, 0}};
  chart.series = {{contact.sliding ? "force while it slides" : "force against e_jam",
                   {0, f[0]},
                   {0, f[1]},
                   true,
                   ChartMark::none,
                   false,
                   1},
                  {"normal force only", {0, n[0]}, {0, n[1]}, true, ChartMark::none, true, 2}};
  auto const pull = point(contact.free_acceleration);
  double const strength = elementary::hypot(pull[0], pull[1]);
  if (strength > 0)
    chart.series.push_back({fmt::format("other forces, {:.4g} m/s\u00b2, only the direction", strength),
                            {0, .6 * pull[0] / strength},
                            {0, .6 * pull[1] / strength},
                            true,
                            ChartMark::none,
                            false,
                            -2});
  chart.series.push_back({"tangent plane", {-1.15, 1.15}, {0, 0}, true, ChartMark::none, false, -2});
  return chart;
}

}  // namespace

std::string cone_svg(AnalysedContact const& contact, std::string const& scene) {
  std::string const flat = write_svg(section(contact, scene));
  if (contact.cone.tangential < 2) return flat;
  ConePicture picture;
  picture.title = contact.name + ": generalised friction cone";
  // Equation (28) of the paper.
  picture.subtitles = {"Peiret et al. 2019; dashed and darker: below the tangent plane"};
  picture.tangential_1 = "\u03b4u_t1";
  picture.tangential_2 = "\u03b4u_t2";
  picture.normal = "\u03b4u_n";
  picture.cones = {{fmt::format("\u03bc = {:g}", contact.cone.mu), contact.cone.A, contact.cone.mu}};
  if (std::isfinite(contact.cone.mu_jam) && contact.cone.mu_jam < 20)
    picture.cones.push_back(
        {fmt::format("\u03bc_jam = {:.5g}", contact.cone.mu_jam), contact.cone.A, contact.cone.mu_jam});
  if (contact.sliding)
    picture.arrows.push_back({"slides", Eigen::Vector3d((*contact.sliding)[0], (*contact.sliding)[1], 0)});
  return picture_row({write_svg(picture), flat});
}

}  // namespace delassus
