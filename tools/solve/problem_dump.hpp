// Writes the contact problems of a run into a folder, one file for each communication point that has any:
// <scene>-<number of the point>.txt, with leading zeros, so that names sort by time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

class ProblemDump {
 public:
  // Makes the folder where it is missing; files of earlier runs stay or are replaced. `last` is the number of
  // the last communication point; one in `every` is written, the first among them. Throws FileError. The
  // instance must outlive this.
  ProblemDump(SimulatedInstance& instance, std::filesystem::path folder, std::string scene, std::size_t last,
              std::size_t every);

  // The problem at the present time, which is that of the communication point `point`. Throws FileError, and
  // InstanceError where the instance does not show its contact problems.
  void write(std::size_t point);

  std::size_t files() const { return files_; }

 private:
  SimulatedInstance& instance_;
  std::filesystem::path folder_;
  std::string scene_;
  std::size_t digits_, every_;
  std::size_t files_ = 0;
};

}  // namespace delassus
