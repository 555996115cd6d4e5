#include "tools/sweep/axis.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/split_text.hpp"

namespace delassus {
namespace {

constexpr double most_levels = 1e7;

// 0.4 rather than 0.39999999999999997, where the digits beyond the 15th are those of rounding.
double without_stray_digits(double value) {
  double const near = parse_number(fmt::format("{:.15g}", value)).value_or(value);
  return std::abs(near - value) <= 4e-16 * std::abs(value) ? near : value;
}

class AxisParser {
 public:
  AxisParser(SweepSubject const& subject, std::string const& text, bool sampled)
      : subject_(subject), text_(text), sampled_(sampled) {}

  SweepAxis parse() {
    auto const equals = text_.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text_.size())
      fail("it has no name or no values");
    find_targets(text_.substr(0, equals));
    std::string const values = text_.substr(equals + 1);
    axis_.text = values;
    if (values.find(',') != std::string::npos || (has_items() && values.find('~') == std::string::npos)) {
      parse_list(values);
    } else if (values.find('~') != std::string::npos) {
      parse_distribution(values);
    } else {
      parse_range(split_text(values, ':'));
    }
    if (axis_.is_repetition() && (axis_.distribution || !all_whole()))
      fail("the model has no parameter seed, so that it numbers repetitions, which are whole numbers");
    return std::move(axis_);
  }

 private:
  [[noreturn]] void fail(std::string const& rule) const {
    throw CommandError(ExitCode::usage,
                       fmt::format("--vary {}: {}; write NAME=FIRST:LAST:COUNT, such as mu=0.1:1:50, or a "
                                   "list, such as mu=0.1,0.2,0.5 (`delassus sweep --help` shows more)",
                                   text_, rule));
  }

  void find_targets(std::string const& names) {
    if (auto const unit = subject_.unit_of_alias(names)) {
      axis_.is_alias = true;
      axis_.name = names;
      axis_.unit = *unit;
      return;
    }
    for (auto const& name : split_text(names, '+')) {
      auto const target = subject_.find_settable(name);
      if (!target && name == "seed" && names == name) break;
      if (!target) subject_.fail_unknown(name);
      if (auto const source = subject_.source_of(*target); !source.empty())
        throw CommandError(ExitCode::usage,
                           fmt::format("--vary {}: {} is connected with {}, from which it has its values; "
                                       "vary what is not connected, or take the connection out of the system",
                                       text_, subject_.full_name(*target), source));
      axis_.targets.push_back(*target);
      axis_.name += (axis_.name.empty() ? "" : "+") + subject_.full_name(*target);
    }
    if (axis_.targets.empty()) {
      axis_.name = "seed";
      return;
    }
    Signal const& first = subject_.signal(axis_.targets.front());
    for (auto const& target : axis_.targets) {
      Signal const& other = subject_.signal(target);
      if (other.type != first.type || other.unit != first.unit)
        fail(fmt::format("{} and {} are of different types or units", first.name, other.name));
    }
    axis_.unit = first.unit;
    axis_.is_number = !has_items() && first.is_number();
  }

  Signal const* first() const {
    return axis_.targets.empty() ? nullptr : &subject_.signal(axis_.targets.front());
  }
  bool has_items() const {
    return first() != nullptr &&
           (first()->type == "Enumeration" || first()->type == "Boolean" || first()->type == "String");
  }
  bool wants_whole() const {
    return axis_.is_repetition() || (first() != nullptr && !first()->is_float() && !has_items());
  }
  bool all_whole() const {
    for (auto const& level : axis_.levels) {
      double const value = std::get<double>(level.value);
      if (value != std::floor(value) || std::abs(value) > 9e15) return false;
    }
    return true;
  }

  AxisValue value_of(std::string const& text) const {
    if (first() == nullptr) {
      auto const value = parse_number(text, unit_with_degrees(axis_.unit));
      if (!value) fail(fmt::format("'{}' is no number", text));
      return {*value, format_number(*value)};
    }
    SubjectSignal const target = axis_.targets.front();
    SignalValue value = parse_value(subject_.parts()[target.part].signals, target.signal, text);
    std::string const shown = std::holds_alternative<double>(value.value)
                                  ? value_text(*first(), std::get<double>(value.value))
                                  : std::get<std::string>(value.value);
    return {std::move(value.value), shown};
  }
  double number_of(std::string const& text) const {
    if (first() != nullptr && has_items())
      fail(fmt::format("{} takes a list of its values and no range", axis_.name));
    return std::get<double>(value_of(text).value);
  }

  void parse_list(std::string const& values) {
    for (auto const& text : split_text(values, ',')) axis_.levels.push_back(value_of(text));
  }

  bool take_log(std::vector<std::string>& words) {
    if (words.back() != "log") return false;
    words.pop_back();
    return axis_.logarithmic = true;
  }

  // After the sign of the logarithm was taken off: FIRST:LAST[:COUNT].
  void check_logarithm(double from, double to) const {
    if (axis_.logarithmic && !(from > 0 && to > 0)) fail("log needs both ends > 0");
  }

  void parse_distribution(std::string const& values) {
    auto const tilde = values.find('~');
    Distribution distribution;
    if (tilde == 0) {
      auto words = split_text(values.substr(1), ':');
      take_log(words);
      if (words.size() != 2) fail("a uniform distribution is ~LOWEST:HIGHEST or ~LOWEST:HIGHEST:log");
      axis_.distribution = uniform(number_of(words[0]), number_of(words[1]));
      return;
    }
    auto const words = split_text(values.substr(tilde + 1), ':');
    if (words.size() != 1 && words.size() != 3)
      fail("a normal distribution is MEAN~SIGMA or MEAN~SIGMA:LOWEST:HIGHEST");
    if (wants_whole()) fail(fmt::format("{} is a whole number and has no normal distribution", axis_.name));
    distribution.kind = Distribution::Kind::normal;
    distribution.first = number_of(values.substr(0, tilde));
    distribution.second = number_of(words[0]);
    if (!(distribution.second > 0)) fail("the standard deviation must be > 0");
    if (words.size() == 3) {
      distribution.lowest = number_of(words[1]);
      distribution.highest = number_of(words[2]);
      constexpr double least_share = 1e-6;
      if (!(distribution.lowest < distribution.highest) || distribution.kept_share() < least_share)
        fail("the ends must rise and keep at least a millionth of the distribution");
    }
    axis_.distribution = distribution;
  }

  Distribution uniform(double from, double to) const {
    check_logarithm(from, to);
    if (!(from < to)) fail("what is drawn needs a lower end below its upper end");
    Distribution distribution;
    distribution.first = from;
    distribution.second = to;
    if (axis_.logarithmic) {
      if (wants_whole())
        fail(fmt::format("{} is a whole number and has no logarithmic distribution", axis_.name));
      distribution.kind = Distribution::Kind::log_uniform;
    } else if (wants_whole()) {
      distribution.kind = Distribution::Kind::whole;
    }
    return distribution;
  }

  void parse_range(std::vector<std::string> words) {
    if (words.size() > 1) take_log(words);
    if (words.size() == 1 && !axis_.logarithmic) return parse_list(words[0]);
    if (words.size() < 2 || words.size() > 3) fail("a range has two or three parts");
    double const from = number_of(words[0]), to = number_of(words[1]);
    check_logarithm(from, to);
    if (words.size() == 3) return space_evenly(from, to, words[2]);
    if (sampled_ && !axis_.is_repetition()) {
      axis_.distribution = uniform(from, to);
      return;
    }
    if (axis_.logarithmic) fail("a logarithmic range needs its count: FIRST:LAST:COUNT:log");
    if (from != std::floor(from) || to != std::floor(to))
      fail("FIRST:LAST counts only whole numbers; say how many values, FIRST:LAST:COUNT");
    double const step = from <= to ? 1 : -1, count = std::abs(to - from) + 1;
    if (count > most_levels) fail(fmt::format("it has more than {} values", most_levels));
    for (double k = 0; k < count; ++k) add_level(from + step * k);
  }

  void space_evenly(double from, double to, std::string const& count_text) {
    auto const count = parse_number(count_text);
    if (!count || *count != std::floor(*count) || *count < 1 || *count > most_levels)
      fail(fmt::format("COUNT is '{}'; it must be a whole number from 1 to {}", count_text, most_levels));
    if (*count == 1 && from != to) fail("one value cannot be at both ends");
    for (double k = 0; k < *count; ++k) {
      double const last = std::fmax(*count - 1, 1);
      double value = without_stray_digits((from * (last - k) + to * k) / last);
      if (axis_.logarithmic)
        value = without_stray_digits(
            elementary::exp((elementary::log(from) * (last - k) + elementary::log(to) * k) / last));
      if (k == 0) value = from;
      if (k > 0 && k == last) value = to;
      add_level(value);
    }
  }

  void add_level(double value) {
    if (wants_whole() && value != std::floor(value))
      fail(fmt::format("{} is a whole number and would be {}", axis_.name, format_number(value)));
    axis_.levels.push_back({value, format_number(value)});
  }

  SweepSubject const& subject_;
  std::string const& text_;
  bool sampled_;
  SweepAxis axis_;
};

}  // namespace

SweepAxis parse_axis(SweepSubject const& subject, std::string const& text, bool sampled) {
  return AxisParser(subject, text, sampled).parse();
}

}  // namespace delassus
