#include "fmu/instance/repeated_messages.hpp"

#include <cmath>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {

bool RepeatedMessages::note(Kind const& kind, double t, double measure) {
  auto const [place, is_new] = entries_.try_emplace(kind.subject, Entry{kind, 0, t, measure, t});
  if (is_new) return true;
  Entry& entry = place->second;
  ++entry.more;
  entry.last = t;
  if (kind.more_is_worse ? measure > entry.worst : measure < entry.worst) {
    entry.worst = measure;
    entry.worst_at = t;
  }
  return false;
}

std::vector<RepeatedMessages::Sum> RepeatedMessages::take_sums() {
  std::vector<Sum> sums;
  for (auto const& [subject, entry] : entries_) {
    if (entry.more == 0) continue;
    std::string const last = " t = " + format_time(entry.last) + " s: ";
    std::string text =
        (entry.more == 1 ? "once more, at" : std::to_string(entry.more) + " times more, the last time at") +
        last + subject;
    if (!entry.kind.measure_in_words.empty())
      text += "; at worst " + entry.kind.measure_in_words + " " + rounded_for_people(entry.worst) +
              entry.kind.unit + ", at t = " + format_time(entry.worst_at) + " s";
    sums.push_back({entry.kind.is_warning, std::move(text)});
  }
  entries_.clear();
  return sums;
}

std::string rounded_for_people(double value) {
  if (value == 0 || !std::isfinite(value)) return format_number(value);
  double const scale = elementary::pow(10, 5 - std::floor(elementary::log10(std::abs(value))));
  return format_number(std::round(value * scale) / scale);
}

}  // namespace delassus
