// The data of a report's page. Numbers are kept as they are where that takes no more than the limit, then with single precision, and
// where even that is too much, as the extremes of buckets of rows (decimation.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/numbers/elementary.hpp"
#include "tools/report/decimation.hpp"
#include "tools/report/packed_numbers.hpp"
#include "tools/report/report_page.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/json.hpp"

namespace delassus {
namespace {

// The numbers are packed already: here they are text like any other.
Json packed(std::span<const double> numbers, NumberWidth width) {
  return {
      {"bits", static_cast<int>(width)}, {"count", numbers.size()}, {"data", pack_numbers(numbers, width)}};
}

Json singles(std::span<const double> numbers) {
  return packed(numbers, NumberWidth::single_precision);
}

template <class Items, class Write>
Json list(Items const& items, Write const& write) {
  Json json = Json::array();
  for (auto const& item : items) json.push_back(write(item));
  return json;
}

Json texts(std::vector<std::string> const& items) {
  return list(items, readable_text);
}

template <class Vector>
Json vector_json(Vector const& vector, Eigen::Index size) {
  Json json = Json::array();
  for (Eigen::Index i = 0; i < size; ++i) json.push_back(vector[i]);
  return json;
}

// How the rows are kept, and their times so packed.
struct Kept {
  NumberWidth width = NumberWidth::double_precision;
  std::optional<Buckets> buckets;
  Json time;
};

Kept choose(Report const& report, ReportLimits const& limits) {
  std::size_t const rows = report.time.size(), columns = report.columns.size();
  Kept kept;
  kept.time = packed(report.time, NumberWidth::double_precision);
  // Even times are packed to little; values are taken as if they could not be packed at all.
  std::size_t const of_time = kept.time["data"].get_ref<std::string const&>().size() / 4 * 3;
  if (of_time + rows * columns * 8 <= limits.column_bytes) return kept;
  kept.width = NumberWidth::single_precision;
  if (of_time + rows * columns * 4 <= limits.column_bytes) return kept;
  std::size_t const most = limits.column_bytes / (8 + columns * 4) / 2;
  kept.buckets = Buckets{rows, std::clamp<std::size_t>(most, 1, rows)};
  kept.time = packed(bucket_times(*kept.buckets, report.time), NumberWidth::double_precision);
  return kept;
}

Json column_json(ReportColumn const& column, Kept const& kept) {
  return {{"name", readable_text(column.name)},
          {"unit", readable_text(column.unit)},
          {"description", readable_text(column.description)},
          {"stepped", column.stepped},
          {"computed", column.computed},
          {"items", list(column.items,
                         [](SignalItem const& item) {
                           return Json::array({item.value, readable_text(item.name)});
                         })},
          {"values", kept.buckets ? packed(bucket_extremes(*kept.buckets, column.values), kept.width)
                                  : packed(column.values, kept.width)}};
}

// Modes over time as changes: when, and to what.
struct ModeRuns {
  std::vector<double> times, modes;
  bool thinned = false;
};

ModeRuns mode_runs(Report const& report, std::vector<double> const& modes, std::size_t most) {
  ModeRuns runs;
  for (std::size_t row = 0; row < modes.size(); ++row) {
    if (row > 0 && modes[row] == modes[row - 1]) continue;
    runs.times.push_back(report.time[row]);
    runs.modes.push_back(modes[row]);
  }
  if (runs.times.size() <= most) return runs;
  // Too many changes to keep each: of a bucket of rows the mode that most of them have.
  runs = {};
  runs.thinned = true;
  Buckets const buckets{modes.size(), std::clamp<std::size_t>(most, 1, modes.size())};
  for (std::size_t k = 0; k < buckets.count; ++k) {
    std::array<std::size_t, 256> count{};
    for (std::size_t row = buckets.first(k); row < buckets.first(k + 1); ++row)
      ++count[static_cast<std::uint8_t>(modes[row])];
    auto const mode = static_cast<double>(std::ranges::max_element(count) - count.begin());
    if (!runs.modes.empty() && runs.modes.back() == mode) continue;
    runs.times.push_back(report.time[buckets.first(k)]);
    runs.modes.push_back(mode);
  }
  return runs;
}

bool is_mode(ReportColumn const& column) {
  auto const has = [&](std::string_view name) {
    return std::ranges::any_of(column.items, [&](SignalItem const& item) { return item.name == name; });
  };
  return has("detached") && has("stick") && has("slip") &&
         std::ranges::all_of(column.values, [](double value) { return value >= 0 && value <= 255; });
}

Json timelines_json(Report const& report, ReportLimits const& limits) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    if (is_mode(report.columns[i])) columns.push_back(i);
  }
  return list(columns, [&](std::size_t index) -> Json {
    ReportColumn const& column = report.columns[index];
    ModeRuns const runs = mode_runs(report, column.values, limits.mode_changes / columns.size());
    std::string name = column.name;
    if (name.ends_with(".mode")) name.resize(name.size() - 5);
    return {{"name", readable_text(name)},
            {"column", index},
            {"thinned", runs.thinned},
            {"times", packed(runs.times, NumberWidth::double_precision)},
            {"modes", packed(runs.modes, NumberWidth::eight_bits)}};
  });
}

Json point_json(DrawnPoint const& point, int dimension) {
  return {{"body", point.body}, {"place", vector_json(point.place, dimension)}};
}

Json body_json(DrawnBody const& body, int dimension) {
  auto const turn = [&](Eigen::Vector4d const& quaternion) {
    return dimension == 2 ? Json(2 * elementary::atan2(quaternion[3], quaternion[0]))
                          : vector_json(quaternion, 4);
  };
  auto const shape = [&](DrawnShape const& drawn) -> Json {
    return {{"kind", drawn.kind},
            {"radius", drawn.radius},
            {"half", vector_json(drawn.half, dimension)},
            {"place", vector_json(drawn.place, dimension)},
            {"turn", turn(drawn.turn)}};
  };
  return {{"name", readable_text(body.name)},
          {"moves", body.moves},
          {"turns", body.turns},
          {"halfLength", body.half_length},
          {"place", vector_json(body.place, dimension)},
          {"turn", turn(body.turn)},
          {"shapes", list(body.shapes, shape)},
          {"points",
           list(body.points, [&](Eigen::Vector3d const& point) { return vector_json(point, dimension); })}};
}

Json link_json(DrawnLink const& link, int dimension) {
  constexpr std::array<std::string_view, 3> kinds{"joint", "distance", "spring"};
  return {{"kind", kinds[static_cast<std::size_t>(link.kind)]},
          {"name", readable_text(link.name)},
          {"a", point_json(link.a, dimension)},
          {"b", point_json(link.b, dimension)}};
}

Json contact_json(ContactTrack const& contact) {
  return {{"name", readable_text(contact.name)},
          {"cone", contact.frictional},
          {"axes", contact.bounded_axes},
          {"bilateral", contact.bilateral},
          {"several", contact.several},
          {"place", singles(contact.place)},
          {"force", singles(contact.force)},
          {"lambda", singles(contact.lambda)},
          {"mu", singles(contact.mu)}};
}

Json group_json(GroupTrack const& group) {
  return {{"name", readable_text(group.name)},
          {"count", singles(group.count)},
          {"places", singles(group.places)},
          {"forces", singles(group.forces)}};
}

Json scene_json(Report const& report, SceneTrack const& scene) {
  int const dimension = scene.drawing.dimension;
  std::vector<double> times;
  for (std::size_t const row : scene.rows) times.push_back(report.time[row]);
  auto const input = [&](InputForceTrack const& track) -> Json {
    return {{"name", readable_text(track.name)},
            {"point", point_json(track.point, dimension)},
            {"force", singles(track.force)}};
  };
  return {
      {"name", readable_text(scene.name)},
      {"dimension", dimension},
      {"frames", scene.rows.size()},
      {"notes", texts(scene.notes)},
      {"times", packed(times, NumberWidth::double_precision)},
      {"poses", singles(scene.poses)},
      {"bodies",
       list(scene.drawing.bodies, [&](DrawnBody const& body) { return body_json(body, dimension); })},
      {"grounds", scene.drawing.grounds},
      {"links", list(scene.drawing.links, [&](DrawnLink const& link) { return link_json(link, dimension); })},
      {"contacts", list(scene.contacts, contact_json)},
      {"inputs", list(scene.inputs, input)},
      {"groups", list(scene.groups, group_json)},
      {"surfaces", list(scene.surfaces, [](SurfaceTrack const& surface) -> Json {
         return {{"body", surface.body}, {"way", singles(surface.way)}};
       })}};
}

Json parameter_json(ReportParameter const& parameter) {
  return {{"name", readable_text(parameter.name)},
          {"value", readable_text(parameter.value)},
          {"unit", readable_text(parameter.unit == "1" ? "" : parameter.unit)},
          {"description", readable_text(parameter.description)},
          {"set", parameter.set}};
}

Json energy_json(ReportEnergy const& energy) {
  return {{"of", readable_text(energy.of)},
          {"kinetic", energy.kinetic},
          {"potential", energy.potential},
          {"total", energy.total},
          {"work", energy.work},
          {"dissipated", energy.dissipated},
          {"counted", texts(energy.counted)},
          {"notes", texts(energy.notes)}};
}

Json pair_json(std::string const& first, std::string const& second) {
  return Json::array({readable_text(first), readable_text(second)});
}

}  // namespace

std::string report_json(Report const& report, ReportLimits const& limits) {
  Kept kept = choose(report, limits);
  Json json{{"program", fmt::format("delassus {}", program_version)},
            {"title", readable_text(report.title)},
            {"description", readable_text(report.description)},
            {"notes", texts(report.notes)},
            {"rows", report.time.size()},
            {"bits", static_cast<int>(kept.width)},
            {"buckets", kept.buckets ? kept.buckets->count : 0}};
  json["run"] = list(report.run, [](ReportFact const& fact) { return pair_json(fact.name, fact.value); });
  json["parameters"] = list(report.parameters, parameter_json);
  json["connections"] = list(report.connections, [](ReportConnection const& connection) {
    return pair_json(connection.from, connection.to);
  });
  json["time"] = std::move(kept.time);
  json["columns"] =
      list(report.columns, [&](ReportColumn const& column) { return column_json(column, kept); });
  json["timelines"] = timelines_json(report, limits);
  json["energies"] = list(report.energies, energy_json);
  json["scenes"] = list(report.scenes, [&](SceneTrack const& scene) { return scene_json(report, scene); });
  return write_script_json(json);
}

}  // namespace delassus
