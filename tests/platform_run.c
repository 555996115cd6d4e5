// Runs an FMU's binary through the plain C interface of FMI, on whatever platform this is compiled for, and prints the
// bits of its floating-point outputs after each step.
//   platform_run LIBRARY 2|3 TOKEN RESOURCES STEP STEPS REFERENCE:SIZE...
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
static void* load(char const* file) {
  return (void*)LoadLibraryA(file);
}
static void* find(void* library, char const* name) {
  return (void*)(uintptr_t)GetProcAddress((HMODULE)library, name);
}
#else
#include <dlfcn.h>
static void* load(char const* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  return library;
}
static void* find(void* library, char const* name) {
  return dlsym(library, name);
}
#endif

enum { most_values = 4096 };
static uint32_t references[most_values];
static double values[most_values];
static size_t reference_count = 0, value_count = 0;

static void* library = NULL;

static void* function(char const* name) {
  void* const found = find(library, name);
  if (found == NULL) {
    fprintf(stderr, "no function %s\n", name);
    exit(3);
  }
  return found;
}

static void demand(int status, char const* what) {
  if (status == 0) return;
  fprintf(stderr, "%s: status %d\n", what, status);
  exit(4);
}

static void print_values(void) {
  for (size_t i = 0; i < value_count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, &values[i], sizeof bits);
    printf("%s%08lx%08lx", i == 0 ? "" : " ", (unsigned long)(bits >> 32),
           (unsigned long)(bits & 0xffffffffu));
  }
  printf("\n");
}

static void log_fmi2(void* environment, char const* name, int status, char const* category,
                     char const* message, ...) {
  (void)environment;
  va_list arguments;
  va_start(arguments, message);
  fprintf(stderr, "%s %d %s: ", name, status, category);
  vfprintf(stderr, message, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
}

static void log_fmi3(void* environment, int status, char const* category, char const* message) {
  (void)environment;
  fprintf(stderr, "%d %s: %s\n", status, category, message);
}

typedef struct {
  void (*logger)(void*, char const*, int, char const*, char const*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} Callbacks2;

static int run2(char const* token, char const* resources, double step, int steps) {
  Callbacks2 const callbacks = {log_fmi2, calloc, free, NULL, NULL};
  void* (*instantiate)(char const*, int, char const*, char const*, Callbacks2 const*, int, int) =
      function("fmi2Instantiate");
  int (*setup)(void*, int, double, double, int, double) = function("fmi2SetupExperiment");
  int (*enter)(void*) = function("fmi2EnterInitializationMode");
  int (*leave)(void*) = function("fmi2ExitInitializationMode");
  int (*get)(void*, uint32_t const*, size_t, double*) = function("fmi2GetReal");
  int (*advance)(void*, double, double, int) = function("fmi2DoStep");
  int (*terminate)(void*) = function("fmi2Terminate");
  void (*release)(void*) = function("fmi2FreeInstance");
  void* const instance = instantiate("run", 1, token, resources, &callbacks, 0, 0);
  if (instance == NULL) return 5;
  demand(setup(instance, 0, 0, 0, 0, 0), "fmi2SetupExperiment");
  demand(enter(instance), "fmi2EnterInitializationMode");
  demand(leave(instance), "fmi2ExitInitializationMode");
  for (int i = 0; i <= steps; ++i) {
    demand(get(instance, references, reference_count, values), "fmi2GetReal");
    print_values();
    if (i < steps) demand(advance(instance, i * step, step, 1), "fmi2DoStep");
  }
  demand(terminate(instance), "fmi2Terminate");
  release(instance);
  return 0;
}

static int run3(char const* token, char const* resources, double step, int steps) {
  void* (*instantiate)(char const*, char const*, char const*, bool, bool, bool, bool, uint32_t const*, size_t,
                       void*, void (*)(void*, int, char const*, char const*), void*) =
      function("fmi3InstantiateCoSimulation");
  int (*enter)(void*, bool, double, double, bool, double) = function("fmi3EnterInitializationMode");
  int (*leave)(void*) = function("fmi3ExitInitializationMode");
  int (*get)(void*, uint32_t const*, size_t, double*, size_t) = function("fmi3GetFloat64");
  int (*advance)(void*, double, double, bool, bool*, bool*, bool*, double*) = function("fmi3DoStep");
  int (*terminate)(void*) = function("fmi3Terminate");
  void (*release)(void*) = function("fmi3FreeInstance");
  void* const instance =
      instantiate("run", token, resources, false, false, false, false, NULL, 0, NULL, log_fmi3, NULL);
  if (instance == NULL) return 5;
  demand(enter(instance, false, 0, 0, false, 0), "fmi3EnterInitializationMode");
  demand(leave(instance), "fmi3ExitInitializationMode");
  for (int i = 0; i <= steps; ++i) {
    demand(get(instance, references, reference_count, values, value_count), "fmi3GetFloat64");
    print_values();
    if (i == steps) break;
    bool event = false, ended = false, early = false;
    double reached = 0;
    demand(advance(instance, i * step, step, true, &event, &ended, &early, &reached), "fmi3DoStep");
  }
  demand(terminate(instance), "fmi3Terminate");
  release(instance);
  return 0;
}

int main(int count, char** arguments) {
  if (count < 8) {
    fprintf(stderr, "usage: platform_run LIBRARY 2|3 TOKEN RESOURCES STEP STEPS REFERENCE:SIZE...\n");
    return 2;
  }
  for (int i = 7; i < count; ++i) {
    unsigned reference = 0, size = 0;
    if (sscanf(arguments[i], "%u:%u", &reference, &size) != 2 || value_count + size > most_values) return 2;
    references[reference_count++] = reference;
    value_count += size;
  }
  library = load(arguments[1]);
  if (library == NULL) {
    fprintf(stderr, "%s does not load\n", arguments[1]);
    return 3;
  }
  double const step = atof(arguments[5]);
  int const steps = atoi(arguments[6]);
  return arguments[2][0] == '2' ? run2(arguments[3], arguments[4], step, steps)
                                : run3(arguments[3], arguments[4], step, steps);
}
