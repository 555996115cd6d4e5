// Model Exchange: whether an integrator can find events by the indicators. The standard wants them to be other than
// zero when an event is over, and piecewise continuous (FMI 2.0.4, 3.1; FMI 3.0, 3.1.1); a solver's root search otherwise
// misses events or finds thousands that are none. It looks for roots of continuous functions: a jump is a note.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "tools/check/watched_exchange.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// A line through the present state, short beside everything that an integrator does: states move by no more than this
// share of their size, the time by this share of a communication step.
constexpr double reach = 1e-8;
constexpr std::size_t points = 9;
constexpr int halvings = 12;
// A change this small beside the largest value that the indicator had may be of rounding, or of iterations inside the FMU.
constexpr double smallest_jump = 1e-3;
constexpr std::size_t most_probes = 40;
// The standard allows jumps. One where a contact comes or goes is nothing to tell; at so many of the states it is.
constexpr int most_jumps = 3;
// Events of one model that follow each other within this share of a step are one too many; some are not unusual, where
// one event causes the next.
constexpr double close_events = 1e-6;
constexpr std::size_t most_close_events = 50;

// As importers mostly have it. With a looser one an explicit method leaves errors in stiff models that are true changes of mode.
IntegrationSettings indicator_integration(OdeMethod solver) {
  return {.tolerance = 1e-6, .method = solver, .most_evaluations = 20'000};
}

class IndicatorCheck {
 public:
  IndicatorCheck(ExerciseContext& context, double seconds)
      : context_(context), seconds_(seconds), timeline_(whole_experiment(context)) {}

  void run() {
    context_.stage("watching event indicators");
    try {
      auto const instance = make_integrated_instance(
          make_watched_exchange(context_.fmu.instantiate(context_.request("indicators")),
                                {.entered_continuous_time = [&](ModelExchangeFace& face,
                                                                double time) { look(face, time, true); },
                                 .entered_event_mode = [&](double time) { count_event(time); }}),
          indicator_integration(context_.solver));
      auto const begin = std::chrono::steady_clock::now();
      context_.initialise(*instance);
      for (std::size_t k = 0; k < timeline_.steps && !endless(); ++k) {
        if (instance->do_step(timeline_.time(k), timeline_.step).terminated) break;
        look(*instance->model_exchange(), timeline_.time(k + 1), false);
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > seconds_) break;
      }
    } catch (InstanceError const&) {
      // A run that fails was found as such.
    }
    report_zeros();
    report(
        "indicator-noise", noise_,
        "use hysteresis and one function for each mode, so that nothing that is about zero changes its sign");
    report("indicator-continuous", jumps_,
           "let indicators be continuous functions of states and time until the next event");
    if (endless())
      context_.find(
          "indicator-noise",
          fmt::format("{} events follow each other within {} s, the last at {} s", close_count_,
                      format_number(close_events * timeline_.step), format_number(last_event_)),
          "use hysteresis and one function for each mode, so that an event is not followed by the next one");
  }

 private:
  // Events may come late: all of it, in as many steps as the other runs have at most.
  static Timeline whole_experiment(ExerciseContext const& context) {
    Timeline timeline = context.timeline;
    auto const& experiment = context.description.default_experiment;
    auto const stop =
        experiment && experiment->stop_time ? parse_double(*experiment->stop_time) : std::nullopt;
    double const duration = stop.value_or(timeline.time(timeline.steps)) - timeline.start;
    if (std::isfinite(duration) && duration > timeline.step * static_cast<double>(timeline.steps)) {
      timeline.steps = 50;
      timeline.step = duration / 50;
    }
    return timeline;
  }

  struct Line {
    double time = 0;                // moved by, at the far end
    std::vector<double> direction;  // of the states, likewise
    bool both_sides = false;
  };

  bool endless() const { return close_count_ > most_close_events; }

  void count_event(double time) {
    if (time - last_event_ <= close_events * timeline_.step) ++close_count_;
    last_event_ = time;
  }

  void look(ModelExchangeFace& face, double time, bool after_event) {
    std::size_t const count = face.indicator_count();
    if (count == 0 || probes_[after_event] >= most_probes) return;
    ++probes_[after_event];
    states_.resize(face.state_count());
    if (!states_.empty()) face.get_states(states_);
    std::vector<double> const here = indicators(face);
    if (largest_.empty()) {
      largest_.assign(count, 0);
      zero_time_.assign(count, std::nullopt);
      jumps_.resize(count);
      jump_count_.assign(count, 0);
      noise_.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      largest_[i] = std::max(largest_[i], std::abs(here[i]));
      if (after_event && here[i] == 0 && !zero_time_[i]) zero_time_[i] = time;
    }
    for (auto const& line : lines(face)) follow(face, time, line);
    place(face, time, {}, 0);
  }

  std::vector<double> indicators(ModelExchangeFace& face) const {
    std::vector<double> values(face.indicator_count());
    face.get_indicators(values);
    return values;
  }

  // Forward along the motion, and through the state into two directions that belong to no motion.
  std::vector<Line> lines(ModelExchangeFace& face) const {
    std::vector<double> rates(states_.size()), nominals(states_.size());
    if (!states_.empty()) {
      face.get_derivatives(rates);
      face.get_nominals(nominals);
    }
    double const time = reach * timeline_.step;
    Line forward{time, rates, false}, first{0, nominals, true}, second{0, nominals, true};
    for (std::size_t i = 0; i < states_.size(); ++i) {
      double const size = reach * std::max(std::abs(states_[i]), std::abs(nominals[i]));
      forward.direction[i] = std::clamp(rates[i] * time, -size, size);
      first.direction[i] = size;
      second.direction[i] = i % 2 == 0 ? size : -0.5 * size;
    }
    std::vector<Line> all{std::move(forward)};
    if (!states_.empty()) all.push_back(std::move(first));
    if (states_.size() > 1) all.push_back(std::move(second));
    return all;
  }

  void place(ModelExchangeFace& face, double time, Line const& line, double share) {
    face.set_time(time + share * line.time);
    if (states_.empty()) return;
    std::vector<double> moved = states_;
    for (std::size_t i = 0; i < line.direction.size(); ++i) moved[i] += share * line.direction[i];
    face.set_states(moved);
  }

  std::vector<double> at(ModelExchangeFace& face, double time, Line const& line, double share) {
    place(face, time, line, share);
    return indicators(face);
  }

  void follow(ModelExchangeFace& face, double time, Line const& line) {
    std::array<double, points> shares{};
    std::array<std::vector<double>, points> values;
    for (std::size_t k = 0; k < points; ++k) {
      double const share = static_cast<double>(k) / (points - 1);
      shares[k] = line.both_sides ? 2 * share - 1 : share;
      values[k] = at(face, time, line, shares[k]);
    }
    for (std::size_t i = 0; i < largest_.size(); ++i) {
      if (jump_count_[i] >= most_jumps || noise_[i]) continue;
      int changes = 0;
      std::size_t widest = 1;
      for (std::size_t k = 1; k < points; ++k) {
        changes += (values[k][i] > 0) != (values[k - 1][i] > 0);
        if (change(values, k, i) > change(values, widest, i)) widest = k;
      }
      // A function that is continuous and hence straight on so short a line changes its sign at most once.
      if (changes >= 3) {
        noise_[i] =
            fmt::format("changes its sign {} times within a share of {} of the states at {} s, about {}",
                        changes, format_number(reach), format_number(time), format_number(values[widest][i]));
        continue;
      }
      double const size = std::max(largest_[i], std::abs(values[widest][i]));
      if (change(values, widest, i) <= smallest_jump * size) continue;
      if (auto const jump = narrowed(face, time, line, shares[widest - 1], shares[widest], i);
          jump > 0.5 * change(values, widest, i) && ++jump_count_[i] == most_jumps)
        jumps_[i] = fmt::format(
            "jumps time and again, by {} at {} s, where its largest value was {}, and no event was made of "
            "it",
            format_number(jump), format_number(time), format_number(size));
    }
  }

  static double change(std::array<std::vector<double>, points> const& values, std::size_t k, std::size_t i) {
    return std::abs(values[k][i] - values[k - 1][i]);
  }

  // What remains of a change when the way is halved again and again: nothing where the indicator is continuous.
  double narrowed(ModelExchangeFace& face, double time, Line const& line, double low, double high,
                  std::size_t i) {
    double at_low = at(face, time, line, low)[i], at_high = at(face, time, line, high)[i];
    for (int k = 0; k < halvings; ++k) {
      double const middle = 0.5 * (low + high), at_middle = at(face, time, line, middle)[i];
      bool const lower = std::abs(at_middle - at_low) > std::abs(at_high - at_middle);
      (lower ? high : low) = middle;
      (lower ? at_high : at_low) = at_middle;
    }
    return std::abs(at_high - at_low);
  }

  void report_zeros() const {
    std::size_t zeros = 0, first = 0;
    for (std::size_t i = zero_time_.size(); i-- > 0;) {
      if (!zero_time_[i]) continue;
      ++zeros;
      first = i;
    }
    if (zeros == 0) return;
    context_.find(
        "indicator-nonzero",
        fmt::format("event indicator {}{} is 0 when continuous time begins at {} s", first + 1,
                    zeros > 1 ? fmt::format(" (and {} others)", zeros - 1) : "",
                    format_number(*zero_time_[first])),
        "shift it by a small value to the side that the present mode is on: a solver waits for a change of "
        "sign, and from 0 there is none");
  }

  void report(std::string const& rule, std::vector<std::optional<std::string>> const& found,
              std::string const& remedy) const {
    std::size_t others = 0;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      others += first.has_value();
      if (!first) first = i;
    }
    if (first)
      context_.find(rule,
                    fmt::format("event indicator {} {}{}", *first + 1, *found[*first],
                                others == 0   ? ""
                                : others == 1 ? "; so does 1 other"
                                              : fmt::format("; so do {} others", others)),
                    remedy);
  }

  ExerciseContext& context_;
  double seconds_;
  Timeline timeline_;
  std::vector<double> states_, largest_;
  std::vector<std::optional<double>> zero_time_;  // of each indicator: where it was first found to be 0
  std::vector<std::optional<std::string>> jumps_, noise_;  // likewise: what was found
  std::vector<int> jump_count_;                            // likewise
  std::array<std::size_t, 2> probes_{};
  std::size_t close_count_ = 0;
  double last_event_ = -1e300;
};

}  // namespace

void exercise_event_indicators(ExerciseContext& context, double seconds) {
  if (context.kind == InterfaceKind::model_exchange) IndicatorCheck(context, seconds).run();
}

}  // namespace delassus
