// The data of a report's page. Numbers are kept as they are where that takes no more than the limit, then with single precision, and
// where even that is too much, as the extremes of buckets of rows (decimation.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tools/report/decimation.hpp"
#include "tools/report/packed_numbers.hpp"
#include "tools/report/report_page.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/json_text.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

// Text from a file of somebody else: bytes that are no UTF-8 become question marks, `<` cannot end a script.
std::string text(std::string const& given) {
  std::string clean = given;
  if (!is_utf8(clean)) {
    std::ranges::replace_if(
        clean, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  }
  std::string escaped;
  for (char const c : json_text(clean)) {
    if (c == '<') {
      escaped += "\\u003c";
    } else if (c == '\x7f') {
      escaped += "\\u007f";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

template <class Items, class Write>
std::string list(Items const& items, Write const& write) {
  std::string json = "[";
  for (auto const& item : items) {
    if (json.size() > 1) json += ",";
    json += write(item);
  }
  return json + "]";
}

std::string texts(std::vector<std::string> const& items) {
  return list(items, [](std::string const& item) { return text(item); });
}

std::string packed(std::span<const double> numbers, NumberWidth width) {
  return fmt::format("{{\"bits\":{},\"count\":{},\"data\":\"{}\"}}", static_cast<int>(width), numbers.size(),
                     pack_numbers(numbers, width));
}

std::string singles(std::span<const double> numbers) {
  return packed(numbers, NumberWidth::single_precision);
}

template <class Vector>
std::string vector_text(Vector const& vector, Eigen::Index size) {
  std::string json = "[";
  for (Eigen::Index i = 0; i < size; ++i) json += (i == 0 ? "" : ",") + json_number(vector[i]);
  return json + "]";
}

// How the rows are kept, and their times so packed.
struct Kept {
  NumberWidth width = NumberWidth::double_precision;
  std::optional<Buckets> buckets;
  std::string time;
};

Kept choose(Report const& report, ReportLimits const& limits) {
  std::size_t const rows = report.time.size(), columns = report.columns.size();
  Kept kept;
  kept.time = packed(report.time, NumberWidth::double_precision);
  // Even times are packed to little; values are taken as if they could not be packed at all.
  std::size_t const of_time = kept.time.size() / 4 * 3;
  if (of_time + rows * columns * 8 <= limits.column_bytes) return kept;
  kept.width = NumberWidth::single_precision;
  if (of_time + rows * columns * 4 <= limits.column_bytes) return kept;
  std::size_t const most = limits.column_bytes / (8 + columns * 4) / 2;
  kept.buckets = Buckets{rows, std::clamp<std::size_t>(most, 1, rows)};
  kept.time = packed(bucket_times(*kept.buckets, report.time), NumberWidth::double_precision);
  return kept;
}

std::string column_json(ReportColumn const& column, Kept const& kept) {
  std::string json = fmt::format(
      "{{\"name\":{},\"unit\":{},\"description\":{},\"stepped\":{},\"computed\":{},\"items\":",
      text(column.name), text(column.unit), text(column.description), column.stepped, column.computed);
  json += list(column.items,
               [](SignalItem const& item) { return fmt::format("[{},{}]", item.value, text(item.name)); });
  std::string const values = kept.buckets ? packed(bucket_extremes(*kept.buckets, column.values), kept.width)
                                          : packed(column.values, kept.width);
  return json + ",\"values\":" + values + "}";
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

std::string timelines_json(Report const& report, ReportLimits const& limits) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    if (is_mode(report.columns[i])) columns.push_back(i);
  }
  return list(columns, [&](std::size_t index) {
    ReportColumn const& column = report.columns[index];
    ModeRuns const runs = mode_runs(report, column.values, limits.mode_changes / columns.size());
    std::string name = column.name;
    if (name.ends_with(".mode")) name.resize(name.size() - 5);
    return fmt::format("{{\"name\":{},\"column\":{},\"thinned\":{},\"times\":{},\"modes\":{}}}", text(name),
                       index, runs.thinned, packed(runs.times, NumberWidth::double_precision),
                       packed(runs.modes, NumberWidth::eight_bits));
  });
}

std::string point_json(DrawnPoint const& point, int dimension) {
  return fmt::format("{{\"body\":{},\"place\":{}}}", point.body, vector_text(point.place, dimension));
}

std::string body_json(DrawnBody const& body, int dimension) {
  auto const turn = [&](Eigen::Vector4d const& quaternion) {
    return dimension == 2 ? json_number(2 * std::atan2(quaternion[3], quaternion[0]))
                          : vector_text(quaternion, 4);
  };
  auto const shapes = list(body.shapes, [&](DrawnShape const& shape) {
    return fmt::format("{{\"kind\":\"{}\",\"radius\":{},\"half\":{},\"place\":{},\"turn\":{}}}", shape.kind,
                       json_number(shape.radius), vector_text(shape.half, dimension),
                       vector_text(shape.place, dimension), turn(shape.turn));
  });
  auto const points =
      list(body.points, [&](Eigen::Vector3d const& point) { return vector_text(point, dimension); });
  return fmt::format(
      "{{\"name\":{},\"moves\":{},\"turns\":{},\"halfLength\":{},\"place\":{},\"turn\":{},\"shapes\":{},"
      "\"points\":{}}}",
      text(body.name), body.moves, body.turns, json_number(body.half_length),
      vector_text(body.place, dimension), turn(body.turn), shapes, points);
}

std::string scene_json(Report const& report, SceneTrack const& scene) {
  int const dimension = scene.drawing.dimension;
  std::vector<double> times;
  for (std::size_t const row : scene.rows) times.push_back(report.time[row]);
  std::string json =
      fmt::format("{{\"name\":{},\"dimension\":{},\"frames\":{},\"notes\":{},\"times\":{},\"poses\":{}",
                  text(scene.name), dimension, scene.rows.size(), texts(scene.notes),
                  packed(times, NumberWidth::double_precision), singles(scene.poses));
  json += ",\"bodies\":" +
          list(scene.drawing.bodies, [&](DrawnBody const& body) { return body_json(body, dimension); });
  json += ",\"grounds\":" + list(scene.drawing.grounds, [](double height) { return json_number(height); });
  json += ",\"links\":" + list(scene.drawing.links, [&](DrawnLink const& link) {
            constexpr std::array<std::string_view, 3> kinds{"joint", "distance", "spring"};
            return fmt::format("{{\"kind\":\"{}\",\"name\":{},\"a\":{},\"b\":{}}}",
                               kinds[static_cast<std::size_t>(link.kind)], text(link.name),
                               point_json(link.a, dimension), point_json(link.b, dimension));
          });
  json +=
      ",\"contacts\":" + list(scene.contacts, [](ContactTrack const& contact) {
        return fmt::format(
            "{{\"name\":{},\"cone\":{},\"axes\":{},\"bilateral\":{},\"several\":{},\"place\":{},\"force\":{},"
            "\"lambda\":{},"
            "\"mu\":{}}}",
            text(contact.name), contact.frictional, contact.bounded_axes, contact.bilateral, contact.several,
            singles(contact.place), singles(contact.force), singles(contact.lambda), singles(contact.mu));
      });
  json += ",\"inputs\":" + list(scene.inputs, [&](InputForceTrack const& input) {
            return fmt::format("{{\"name\":{},\"point\":{},\"force\":{}}}", text(input.name),
                               point_json(input.point, dimension), singles(input.force));
          });
  json += ",\"groups\":" + list(scene.groups, [](GroupTrack const& group) {
            return fmt::format("{{\"name\":{},\"count\":{},\"places\":{},\"forces\":{}}}", text(group.name),
                               singles(group.count), singles(group.places), singles(group.forces));
          });
  return json + "}";
}

}  // namespace

std::string report_json(Report const& report, ReportLimits const& limits) {
  Kept const kept = choose(report, limits);
  std::string json = fmt::format("{{\"program\":{},\"title\":{},\"description\":{},\"notes\":{}",
                                 text(fmt::format("delassus {}", program_version)), text(report.title),
                                 text(report.description), texts(report.notes));
  json += fmt::format(",\"rows\":{},\"bits\":{},\"buckets\":{}", report.time.size(),
                      static_cast<int>(kept.width), kept.buckets ? kept.buckets->count : 0);
  json += ",\"run\":" + list(report.run, [](ReportFact const& fact) {
            return fmt::format("[{},{}]", text(fact.name), text(fact.value));
          });
  json += ",\"parameters\":" + list(report.parameters, [](ReportParameter const& parameter) {
            return fmt::format("{{\"name\":{},\"value\":{},\"unit\":{},\"description\":{},\"set\":{}}}",
                               text(parameter.name), text(parameter.value),
                               text(parameter.unit == "1" ? "" : parameter.unit), text(parameter.description),
                               parameter.set);
          });
  json += ",\"connections\":" + list(report.connections, [](ReportConnection const& connection) {
            return fmt::format("[{},{}]", text(connection.from), text(connection.to));
          });
  json += ",\"time\":" + kept.time;
  json += ",\"columns\":" +
          list(report.columns, [&](ReportColumn const& column) { return column_json(column, kept); });
  json += ",\"timelines\":" + timelines_json(report, limits);
  json += ",\"energies\":" + list(report.energies, [](ReportEnergy const& energy) {
            return fmt::format(
                "{{\"of\":{},\"kinetic\":{},\"potential\":{},\"total\":{},\"work\":{},\"dissipated\":{},"
                "\"counted\":{},"
                "\"notes\":{}}}",
                text(energy.of), energy.kinetic, energy.potential, energy.total, energy.work,
                energy.dissipated, texts(energy.counted), texts(energy.notes));
          });
  json += ",\"scenes\":" +
          list(report.scenes, [&](SceneTrack const& scene) { return scene_json(report, scene); });
  return json + "}\n";
}

}  // namespace delassus
