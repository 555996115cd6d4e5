#include "tools/sweep/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/scene/number.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/sweep/sample.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_runs = 10'000'000;

[[noreturn]] void fail(std::string const& message) {
  throw CommandError(ExitCode::usage, message);
}

std::uint64_t seed_of(AxisValue const& level) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::get<double>(level.value)));
}

}  // namespace

SweepPlan::SweepPlan(std::vector<SweepAxis> axes, Sampling const& sampling)
    : axes_(std::move(axes)), sampling_(sampling) {
  if (axes_.empty()) fail("nothing is varied; give --vary NAME=FIRST:LAST:COUNT");
  std::set<std::string> names;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (!names.insert(axes_[i].name).second) fail(fmt::format("{} is varied twice", axes_[i].name));
    if (axes_[i].is_repetition()) repetition_ = i;
  }
  bool const sampled = sampling_.kind != SamplingKind::grid;
  if (sampled && sampling_.runs == 0) fail("a sample needs --runs, its number of runs");
  runs_ = sampled ? sampling_.runs : 1;
  strides_.assign(axes_.size(), 0);
  for (std::size_t i = axes_.size(); i-- > 0;) {
    if (is_drawn(axes_[i])) continue;
    strides_[i] = runs_;
    if (runs_ * axes_[i].levels.size() > most_runs)
      fail(fmt::format("these are more than {} runs; vary less, or draw a sample of them with --sample latin",
                       most_runs));
    runs_ *= axes_[i].levels.size();
  }
  if (!sampled) return;
  columns_.resize(axes_.size());
  std::size_t const repetitions = repetition_ ? axes_[*repetition_].levels.size() : 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (!is_drawn(axes_[i])) continue;
    for (std::size_t k = 0; k < repetitions; ++k) {
      CounterRandom const random(sampling_.seed, repetition_ ? seed_of(axes_[*repetition_].levels[k]) : 0,
                                 axes_[i].name);
      auto const column = sampling_.kind == SamplingKind::latin ? latin_sample(random, sampling_.runs)
                                                                : random_sample(random, sampling_.runs);
      columns_[i].insert(columns_[i].end(), column.begin(), column.end());
    }
  }
}

bool SweepPlan::is_drawn(SweepAxis const& axis) const {
  return axis.distribution.has_value() || (sampling_.kind != SamplingKind::grid && !axis.is_repetition());
}

std::optional<std::size_t> SweepPlan::level(std::size_t run, std::size_t axis) const {
  if (is_drawn(axes_[axis])) return std::nullopt;
  return run / strides_[axis] % axes_[axis].levels.size();
}

double SweepPlan::draw(std::size_t run, std::size_t axis) const {
  if (!columns_.empty()) return columns_[axis][run];
  std::uint64_t const repetition =
      repetition_ ? seed_of(axes_[*repetition_].levels[*level(run, *repetition_)]) : 0;
  return CounterRandom(sampling_.seed, repetition, axes_[axis].name).uniform(repetition_ ? 0 : run);
}

std::vector<AxisValue> SweepPlan::values(std::size_t run) const {
  std::vector<AxisValue> values;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    SweepAxis const& axis = axes_[i];
    if (auto const place = level(run, i)) {
      values.push_back(axis.levels[*place]);
    } else if (axis.distribution) {
      double const value = axis.distribution->value(draw(run, i));
      values.push_back({value, format_number(value)});
    } else {
      auto const count = static_cast<double>(axis.levels.size());
      auto const place_drawn = static_cast<std::size_t>(draw(run, i) * count);
      values.push_back(axis.levels[std::min(place_drawn, axis.levels.size() - 1)]);
    }
  }
  return values;
}

bool SweepPlan::repeats_in_vain() const {
  return repetition_ && axes_[*repetition_].levels.size() > 1 &&
         std::ranges::none_of(axes_, [&](SweepAxis const& axis) { return is_drawn(axis); });
}

std::vector<std::string> SweepPlan::facts() const {
  std::vector<std::string> facts;
  for (auto const& axis : axes_) facts.push_back("vary " + axis.name + "=" + axis.text);
  bool const sampled = sampling_.kind != SamplingKind::grid;
  facts.push_back(fmt::format("sample {} {} seed {}",
                              sampling_.kind == SamplingKind::grid    ? "grid"
                              : sampling_.kind == SamplingKind::latin ? "latin"
                                                                      : "random",
                              sampled ? sampling_.runs : runs_, sampling_.seed));
  return facts;
}

}  // namespace delassus
