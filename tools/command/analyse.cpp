#include "tools/command/analyse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>

#include "model/scene/number.hpp"
#include "solver/analysis/jamming_search.hpp"
#include "tools/analyse/contact_view.hpp"
#include "tools/analyse/scene_analysis.hpp"
#include "tools/analyse/scene_map.hpp"
#include "tools/command/options.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/package/package_files.hpp"
#include "tools/plot/contour_map.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/json.hpp"
#include "tools/support/progress_line.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct AnalyseOptions {
  std::string scene;
  std::vector<std::string> settings, over;
  std::string at, contact, map, minimise, output, plot;
  int starts = ConfigurationSearch{}.starts;
  bool json = false, quiet = false;
};

// What a model refuses is told as `simulate` tells it.
template <class Work>
auto guarded(Work const& work, ExitCode code = ExitCode::run_failed) {
  try {
    return work();
  } catch (SlaveError const& error) {
    throw CommandError(code, error.what());
  }
}

void assign(SceneInstant& scene, SignalTable const& signals, std::string const& text) {
  std::map<std::string, double> values;
  for (auto const& [signal, value] : parse_assignment(signals, text))
    values[signals[signal].name] = std::get<double>(value);
  guarded([&] { scene.set(values); }, ExitCode::usage);
}

// `rod.initial.angle=45deg, tip_ground.mu=2`: a comma ends an assignment where a name and `=` follow.
std::vector<std::string> split_assignments(std::string const& text) {
  std::vector<std::string> parts{""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const equals = text.find('=', i), comma = text.find(',', i + 1);
    if (text[i] == ',' && equals != std::string::npos && (comma == std::string::npos || equals < comma)) {
      parts.emplace_back();
      while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

// Degrees that are taken for radians.
void tell_angles(AnalyseOptions const& options, SceneInstant const& scene, SignalTable const& signals) {
  auto settings = options.settings;
  if (!options.at.empty() && !parse_number(options.at))
    std::ranges::move(split_assignments(options.at), std::back_inserter(settings));
  print_notes(notes_on_settings(signals, settings));
  for (std::string_view const text : options.over) {
    std::string const name(text.substr(0, text.find('=')));
    bool const known = scene.can_be_set(name) || scene.is_output(name);
    if (!known || name.size() == text.size()) continue;  // an error where it is read
    auto const note = note_on_range(name, text.substr(name.size() + 1), unit(scene.unit_of(name)).name);
    if (!note.empty()) print_notes({note});
  }
}

void go_to(SceneInstant& scene, SignalTable const& signals, std::string const& at, bool quiet) {
  if (at.empty()) return;
  auto const time = parse_number(at);
  if (!time) {
    for (auto const& part : split_assignments(at)) assign(scene, signals, part);
    return;
  }
  double const start = scene.time();
  if (*time < start)
    throw CommandError(ExitCode::usage,
                       fmt::format("--at {}: the scene starts at {} s", at, format_number(start)));
  ProgressLine progress(quiet);
  constexpr int parts = 100;
  for (int k = 1; k <= parts; ++k) {
    guarded([&] { scene.run_to(start + (*time - start) * k / parts); });
    progress(static_cast<double>(k) / parts);
  }
}

// ---- a map

ExitCode map(AnalyseOptions const& options, SceneInstant& scene) {
  MapQuantity const& quantity = find_quantity(options.map);
  std::vector<MapRange> ranges;
  for (auto const& text : options.over) ranges.push_back(parse_range(scene, text));
  if (ranges.empty() || ranges.size() > 2)
    throw CommandError(ExitCode::usage,
                       fmt::format("--map {} needs one or two --over NAME=FROM:TO:POINTS", options.map));
  BlockIdentity const contact = find_contact(scene, options.contact);
  std::string const contact_name = scene.model().system().block_name(contact);
  SceneMap map(scene, contact, quantity, ranges);
  ValueGrid grid;
  {
    ProgressLine progress(options.quiet);
    grid = guarded([&] {
      return map.grid([&](double share) {
        progress(share);
        return true;
      });
    });
  }
  std::string const title = fmt::format("{} of {}", quantity.name, contact_name);
  std::string csv;
  if (ranges.size() == 2) {
    csv = write_csv(grid, ranges[0].name, ranges[1].name, std::string(quantity.name));
  } else {
    csv = ranges[0].name + "," + std::string(quantity.name) + "\n";
    for (std::size_t i = 0; i < grid.x.size(); ++i)
      csv += format_number(grid.x[i]) + "," +
             (std::isfinite(grid.values[i]) ? format_number(grid.values[i]) : "") + "\n";
  }
  if (!options.output.empty() || options.plot.empty())
    write_file(options.output.empty() ? "-" : options.output, csv);
  if (!options.plot.empty()) {
    // Angles are written in radians and shown in degrees.
    auto const axis = [&](MapRange const& range, std::vector<double>& at) {
      if (range.is_angle) {
        for (double& value : at) value /= degree;
        return ChartAxis{range.name, "deg"};
      }
      UnitId const id = scene.unit_of(range.name);
      return ChartAxis{range.name, id == UnitId::one ? "" : std::string(unit(id).name)};
    };
    std::string const value_unit = quantity.unit == "rad" ? "deg" : std::string(quantity.unit);
    if (quantity.unit == "rad") {
      for (double& value : grid.values) value /= degree;
    }
    std::string svg;
    if (ranges.size() == 2) {
      ContourMap picture;
      picture.title = title;
      picture.subtitles = {fmt::format("{}: {}", scene.scene().name, quantity.description)};
      picture.x = axis(ranges[0], grid.x);
      picture.y = axis(ranges[1], grid.y);
      picture.value = {std::string(quantity.name), value_unit};
      picture.counts = quantity.counts;
      picture.grid = grid;
      svg = write_svg(picture);
    } else {
      Chart picture;
      picture.title = title;
      picture.subtitles = {fmt::format("{}: {}", scene.scene().name, quantity.description)};
      picture.x = axis(ranges[0], grid.x);
      picture.y = {std::string(quantity.name), value_unit};
      picture.series = {{"", grid.x, grid.values}};
      svg = write_svg(picture);
    }
    write_picture(options.plot, svg);
  }
  if (!options.quiet) {
    auto const there = std::ranges::count_if(grid.values, [](double value) { return std::isfinite(value); });
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (double const value : grid.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    print_message("{}: {} places, {} with a value", title, grid.values.size(), there);
    if (there > 0) print_message(", from {:.6g} to {:.6g}", low, high);
    print_message("\n");
  }
  return ExitCode::fine;
}

// ---- minima

struct NamedValue {
  std::string name;
  double value = 0;
  bool is_angle = false;
};

struct NamedMinimum {
  double value = 0;
  std::vector<NamedValue> coordinates;
  std::vector<double> q;
};

// What tells a configuration: where the joints are, and the contact.
std::vector<NamedValue> coordinates_of(SceneInstant& scene, std::string const& contact) {
  std::vector<NamedValue> values;
  auto const add = [&](std::string const& name) {
    if (!scene.has(name)) return;
    values.push_back({name, scene.output(name), scene.unit_of(name) == UnitId::radian});
  };
  for (auto const& joint : scene.scene().joints) {
    add(joint.name + ".angle");
    add(joint.name + ".position");
  }
  for (auto const& body : scene.scene().bodies) add(body.name + ".angle");
  for (int i = 1; i <= scene.scene().dimension; ++i) add(fmt::format("{}.position[{}]", contact, i));
  return values;
}

std::vector<NamedMinimum> find_minima(AnalyseOptions const& options, SceneInstant& scene,
                                      BlockIdentity contact, std::string const& contact_name) {
  std::vector<NamedMinimum> found;
  if (options.over.empty()) {
    if (options.minimise != "mu_jam")
      throw CommandError(ExitCode::usage,
                         fmt::format("--minimise {} needs one or two --over NAME=FROM:TO:POINTS; without "
                                     "them only mu_jam can be minimised, over "
                                     "all configurations",
                                     options.minimise));
    ConfigurationSearch search;
    search.starts = options.starts;
    std::vector<double> const rest(scene.v().size(), 0.0);
    if (owner_of(contact) != BlockOwner::contact)
      throw CommandError(
          ExitCode::usage,
          fmt::format("{} is a group of contacts; --minimise without --over is for a declared contact",
                      contact_name));
    for (auto const& minimum :
         minima_of_mu_jam(scene.model().system(), scene.instant(), element_of(contact), search)) {
      scene.place(minimum.q, rest);
      found.push_back({minimum.value, coordinates_of(scene, contact_name), minimum.q});
    }
    return found;
  }
  MapQuantity const& quantity = find_quantity(options.minimise);
  if (quantity.counts)
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} is a number of solutions: it has a map and no minimum", quantity.name));
  std::vector<MapRange> ranges;
  for (auto const& text : options.over) ranges.push_back(parse_range(scene, text));
  if (ranges.size() > 2) throw CommandError(ExitCode::usage, "at most two --over can be given");
  SceneMap map(scene, contact, quantity, ranges);
  ProgressLine progress(options.quiet);
  ValueGrid const grid = map.grid([&](double share) {
    progress(share);
    return true;
  });
  for (auto const& minimum : refine_minima(map, ranges, grid)) {
    NamedMinimum named{minimum.value, {}, {}};
    for (std::size_t i = 0; i < ranges.size(); ++i)
      named.coordinates.push_back({ranges[i].name, minimum.coordinates[i], ranges[i].is_angle});
    found.push_back(named);
  }
  return found;
}

ExitCode minimise(AnalyseOptions const& options, SceneInstant& scene) {
  BlockIdentity const contact = find_contact(scene, options.contact);
  std::string const name = scene.model().system().block_name(contact);
  auto const minima = guarded([&] { return find_minima(options, scene, contact, name); });
  std::string text;
  if (options.json) {
    Json list = Json::array();
    for (auto const& minimum : minima) {
      Json coordinates = Json::object();
      for (auto const& coordinate : minimum.coordinates) coordinates[coordinate.name] = coordinate.value;
      list.push_back({{"value", minimum.value}, {"coordinates", std::move(coordinates)}, {"q", minimum.q}});
    }
    text = write_json({{"scene", scene.scene().name},
                       {"quantity", options.minimise},
                       {"contact", name},
                       {"minima", std::move(list)}});
  } else {
    text = fmt::format("{} of {} in {}: {} local {} {}\n", options.minimise, name, scene.scene().name,
                       minima.size(), minima.size() == 1 ? "minimum" : "minima",
                       options.over.empty() ? fmt::format("over the configurations that joints and the "
                                                          "closed contact allow (a search from {} places)",
                                                          options.starts)
                                            : "inside the ranges");
    for (std::size_t i = 0; i < minima.size(); ++i) {
      text += fmt::format("  {}  {:.12g}\n", i + 1, minima[i].value);
      for (auto const& [coordinate, value, is_angle] : minima[i].coordinates)
        text += fmt::format("       {} = {:.9g}{}\n", coordinate, (is_angle ? value / degree : value) + 0.0,
                            is_angle ? " deg" : "");
    }
  }
  write_standard_output(text);
  return ExitCode::fine;
}

ExitCode analyse(AnalyseOptions const& options) {
  if (!options.map.empty() && !options.minimise.empty())
    throw CommandError(ExitCode::usage, "--map and --minimise are two tasks; give one of them");
  if (!options.over.empty() && options.map.empty() && options.minimise.empty())
    throw CommandError(ExitCode::usage, "--over needs --map or --minimise: what to look at over that range");
  auto const argument = find_model(options.scene);
  keep_inputs({argument.file.string()}, {options.output, options.plot});
  if (!options.map.empty())
    demand_table(options.output, "give --plot FILE for a picture");
  else
    demand_analysis(options.output, options.json);
  check_picture_file(options.plot);
  std::vector<std::string> notes;
  auto const model = read_scene_model(argument, &notes);
  if (!options.quiet) print_notes(notes);
  SceneInstant scene(model);
  SignalTable const signals(package_description(*model, 2));
  for (auto const& text : options.settings) assign(scene, signals, text);
  go_to(scene, signals, options.at, options.quiet);
  if (!options.quiet) tell_angles(options, scene, signals);
  if (!options.map.empty()) return map(options, scene);
  if (!options.minimise.empty()) return minimise(options, scene);
  SceneAnalysis const analysis = analyse_scene(scene);
  if (!options.plot.empty()) {
    BlockIdentity const shown = find_contact(scene, options.contact);
    for (auto const& contact : analysis.contacts) {
      if (scene.dynamics().terms().blocks[static_cast<std::size_t>(contact.block)].identity == shown)
        write_picture(options.plot, cone_svg(contact, analysis.scene));
    }
  }
  std::string const text = options.json ? analysis_json(analysis) : analysis_text(analysis);
  write_file(options.output.empty() ? "-" : options.output, text);
  return ExitCode::fine;
}

}  // namespace

void add_analyse_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<AnalyseOptions>();
  CLI::App* const command = program.add_subcommand(
      "analyse",
      "Is the contact of a scene well-posed? Shows, at an instant, each contact's generalised friction cone "
      "and how near it is to jamming, all solutions of the contact "
      "problem with their forces, stability and consequences, and which friction guarantees a unique one. Or "
      "maps one of these numbers over parameters and coordinates.");
  command->add_option("scene", options->scene, "scene file, or the name of an example")->required();
  command
      ->add_option("--set", options->settings,
                   "name=value before the analysis; repeat it for more. As in simulate")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--at", options->at,
                   "time to simulate to first, s; or a state as name=value, name=value. Default: the start")
      ->type_name("TIME|STATE");
  command
      ->add_option("--contact", options->contact,
                   "the contact that --plot, --map and --minimise look at; default: the first")
      ->type_name("NAME");
  command->add_flag("--json", options->json, "as JSON");
  std::string quantities;
  for (auto const& quantity : map_quantities())
    quantities +=
        fmt::format("{}{} ({})", quantities.empty() ? "" : ", ", quantity.name, quantity.description);
  command->add_option("--map", options->map, "a number over the grid of one or two --over: " + quantities)
      ->type_name("QUANTITY");
  command
      ->add_option("--minimise", options->minimise,
                   "local minima of such a number inside the ranges of --over; of mu_jam, without --over, "
                   "over all configurations that joints and the contact allow")
      ->type_name("QUANTITY");
  command
      ->add_option("--over", options->over,
                   "NAME=FROM:TO:POINTS, once or twice. A parameter or input is set; an output, such as "
                   "elbow.angle, is reached by moving the scene along what its joints and the "
                   "contact allow. Angles also as 45deg")
      ->type_name("RANGE")
      ->allow_extra_args(false);
  command
      ->add_option("--starts", options->starts,
                   "places from which --minimise starts where there is no --over; default: 60")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("-o,--output", options->output,
                   "file for the analysis or, of --map, its CSV; default: standard output")
      ->type_name("FILE");
  command
      ->add_option("--plot", options->plot,
                   "picture to write, .svg, .png or .pdf: the cone of a contact, or the map")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "no progress and summary");
  command->footer(
      "Examples:\n"
      "  delassus analyse painleve_rod --set tip_ground.mu=2 --at 0.05\n"
      "  delassus analyse painleve_rod --at \"rod.initial.angle=45deg, tip_ground.mu=2\" --plot cone.svg\n"
      "  delassus analyse painleve_rod --set rod.initial.angular_velocity=4 --map solutions --over "
      "rod.initial.angle=5deg:85deg:60 --over tip_ground.mu=0.1:2.5:60 --plot map.svg -o map.csv\n"
      "  delassus analyse articulated_arm --minimise mu_jam");
  command->callback([options, &exit_code] { exit_code = analyse(*options); });
}

}  // namespace delassus
