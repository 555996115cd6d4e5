#include "tools/solve/problem_dump.hpp"

#include <fmt/format.h>

#include "solver/problem/form_matrix.hpp"
#include "tools/solve/problem_file.hpp"
#include "tools/support/atomic_file.hpp"

namespace delassus {

ProblemDump::ProblemDump(SimulatedInstance& instance, std::filesystem::path folder, std::string scene,
                         std::size_t last, std::size_t every)
    : instance_(instance),
      folder_(std::move(folder)),
      scene_(std::move(scene)),
      digits_(std::to_string(last).size()),
      every_(every) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder_.string(), error.message()));
}

void ProblemDump::write(std::size_t point) {
  if (point % every_ != 0) return;
  ContactProblem problem = instance_.contact_problem();
  if (problem.blocks.empty()) return;
  // A stepper may have done without A; the file has nothing else.
  if (!problem.W.empty()) form_matrix(problem);
  write_file(folder_ / fmt::format("{}-{:0{}}.txt", scene_, point, digits_), problem_text(problem));
  ++files_;
}

}  // namespace delassus
