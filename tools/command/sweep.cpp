#include "tools/command/sweep.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "fmu/content/sealed_bytes.hpp"
#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/simulate/run_interaction.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/mpi.hpp"
#include "tools/sweep/picture.hpp"
#include "tools/sweep/progress.hpp"
#include "tools/sweep/reduction.hpp"
#include "tools/sweep/task.hpp"

namespace delassus {
namespace {

using Rows = std::vector<std::optional<std::string>>;

struct SweepOptions {
  SweepRequest request;
  std::string sample = "grid", output, plot, shown;
  std::optional<double> run_timeout;
  std::size_t jobs = 0;  // 0: as many as there are cores
  bool restart = false, quiet = false, mpi = false;
};

bool to_standard_output(SweepOptions const& options) {
  return options.output.empty() || options.output == "-";
}

// The journal of the results; nothing where they go to standard output, a pipe or a device. Two names of one file have one journal.
std::optional<std::filesystem::path> journal_file(SweepOptions const& options) {
  if (to_standard_output(options)) return std::nullopt;
  std::error_code error;
  std::filesystem::path const target = std::filesystem::weakly_canonical(options.output, error);
  bool const linked = !error && std::filesystem::is_symlink(options.output, error);
  std::filesystem::path const output = linked ? target : std::filesystem::path(options.output);
  if (std::filesystem::exists(output, error) && !std::filesystem::is_regular_file(output, error))
    return std::nullopt;
  return output.string() + ".journal";
}

// What can be wrong with the arguments is found before the first run and not after an hour.
void check(SweepOptions const& options) {
  auto const fail = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  bool const sampled = options.request.sampling.kind != SamplingKind::grid;
  if (!sampled && options.request.sampling.runs > 0)
    fail("--runs is the size of a sample; give --sample latin or --sample random");
  if (double const seconds = options.run_timeout.value_or(1); !(seconds > 0))
    fail(fmt::format("--run-timeout is {}; it must be > 0", format_number(seconds)));
  auto const journal = journal_file(options);
  if (!journal && options.restart) fail("--restart needs -o and a file: without it there is no journal");
  auto inputs = files_of_model(options.request.subject.model, options.request.subject.variant);
  inputs.push_back(options.request.subject.input);
  keep_inputs(inputs, {options.output, options.plot, journal ? journal->string() : std::string()});
  demand_table(options.output, "give --plot FILE for a picture");
  check_picture_file(options.plot);
  std::error_code ignored;
  for (auto const& file : {options.output, options.plot}) {
    auto const folder = std::filesystem::path(file).parent_path();
    if (std::filesystem::is_directory(file, ignored))
      fail(fmt::format("cannot write {}: it is a folder", file));
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
      fail(fmt::format("cannot write {}: there is no folder {}", file, folder.string()));
  }
}

std::size_t find_shown(SweepOptions const& options, SweepTask const& task) {
  if (options.shown.empty()) return 0;
  std::string names;
  for (std::size_t i = 0; i < task.kept().size(); ++i) {
    if (task.kept()[i].text == options.shown) return i;
    names += (i == 0 ? "" : ", ") + task.kept()[i].text;
  }
  throw CommandError(ExitCode::usage,
                     fmt::format("--show {} is not kept; there are {}", options.shown, names));
}

std::function<WorkerPool::Work()> work_of(std::shared_ptr<SweepTask> const& task) {
  return [task] { return [task](std::size_t run) { return task->row_of(run); }; };
}

std::string identity_of(SweepTask const& task) {
  std::string all;
  for (auto const& fact : task.facts()) all += fact + "\n";
  return content_hash_text(all);
}

// Which runs come to an end depends on how long they may take.
std::vector<std::string> facts_of(SweepOptions const& options, SweepTask const& task) {
  auto facts = task.facts();
  if (options.run_timeout) facts.push_back("run-timeout " + format_number(*options.run_timeout));
  return facts;
}

double time_limit(SweepOptions const& options) {
  return options.run_timeout.value_or(std::numeric_limits<double>::infinity());
}

std::string interruption_text(Rows const& rows, SweepJournal const* journal) {
  auto const done = std::ranges::count_if(rows, [](auto const& row) { return row.has_value(); });
  if (journal == nullptr)
    return fmt::format("interrupted after {} of {} runs; with -o FILE they would be kept", done, rows.size());
  return fmt::format(
      "interrupted; {} of {} runs are kept in {}. The same command goes on from there, --restart begins anew",
      done, rows.size(), journal->file().string());
}

// Rows of all runs; nothing for those that an interruption left undone.
Rows do_runs(SweepOptions const& options, SweepTask const& task, SweepJournal* journal,
             std::function<std::unique_ptr<WorkSite>(std::size_t runs)> const& make_site) {
  Rows rows = journal != nullptr ? journal->take_rows() : Rows(task.plan().runs());
  std::vector<std::size_t> open;
  for (std::size_t run = 0; run < rows.size(); ++run) {
    if (!rows[run]) open.push_back(run);
  }
  if (!options.quiet && open.size() < rows.size())
    print_message("{}: {} of {} runs are finished already\n", journal->file().string(),
                  rows.size() - open.size(), rows.size());
  SweepProgress progress(options.quiet, rows.size(), rows.size() - open.size());
  auto const site = make_site(open.size());
  Rescue const rescue([&] { return interruption_text(rows, journal); });
  do_all(
      *site, open,
      [&](FinishedWork const& work) {
        std::string row = work.end == ChildEnd::finished ? work.text : task.row_of(work);
        UndisturbedWork const undisturbed;
        if (journal != nullptr) journal->add(work.number, row);
        progress.add(read_row(row).is_fine());
        rows[work.number] = std::move(row);
      },
      [&] {
        progress.show();
        return !interrupted();
      });
  return rows;
}

ExitCode tell_results(SweepOptions const& options, Rows const& rows) {
  std::size_t failed = 0, first = 0;
  for (std::size_t run = 0; run < rows.size(); ++run) {
    if (read_row(*rows[run]).is_fine()) continue;
    if (failed++ == 0) first = run;
  }
  std::string const name = to_standard_output(options) ? options.request.subject.model : options.output;
  if (failed > 0) {
    RowCells const cells = read_row(*rows[first]);
    print_message("delassus: {}: {} of {} runs failed; the first one, run {}, {}: {}\n", name, failed,
                  rows.size(), first + 1, cells.status, cells.message);
  } else if (!options.quiet) {
    print_message("{}: {} runs\n", name, rows.size());
  }
  return failed == 0 ? ExitCode::fine : failed == rows.size() ? ExitCode::run_failed : ExitCode::findings;
}

// What is hardly meant: degrees that are taken for radians; and a distribution in a grid, which is drawn from once for each
// of its points, where nothing else varies, so that there is one.
void tell_doubts(SweepTask const& task) {
  print_notes(task.subject().notes());
  bool const once = task.plan().runs() == 1 && task.plan().sampling().kind == SamplingKind::grid;
  for (SweepAxis const& axis : task.plan().axes()) {
    if (once && axis.distribution)
      print_message(
          "warning: {}={} is drawn once, for one run; --sample random --runs 100, or --vary "
          "seed=1:100, draws as many values\n",
          axis.name, axis.text);
    if (auto const note = note_on_range(axis.name, axis.text, axis.unit); !note.empty()) print_notes({note});
  }
}

ExitCode coordinate(SweepOptions const& options, SweepTask const& task,
                    std::function<std::unique_ptr<WorkSite>(std::size_t runs)> const& make_site) {
  std::size_t const shown = find_shown(options, task);
  if (!options.plot.empty()) check_picture(task);
  if (!options.quiet && task.plan().repeats_in_vain())
    print_message(
        "note: the model has no parameter seed and nothing is drawn, so that runs which differ only in seed "
        "are the same; draw something, such as --vary mu=0.5~0.05\n");
  if (!options.quiet) tell_doubts(task);
  std::optional<SweepJournal> journal;
  if (auto const file = journal_file(options))
    journal.emplace(*file, facts_of(options, task), task.plan().runs(), options.restart);
  listen_for_interruption();
  Rows const rows = do_runs(options, task, journal ? &*journal : nullptr, make_site);
  if (!std::ranges::all_of(rows, [](auto const& row) { return row.has_value(); })) {
    print_message("delassus: {}\n", interruption_text(rows, journal ? &*journal : nullptr));
    return ExitCode::run_failed;
  }
  write_each({[&] {
                if (!options.output.empty() || options.plot.empty())
                  write_file(options.output.empty() ? "-" : options.output, task.table(rows));
              },
              [&] {
                if (!options.plot.empty()) write_picture(options.plot, sweep_svg(task, rows, shown));
              }});
  if (journal) journal->remove();
  return tell_results(options, rows);
}

ExitCode sweep_here(SweepOptions const& options) {
  listen_for_interruption();
  auto const task = std::make_shared<SweepTask>(options.request);
  return coordinate(options, *task, [&](std::size_t runs) -> std::unique_ptr<WorkSite> {
    std::size_t const jobs =
        options.jobs > 0 ? options.jobs : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    return std::make_unique<PoolSite>(std::min(jobs, std::max<std::size_t>(runs, 1)), time_limit(options),
                                      work_of(task));
  });
}

ExitCode sweep_under_mpi(SweepOptions const& options, MpiLaunch const& launch) {
  if (mpi_module_file().empty()) {
    throw CommandError(
        ExitCode::usage,
        "started under MPI, but this program was built without it, so that each rank would do all "
        "runs: build it where CMake finds MPI (on Debian: libopenmpi-dev), or start it without "
        "mpirun");
  }
  // What is wrong with the arguments is wrong in every rank; one of them says so.
  std::shared_ptr<SweepTask> const task =
      launch.rank == 0 ? std::make_shared<SweepTask>(options.request) : nullptr;
  std::size_t const jobs = std::max<std::size_t>(options.jobs, 1);
  WorkStation station(jobs, time_limit(options), [&] {
    auto const own = std::make_shared<SweepTask>(options.request);
    return WorkStation::Crew{identity_of(*own), work_of(own)};
  });
  Mpi mpi;
  if (mpi.rank() != 0) {
    serve_rank(mpi, station);
    return ExitCode::fine;
  }
  RanksAtWork const others(mpi);
  if (!task) throw CommandError(ExitCode::run_failed, "MPI numbers its ranks otherwise than its launcher");
  return coordinate(options, *task, [&](std::size_t) -> std::unique_ptr<WorkSite> {
    return std::make_unique<MpiSite>(mpi, station, jobs, identity_of(*task));
  });
}

ExitCode sweep(SweepOptions const& options) {
  check(options);
  auto const launch = find_mpi_launch();
  if (options.mpi || (launch && launch->ranks.value_or(2) > 1))
    return sweep_under_mpi(options, launch.value_or(MpiLaunch{}));
  return sweep_here(options);
}

void add_model_options(CLI::App& command, SubjectRequest& subject) {
  command
      .add_option("model", subject.model,
                  "scene file, the name of an example, an .fmu, or a system: .ssp or .ssd")
      ->required();
  command.add_option("--variant", subject.variant, "of an .ssp: which of its .ssd files. As in cosim")
      ->type_name("NAME");
  add_fmi_option(command, subject.fmi_version,
                 "of a scene: run it through an FMU of this version; default: directly");
  command
      .add_option("--interface", subject.interface,
                  "of an FMU: cs for co-simulation, me for Model Exchange; default: cs where offered")
      ->check(CLI::IsMember({"cs", "me"}));
  command.add_flag("--event-mode", subject.event_mode,
                   "FMI 3 co-simulation: use event mode and early return where the FMU has them");
  add_number_option(command, "--start", subject.start, "start time, s; default: the model's");
  add_stop_option(command, subject.stop, "stop time, s; default: the model's");
  add_number_option(command, "--step", subject.step, "communication step, s; default: the model's");
  add_number_option(command, "--tolerance", subject.tolerance,
                    "tolerance that is passed to the model; default: none");
  command.add_option("--set", subject.settings, "name=value in all runs; repeat it for more. As in simulate")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  CLI::Option* const input =
      command.add_option("--input", subject.input, "CSV of inputs over time, for all runs. As in simulate")
          ->type_name("FILE");
  command
      .add_flag("--interpolate", subject.interpolate,
                "continuous inputs follow lines between rows. As in simulate")
      ->needs(input);
  command.add_option("--solver", subject.solver, "of Model Exchange: dopri5, cvode or euler. As in simulate")
      ->check(CLI::IsMember({"dopri5", "cvode", "euler"}));
}

std::string keep_help() {
  std::string text =
      "what is kept of each run, a column each; repeat it for more. A name stands for its final value; there "
      "are ";
  for (auto const& reduction : reductions())
    text += fmt::format("{}(X) ({}), ", reduction.name, reduction.description);
  for (auto const& reduction : condition_reductions())
    text += fmt::format("{}(X > Y) ({}), ", reduction.name, reduction.description);
  return text +
         "arithmetic and abs, sqrt, exp, log, sin, cos, tan, hypot, atan2. Default: the final values of all "
         "outputs";
}

}  // namespace

void add_sweep_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<SweepOptions>();
  CLI::App* const command = program.add_subcommand("sweep",
                                                   "Run a model many times with other values, on all cores "
                                                   "or under MPI, and write a table with a row for each "
                                                   "run. A run that fails, crashes or hangs is a row that "
                                                   "says so. After an interruption the same command goes on "
                                                   "where it was.");
  add_model_options(*command, options->request.subject);
  command
      ->add_option(
          "--vary", options->request.vary,
          "what is varied; repeat it for all combinations. NAME=FIRST:LAST:COUNT evenly, "
          "NAME=FIRST:LAST:COUNT:log evenly in the logarithm, NAME=FIRST:LAST whole numbers, NAME=A,B,C a "
          "list "
          "(also of choices by name), NAME=MEAN~SIGMA drawn from a normal distribution (cut off: "
          "MEAN~SIGMA:LOWEST:HIGHEST), NAME=~LOWEST:HIGHEST from a uniform one (~LOWEST:HIGHEST:log in the "
          "logarithm). A+B=... varies both together. Angles also as 45deg. The last part of a name will do "
          "where one variable has it. seed, where the model has no such parameter, numbers repetitions: runs "
          "of one seed have the same draws")
      ->type_name("NAME=VALUES")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--keep", options->request.keep, keep_help())
      ->type_name("EXPRESSION")
      ->allow_extra_args(false);
  command
      ->add_option("--sample", options->sample,
                   "grid: all combinations; latin: a Latin hypercube of --runs runs; random: independent "
                   "draws. In the "
                   "last two NAME=FIRST:LAST is a uniform distribution. Default: grid")
      ->check(CLI::IsMember({"grid", "latin", "random"}));
  command->add_option("--runs", options->request.sampling.runs, "size of a sample")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->request.sampling.seed, "of everything that is drawn; default: 1");
  command
      ->add_option("-o,--output", options->output,
                   "CSV to write, at the end; until then FILE.journal has the finished runs. Default: "
                   "standard output, "
                   "without a journal")
      ->type_name("FILE");
  command
      ->add_option("--runs-folder", options->request.runs_folder,
                   "folder for the whole results of each run, run-000001.csv and so on")
      ->type_name("FOLDER");
  CLI::Option* const plot =
      command
          ->add_option(
              "--plot", options->plot,
              "picture to write, .svg, .png or .pdf: curves over one axis, a map over two, points of a "
              "sample")
          ->type_name("FILE");
  command->add_option("--show", options->shown, "which of what is kept the plot shows; default: the first")
      ->type_name("EXPRESSION")
      ->needs(plot);
  command
      ->add_option("--jobs", options->jobs,
                   "worker processes; default: one for each core. Under MPI: of each rank, default 1")
      ->check(CLI::Range(1, 4096));
  add_number_option(*command, "--run-timeout", options->run_timeout,
                    "s after which a run is given up; default: never");
  command->add_flag("--restart", options->restart,
                    "drop the finished runs of an interrupted sweep and begin anew");
  command->add_flag(
      "--mpi", options->mpi,
      "use MPI also where its launcher is not recognised; mpirun, mpiexec and srun with PMI are");
  command->add_flag("--quiet", options->quiet, "no notes, summary and progress");
  command->footer(
      "The table is the same, to the byte, whatever the number of jobs and ranks. Exit code: 1 where some "
      "runs failed, "
      "3 where all did or the sweep was interrupted.\n\n"
      "Examples:\n"
      "  delassus sweep sliding_block --vary mu=0.1:1:50 --keep \"block.position[1]\" --plot stop.svg -o "
      "stop.csv\n"
      "  delassus sweep painleve_rod --vary mu=0.1:1:40 --vary rod.initial.angle=10deg:80deg:40 --keep "
      "\"max(tip_ground.force[2])\" --plot map.svg -o map.csv\n"
      "  delassus sweep block.fmu --sample latin --runs 1000 --vary mu=0.3~0.05 --vary push[1]=1:100:log -o "
      "sample.csv\n"
      "  delassus sweep positioning --vary controller.integral_gain=30:300:20:log --keep \"rms(error)\" "
      "--plot "
      "hunting.svg\n"
      "  mpirun -n 64 delassus sweep sliding_block --vary mu=0.1:1:50 --vary block.initial.velocity[1]=2~0.1 "
      "--vary "
      "seed=1:100 -o runs.csv");
  command->callback([options, &exit_code] {
    options->request.sampling.kind = options->sample == "latin"    ? SamplingKind::latin
                                     : options->sample == "random" ? SamplingKind::random
                                                                   : SamplingKind::grid;
    options->request.subject.model = find_system(options->request.subject.model).string();
    exit_code = sweep(*options);
  });
}

}  // namespace delassus
