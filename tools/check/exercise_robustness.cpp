// Hosts that are not as an FMU's author imagines them: no logger, a resource folder that is not there, logging
// on, an instance that is freed at once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "tools/check/exercise_context.hpp"
#include "tools/import/foreign_instance.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {

void exercise_robustness(ExerciseContext& context) {
  auto const run_shortly = [&](SimulatedInstance& instance) {
    context.initialise(instance);
    for (std::size_t k = 0; k < std::min<std::size_t>(2, context.timeline.steps); ++k)
      context.step(instance, k);
    context.read(instance);
  };

  context.stage("instantiating and freeing at once");
  context.attempt("instance-lifecycle", "let an instance be freed in every state",
                  [&] { context.instantiate("unused"); });

  context.stage("freeing an instance in initialization mode");
  context.attempt("instance-lifecycle", "let an instance be freed in every state", [&] {
    auto const instance = context.instantiate("half");
    instance->enter_initialization({context.timeline.start, std::nullopt, std::nullopt});
  });

  // Refusing is right, and so is running where the resources are not needed.
  context.stage("instantiating with a resource folder that does not exist");
  try {
    auto request = context.request("lost");
    request.resources = context.fmu.folder() / "no such folder %20 \xc3\xa4";
    auto const instance = context.instantiate(request);
    run_shortly(*instance);
  } catch (InstanceError const&) {
  }

  // Blanks, umlauts and percent signs are in the paths of every user.
  if (std::filesystem::is_directory(context.fmu.folder() / "resources")) {
    context.stage("running with resources in a folder with a blank and an umlaut");
    context.attempt("resource-path", "decode the URI of FMI 2, and take the path of FMI 3 as it is", [&] {
      TemporaryFolder const elsewhere;
      auto const folder = elsewhere.path() / "a b \xc3\xa4" / "resources";
      std::filesystem::create_directories(folder.parent_path());
      std::filesystem::copy(context.fmu.folder() / "resources", folder,
                            std::filesystem::copy_options::recursive);
      auto request = context.request("elsewhere");
      request.resources = folder;
      auto const instance = context.instantiate(request);
      run_shortly(*instance);
    });
  }

  // What an FMU answers is its matter; it must answer.
  context.stage("setting an input to NaN");
  try {
    auto const instance = context.instantiate("lost");
    context.initialise(*instance);
    for (auto const index : context.numbers) {
      if (!context.signals[index].is_input() || !context.signals[index].is_float()) continue;
      instance->set(std::vector<SignalValue>{{index, std::numeric_limits<double>::quiet_NaN()}});
      break;
    }
    context.step(*instance, 0);
  } catch (InstanceError const&) {
  }

  if (context.description.version == 3) {
    context.stage("running without a logger");
    context.attempt("logger-optional", "call the logger only where it is not NULL", [&] {
      auto request = context.request("silent");
      request.without_logger = true;
      auto const instance = context.instantiate(request);
      run_shortly(*instance);
    });
  }

  context.stage("running with logging on");
  context.attempt("instance-lifecycle", "let logging have no influence on the run", [&] {
    auto request = context.request("talkative");
    request.logging_on = true;
    auto const instance = context.instantiate(request);
    run_shortly(*instance);
  });
  if (!context.description.log_categories.empty()) {
    for (auto const& category : context.logged_categories()) {
      bool const listed = std::ranges::any_of(context.description.log_categories,
                                              [&](auto const& each) { return each.name == category; });
      if (!listed)
        context.find("log-category-used",
                     fmt::format("a message has the category '{}', which is not listed", category),
                     fmt::format("add <Category name=\"{}\"/> to <LogCategories>", category));
    }
  }
  if (!context.chatter().empty()) {
    context.find(
        "log-quiet",
        fmt::format("with logging off, a message with status OK was logged: {}", context.chatter().front()),
        "log messages that are no errors only where loggingOn or setDebugLogging asks for it");
  }
}

// No host of today runs out of memory here, and many exporters do not look: the last of all, so that a crash hides
// nothing else.
void exercise_starved(ExerciseContext& context) {
  if (context.description.version != 2) return;
  context.stage("instantiating in an importer without memory");
  context.crash_breaks("memory-refused");
  try {
    OutOfMemory const none;
    context.instantiate("starved");
  } catch (InstanceError const&) {
  }
}

}  // namespace delassus
