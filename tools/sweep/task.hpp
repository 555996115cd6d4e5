// A whole sweep: what is run, with which values, and what is kept of each run; and the rows of its results. Every process
// that takes part makes its own from the same options, and all of them make the same rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/support/worker_pool.hpp"
#include "tools/sweep/kept_quantity.hpp"
#include "tools/sweep/values.hpp"

namespace delassus {

struct SweepRequest {
  SubjectRequest subject;
  std::vector<std::string> vary, keep;
  Sampling sampling;
  std::string runs_folder;  // for the whole CSV of each run; empty: none
};

// Of one run, in the column `status`.
namespace run_status {
inline constexpr std::string_view ok = "ok", ended = "ended", failed = "failed", crashed = "crashed",
                                  timeout = "timeout";
}

class SweepTask {
 public:
  // Throws what is wrong with the request.
  explicit SweepTask(SweepRequest const& request);

  SweepSubject const& subject() const { return *subject_; }
  SweepPlan const& plan() const { return plan_; }
  std::vector<KeptQuantity> const& kept() const { return kept_; }

  // What the rows depend on, one fact a line.
  std::vector<std::string> facts() const;

  // Does a run, and returns its row after the values of the axes: what is kept, status, message.
  std::string row_of(std::size_t run);
  // The same of a run that was lost.
  std::string row_of(FinishedWork const& lost) const;

  std::string table(std::vector<std::optional<std::string>> const& rows) const;

 private:
  std::string empty_row(std::string_view status, std::string const& message) const;

  std::unique_ptr<SweepSubject> subject_;
  SweepPlan plan_;
  std::vector<KeptQuantity> kept_;
  std::string runs_folder_;
};

// The cells of a row of `row_of`.
struct RowCells {
  std::vector<std::string> values;  // what is kept
  std::string status, message;
  bool is_fine() const { return status == run_status::ok || status == run_status::ended; }
};
RowCells read_row(std::string const& row);

}  // namespace delassus
