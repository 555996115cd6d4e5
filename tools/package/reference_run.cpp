#include "tools/package/reference_run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/package_description.hpp"
#include "tools/simulate/in_process_instance.hpp"
#include "tools/support/byte_message.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/worker_pool.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Every n-th row: rows of the run itself, so that a repeated run meets their times exactly.
TimeTable thinned(TimeTable const& table) {
  std::size_t const most = std::clamp<std::size_t>(
      most_reference_values / std::max<std::size_t>(1, table.names.size()), 2, most_reference_rows);
  std::size_t const every = (table.rows() + most - 2) / (most - 1);
  TimeTable thin{table.file, table.names, {}, std::vector<std::vector<double>>(table.names.size())};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row % every != 0 && row + 1 != table.rows()) continue;
    thin.time.push_back(table.time[row]);
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      thin.columns[column].push_back(table.columns[column][row]);
  }
  return thin;
}

// The columns that an importer sets.
TimeTable inputs_of(ReferenceRun const& run) {
  TimeTable const& all = run.result.table;
  TimeTable inputs{"", {}, all.time, {}};
  for (std::size_t column = 0; column < all.names.size(); ++column) {
    if (!run.signals[column].is_input()) continue;
    inputs.names.push_back(all.names[column]);
    inputs.columns.push_back(all.columns[column]);
  }
  return inputs;
}

// What the child sends, as frames.
enum Frame : std::size_t { reached_frame, result_frame };

std::string as_bytes(SimulationResult const& result) {
  MessageWriter message;
  message.add(result.failure.has_value()).add_text(result.failure.value_or(""));
  message.add(result.steps).add(result.terminated);
  message.add_all(std::span(result.signals)).add_all(std::span(result.parameters));
  message.add_all(std::span(result.parameter_values)).add_all(std::span(result.table.time));
  message.add(result.table.names.size());
  for (std::size_t i = 0; i < result.table.names.size(); ++i)
    message.add_text(result.table.names[i]).add_all(std::span(result.table.columns[i]));
  return {message.bytes().begin(), message.bytes().end()};
}

SimulationResult from_bytes(std::string_view bytes) {
  MessageReader message(bytes);
  SimulationResult result;
  bool const failed = message.take<bool>();
  std::string const failure = message.take_text();
  if (failed) result.failure = failure;
  result.steps = message.take<std::size_t>();
  result.terminated = message.take<bool>();
  result.signals = message.take_all<std::size_t>();
  result.parameters = message.take_all<std::size_t>();
  result.parameter_values = message.take_all<double>();
  result.table.time = message.take_all<double>();
  for (auto count = message.take<std::size_t>(); count > 0; --count) {
    result.table.names.push_back(message.take_text());
    result.table.columns.push_back(message.take_all<double>());
  }
  return result;
}

void run_in(int channel, Model const& model, SignalTable const& signals, SimulationPlan const& plan) {
  using Clock = std::chrono::steady_clock;
  // The instance ends before this function does, the model after it.
  std::shared_ptr<const Model> const borrowed(std::shared_ptr<void>{}, &model);
  auto const instance = make_in_process_instance(borrowed, signals, {});
  auto told = Clock::now();
  auto const tell = [&](double share) {
    if (Clock::now() - told < std::chrono::milliseconds(100)) return true;
    told = Clock::now();
    MessageWriter message;
    message.add(plan.start + share * (plan.stop - plan.start));
    return send_all(channel, make_frame(reached_frame, {message.bytes().data(), message.bytes().size()}));
  };
  SimulationResult result = run_simulation(*instance, plan, tell);
  if (result.failure) result.table = {};
  result.table = thinned(result.table);
  send_all(channel, make_frame(result_frame, as_bytes(result)));
}

// s of processor time that a child of ours took.
double processor_time(ChildProcess const& child) {
  clockid_t clock{};
  timespec taken{};
  if (::clock_getcpuclockid(child.process(), &clock) != 0 || ::clock_gettime(clock, &taken) != 0) return 0;
  return static_cast<double>(taken.tv_sec) + 1e-9 * static_cast<double>(taken.tv_nsec);
}

// Nothing where the limit was reached.
std::optional<SimulationResult> run_apart(Model const& model, SignalTable const& signals,
                                          SimulationPlan const& plan, ReferenceWatch const& watch) {
  constexpr int look_every = 100;  // ms
  ChildProcess child([&](int channel) { run_in(channel, model, signals, plan); },
                     ChildProcess::Prints::with_ours);
  std::string const name = model.table().model_name();
  double reached = plan.start;
  std::string received, text;
  std::size_t kind = 0;
  for (;;) {
    if (interrupted())
      throw CommandError(
          ExitCode::run_failed,
          fmt::format("interrupted while the default experiment of {} was at {} s; nothing was written", name,
                      format_time(reached)));
    pollfd wait{child.channel(), POLLIN, 0};
    if (::poll(&wait, 1, look_every) > 0) {
      char buffer[65536];
      ssize_t const count = ::read(child.channel(), buffer, sizeof buffer);
      if (count == 0) {
        child.ends_within(1);
        throw CommandError(ExitCode::run_failed, fmt::format("the default experiment of {} {}", name,
                                                             in_words(child.end(), watch.limit)));
      }
      if (count > 0) received.append(buffer, static_cast<std::size_t>(count));
      while (take_frame(received, kind, text)) {
        if (kind == result_frame) return from_bytes(text);
        reached = MessageReader(text).take<double>();
      }
    }
    double const taken = processor_time(child);
    if (watch.progress) watch.progress(plan, reached, taken);
    if (taken <= watch.limit) continue;
    if (watch.give_up)
      watch.give_up(fmt::format("the default experiment of {} was at {} of {} s after {} s of processor time",
                                name, format_time(reached), format_time(plan.stop),
                                format_number(watch.limit)));
    return std::nullopt;
  }
}

}  // namespace

std::optional<ReferenceRun> make_reference_run(Model const& model, ReferenceWatch const& watch) {
  DefaultExperiment const& experiment = model.table().default_experiment();
  ReferenceRun run;
  run.plan.start = experiment.start;
  run.plan.stop = experiment.stop;
  run.plan.step = experiment.step;
  SignalTable const signals(package_description(model, 2));
  auto result = run_apart(model, signals, run.plan, watch);
  if (!result) return std::nullopt;
  run.result = std::move(*result);
  if (run.result.failure) {
    throw CommandError(ExitCode::run_failed,
                       fmt::format("the default experiment of {} fails: {}; correct the scene, or build with "
                                   "--no-reference",
                                   model.table().model_name(), *run.result.failure));
  }
  for (std::size_t const index : run.result.signals) run.signals.push_back(signals[index]);
  run.inputs = inputs_of(run);
  return run;
}

std::map<std::string, std::string> reference_files(ReferenceRun const& run, std::string const& model_name,
                                                   std::string const& source_file) {
  std::string const folder = "extra/org.fmi-standard.fmi-ls-ref/";
  std::map<std::string, std::string> files;
  std::string related;
  auto const relate = [&](std::string_view type, std::string_view role, std::string const& source,
                          std::string_view description) {
    related += fmt::format("  <Related type=\"{}\" source=\"{}\" role=\"{}\" description=\"{}\"/>\n", type,
                           escape_markup(source), role, description);
  };
  std::string const results = model_name + "_ref.csv", inputs = model_name + "_in.csv";
  files[folder + results] = write_csv(run.result.table);
  relate("text/csv", "result", results, "Inputs and outputs over time of the default experiment");
  if (!run.inputs.names.empty()) {
    files[folder + inputs] = write_csv(run.inputs);
    relate("text/csv", "testcase", inputs, "Inputs over time of the default experiment");
  }
  if (!source_file.empty())
    relate("application/xml", "model", "../../documentation/" + source_file,
           "Source that the FMU was made from");
  // The names in it are those of the layered standard, version 1.0.0-alpha.1.
  files[folder + "fmi-ls-manifest.xml"] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiReferences xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\"\n"
      "  fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\"\n"
      "  fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\"\n"
      "  fmi-ls:fmi-ls-description=\"Layered Standard providing information on related files included in an "
      "FMU.\">\n" +
      related + "</fmiReferences>\n";
  files["documentation/fmi-ls-ref.txt"] = fmt::format(
      "{0}{1} has the inputs and outputs of the default experiment ({2} s to {3} s, communication step {4} "
      "s, start\n"
      "values as in modelDescription.xml), made by the program that packed this FMU, {5} rows. A run on\n"
      "the same platform reproduces them to the bit; on others the mathematical functions of the C library\n"
      "differ in the last digit, which a contact that opens or slips may make visible.\n\n"
      "  delassus simulate {6}.fmu --reference {1}\n",
      folder, results, run.plan.start, run.plan.stop, run.plan.step, run.result.table.rows(), model_name);
  return files;
}

}  // namespace delassus
