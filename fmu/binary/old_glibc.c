// Lets the FMU's binary load with an older glibc than that of the build machine. A program requires the
// newest version of a symbol that its linker saw. This file defines, hidden inside the binary, the few
// functions whose newest versions are above 2.17, using only old versions. tests/fmu/binary_test.cpp reads
// the required versions back; a symbol above 2.17 needs a replacement here.
#if !defined(__gnu_linux__)
typedef int not_a_glibc;
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sched.h>
#include <stddef.h>
#include <sys/stat.h>

// libstdc++ omits atomic operations if this says that the process has one thread (2.32). An FMU does not know
// its importer, so it assumes several.
char __libc_single_threaded = 0;

// The file streams of libstdc++ (2.33).
#if defined(__x86_64__)
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif
int __fxstat64(int version, int file, struct stat64* status);
int fstat64(int file, struct stat64* status) {
  return __fxstat64(STAT_VERSION, file, status);
}

// libstdc++ initialises its locales once with this (in libc since 2.34, before in libpthread, which an
// importer need not load).
enum { not_begun = 0, under_way = 1, done = 2 };
int pthread_once(int* control, void (*routine)(void));
int pthread_once(int* control, void (*routine)(void)) {
  int state = not_begun;
  if (__atomic_compare_exchange_n(control, &state, under_way, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    routine();
    __atomic_store_n(control, done, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(control, __ATOMIC_ACQUIRE) != done) sched_yield();
  return 0;
}

// The unwinder takes the existence of this function for a sign of threads, and never calls it (2.34).
int __pthread_key_create(unsigned* key, void (*destroy)(void*));
int __pthread_key_create(unsigned* key, void (*destroy)(void*)) {
  (void)key;
  (void)destroy;
  return ENOSYS;
}

// The unwinder uses this to find the object that holds an address (2.35). Before, it iterated over the
// objects, as here.
#if __GLIBC_PREREQ(2, 35)
struct Search {
  ElfW(Addr) address;
  struct dl_find_object* found;
};

static int visit(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Search const* const search = data;
  ElfW(Addr) begin = 0, end = 0, frame = 0;
  int inside = 0;
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
    ElfW(Phdr) const* const segment = &object->dlpi_phdr[i];
    ElfW(Addr) const first = object->dlpi_addr + segment->p_vaddr, last = first + segment->p_memsz;
    if (segment->p_type == PT_LOAD) {
      if (begin == end || first < begin) begin = first;
      if (last > end) end = last;
      inside = inside || (search->address >= first && search->address < last);
    } else if (segment->p_type == PT_GNU_EH_FRAME) {
      frame = first;
    }
  }
  if (!inside || frame == 0) return 0;
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = (void*)begin;
  search->found->dlfo_map_end = (void*)end;
  search->found->dlfo_link_map = NULL;  // the unwinder does not read it
  search->found->dlfo_eh_frame = (void*)frame;
#if DLFO_STRUCT_HAS_EH_DBASE
  search->found->dlfo_eh_dbase = NULL;  // only for machines with data-relative frames
#endif
  return 1;
}

int _dl_find_object(void* address, struct dl_find_object* found) {
  struct Search search = {(ElfW(Addr))address, found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
#endif
#endif
