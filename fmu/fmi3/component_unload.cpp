// What the binary of an FMU gives back when a host unloads it.
//
// Where libstdc++ is loaded it takes 72,704 bytes, for exceptions that are thrown when memory has run out, and keeps
// them until the process ends. It is linked into this binary, so a host that loads and unloads it loses as much each
// time. Priority 101 comes last: after the destructors of everything static, which may still throw.
#include <cstddef>

#if defined(__GLIBCXX__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)

namespace __gnu_cxx {
void __freeres();  // of libstdc++, which has no header for it
}

namespace {

[[gnu::destructor(101)]] void give_memory_back() {
  __gnu_cxx::__freeres();
}

}  // namespace

#endif
