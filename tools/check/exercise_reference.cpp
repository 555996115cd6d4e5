// Results against a reference: a file of the user's, and those that the FMU has as the layered standard
// fmi-ls-ref says (extra/org.fmi-standard.fmi-ls-ref, roles `result` and `testcase`).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "tools/simulate/reference_comparison.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "xml/text/schema_value.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr char const* manifest_folder = "extra/org.fmi-standard.fmi-ls-ref";

struct Column {
  std::string name;
  std::vector<std::size_t> signals;  // an array's column has all of its elements
};

// Others write texts, truth values and arrays into cells, which our own tables do not have.
struct LooseTable {
  std::vector<std::string> names;
  std::vector<double> time;
  std::vector<std::vector<std::string>> rows;  // one cell for each name
};

std::vector<std::string> cells_of(std::string const& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char const c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

LooseTable read_loosely(std::string const& text, std::string const& file) {
  LooseTable table;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    std::string const line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (trimmed(line).empty()) continue;
    auto cells = cells_of(line);
    if (table.names.empty()) {
      cells.erase(cells.begin());  // the time, whatever it is called
      table.names = std::move(cells);
      if (table.names.empty()) throw CsvError(file, number, "there is no column beside the time");
      continue;
    }
    auto const time = parse_double(cells.front());
    if (!time || cells.size() != table.names.size() + 1)
      throw CsvError(file, number, "the row has no time, or not a cell for each column");
    cells.erase(cells.begin());
    // Two rows at one time are an event, and the last one holds.
    if (!table.time.empty() && table.time.back() == *time) {
      table.rows.back() = std::move(cells);
    } else {
      table.time.push_back(*time);
      table.rows.push_back(std::move(cells));
    }
  }
  if (table.time.empty()) throw CsvError(file, number, "there are no rows");
  return table;
}

std::optional<double> cell_number(std::string_view text) {
  if (auto const truth = parse_boolean(text); truth && (text == "true" || text == "false"))
    return *truth ? 1 : 0;
  return parse_double(text);
}

class ReferenceCheck {
 public:
  ReferenceCheck(ExerciseContext& context, ReferenceSettings const& settings, double seconds)
      : context_(context), settings_(settings), seconds_(seconds) {}

  void run() {
    if (settings_.file) compare(*settings_.file, settings_.file->string(), std::nullopt);
    auto const folder = context_.fmu.folder() / manifest_folder;
    if (!fs::exists(folder / "fmi-ls-manifest.xml")) return;
    std::vector<fs::path> results;
    std::optional<fs::path> inputs;
    SourceElement root;
    try {
      root = read_tree(read_file(folder / "fmi-ls-manifest.xml"), description_limits);
    } catch (XmlError const&) {
      return;  // `companion-readable`
    }
    for (auto const& related : root.children) {
      std::string type, source, role;
      for (auto const& [name, value] : related.attributes) {
        (name == "type" ? type : name == "source" ? source : name == "role" ? role : ignored_) = value;
      }
      if (related.name != "Related" || type != "text/csv") continue;
      auto const file = fs::weakly_canonical(folder / source);
      auto const relative = file.lexically_relative(fs::weakly_canonical(context_.fmu.folder()));
      if (relative.empty() || *relative.begin() == ".." || !fs::exists(file)) {
        context_.find("reference-readable",
                      fmt::format("the manifest names {}, which is not in the FMU", source),
                      "add the file, or remove it from the manifest");
        continue;
      }
      if (role == "result") results.push_back(file);
      if (role == "testcase" && !inputs) inputs = file;
    }
    for (auto const& file : results)
      compare(file, (fs::path(manifest_folder) / file.filename()).string(), inputs);
  }

 private:
  // Results may have more columns than an FMU has variables: one file may serve two versions of a model. A file
  // of the user's is meant for this FMU.
  std::vector<Column> columns_of(LooseTable const& table, bool all) const {
    std::vector<Column> columns;
    std::string unknown;
    for (auto const& name : table.names) {
      columns.push_back({name, {}});
      try {
        columns.back().signals = context_.signals.resolve(name);
      } catch (UnknownSignal const& error) {
        if (unknown.empty()) unknown = error.what();
      }
    }
    bool const none =
        std::ranges::all_of(columns, [](Column const& column) { return column.signals.empty(); });
    if (none || (all && !unknown.empty())) throw UnknownSignal(unknown);
    return columns;
  }

  double step_of(LooseTable const& table) const {
    double const spacing = table.time.size() > 1 ? table.time[1] - table.time[0] : context_.timeline.step;
    auto const& experiment = context_.description.default_experiment;
    auto const step =
        experiment && experiment->step_size ? parse_double(*experiment->step_size) : std::nullopt;
    if (!step || !(*step > 0)) return spacing;
    double const parts = spacing / *step;
    return std::abs(parts - std::round(parts)) < 1e-6 && parts >= 0.5 ? *step : spacing;
  }

  void compare(fs::path const& file, std::string const& name, std::optional<fs::path> const& inputs) {
    context_.stage("comparing with " + name);
    try {
      LooseTable const table = read_loosely(read_file(file), name);
      auto const columns = columns_of(table, settings_.file == file);
      std::optional<LooseTable> driven;
      if (inputs) driven = read_loosely(read_file(*inputs), inputs->filename().string());
      run_along(table, columns, driven, name);
    } catch (InstanceError const& error) {
      context_.find("reference-results", name + ": the run failed: " + error.what(), "see what the FMU logs");
    } catch (std::exception const& error) {
      context_.find("reference-readable", name + ": " + error.what(),
                    "write a table with the time in its first column and variables of the FMU in the others");
    }
  }

  void set_inputs(SimulatedInstance& instance, LooseTable const& inputs, double time) const {
    std::size_t row = 0;
    while (row + 1 < inputs.time.size() &&
           inputs.time[row + 1] <= time + 1e-9 * std::max(1.0, std::abs(time)))
      ++row;
    for (std::size_t i = 0; i < inputs.names.size(); ++i) {
      auto const signal = context_.signals.find(inputs.names[i]);
      if (!signal || !context_.signals[*signal].is_input()) continue;
      if (auto const value = cell_number(inputs.rows[row][i]))
        instance.set(std::vector<SignalValue>{{*signal, *value}});
    }
  }

  void run_along(LooseTable const& table, std::vector<Column> const& columns,
                 std::optional<LooseTable> const& inputs, std::string const& name) {
    auto const begin = Clock::now();
    auto const instance = context_.instantiate("reference");
    double time = table.time.front();
    double const step = step_of(table);
    instance->enter_initialization({time, std::nullopt, std::nullopt});
    if (inputs) set_inputs(*instance, *inputs, time);
    instance->exit_initialization();
    std::vector<double> scales(columns.size(), 0.0);
    for (auto const& row : table.rows) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        for (auto const word : split_at_blanks(row[i])) {
          if (auto const value = cell_number(word); value && std::isfinite(*value))
            scales[i] = std::max(scales[i], std::abs(*value));
        }
      }
    }
    std::set<std::size_t> reported;
    for (std::size_t row = 0; row < table.time.size(); ++row) {
      double const origin = time;
      auto const count =
          static_cast<std::size_t>(std::max(0.0, std::round((table.time[row] - origin) / step)));
      DecimalTimes const times(origin, step);
      for (std::size_t k = 0; k < count; ++k) {
        std::chrono::duration<double> const spent = Clock::now() - begin;
        if (spent.count() > seconds_) return;  // the rest would take longer than the check may
        double const from = times.after(k);
        double const size = k + 1 == count ? table.time[row] - from : step;
        if (row + k > 0 && inputs) set_inputs(*instance, *inputs, from);
        if (instance->do_step(from, std::abs(size - step) < 1e-9 * step ? step : size).terminated) return;
      }
      time = table.time[row];
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (reported.contains(i) || columns[i].signals.empty()) continue;
        if (auto const difference = compare_cell(*instance, columns[i], table.rows[row][i], scales[i])) {
          reported.insert(i);
          context_.find("reference-results",
                        fmt::format("{} at {} s is {} and {} in {}", columns[i].name, format_time(time),
                                    *difference, table.rows[row][i], name),
                        "correct the FMU or the reference, or compare with a larger --reference-tolerance");
        }
      }
    }
  }

  // The value where it differs.
  std::optional<std::string> compare_cell(SimulatedInstance& instance, Column const& column,
                                          std::string const& cell, double scale) const {
    Signal const& signal = context_.signals[column.signals.front()];
    if (signal.is_input() || signal.type == "Binary" || signal.type == "Clock") return std::nullopt;
    if (signal.type == "String") {
      auto const text = instance.get_text(column.signals.front());
      return text == cell ? std::nullopt : std::optional(text);
    }
    auto const words = split_at_blanks(cell);
    std::vector<double> values(column.signals.size());
    instance.get(column.signals, values);
    std::string text;
    for (double const value : values) text += (text.empty() ? "" : " ") + format_number(value);
    if (words.size() != values.size()) return text;
    double const allowed = signal.is_float() ? settings_.tolerance * std::max(scale, smallest_scale) : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto const expected = cell_number(words[i]);
      if (!expected) continue;  // empty: nothing is said
      if (!(std::abs(values[i] - *expected) <= allowed) &&
          !(std::isnan(values[i]) && std::isnan(*expected)) && values[i] != *expected)
        return text;
    }
    return std::nullopt;
  }

  ExerciseContext& context_;
  ReferenceSettings const& settings_;
  double seconds_;
  std::string ignored_;
};

}  // namespace

void exercise_reference(ExerciseContext& context, ReferenceSettings const& settings, double seconds) {
  ReferenceCheck(context, settings, seconds).run();
}

}  // namespace delassus
