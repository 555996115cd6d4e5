#include "tools/check/exercise.hpp"

#include <fmt/format.h>

#include <string_view>

#include "tools/check/exercise_context.hpp"

namespace delassus {
namespace {

bool load(ExerciseContext& context) {
  context.stage("loading the shared library");
  try {
    context.fmu.library(context.kind);
    return true;
  } catch (std::exception const& error) {
    context.find("binary-loads", error.what(),
                 "link what the library needs into it; `ldd` lists what is missing");
    context.failed();
    return false;
  }
}

std::string missing_functions(SharedLibrary const& library, std::vector<char const*> const& names,
                              std::string_view already) {
  std::string missing;
  for (char const* const name : names) {
    if (library.find(name) == nullptr && already.find(name) == std::string_view::npos)
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  return missing;
}

void check_exports(ExerciseContext& context) {
  auto const& library = context.fmu.library(context.kind);
  int const version = context.description.version;
  auto const missing = missing_functions(library, fmi_function_names(version, context.kind), "");
  if (!missing.empty()) {
    context.find(
        "binary-exports", "the shared library does not export " + missing,
        "export every function of the interface type, also those of capabilities that are not offered");
  }
  // FMI 3.0, 2.5, demands all of them; FMI 2.0.4, 2.3, those of the interface types that are offered.
  if (version == 2) return;
  // Functions of an interface type that is offered as well are missed when that one is looked at.
  std::string known = missing;
  for (auto const kind : context.fmu.kinds()) {
    for (char const* const name : fmi_function_names(version, kind)) known += std::string(" ") + name;
  }
  auto const others = missing_functions(library, fmi_function_names(version, std::nullopt), known);
  if (!others.empty() && context.kind == context.fmu.kinds().front()) {
    context.find("binary-exports-all", "the shared library does not export " + others,
                 "export them all and return an error: some importers bind every function of the header");
  }
}

void check_version(ExerciseContext& context) {
  context.stage("asking for the version");
  auto const ask = [&](char const* function, std::string_view expected) {
    char const* (*get)() = nullptr;
    context.fmu.library(context.kind).bind(get, function);
    if (get == nullptr) return;
    char const* const answer = get();
    std::string const text = answer != nullptr ? answer : "NULL";
    // A later patch of FMI 3 may say so: 3.0.1.
    bool const equal = text == expected || (context.description.version == 3 && text.starts_with("3.0"));
    if (!equal)
      context.find("binary-version", fmt::format("{} returns '{}'", function, text),
                   fmt::format("return '{}'", expected));
  };
  if (context.description.version == 2) {
    ask("fmi2GetVersion", "2.0");
    ask("fmi2GetTypesPlatform", "default");
  } else {
    ask("fmi3GetVersion", "3.0");
  }
}

void check_wrong_token(ExerciseContext& context) {
  context.stage("instantiating with a wrong token");
  try {
    auto request = context.request("wrong");
    request.token = "not-" + context.description.token();
    context.fmu.instantiate(request);
    context.find("token-checked", "an instance was made although the token is not the description's",
                 "compare the token with that of the description, and return NULL where it differs");
  } catch (InstanceError const&) {
    // refused, as it should be
  }
}

bool exercise_interface(ImportedFmu& fmu, InterfaceKind kind, ExerciseReport const& report,
                        ExerciseSettings const& settings) {
  ExerciseContext context(fmu, kind, report, settings.solver);
  bool const first = kind == fmu.kinds().front();
  if (!load(context)) return false;
  check_exports(context);
  if (first) {
    check_version(context);
    check_wrong_token(context);
  }
  double const share = settings.seconds / static_cast<double>(fmu.kinds().size());
  if (!exercise_runs(context, share)) return false;
  exercise_access(context);
  exercise_capabilities(context);
  // Differences of what is no function say nothing.
  if (exercise_model_exchange(context)) exercise_derivatives(context);
  exercise_event_indicators(context, share / 10);
  exercise_robustness(context);
  if (first) exercise_reference(context, settings.reference, share / 4);
  return true;
}

// What all interface types together have left behind.
void check_leftovers(ImportedFmu& fmu, ExerciseReport const& report, int threads_before) {
  ExerciseContext context(fmu, fmu.kinds().front(), report);
  context.stage("looking at what is left");
  if (long const blocks = fmu.description().version == 2 ? fmi2_outstanding_allocations() : 0; blocks != 0) {
    context.find("memory-balance", fmt::format("{} blocks from allocateMemory were not given back", blocks),
                 "call freeMemory for every block, also where instantiation fails");
  }
  if (long const calls = callbacks_after_free(); calls != 0) {
    context.find("callback-after-free",
                 fmt::format("the logger was called {} times for instances that were freed", calls),
                 "forget the callbacks of an instance when it is freed");
  }
  if (int const threads = thread_count(); threads > threads_before) {
    context.find("threads-ended",
                 fmt::format("{} threads are left when all instances are freed", threads - threads_before),
                 "end the threads of an instance when it is freed");
  }
}

}  // namespace

void exercise_fmu(ImportedFmu& fmu, ExerciseReport const& report, ExerciseSettings const& settings) {
  int const threads = thread_count();
  for (auto const kind : fmu.kinds()) {
    if (!exercise_interface(fmu, kind, report, settings)) return;
  }
  check_leftovers(fmu, report, threads);
  ExerciseContext context(fmu, fmu.kinds().front(), report);
  exercise_starved(context);
}

}  // namespace delassus
