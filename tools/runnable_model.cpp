#include "tools/runnable_model.hpp"

#include <fmt/format.h>

#include "tools/archive.hpp"
#include "tools/atomic_file.hpp"
#include "tools/exit_code.hpp"
#include "tools/fmu_package.hpp"

namespace delassus {

RunnableModel::RunnableModel(std::string const& argument, int fmi_version) {
  ModelArgument const found = find_model(argument);
  if (found.is_fmu) {
    if (fmi_version != 0)
      throw CommandError(ExitCode::usage,
                         "--fmi is for scenes; an FMU has the version that it was built for");
    fmu_ = std::make_unique<ImportedFmu>(found.file);
  } else {
    model_ = read_model(found);
    if (fmi_version != 0) {
      TemporaryFolder const folder;
      auto const file = folder.path() / (model_->table().model_name() + ".fmu");
      write_file(file, make_archive(package_files(*model_, fmi_version, "")));
      fmu_ = std::make_unique<ImportedFmu>(file);
    }
  }
  description_ = fmu_ ? fmu_->description() : package_description(*model_, 2);
}

std::unique_ptr<SimulatedInstance> RunnableModel::instantiate(InstanceLog log) {
  if (fmu_) return fmu_->instantiate({.name = "simulated", .log = std::move(log)});
  return make_slave_instance(model_, std::move(log));
}

}  // namespace delassus
