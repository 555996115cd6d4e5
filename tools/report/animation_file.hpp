// The animation of a report as a file: .gif by giflib, .mp4 and .webm by the program ffmpeg. No browser is needed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tools/report/run_report.hpp"

namespace delassus {

// Throws CommandError, before the run, where the ending is none of these or what writes it is not there.
void check_animation_file(std::string const& file);

struct AnimationSummary {
  std::size_t pictures = 0;
  double duration = 0;  // s, of the film
  double speed = 1;     // seconds of the run for one of the film
};

// `speed`: default as animation_speed says. `progress` gets the share that is done. Throws CommandError where nothing of the
// report moves.
AnimationSummary write_animation(std::string const& file, Report const& report, std::optional<double> speed,
                                 std::function<void(double)> const& progress);

// True to time where a run takes 2 to 20 s; others are shown in some 8 s, at a speed of one digit.
double animation_speed(double duration);

}  // namespace delassus
