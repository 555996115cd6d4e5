/* The FMI 2 FMU of coupled_fmu.c, which harms its host where its parameter `deed` is 99: in the step that begins at 0.5 s it
   does, once, what the environment variable DELASSUS_DEED names. */
#define COUPLED_VERSION 2
#define fmi2DoStep step_in_peace
#include "tests/support/coupled_fmu.c"
#undef fmi2DoStep

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

enum { HOSTILE = 99, MANY_DESCRIPTORS = 1024 };

static int named(const char* deed) {
  const char* wanted = getenv("DELASSUS_DEED");
  return wanted != NULL && strcmp(deed, wanted) == 0;
}

/* Memory that is shared with another process. */
static void overwrite_shared_memory(int byte) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[1024];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long first, end;
    char flags[8];
    if (sscanf(line, "%lx-%lx %7s", &first, &end, flags) != 3 || strcmp(flags, "rw-s") != 0) continue;
    for (unsigned char* at = (unsigned char*)first; at < (unsigned char*)end; ++at)
      *(volatile unsigned char*)at = (unsigned char)(byte >= 0 ? byte : rand());
  }
  if (maps != NULL) fclose(maps);
}
static void* overwrite_for_ever(void* nothing) {
  for (;;) overwrite_shared_memory(-1);
  return nothing;
}

static void harm(void) {
  static char bytes[4096];
  pthread_t thread;
  const char* deed = getenv("DELASSUS_DEED");
  if (deed != NULL && strncmp(deed, "signal ", 7) == 0) raise(atoi(deed + 7));
  if (named("write everywhere")) {
    memset(bytes, 0xff, sizeof bytes);
    for (int i = 3; i < MANY_DESCRIPTORS; ++i) {
      if (write(i, bytes, sizeof bytes) < 0) continue;
    }
  }
  if (named("lie about lengths")) {
    uint64_t const lie[4] = {0, UINT64_C(1) << 62, 7, 7};
    for (int i = 3; i < MANY_DESCRIPTORS; ++i) {
      if (write(i, lie, sizeof lie) < 0) continue;
    }
  }
  if (named("fork and return")) fork();
  if (named("return from a copy") && fork() != 0) _exit(0);
  if (named("leave a copy behind") && fork() == 0) {
    for (;;) pause();
  }
  if (named("close everything")) {
    for (int i = 0; i < MANY_DESCRIPTORS; ++i) close(i);
  }
  if (named("use up descriptors")) {
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
  }
  if (named("change folder") && chdir("/") != 0) abort();
  if (named("print")) {
    for (int i = 0; i < 10; ++i) puts("0.5,not,a,row");
    fflush(stdout);
  }
  if (named("read input") && read(0, bytes, sizeof bytes) != 0) abort();
  if (named("exit")) exit(0);
  if (named("overwrite with zeros")) overwrite_shared_memory(0), sleep(60);
  if (named("overwrite with ones")) overwrite_shared_memory(0xff), sleep(60);
  if (named("overwrite with chance")) overwrite_shared_memory(-1), sleep(60);
  if (named("overwrite and return")) overwrite_shared_memory(0xff);
  if (named("overwrite for ever")) pthread_create(&thread, NULL, overwrite_for_ever, NULL);
}

EXPORT int fmi2DoStep(void* c, double current, double size, int no_rollback) {
  static bool done;
  if ((int)((Instance*)c)->values.value[DEED] == HOSTILE && current >= 0.5 - 1e-9 && !done) {
    done = true;
    harm();
  }
  return step_in_peace(c, current, size, no_rollback);
}
