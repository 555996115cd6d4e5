#include "tests/support/faults/fault_run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "tools/support/atomic_file.hpp"

namespace delassus::test {
namespace {

using Clock = std::chrono::steady_clock;

// s. Far beyond what any of them takes.
constexpr int longest_run = 300;

constexpr char old_text[] = "old\n";

std::vector<FaultCommand> all_commands() {
  return {
      {"describe", {"describe", "in/block.fmu"}, {}},
      {"examples", {"examples"}, {}},
      {"copy", {"examples", "sliding_block", "--copy-to", "out"}, {"sliding_block.xml"}},
      {"simulate",
       {"simulate", "in/block.xml", "-o", "out/x.csv", "--plot", "out/x.svg"},
       {"x.csv", "x.svg"},
       {"x.csv", "x.svg"}},
      {"simulate_fmu", {"simulate", "in/block.fmu", "-o", "out/x.csv"}, {"x.csv"}, {"x.csv"}},
      {"simulate_rows", {"simulate", "in/block.xml"}, {}},
      {"cosim", {"cosim", "in/loop.ssp", "--stop", "0.2", "-o", "out/c.csv"}, {"c.csv"}, {"c.csv"}},
      {"cosim_isolated",
       {"cosim", "in/loop/SystemStructure.ssd", "--isolate", "--stop", "0.02", "-o", "out/c.csv"},
       {"c.csv"},
       {"c.csv"}},
      {"sweep",
       {"sweep", "in/block.fmu", "--vary", "mu=0.1:0.9:4", "--jobs", "2", "-o", "out/s.csv"},
       {"s.csv"},
       {"s.csv.journal"}},
      {"check", {"check", "in/block.fmu"}, {}},
      {"check_scene", {"check", "in/block.xml"}, {}},
      {"report", {"report", "in/block.xml", "-o", "out/r.html"}, {"r.html"}, {"r.html.csv"}},
      {"analyse", {"analyse", "in/block.xml", "-o", "out/a.txt", "--plot", "out/a.svg"}, {"a.txt", "a.svg"}},
      {"build", {"build", "in/block.xml", "--no-reference", "-o", "out/b.fmu"}, {"b.fmu"}},
      {"build_system",
       {"build", "in/loop/SystemStructure.ssd", "--no-reference", "-o", "out/b.ssp"},
       {"b.ssp"}},
      {"solve", {"solve", "in/problems", "--history", "out/h.csv", "--repeat", "1"}, {"h.csv"}},
      {"reproduce", {"reproduce", "peiret", "-o", "out/p.html"}, {"p.html"}},
  };
}

// Of those, in the usual suite: a file, several, a package, workers, a child process.
constexpr std::array<std::string_view, 5> quick{"simulate", "simulate_fmu", "cosim", "sweep", "check"};

int system_in(std::filesystem::path const& folder, std::string const& arguments) {
  return std::system(
      ("cd '" + folder.string() + "' && '" DELASSUS_PROGRAM "' " + arguments + " >/dev/null").c_str());
}

// Times are in it, and the names of temporary folders.
bool says_the_same_every_time(FaultCommand const& command) {
  return command.name != "solve" && command.name != "check" && command.name != "reproduce";
}

// A sweep whose runs fail is a table of rows that say so.
bool is_table_of_failures(std::string const& content, std::string const& whole) {
  return content.substr(0, content.find('\n')) == whole.substr(0, whole.find('\n')) &&
         content.ends_with('\n') && std::ranges::count(content, '\n') == std::ranges::count(whole, '\n');
}

bool is_rescued(FaultCommand const& command, std::string const& name, std::string const& content,
                std::string const& whole) {
  if (std::ranges::find(command.rescued, name) == command.rescued.end()) return false;
  if (name.ends_with(".svg")) return content.ends_with("</svg>\n");  // of those rows
  if (!name.ends_with(".csv") || whole.empty()) return true;
  return content.ends_with('\n') && whole.starts_with(content);
}

}  // namespace

bool all_faults() {
  char const* const value = std::getenv("DELASSUS_FAULTS");
  return value != nullptr && *value != '\0';
}

std::map<std::string, std::string> files_below(std::filesystem::path const& folder) {
  std::map<std::string, std::string> files;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  }
  return files;
}

FaultRuns::FaultRuns() {
  auto const in = folder() / "in";
  std::filesystem::create_directories(in);
  std::filesystem::create_directories(folder() / "tmp");
  std::filesystem::create_directories(folder() / "out");
  for (std::string const arguments :
       {"examples sliding_block --copy-to .", "examples positioning --copy-to .",
        "build sliding_block.xml --no-reference -o block.fmu",
        "build positioning/SystemStructure.ssd --no-reference -o loop.ssp",
        "simulate sliding_block.xml --stop 0.5 --step 0.1 --quiet -o run.csv --dump-problems problems"}) {
    if (system_in(in, arguments + " 2>/dev/null") != 0) ADD_FAILURE() << "delassus " << arguments;
  }
  std::filesystem::rename(in / "sliding_block.xml", in / "block.xml");
  std::filesystem::rename(in / "positioning", in / "loop");
  inputs_ = files_below(in);
  for (auto& command : all_commands()) {
    if (command.name == "reproduce") continue;
    if (all_faults() || std::ranges::find(quick, command.name) != quick.end())
      commands_.push_back(std::move(command));
  }
}

FaultCommand const& FaultRuns::command(std::string const& name) const {
  static std::vector<FaultCommand> const all = all_commands();
  return *std::ranges::find(all, name, &FaultCommand::name);
}

void FaultRuns::clear() const {
  for (auto const* const name : {"out", "tmp"}) {
    std::filesystem::remove_all(folder() / name);
    std::filesystem::create_directories(folder() / name);
  }
}

FaultRuns::Usual const& FaultRuns::usual(FaultCommand const& command) {
  auto const [place, is_new] = usual_.try_emplace(command.name);
  Usual& usual = place->second;
  if (!is_new) return usual;
  clear();
  auto const begin = Clock::now();
  usual.outcome = start(command, {"none"}, 0);
  usual.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  usual.files = files_below(folder() / "out");
  EXPECT_LE(usual.outcome.code, 1) << command.name << ": " << usual.outcome.errors;
  EXPECT_GE(usual.outcome.code, 0) << command.name << ": " << usual.outcome.errors;
  for (auto const& name : command.outputs)
    EXPECT_TRUE(usual.files.contains(name)) << command.name << ": " << name;
  return usual;
}

FaultOutcome FaultRuns::start(FaultCommand const& command, Fault const& fault, double usual_seconds) const {
  std::vector<std::string> words{DELASSUS_PROGRAM};
  words.insert(words.end(), command.words.begin(), command.words.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int output[2], errors[2];
  FaultOutcome outcome;
  if (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0) return outcome;
  std::string const cwd = folder().string();
  pid_t const child = ::fork();
  if (child == 0) {
    if (::chdir(cwd.c_str()) != 0) ::_exit(99);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(output[1], STDOUT_FILENO);
    ::dup2(errors[1], STDERR_FILENO);
    ::setenv("TMPDIR", (cwd + "/tmp").c_str(), 1);
    ::unsetenv("DELASSUS_FAULTS");
    for (auto const& [name, value] : fault.environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (fault.prepare) fault.prepare();
    ::closefrom(STDERR_FILENO + 1);  // what this program was given itself
    ::execv(pointers[0], pointers.data());
    ::_exit(99);
  }
  ::close(output[1]);
  ::close(errors[1]);
  auto const begin = Clock::now();
  bool disturbed = !fault.disturb;
  pollfd waits[2]{{output[0], POLLIN, 0}, {errors[0], POLLIN, 0}};
  std::string* const texts[2]{&outcome.output, &outcome.errors};
  int status = 0;
  bool ended = false;
  std::jthread disturber;
  if (!disturbed) disturber = std::jthread([&] { fault.disturb(child, usual_seconds); });
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    int const ready = ::poll(waits, 2, 50);
    for (int i = 0; ready > 0 && i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char buffer[65536];
      ssize_t const count = ::read(waits[i].fd, buffer, sizeof buffer);
      if (count > 0) texts[i]->append(buffer, static_cast<std::size_t>(count));
      if (count <= 0) ::close(std::exchange(waits[i].fd, -1));
    }
    siginfo_t info{};
    ended = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == child;
    if (ready == 0 && ended) break;  // something that it has started holds the pipe
    if (Clock::now() - begin > std::chrono::seconds(longest_run)) {
      ::kill(child, SIGKILL);
      outcome.code = -1000;
      break;
    }
  }
  // Before its number can be another's.
  if (disturber.joinable()) disturber.join();
  for (auto end = Clock::now() + std::chrono::seconds(longest_run);
       outcome.code == 0 && Clock::now() < end;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      break;
    ::usleep(2000);
  }
  if (::waitpid(child, &status, WNOHANG) != child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    outcome.code = -1000;
  }
  if (outcome.code == 0) outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  for (auto const& wait : waits) {
    if (wait.fd >= 0) ::close(wait.fd);
  }
  return outcome;
}

FaultOutcome FaultRuns::run(FaultCommand const& command, Fault const& fault) {
  Usual const& whole = usual(command);
  SCOPED_TRACE("delassus " + command.name + ", fault: " + fault.name);
  clear();
  // A sweep goes on from its journal; what it writes at its end is a file as all others.
  if (fault.with_old_files && command.name != "copy") {
    for (auto const& name : command.outputs) write_file(folder() / "out" / name, old_text);
  }
  FaultOutcome const outcome = start(command, fault, whole.seconds);
  EXPECT_TRUE(fault.codes.contains(outcome.code)) << outcome.code << "\n" << outcome.errors;
  if (outcome.code > 0 && outcome.code != whole.outcome.code && !fault.may_be_silent) {
    // A checker says what an FMU did where it says what it finds.
    bool const said =
        !outcome.errors.empty() || (command.name.starts_with("check") && !outcome.output.empty());
    EXPECT_TRUE(said) << "exit code " << outcome.code << " without a message";
  }
  EXPECT_EQ(outcome.errors.find("Sanitizer"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("terminate called"), std::string::npos) << outcome.errors;
  bool const went_well = outcome.code == whole.outcome.code;
  auto const files = files_below(folder() / "out");
  for (auto const& [name, content] : files) {
    auto const expected = whole.files.find(name);
    bool const known = expected != whole.files.end();
    std::string const& text = known ? expected->second : std::string();
    if (known && (content == text || (!went_well && content == old_text) || fault.may_change_output))
      continue;
    if (known && command.name == "reproduce") continue;
    if (known && command.name == "sweep" && !went_well && is_table_of_failures(content, text)) continue;
    if (!went_well && is_rescued(command, name, content, text)) continue;
    if (fault.may_leave_file && std::ranges::any_of(whole.files, [&](auto const& file) {
          return name.starts_with(file.first) && content == file.second;
        }))
      continue;
    ADD_FAILURE() << "out/" << name << " is neither whole nor as it was (" << content.size() << " bytes of "
                  << text.size() << "), exit code " << outcome.code << "\n"
                  << outcome.errors;
  }
  if (went_well) {
    for (auto const& name : command.outputs)
      EXPECT_TRUE(files.contains(name)) << name << "\n" << outcome.errors;
    if (!fault.may_cut_output && !fault.may_change_output && says_the_same_every_time(command)) {
      EXPECT_EQ(outcome.output, whole.outcome.output);
    }
  }
  for (auto const& entry : std::filesystem::directory_iterator(folder() / "tmp"))
    EXPECT_TRUE(fault.may_leave_folder) << "left in TMPDIR: " << entry.path() << "\n" << outcome.errors;
  EXPECT_TRUE(files_below(folder() / "in") == inputs_) << "inputs were changed";
  return outcome;
}

void FaultRuns::run_all(Fault const& fault) {
  for (auto const& command : commands_) run(command, fault);
}

}  // namespace delassus::test
