// What the reproductions of the papers share while they run: FMUs made once for each scene, and a way to tell what is
// being done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tools/package/named_run.hpp"
#include "tools/package/runnable_model.hpp"
#include "tools/papers/reproduction.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {

class ReproductionRun {
 public:
  // `tell` is called with what begins, from any thread, one at a time.
  explicit ReproductionRun(std::function<void(std::string const&)> tell) : tell_(std::move(tell)) {}

  void begin(std::string const& what);

  // The FMI 3 FMU of an example.
  RunnableModel& fmu(std::string const& example);
  // The FMU of an example in which a part of the text is replaced: a variant that is no matter of parameters. Throws
  // std::logic_error where the text does not have that part.
  RunnableModel& fmu(std::string const& example, std::string const& variant,
                     std::map<std::string, std::string> const& replacements);

 private:
  std::function<void(std::string const&)> tell_;
  std::recursive_mutex mutex_;
  TemporaryFolder folder_;
  std::map<std::string, std::unique_ptr<RunnableModel>> models_;
};

// One function for each paper, and one for what goes beyond them.
ReproducedPaper reproduce_kikuuwe_brogliato(ReproductionRun& run);
ReproducedPaper reproduce_peiret(ReproductionRun& run);
ReproducedPaper reproduce_song(ReproductionRun& run);
ReproducedPaper reproduce_blumentals(ReproductionRun& run);
ReproducedPaper reproduce_oprea(ReproductionRun& run);
ReproducedPaper reproduce_convergence(ReproductionRun& run);

}  // namespace delassus
