#include "tools/command/integration_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

// Steps of euler in a run: of a small model, a quarter of an hour.
constexpr double most_euler_steps = 1e9;

[[noreturn]] void refuse_integration(std::string const& message) {
  throw CommandError(ExitCode::usage, message);
}

}  // namespace

std::string IntegrationOptions::given() const {
  return !solver.empty()      ? "--solver"
         : absolute_tolerance ? "--absolute-tolerance"
         : step               ? "--solver-step"
                              : "";
}

void add_integration_options(CLI::App& command, IntegrationOptions& options, std::string const& step) {
  command
      .add_option(
          "--solver", options.solver,
          "of Model Exchange: dopri5, explicit with step control; cvode, implicit, for stiff models (of "
          "SUNDIALS, where the program was built with it); euler, in fixed steps. Default: dopri5, which "
          "says where a model is stiff")
      ->check(CLI::IsMember({"dopri5", "cvode", "euler"}));
  add_number_option(command, "--absolute-tolerance", options.absolute_tolerance,
                    "of the integrator, as a share of each state's nominal; default: as --tolerance");
  add_number_option(command, "--solver-step", options.step, "s, of --solver euler; default: " + step);
}

IntegrationSettings integration_settings(IntegrationOptions const& options) {
  IntegrationSettings settings;
  if (!options.solver.empty()) settings.method = ode_method(options.solver);
  settings.absolute_tolerance = options.absolute_tolerance;
  settings.fixed_step = options.step.value_or(0);
  auto const demand_positive = [](char const* name, std::optional<double> value) {
    if (value && !(*value > 0))
      refuse_integration(fmt::format("{} is {}; it must be > 0", name, format_number(*value)));
  };
  demand_positive("--absolute-tolerance", options.absolute_tolerance);
  demand_positive("--solver-step", options.step);
  if (options.step && settings.method != OdeMethod::euler)
    refuse_integration(
        "--solver-step is for --solver euler; the other methods choose their steps by --tolerance");
  if (options.absolute_tolerance && settings.method == OdeMethod::euler)
    refuse_integration(
        "--absolute-tolerance is for methods that choose their steps; euler has --solver-step");
  return settings;
}

void demand_end(IntegrationOptions const& options, double start, double stop,
                std::optional<double> tolerance) {
  if (options.step && (stop - start) / *options.step > most_euler_steps)
    refuse_integration(
        fmt::format("{} s in steps of {} s are {:.3g} steps of the integrator; no more than {} are made: "
                    "choose a longer --solver-step",
                    format_time(stop - start), format_number(*options.step), (stop - start) / *options.step,
                    most_euler_steps));
  if (options.solver == ode_method_name(OdeMethod::euler)) return;
  if (tolerance && *tolerance < least_tolerance)
    refuse_integration(
        fmt::format("--tolerance is {}, and two numbers of double precision differ by {:.2g} "
                    "of themselves at least; give the integrator a larger one, such as 1e-10",
                    format_number(*tolerance), least_tolerance));
}

}  // namespace delassus
