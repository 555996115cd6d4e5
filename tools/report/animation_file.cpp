#include "tools/report/animation_file.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "tools/image/gif_writer.hpp"
#include "tools/plot/svg_renderer.hpp"
#include "tools/report/scene_picture.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/child_process.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/split_text.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

constexpr int pictures_a_second = 25, hundredths_a_picture = 100 / pictures_a_second;
constexpr std::size_t most_pictures = 3000;
// Pixels; of several scenes beside each other, each has the smaller size.
constexpr int lone_width = 800, lone_height = 520, shared_width = 560, shared_height = 420;

enum class FilmFormat { gif, mp4, webm };

FilmFormat film_format(std::string const& file) {
  std::string ending = fs::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending == ".gif") return FilmFormat::gif;
  if (ending == ".mp4") return FilmFormat::mp4;
  if (ending == ".webm") return FilmFormat::webm;
  throw CommandError(ExitCode::usage,
                     fmt::format("'{}': an animation is written as .gif, .mp4 or .webm; name the file {}",
                                 file, fs::path(file).replace_extension(".gif").string()));
}

// Where the program is, or nothing.
std::string find_program(std::string const& name) {
  char const* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    auto const end = std::min(rest.find(':'), rest.size());
    fs::path const file = fs::path(rest.substr(0, end)) / name;
    if (::access(file.c_str(), X_OK) == 0) return file.string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

// All scenes of a report beside each other, at any time of the run.
class Film {
 public:
  explicit Film(Report const& report) : title_(report.title), start_(report.time.front()) {
    for (SceneTrack const& scene : report.scenes) {
      std::vector<double>& times = times_.emplace_back();
      for (std::size_t const row : scene.rows) times.push_back(report.time[row]);
    }
    for (std::size_t i = 0; i < report.scenes.size(); ++i)
      players_.push_back(std::make_unique<TrackPlayer>(report.scenes[i], times_[i]));
    bool const lone = players_.size() == 1;
    width_ = lone ? lone_width : shared_width;
    height_ = lone ? lone_height : shared_height;
    double const span = report.time.back() - start_;
    decimals_ = std::clamp(static_cast<int>(std::ceil(2 - elementary::log10(std::max(span, 1e-9)))), 1, 9);
  }

  int width() const { return width_ * static_cast<int>(players_.size()); }
  int height() const { return height_; }

  PixelPicture at(double time, double speed) {
    std::string const told = speed == 1 ? "" : fmt::format("  ({} x)", format_number(speed));
    std::vector<PixelPicture> tiles;
    for (std::size_t i = 0; i < players_.size(); ++i) {
      players_[i]->move_to(time);
      std::string const& scene = players_[i]->track().name;
      tiles.push_back(draw_picture(*players_[i],
                                   {scene.empty() || players_.size() == 1 ? title_ : scene,
                                    fmt::format("{:.{}f} s{}", time, decimals_, told)},
                                   width_, height_));
    }
    if (tiles.size() == 1) return std::move(tiles.front());
    PixelPicture all{width(), height_, {}};
    for (int y = 0; y < height_; ++y) {
      for (PixelPicture const& tile : tiles) {
        auto const row = tile.rgba.begin() + static_cast<std::ptrdiff_t>(4) * y * width_;
        all.rgba.insert(all.rgba.end(), row, row + static_cast<std::ptrdiff_t>(4) * width_);
      }
    }
    return all;
  }

 private:
  std::string title_;
  double start_;
  std::vector<std::vector<double>> times_;
  std::vector<std::unique_ptr<TrackPlayer>> players_;
  int width_ = 0, height_ = 0, decimals_ = 2;
};

using Pictures = std::function<PixelPicture(std::size_t)>;

std::string film_as_gif(std::size_t count, Pictures const& picture,
                        std::function<void(double)> const& progress) {
  // Colours from a few pictures of the whole run.
  constexpr std::size_t most_samples = 8;
  std::vector<PixelPicture> samples;
  for (std::size_t k = 0; k < std::min(most_samples, count); ++k)
    samples.push_back(picture(k * (count - 1) / std::max<std::size_t>(1, std::min(most_samples, count) - 1)));
  GifWriter gif(samples, hundredths_a_picture);
  for (std::size_t k = 0; k < count; ++k) {
    gif.add(picture(k));
    progress(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  return gif.finish();
}

std::vector<std::string> encoder_arguments(FilmFormat format, int width, int height,
                                           std::string const& file) {
  std::vector<std::string> list{"ffmpeg",
                                "-nostdin",
                                "-loglevel",
                                "error",
                                "-y",
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "rgba",
                                "-s",
                                fmt::format("{}x{}", width, height),
                                "-r",
                                std::to_string(pictures_a_second),
                                "-i",
                                "pipe:0",
                                "-threads",
                                "1",
                                "-fflags",
                                "+bitexact",
                                "-flags:v",
                                "+bitexact"};
  auto const more =
      format == FilmFormat::mp4
          ? std::vector<std::string>{"-c:v",    "libx264", "-crf",      "20",
                                     "-preset", "medium",  "-movflags", "+faststart"}
          : std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-cpu-used", "4"};
  list.insert(list.end(), more.begin(), more.end());
  list.insert(list.end(), {"-pix_fmt", "yuv420p", file});
  return list;
}

// What ffmpeg printed so far.
std::string printed_by(ChildProcess const& child) {
  std::string text;
  std::array<char, 4096> buffer{};
  pollfd waiting{child.prints(), POLLIN, 0};
  while (text.size() < buffer.size() && ::poll(&waiting, 1, 0) > 0) {
    auto const count = ::read(child.prints(), buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text.substr(0, text.find_last_not_of(" \r\n") + 1);
}

std::string film_by_ffmpeg(FilmFormat format, int width, int height, std::size_t count,
                           Pictures const& picture, std::function<void(double)> const& progress) {
  TemporaryFolder const folder;
  std::string const file = (folder.path() / (format == FilmFormat::mp4 ? "film.mp4" : "film.webm")).string();
  auto const arguments = encoder_arguments(format, width, height, file);
  std::string const program = find_program("ffmpeg");
  ChildProcess child(
      [&](int channel) {
        ::dup2(channel, STDIN_FILENO);
        std::vector<char*> list;
        for (auto const& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
        list.push_back(nullptr);
        ::execv(program.c_str(), list.data());
        ::_exit(127);
      },
      ChildProcess::Prints::caught);
  auto const fail = [&] {
    child.ends_within(5);
    throw CommandError(ExitCode::run_failed,
                       fmt::format("ffmpeg does not write the video: {}", printed_by(child)));
  };
  for (std::size_t k = 0; k < count; ++k) {
    PixelPicture const shown = picture(k);
    if (!send_all(child.channel(), {reinterpret_cast<char const*>(shown.rgba.data()), shown.rgba.size()}))
      fail();
    progress(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  child.close_channel();
  constexpr double longest = 600;  // s, for what it has not encoded yet
  std::error_code missing;
  if (!child.ends_within(longest) || fs::file_size(file, missing) == 0 || missing) fail();
  return read_file(file);
}

}  // namespace

void check_animation_file(std::string const& file) {
  if (file.empty()) return;
  FilmFormat const format = film_format(file);
  demand_renderer(file);
  if (format == FilmFormat::gif && !has_gif_writer())
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} cannot be written: giflib was not found when delassus was built; install libgif-dev, "
                    "configure and build again",
                    file));
  if (format != FilmFormat::gif && find_program("ffmpeg").empty())
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} cannot be written: there is no program ffmpeg; install it, or name the file {}", file,
                    fs::path(file).replace_extension(".gif").string()));
}

double animation_speed(double duration) {
  if (duration >= 2 && duration <= 20) return 1;
  double const wanted = duration / 8;
  double best = 1;
  for (int power = -9; power <= 9; ++power) {
    for (double const digit : {1.0, 2.0, 5.0}) {
      double const speed = parse_number(fmt::format("{}e{}", digit, power)).value_or(1);
      if (std::abs(elementary::log(speed / wanted)) < std::abs(elementary::log(best / wanted))) best = speed;
    }
  }
  return best;
}

AnimationSummary write_animation(std::string const& file, Report const& report, std::optional<double> speed,
                                 std::function<void(double)> const& progress) {
  bool const moves = report.time.size() > 1 && report.time.back() > report.time.front();
  if (report.scenes.empty() || !moves)
    throw CommandError(ExitCode::usage,
                       fmt::format("{} cannot be written: {}", file,
                                   !moves ? "the results have one instant only"
                                          : "the results have no scene to draw; with a CSV give --model"));
  double const start = report.time.front(), span = report.time.back() - start;
  AnimationSummary summary;
  summary.speed = speed.value_or(animation_speed(span));
  double const wanted = span / summary.speed * pictures_a_second;
  if (!(wanted < static_cast<double>(most_pictures)))
    throw CommandError(
        ExitCode::usage,
        fmt::format(
            "{} would have {:.0f} pictures; at most {} are written: give a --video-speed above {:.3g}", file,
            wanted, most_pictures, span * pictures_a_second / static_cast<double>(most_pictures)));
  summary.pictures = static_cast<std::size_t>(wanted) + 1;
  summary.duration = static_cast<double>(summary.pictures) / pictures_a_second;
  Film film(report);
  Pictures const picture = [&](std::size_t k) {
    double const share =
        summary.pictures > 1 ? static_cast<double>(k) / static_cast<double>(summary.pictures - 1) : 0;
    return film.at(start + share * span, summary.speed);
  };
  FilmFormat const format = film_format(file);
  write_file(file, format == FilmFormat::gif ? film_as_gif(summary.pictures, picture, progress)
                                             : film_by_ffmpeg(format, film.width(), film.height(),
                                                              summary.pictures, picture, progress));
  return summary;
}

}  // namespace delassus
