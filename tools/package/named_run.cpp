#include "tools/package/named_run.hpp"

#include <limits>

namespace delassus {

NamedRun::NamedRun(RunnableModel& model, std::map<std::string, double> const& values, double start)
    : instance_(model.instantiate([](LogMessage const&) {})), time_(start) {
  for (auto const& [name, value] : values) set(name, value);
  instance_->enter_initialization({.start = start, .stop = {}, .tolerance = {}});
}

double NamedRun::get(std::string const& name) {
  std::size_t const signal = instance_->signals().resolve(name).front();
  double value = 0;
  instance_->get({&signal, 1}, {&value, 1});
  return value;
}

void NamedRun::set(std::string const& name, double value) {
  SignalValue const assignment{instance_->signals().resolve(name).front(), value};
  instance_->set({&assignment, 1});
}

void NamedRun::start() {
  if (!started_) instance_->exit_initialization();
  started_ = true;
}

void NamedRun::run_to(double end) {
  start();
  if (end > time_) instance_->do_step(time_, end - time_);
  time_ = end;
}

TimeTable NamedRun::record(std::vector<std::string> const& names, double end, std::size_t points) {
  TimeTable table;
  table.names = names;
  table.columns.resize(names.size());
  double const begin = time_;
  for (std::size_t k = 0; k <= points; ++k) {
    run_to(begin + (end - begin) * static_cast<double>(k) / static_cast<double>(points));
    std::vector<double> values;
    values.reserve(names.size());
    for (auto const& name : names) values.push_back(get(name));
    table.add_row(time_, values);
  }
  return table;
}

double NamedRun::time_when(std::function<bool(NamedRun&)> const& condition, double end, std::size_t steps) {
  start();
  double const begin = time_;
  for (std::size_t k = 0; k < steps; ++k) {
    SavedState const before = instance_->save_state();
    double const from = time_;
    double low = from, high = begin + (end - begin) * static_cast<double>(k + 1) / static_cast<double>(steps);
    run_to(high);
    if (!condition(*this)) continue;
    for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
      double const middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      instance_->restore_state(before);
      time_ = from;
      run_to(middle);
      (condition(*this) ? high : low) = middle;
    }
    instance_->restore_state(before);
    time_ = from;
    run_to(high);
    return high;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace delassus
