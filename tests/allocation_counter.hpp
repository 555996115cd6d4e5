// Counts the heap allocations of a test program. Include it in exactly one source of the program: it replaces
// operator new.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace delassus::test {

inline std::atomic<long> allocation_count{0};

inline void* counted_allocation(std::size_t size) {
  ++allocation_count;
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace delassus::test

// Not inlined: GCC would see free() paired with operator new and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return delassus::test::counted_allocation(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return delassus::test::counted_allocation(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
