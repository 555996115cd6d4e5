// Runs an FMU's binary through the plain C interface of FMI, on whatever platform this is compiled for, and prints the
// bits of its floating-point outputs after each step. In the middle it saves its state as bytes, makes a step, goes back, and
// prints nothing of that.
//   platform_run LIBRARY 2|3 TOKEN RESOURCES STEP STEPS REFERENCE:SIZE...
// RESOURCES is percent-encoded in both versions: arguments of a Windows program come in its code page, FMI's strings are UTF-8.
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

static char state_bytes[1 << 20];

static size_t checked_size(size_t size) {
  if (size > sizeof state_bytes) {
    fprintf(stderr, "the state has %lu bytes\n", (unsigned long)size);
    exit(6);
  }
  return size;
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
  int (*take)(void*, void**) = function("fmi2GetFMUstate");
  int (*put)(void*, void*) = function("fmi2SetFMUstate");
  int (*release_state)(void*, void**) = function("fmi2FreeFMUstate");
  int (*size_of)(void*, void*, size_t*) = function("fmi2SerializedFMUstateSize");
  int (*serialise)(void*, void*, char*, size_t) = function("fmi2SerializeFMUstate");
  int (*deserialise)(void*, char const*, size_t, void**) = function("fmi2DeSerializeFMUstate");
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
    if (i == steps / 2) {
      void *state = NULL, *copy = NULL;
      size_t size = 0;
      demand(take(instance, &state), "fmi2GetFMUstate");
      demand(size_of(instance, state, &size), "fmi2SerializedFMUstateSize");
      demand(serialise(instance, state, state_bytes, checked_size(size)), "fmi2SerializeFMUstate");
      demand(release_state(instance, &state), "fmi2FreeFMUstate");
      demand(advance(instance, i * step, step, 0), "fmi2DoStep");
      demand(deserialise(instance, state_bytes, size, &copy), "fmi2DeSerializeFMUstate");
      demand(put(instance, copy), "fmi2SetFMUstate");
      demand(release_state(instance, &copy), "fmi2FreeFMUstate");
    }
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
  int (*take)(void*, void**) = function("fmi3GetFMUState");
  int (*put)(void*, void*) = function("fmi3SetFMUState");
  int (*release_state)(void*, void**) = function("fmi3FreeFMUState");
  int (*size_of)(void*, void*, size_t*) = function("fmi3SerializedFMUStateSize");
  int (*serialise)(void*, void*, char*, size_t) = function("fmi3SerializeFMUState");
  int (*deserialise)(void*, char const*, size_t, void**) = function("fmi3DeserializeFMUState");
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
    if (i == steps / 2) {
      void *state = NULL, *copy = NULL;
      size_t size = 0;
      demand(take(instance, &state), "fmi3GetFMUState");
      demand(size_of(instance, state, &size), "fmi3SerializedFMUStateSize");
      demand(serialise(instance, state, state_bytes, checked_size(size)), "fmi3SerializeFMUState");
      demand(release_state(instance, &state), "fmi3FreeFMUState");
      demand(advance(instance, i * step, step, false, &event, &ended, &early, &reached), "fmi3DoStep");
      demand(deserialise(instance, state_bytes, size, &copy), "fmi3DeserializeFMUState");
      demand(put(instance, copy), "fmi3SetFMUState");
      demand(release_state(instance, &copy), "fmi3FreeFMUState");
    }
    demand(advance(instance, i * step, step, true, &event, &ended, &early, &reached), "fmi3DoStep");
  }
  demand(terminate(instance), "fmi3Terminate");
  release(instance);
  return 0;
}

static void decode_percents(char* text) {
  char* to = text;
  for (char const* from = text; *from != 0; ++to) {
    unsigned byte = 0;
    if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
      *to = (char)byte;
      from += 3;
    } else {
      *to = *from++;
    }
  }
  *to = 0;
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
  if (arguments[2][0] == '3') decode_percents(arguments[4]);
  double const step = atof(arguments[5]);
  int const steps = atoi(arguments[6]);
  return arguments[2][0] == '2' ? run2(arguments[3], arguments[4], step, steps)
                                : run3(arguments[3], arguments[4], step, steps);
}
