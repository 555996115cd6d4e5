// Counts the heap allocations of a test program. Include it in exactly one source of the program: it replaces
// operator new and, where no sanitizer does so already, malloc, which Eigen calls.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace delassus::test {

inline std::atomic<long> allocation_count{0};

inline void* counted_allocation(std::size_t size) {
#ifdef DELASSUS_SANITIZED
  ++allocation_count;
#endif
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace delassus::test

// Functions that replace those of the library must not be inline.
// NOLINTBEGIN(misc-definitions-in-headers)
#ifndef DELASSUS_SANITIZED
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name for it
extern "C" void* malloc(std::size_t size) {
  ++delassus::test::allocation_count;
  return __libc_malloc(size);
}
#endif

// Not inlined: GCC would see free() paired with operator new and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return delassus::test::counted_allocation(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return delassus::test::counted_allocation(size);
}
// What std::stable_sort asks for.
[[gnu::noinline]] void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
#ifdef DELASSUS_SANITIZED
  ++delassus::test::allocation_count;
#endif
  return std::malloc(size > 0 ? size : 1);
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
// NOLINTEND(misc-definitions-in-headers)
