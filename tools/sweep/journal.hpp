// The finished runs of a sweep that is not finished: a file beside the results, to which each run adds a line with a
// checksum as soon as it is done. After an interruption, of whatever kind, the sweep goes on from there.
//
//   delassus-sweep-journal 1
//   # vary tip_ground.mu=0.1:1:50             what the rows depend on, one fact a line
//   plan <hash of the facts>
//   <checksum> <run> <row>
//
// A line that was cut is dropped, and its run done again.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

class SweepJournal {
 public:
  // Opens the journal of this plan, or begins it. `restart`: begins it whatever is there. Throws CommandError where it
  // belongs to another plan or another sweep is writing it, which is asked for 2 s, and FileError.
  SweepJournal(std::filesystem::path file, std::vector<std::string> const& facts, std::size_t runs,
               bool restart);
  ~SweepJournal();
  SweepJournal(SweepJournal const&) = delete;
  SweepJournal& operator=(SweepJournal const&) = delete;

  std::filesystem::path const& file() const { return file_; }
  // The rows of runs that were found finished.
  std::vector<std::optional<std::string>> take_rows() { return std::move(rows_); }

  // At once: a process that is killed after this has not lost it. `row` is one line. Throws FileError.
  void add(std::size_t run, std::string const& row);

  void remove();  // the results are written

 private:
  using Clock = std::chrono::steady_clock;
  void open_and_lock();
  void begin();
  void go_on(std::string const& content);

  std::filesystem::path file_;
  std::string head_;
  std::vector<std::string> facts_;
  std::vector<std::optional<std::string>> rows_;
  int descriptor_ = -1;
  Clock::time_point synchronised_ = Clock::now();
};

}  // namespace delassus
