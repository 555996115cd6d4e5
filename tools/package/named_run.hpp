// A run by names, as a script of an importer would write it: values in and out by their FMI names, histories, and
// the times of events by rollback.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/package/runnable_model.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

class NamedRun {
 public:
  // Initialised with these values; throws what the instance throws. `model` must outlive this.
  NamedRun(RunnableModel& model, std::map<std::string, double> const& values, double start = 0);

  double time() const { return time_; }
  double get(std::string const& name);
  void set(std::string const& name, double value);

  void run_to(double end);
  // Outputs at `points` + 1 times from now to `end`.
  TimeTable record(std::vector<std::string> const& names, double end, std::size_t points);
  // The first time until `end` at which `condition` holds, looked for in `steps` steps and then by bisection with
  // rollback; NaN where there is none. The run is then there.
  double time_when(std::function<bool(NamedRun&)> const& condition, double end, std::size_t steps);

 private:
  void start();

  std::unique_ptr<SimulatedInstance> instance_;
  double time_ = 0;
  bool started_ = false;
};

}  // namespace delassus
