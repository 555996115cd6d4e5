// Commands of the program under faults: what each is run with, and what must hold of every one, whatever happens. The exit
// code is one of ours, or a signal that the fault allows; there is a message; outputs are whole, or as they were before, or
// absent; inputs are as they were; nothing is left behind.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/support/temporary_folder.hpp"

namespace delassus::test {

struct FaultCommand {
  std::string name;
  std::vector<std::string> words;    // `in/` has the inputs, `out/` takes the outputs
  std::vector<std::string> outputs;  // in out/
  // What an interruption may leave: the first rows of a CSV file, a journal.
  std::vector<std::string> rescued = {};
};

// Of a program that is running.
using Disturbance = std::function<void(pid_t process, double usual_seconds)>;

struct Fault {
  std::string name;
  std::function<void()> prepare = {};                   // in the child, before the program is there
  std::map<std::string, std::string> environment = {};  // in addition; TMPDIR is the run's
  std::set<int> codes = {0, 1, 2, 3, 4};                // what may come, -signal where one ends it
  bool may_be_silent = false;                           // standard error is part of the fault
  bool may_cut_output = false;                          // standard output is
  bool may_change_output = false;                       // what is written is not that of the usual run
  bool may_leave_folder = false;                        // in TMPDIR: it was killed; the next run removes it
  bool may_leave_file = false;  // beside an output: it was killed between two names of a whole file
  bool with_old_files = true;   // under the names of the outputs
  Disturbance disturb = {};
};

struct FaultOutcome {
  int code = 0;  // -signal where one ended it, -1000 where it did not end
  std::string output, errors;
};

class FaultRuns {
 public:
  FaultRuns();  // makes the inputs

  // A few, or with DELASSUS_FAULTS all but `reproduce`, which takes a minute.
  std::vector<FaultCommand> const& commands() const { return commands_; }
  FaultCommand const& command(std::string const& name) const;

  // Runs it and expects what must hold.
  FaultOutcome run(FaultCommand const& command, Fault const& fault);
  void run_all(Fault const& fault);

  std::filesystem::path const& folder() const { return folder_.path(); }

 private:
  struct Usual {
    FaultOutcome outcome;
    std::map<std::string, std::string> files;
    double seconds = 0;
  };
  Usual const& usual(FaultCommand const& command);
  void clear() const;
  FaultOutcome start(FaultCommand const& command, Fault const& fault, double usual_seconds) const;

  TemporaryFolder folder_;
  std::vector<FaultCommand> commands_;
  std::map<std::string, Usual> usual_;
  std::map<std::string, std::string> inputs_;
};

// DELASSUS_FAULTS, as tools/test --faults sets it.
bool all_faults();

// Names and contents of all files below a folder.
std::map<std::string, std::string> files_below(std::filesystem::path const& folder);

}  // namespace delassus::test
