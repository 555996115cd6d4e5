#include "tools/check/contained_run.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// ms. What the code has started may be ending by itself.
constexpr int time_to_leave = 200;

// Written by the outer process and the guard, read by us; the code does not see it.
struct Shared {
  volatile int containment, left_processes, signal_sent;
  volatile int status;  // of the code, as waitpid gives it
  volatile bool ended;  // it has one
};

class SharedPage {
 public:
  SharedPage() {
    void* const page =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw FileError(fmt::format("cannot share memory: {}", std::strerror(errno)));
    shared_ = new (page) Shared{};
  }
  ~SharedPage() { ::munmap(shared_, sizeof(Shared)); }
  SharedPage(SharedPage const&) = delete;
  SharedPage& operator=(SharedPage const&) = delete;
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

bool write_word(char const* file, std::string const& word) {
  int const descriptor = ::open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  bool const written = write_all(descriptor, word);
  ::close(descriptor);
  return written;
}

// Children from now on are in it. Where that needs a user namespace, users and groups in it are the same numbers.
bool enter_namespaces(bool user) {
  if (!user) return ::unshare(CLONE_NEWPID) == 0;
  auto const user_number = ::geteuid();
  auto const group_number = ::getegid();
  return ::unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 && write_word("/proc/self/setgroups", "deny") &&
         write_word("/proc/self/uid_map", fmt::format("{0} {0} 1", user_number)) &&
         write_word("/proc/self/gid_map", fmt::format("{0} {0} 1", group_number));
}

// There is no way back out of a namespace that turns out to be of no use: another process tries.
bool namespaces_work(bool user) {
  pid_t const probe = ::fork();
  if (probe == 0) {
    if (!enter_namespaces(user)) ::_exit(1);
    pid_t const inside = ::fork();
    if (inside == 0) ::_exit(0);
    int status = 0;
    bool const fine = inside > 0 && ::waitpid(inside, &status, 0) == inside && status == 0;
    ::_exit(fine ? 0 : 1);
  }
  int status = 1;
  while (probe > 0 && ::waitpid(probe, &status, 0) < 0 && errno == EINTR) {
  }
  return probe > 0 && status == 0;
}

bool enter_process_namespace(bool& user_namespace) {
  for (bool const user : {false, true}) {
    user_namespace = user;
    if (namespaces_work(user)) return enter_namespaces(user);
  }
  return user_namespace = false;
}

// Of a user namespace, which the code did not have before.
void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct const none[2]{};
  ::syscall(SYS_capset, &header, none);
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  DIR* const processes = ::opendir("/proc");
  if (processes == nullptr) return children;
  for (dirent const* entry = ::readdir(processes); entry != nullptr; entry = ::readdir(processes)) {
    pid_t const process = std::atoi(entry->d_name);
    if (process <= 0) continue;
    char text[512] = {};
    int const descriptor = ::open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    [[maybe_unused]] ssize_t const count = ::read(descriptor, text, sizeof text - 1);
    ::close(descriptor);
    // Behind the name, which is in parentheses and may hold some: state and parent.
    char const* const name_end = std::strrchr(text, ')');
    char state = 0;
    int its_parent = 0;
    if (name_end != nullptr && std::sscanf(name_end + 1, " %c %d", &state, &its_parent) == 2 &&
        its_parent == parent)
      children.push_back(process);
  }
  ::closedir(processes);
  return children;
}

// Takes the ends of all that have ended. False where there is no child any more.
bool take_ends(pid_t code, Shared* shared) {
  int status = 0;
  pid_t process = 0;
  while ((process = ::waitpid(-1, &status, WNOHANG)) > 0) {
    if (process != code || shared == nullptr) continue;
    shared->status = status;
    shared->ended = true;
  }
  return process == 0;
}

// Of this process, also those of other sessions, and theirs. Gives how many there were.
int kill_descendants(bool in_namespace) {
  int count = 0;
  // Each of them may start more, before it is killed.
  for (int round = 0; round < 1000; ++round) {
    auto const children = in_namespace ? std::vector<pid_t>{-1} : children_of(::getpid());
    for (pid_t const child : children) ::kill(child, SIGKILL);
    pid_t process = 0;
    int status = 0;
    if (children.empty()) break;
    for (std::size_t i = 0; i < children.size() || in_namespace; ++i) {
      process = ::waitpid(-1, &status, 0);
      if (process > 0) ++count;
      if (process < 0 && errno != EINTR) return count;
    }
  }
  return count;
}

struct Guarded {
  std::function<void(ChildSend const&)> const& work;
  ChildSend const& send;
  bool in_namespace, in_user_namespace;
  Shared& shared;
  int done;          // a byte goes here where the work has returned
  sigset_t signals;  // that are blocked for the code: those of before
};

[[noreturn]] void run_code(Guarded const& guarded) {
  ::munmap(&guarded.shared, sizeof(Shared));
  ::setsid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (guarded.in_user_namespace) drop_capabilities();
  ::sigprocmask(SIG_SETMASK, &guarded.signals, nullptr);
  int code = 0;
  try {
    report_from_here();
    guarded.work(guarded.send);
    std::fflush(nullptr);
    write_all(guarded.done, "\x04");
  } catch (std::exception const& error) {
    write_all(STDERR_FILENO, std::string(error.what()) + "\n");
    code = 1;
  } catch (...) {
    code = 1;
  }
  std::fflush(nullptr);
  ::_exit(code);
}

// The first process of the namespace, where there is one: signals that it does not wait for do nothing to it.
[[noreturn]] void run_guard(Guarded const& guarded, pid_t outer) {
  ::setsid();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_PDEATHSIG, guarded.in_namespace ? SIGKILL : SIGTERM);
  bool const alone = guarded.in_namespace ? false : ::getppid() != outer;
  if (!guarded.in_namespace) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // In a new namespace all would be process 2; two FMUs that are checked at one time may make names of their numbers.
  if (guarded.in_namespace) write_word("/proc/sys/kernel/ns_last_pid", std::to_string(outer));
  pid_t const code = alone ? -1 : ::fork();
  if (code == 0) run_code(guarded);
  while (code > 0 && !guarded.shared.ended) {
    siginfo_t info{};
    int const number = ::sigwaitinfo(&all, &info);
    if (number < 0) continue;
    if (number == SIGCHLD) {
      take_ends(code, &guarded.shared);
    } else if (!guarded.in_namespace && ::getppid() != outer) {
      break;  // whoever wanted the result has gone
    } else if ((!guarded.in_namespace || info.si_pid != 0) && guarded.shared.signal_sent == 0) {
      // Of a process outside of the namespace there is no number.
      guarded.shared.signal_sent = number;
    }
  }
  for (int waited = 0; waited < time_to_leave && take_ends(code, nullptr); waited += 5) ::usleep(5000);
  guarded.shared.left_processes = kill_descendants(guarded.in_namespace);
  ::_exit(0);
}

// As the code has ended, so that whoever waits for us sees that.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    int const number = WTERMSIG(status);
    ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::kill(::getpid(), number);
    ::_exit(1);
  }
  ::_exit(WEXITSTATUS(status));
}

// In the child process. Returns where the work has.
void run_guarded(std::function<void(ChildSend const&)> const& work, ChildSend const& send, Containment wanted,
                 Shared& shared) {
  bool in_user_namespace = false;
  bool const in_namespace =
      wanted == Containment::process_namespace && enter_process_namespace(in_user_namespace);
  shared.containment = static_cast<int>(in_namespace ? Containment::process_namespace : Containment::guard);
  int done[2];
  if (::pipe2(done, O_CLOEXEC) != 0)
    throw FileError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  Guarded guarded{work, send, in_namespace, in_user_namespace, shared, done[1], {}};
  ::sigprocmask(SIG_SETMASK, nullptr, &guarded.signals);
  pid_t const outer = ::getpid();
  pid_t const guard = ::fork();
  if (guard < 0) throw FileError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (guard == 0) {
    ::close(done[0]);
    run_guard(guarded, outer);
  }
  ::close(done[1]);
  int status = 0;
  while (::waitpid(guard, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    shared.signal_sent = WTERMSIG(status);
    end_as(status);
  }
  char byte = 0;
  ::fcntl(done[0], F_SETFL, O_NONBLOCK);
  bool const returned = ::read(done[0], &byte, 1) == 1;
  ::close(done[0]);
  if (!returned || !WIFEXITED(shared.status) || WEXITSTATUS(shared.status) != 0) end_as(shared.status);
}

}  // namespace

ContainedReport run_contained(std::function<void(ChildSend const&)> const& work, double seconds,
                              ChildListen const& listen, Containment wanted) {
  SharedPage const page;
  ContainedReport report;
  static_cast<ChildReport&>(report) =
      run_in_child([&](ChildSend const& send) { run_guarded(work, send, wanted, *page); }, seconds, listen);
  report.containment = static_cast<Containment>((*page).containment);
  report.left_processes = (*page).left_processes;
  report.signal_sent = (*page).signal_sent;
  return report;
}

}  // namespace delassus
