// How the program ends when it is asked to: by Ctrl-C (SIGINT), SIGTERM, SIGHUP, or a limit of processor time (SIGXCPU).
//
// Work that takes long asks `interrupted` wherever it can stop, such as between two steps, and then ends in its own
// way. If it does not ask within a tenth of a second, because it is inside a call that takes longer or never returns, a
// second thread ends the program instead: it calls the `Rescue` of the present work, which writes the results that are
// whole, kills child processes, removes temporary folders, and exits with ExitCode::run_failed. A second SIGINT or
// SIGTERM, a tenth of a second later or more, and SIGQUIT end the program at once, without results: it still kills child
// processes, removes its temporary files, and then ends by that signal.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace delassus {

// From here on; a second call changes nothing. A signal that is ignored, as under nohup, stays ignored.
void listen_for_interruption();

// Whether a signal has come, so that the caller ends the program. It does not return where the second thread is
// already doing that.
bool interrupted();

// Does not return where the second thread is ending the program: what fails then fails because of that, and says nothing.
void wait_where_interruption_ends();

// What the second thread does in place of the work, for as long as this object exists; the latest one counts. It
// answers with the message to the user. It runs while the work is inside another call, so it reads only what is
// changed under UndisturbedWork, or not at all.
class Rescue {
 public:
  using Finish = std::function<std::string()>;

  explicit Rescue(Finish finish);
  ~Rescue();
  Rescue(Rescue const&) = delete;
  Rescue& operator=(Rescue const&) = delete;

  std::string finish() const { return finish_(); }

 private:
  Finish finish_;
  Rescue const* outer_ = nullptr;
};

// No rescue begins while this object exists: short work, such as adding a row to a table.
class UndisturbedWork {
 public:
  UndisturbedWork();

 private:
  std::unique_lock<std::timed_mutex> lock_;
};

}  // namespace delassus
