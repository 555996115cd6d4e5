#include "tools/papers/reproduction_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tools/support/atomic_file.hpp"

namespace delassus {

void ReproductionRun::begin(std::string const& what) {
  std::scoped_lock const lock(mutex_);
  tell_(what);
}

RunnableModel& ReproductionRun::fmu(std::string const& example) {
  return fmu(example, "", {});
}

RunnableModel& ReproductionRun::fmu(std::string const& example, std::string const& variant,
                                    std::map<std::string, std::string> const& replacements) {
  std::scoped_lock const lock(mutex_);
  auto& model = models_[example + " " + variant];
  if (model) return *model;
  std::string argument = example;
  if (!replacements.empty()) {
    std::string text = read_file(find_model(example).file);
    for (auto const& [from, to] : replacements) {
      auto const place = text.find(from);
      if (place == std::string::npos)
        throw std::logic_error(fmt::format("the example {} has no '{}'", example, from));
      text.replace(place, from.size(), to);
    }
    auto const file = folder_.path() / (example + "_" + variant + ".xml");
    write_file(file, text);
    argument = file.string();
  }
  model = std::make_unique<RunnableModel>(argument, 3);
  // The first instance loads the library; here, and not when two threads ask for their first at the same time.
  model->instantiate([](LogMessage const&) {});
  return *model;
}

}  // namespace delassus
