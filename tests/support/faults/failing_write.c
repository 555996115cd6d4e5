/* Preloaded (LD_PRELOAD) into the program, to make calls that write files fail, one by one. DELASSUS_FAULT names the fault,
   DELASSUS_FAULT_AT the call from which on it is there, counted from 1: calls of write to regular files, and calls that give
   a file its name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static int calls = 0;

static int is_fault(const char* name) {
  const char* fault = getenv("DELASSUS_FAULT");
  return fault != NULL && strcmp(fault, name) == 0;
}

static int is_time(void) {
  const char* at = getenv("DELASSUS_FAULT_AT");
  return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) >= (at != NULL ? atoi(at) : 1);
}

static int fails(void) {
  if (is_fault("kill")) raise(SIGKILL);
  if (is_fault("terminate")) raise(SIGTERM);
  if (is_fault("full")) errno = ENOSPC;
  if (is_fault("broken")) errno = EIO;
  return is_fault("full") || is_fault("broken");
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static ssize_t (*real)(int, const void*, size_t) = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "write");
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return real(descriptor, bytes, count);
  if (is_fault("short") && count > 1) return real(descriptor, bytes, (count + 2) / 3);
  if (is_fault("name") || is_fault("unnamed") || !is_time()) return real(descriptor, bytes, count);
  if (is_fault("kill") && count > 1) {
    ssize_t const half = real(descriptor, bytes, count / 2);
    (void)half;
  }
  return fails() ? -1 : real(descriptor, bytes, count);
}

static int kills_at_names(void) {
  if (is_fault("name") && is_time()) raise(SIGKILL);
  return 0;
}

int rename(const char* from, const char* to) {
  static int (*real)(const char*, const char*) = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "rename");
  return kills_at_names() != 0 ? -1 : real(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  static int (*real)(int, const char*, int, const char*, int) = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "linkat");
  return kills_at_names() != 0 ? -1 : real(from_folder, from, to_folder, to, flags);
}

/* As a file system that has no files without names. */
int open(const char* path, int flags, ...) {
  static int (*real)(const char*, int, ...) = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "open");
  va_list more;
  va_start(more, flags);
  mode_t const mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((flags & O_TMPFILE) == O_TMPFILE && is_fault("unnamed")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return real(path, flags, mode);
}
