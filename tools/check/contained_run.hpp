// Code of others, run in a child process that it cannot get out of.
//
// Between us and the code stand two processes: an outer one, which is our child, and a guard, which is the parent that the
// code sees. Where the kernel allows it (as root, or with user namespaces of those who are not), guard and code are in a
// PID namespace of their own: the code can send signals to nobody outside, the guard survives whatever it is sent, and
// with the guard everything ends that the code has started, sessions of its own included. Elsewhere the guard is the
// process that orphans fall to (PR_SET_CHILD_SUBREAPER), and kills those; what that cannot prevent is a SIGKILL to the
// guard or to us by a process of the same user.
#pragma once

#include "tools/support/child_process.hpp"

namespace delassus {

enum class Containment {
  process_namespace,  // where that is allowed, otherwise as the other
  guard,
};

struct ContainedReport : ChildReport {
  Containment containment = Containment::guard;  // what it was
  int left_processes = 0;                        // that outlived the work, and were killed
  int signal_sent = 0;                           // to the guard, by the code; 0: none
};

// As run_in_child.
ContainedReport run_contained(std::function<void(ChildSend const&)> const& work, double seconds,
                              ChildListen const& listen = {},
                              Containment wanted = Containment::process_namespace);

}  // namespace delassus
