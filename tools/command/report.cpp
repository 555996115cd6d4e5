#include "tools/command/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/report/animation_file.hpp"
#include "tools/report/report_page.hpp"
#include "tools/report/report_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/progress_line.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

struct ReportOptions : ReportRequest {
  std::string output, video;
  std::optional<double> video_speed;
};

ExitCode report(ReportOptions const& options) {
  ReportOutcome const outcome = report_of(options);
  std::string page;
  auto const write_page = [&] {
    if (options.output.empty()) return;
    page = write_report_page(outcome.report);
    write_file(options.output, page);
  };
  auto const write_video = [&] {
    if (options.video.empty()) return;
    AnimationSummary film;
    {
      ProgressLine progress(options.quiet);
      film = write_animation(options.video, outcome.report, options.video_speed,
                             [&](double share) { progress(share); });
    }
    if (!options.quiet)
      print_message("{}: {} pictures, {:.3g} s, {} x the time of the run\n", options.video, film.pictures,
                    film.duration, format_number(film.speed));
  };
  if (outcome.failure) print_message("delassus: {} failed {}\n", options.source, *outcome.failure);
  write_each({write_page, write_video});
  if (!options.quiet && !options.output.empty() && options.output != "-") {
    print_message("{}: {} rows, {} columns{}, {:.2f} MB\n", options.output, outcome.report.time.size(),
                  outcome.report.columns.size(),
                  outcome.report.scenes.empty()
                      ? ", no animation"
                      : fmt::format(", {} frames", outcome.report.scenes.front().rows.size()),
                  static_cast<double>(page.size()) / 1e6);
  }
  return outcome.failure ? ExitCode::run_failed : ExitCode::fine;
}

}  // namespace

void add_report_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<ReportOptions>();
  CLI::App* const command = program.add_subcommand(
      "report",
      "Make a page of a run that a browser shows without a network: an animation with contact forces, linked "
      "plots, "
      "the modes of contacts over time, forces in their friction cones, the energy balance, parameters.");
  command
      ->add_option("source", options->source,
                   "CSV of results, or what is run first: .fmu, scene file, the name of an example, or a "
                   "system (.ssp, .ssd)")
      ->required();
  command->add_option("-o,--output", options->output, "page to write; - is standard output")
      ->type_name("FILE");
  command
      ->add_option(
          "--video", options->video,
          "the animation as a file: .gif, or .mp4 and .webm by the program ffmpeg. Without -o there is "
          "no page")
      ->type_name("FILE");
  add_number_option(*command, "--video-speed", options->video_speed,
                    "seconds of the run in one of the video; default: 1 for runs of 2 to 20 s, others are "
                    "shown in some 8 s");
  command
      ->add_option("--model", options->model,
                   "of a CSV: the .fmu, scene file, example or system that it came from; without it there "
                   "are only plots")
      ->type_name("MODEL");
  command->add_option("--variant", options->variant, "which .ssd of a package with several")
      ->type_name("FILE");
  add_fmi_option(*command, options->fmi_version,
                 "of a scene: run it through an FMU of this version; default: directly");
  add_number_option(*command, "--start", options->start, "start time, s; default: the model's");
  add_stop_option(*command, options->stop, "stop time, s; default: the model's");
  add_number_option(*command, "--step", options->step, "communication step, s; default: the model's");
  add_number_option(*command, "--tolerance", options->tolerance,
                    "tolerance that is passed to the model; default: none");
  command
      ->add_option("--set", options->settings,
                   "name=value before the run, or of the run that a CSV came from; repeat it for more")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  CLI::Option* const input =
      command->add_option("--input", options->input, "CSV with inputs, as for simulate")->type_name("FILE");
  command
      ->add_flag("--interpolate", options->interpolate,
                 "continuous inputs follow lines between rows, as for simulate")
      ->needs(input);
  command->add_flag("--quiet", options->quiet, "no summary and progress");
  command->footer(
      "The page is below 20 MB however long the run is: of long runs the extremes of short spans are kept, "
      "and the "
      "page says so.\n\n"
      "Example:\n  delassus report painleve_rod --set tip_ground.mu=0.8 -o rod.html\n"
      "  delassus report results.csv --model rod.fmu -o rod.html\n"
      "  delassus report loop.ssp -o loop.html\n"
      "  delassus report painleve_rod --video rod.gif");
  command->callback([options, &exit_code] {
    options->source = find_system(options->source).string();
    options->model = find_system(options->model).string();
    if (options->output.empty() && options->video.empty())
      throw CommandError(ExitCode::usage,
                         "give --output FILE.html for a page, --video FILE.gif for an animation, or both");
    if (options->video_speed && !(*options->video_speed > 0))
      throw CommandError(ExitCode::usage, fmt::format("--video-speed is {}; it must be > 0",
                                                      format_number(*options->video_speed)));
    if (options->video_speed && options->video.empty())
      throw CommandError(ExitCode::usage, "--video-speed needs --video");
    if (!options->output.empty() && options->output != "-") options->rescued_rows = options->output + ".csv";
    listen_for_interruption();
    auto inputs = files_of_model(options->source, options->variant);
    for (auto const& file : files_of_model(options->model, options->variant)) inputs.push_back(file);
    inputs.push_back(options->input);
    keep_inputs(inputs, {options->output, options->video, options->rescued_rows});
    demand_page(options->output);
    check_animation_file(options->video);
    exit_code = report(*options);
  });
}

}  // namespace delassus
