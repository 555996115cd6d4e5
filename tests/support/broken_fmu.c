/* A small FMI 2 FMU, for co-simulation and Model Exchange: x grows by `rate` a second, y is 3 u. It has one defect, which the
   environment variable DELASSUS_DEFECT names: what the checker must find. Without a defect it is a correct FMU, in which the
   checker must find nothing. */
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  double x, rate, time, u;
  double asked_before; /* of the defect `function` */
} Values;

typedef struct {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} Callbacks;

typedef struct {
  Values values;
  const Callbacks* callbacks;
} Instance;

enum { OK = 0, ERROR = 3 };

static volatile double shared_x = 0;  /* of the defects `shared` and `stuck` */
static const Callbacks* freed = NULL; /* of the defect `late` */
static void ignore_signal(int number) {
  (void)number;
}
static void* sleep_for_ever(void* nothing) {
  for (;;) sleep(100);
  return nothing;
}

#ifdef BROKEN_EXTRA_EXPORT
EXPORT int helper_of_everybody(void) {
  return 1;
}
#endif

static int has_defect(const char* name) {
  const char* defect = getenv("DELASSUS_DEFECT");
  return defect != NULL && strcmp(defect, name) == 0;
}

static void set_start_values(Values* values) {
  values->x = 0;
  values->rate = 2;
  values->time = 0;
  values->u = 0;
  values->asked_before = 0;
}

static double derivative_of(const Values* values) {
  return values->rate + (has_defect("function") ? 1e-3 * values->asked_before : 0);
}

static void log_message(const Callbacks* callbacks, int status, const char* category, const char* text) {
  callbacks->logger(callbacks->environment, "broken", status, category, "%s", text);
}

EXPORT const char* fmi2GetTypesPlatform(void) {
  return "default";
}
EXPORT const char* fmi2GetVersion(void) {
  return has_defect("version") ? "1.0" : "2.0";
}
EXPORT int fmi2SetDebugLogging(void* c, int on, size_t n, const char* const categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return OK;
}

EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                             const Callbacks* callbacks, int visible, int logging) {
  (void)name, (void)type, (void)resources, (void)visible, (void)logging;
  if (strcmp(guid, "{broken}") != 0 && !has_defect("token")) return NULL;
  if (has_defect("refuse")) {
    callbacks->logger(callbacks->environment, name, ERROR, "logStatusError", "%s",
                      "this FMU refuses to be instantiated");
    return NULL;
  }
  if (has_defect("crash_instantiate")) *(volatile int*)8 = 1;
  if (has_defect("late") && freed != NULL) log_message(freed, ERROR, "logStatusError", "I am still here");
  if (has_defect("print")) printf("broken %s\n", "FMU");
  Instance* instance = callbacks->allocate(1, sizeof(Instance));
  if (instance == NULL && !has_defect("no_memory")) return NULL;
  instance->callbacks = callbacks;
  if (has_defect("chatter")) log_message(callbacks, OK, "logEvents", "just to let you know");
  if (has_defect("category") && logging) log_message(callbacks, OK, "logOfMine", "a category of my own");
  set_start_values(&instance->values);
  return instance;
}
EXPORT void fmi2FreeInstance(void* c) {
  if (c == NULL) return;
  if (has_defect("crash_free")) *(volatile int*)8 = 1;
  freed = ((Instance*)c)->callbacks;
  if (!has_defect("leak")) freed->release(c);
}
EXPORT int fmi2SetupExperiment(void* c, int tolerance_defined, double tolerance, double start,
                               int stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((Instance*)c)->values.time = start;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void* c) {
  pthread_t thread;
  if (has_defect("folder")) return (void)c, chdir("/") == 0 ? OK : ERROR;
  if (has_defect("locale")) setlocale(LC_NUMERIC, "C.UTF-8");
  if (has_defect("signal")) signal(SIGUSR1, ignore_signal);
  if (has_defect("rounding")) fesetround(FE_UPWARD);
  if (has_defect("kill_parent")) kill(getppid(), SIGTERM);
  if (has_defect("daemon") && fork() == 0) {         /* a session of its own, and nobody's child */
    const char* line = getenv("DELASSUS_LIFE_LINE"); /* a pipe; whoever reads it is told when this ends */
    if (setsid() < 0 || fork() != 0) _exit(0);
    if (line == NULL || write(open(line, O_WRONLY), "x", 1) != 1) _exit(1);
    for (;;) sleep(1);
  }
  if (has_defect("thread") && pthread_create(&thread, NULL, sleep_for_ever, NULL) != 0) return ERROR;
  return (void)c, OK;
}
EXPORT int fmi2ExitInitializationMode(void* c) {
  if (has_defect("crash")) *(volatile int*)8 = 1;
  return (void)c, OK;
}
EXPORT int fmi2Terminate(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2Reset(void* c) {
  if (!has_defect("reset")) set_start_values(&((Instance*)c)->values);
  return OK;
}

EXPORT int fmi2GetReal(void* c, const unsigned references[], size_t n, double values[]) {
  Values* own = &((Instance*)c)->values;
  for (size_t i = 0; i < n; ++i) {
    switch (references[i]) {
      case 0:
        values[i] = own->time;
        break;
      case 1:
        values[i] = own->rate;
        break;
      case 2:
        values[i] = has_defect("shared") ? shared_x : own->x + has_defect("states");
        break;
      case 3:
        values[i] = has_defect("set") ? 0 : own->u;
        break;
      case 4:
        values[i] = 3 * own->u;
        break;
      case 5:
        values[i] = derivative_of(own);
        break;
      default:
        return ERROR;
    }
    if (references[i] == 2 && has_defect("nan") && own->time > 0.5) values[i] = NAN;
  }
  return OK;
}
EXPORT int fmi2SetReal(void* c, const unsigned references[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (references[i] == 1) {
      ((Instance*)c)->values.rate = values[i];
    } else if (references[i] == 3) {
      ((Instance*)c)->values.u = values[i];
    } else {
      return ERROR;
    }
  }
  return OK;
}
#define UNUSED_ACCESS(name, type)                                                  \
  EXPORT int name(void* c, const unsigned references[], size_t n, type values[]) { \
    return (void)c, (void)references, (void)values, n == 0 ? OK : ERROR;           \
  }
UNUSED_ACCESS(fmi2GetInteger, int)
UNUSED_ACCESS(fmi2GetBoolean, int)
UNUSED_ACCESS(fmi2GetString, const char*)
UNUSED_ACCESS(fmi2SetInteger, const int)
UNUSED_ACCESS(fmi2SetBoolean, const int)
UNUSED_ACCESS(fmi2SetString, const char* const)

EXPORT int fmi2GetFMUstate(void* c, void** state) {
  if (*state == NULL) *state = malloc(sizeof(Values));
  memcpy(*state, &((Instance*)c)->values, sizeof(Values));
  return OK;
}
EXPORT int fmi2SetFMUstate(void* c, void* state) {
  Values const before = ((Instance*)c)->values;
  memcpy(&((Instance*)c)->values, state, sizeof(Values));
  if (has_defect("rollback")) ((Instance*)c)->values.x = before.x;
  if (has_defect("consumed")) ((Values*)state)->x += 1;
  return OK;
}
EXPORT int fmi2FreeFMUstate(void* c, void** state) {
  free(*state);
  *state = NULL;
  return (void)c, OK;
}
EXPORT int fmi2SerializedFMUstateSize(void* c, void* state, size_t* size) {
  *size = sizeof(Values);
  return (void)c, (void)state, OK;
}
EXPORT int fmi2SerializeFMUstate(void* c, void* state, char bytes[], size_t size) {
  memcpy(bytes, state, size);
  if (has_defect("serialize")) bytes[0] ^= 1; /* the last bit of x */
  return (void)c, OK;
}
EXPORT int fmi2DeSerializeFMUstate(void* c, const char bytes[], size_t size, void** state) {
  if (size != sizeof(Values) && !has_defect("cut")) return ERROR;
  *state = calloc(1, sizeof(Values));
  memcpy(*state, bytes, size);
  return (void)c, OK;
}

EXPORT int fmi2DoStep(void* c, double current, double size, int no_rollback) {
  Values* values = &((Instance*)c)->values;
  (void)no_rollback;
  if (has_defect("hang")) {
    for (;;) sleep(1);
  }
  if (has_defect("stuck") && current > 0.35) { /* busy for ever, and says when that begins */
    fclose(fopen("stuck", "w"));
    for (;;) shared_x += 1;
  }
  if (has_defect("moody")) { /* one run of a sweep does this, and the next one that */
    if (values->rate == 3) *(volatile int*)8 = 1;
    if (values->rate == 4) {
      for (;;) sleep(1);
    }
    if (values->rate == 5) exit(0);
    if (values->rate == 6) return ERROR;
    if (values->rate == 7) fprintf(stderr, "the rate is 7\n"), abort();
    if (values->rate == 9) { /* and leaves a process behind that holds all that is open */
      if (fork() == 0) {
        for (;;) sleep(1);
      }
      abort();
    }
  }
  if (has_defect("waiting")) { /* in a sweep, from some run on, for as long as there is this file */
    while (values->rate > 20 && access("wait", F_OK) == 0) usleep(2000);
  }
  if (has_defect("exit")) exit(0);
  if (has_defect("abort")) abort();
  if (has_defect("error") && current > 0.35) return ERROR;
  if (has_defect("steps") && fabs(size - 0.1) > 1e-9) return ERROR;
  if (has_defect("memory"))
    ((char*)c)[sizeof(Instance) + 64] = 1, abort(); /* what a heap that was written over ends in */
  values->x += values->rate * size;
  shared_x += values->rate * size;
  values->time = has_defect("lag") ? 0.04 * (int)((current + size) / 0.04) : current + size;
  return OK;
}

EXPORT int fmi2GetDirectionalDerivative(void* c, const unsigned unknowns[], size_t n, const unsigned knowns[],
                                        size_t m, const double seed[], double sensitivity[]) {
  for (size_t i = 0; i < n; ++i) {
    sensitivity[i] = 0;
    for (size_t k = 0; k < m; ++k) {
      if (unknowns[i] == 4 && knowns[k] == 3)
        sensitivity[i] += (has_defect("derivative") ? 2.9 : 3) * seed[k];
    }
  }
  return (void)c, OK;
}
EXPORT int fmi2SetRealInputDerivatives(void* c, const unsigned references[], size_t n, const int orders[],
                                       const double values[]) {
  (void)c, (void)references, (void)n, (void)orders, (void)values;
  return has_defect("input_derivative") ? ERROR : OK;
}
EXPORT int fmi2GetRealOutputDerivatives(void* c, const unsigned references[], size_t n, const int orders[],
                                        double values[]) {
  (void)orders;
  for (size_t i = 0; i < n; ++i)
    values[i] = references[i] != 2 ? 0 : has_defect("output_derivative") ? 1 : ((Instance*)c)->values.rate;
  return OK;
}

typedef struct {
  int again, terminate, nominals_changed, states_changed, next_defined;
  double next;
} EventInfo;
EXPORT int fmi2EnterEventMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2NewDiscreteStates(void* c, EventInfo* info) {
  memset(info, 0, sizeof *info);
  info->again = has_defect("endless_event");
  return (void)c, OK;
}
EXPORT int fmi2EnterContinuousTimeMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2CompletedIntegratorStep(void* c, int no_rollback, int* enter, int* terminate) {
  *enter = *terminate = 0;
  return (void)c, (void)no_rollback, OK;
}
EXPORT int fmi2SetTime(void* c, double time) {
  return ((Instance*)c)->values.time = time, OK;
}
EXPORT int fmi2SetContinuousStates(void* c, const double states[], size_t n) {
  if (n != 1) return ERROR;
  ((Instance*)c)->values.asked_before = ((Instance*)c)->values.x;
  ((Instance*)c)->values.x = states[0];
  return OK;
}
EXPORT int fmi2GetContinuousStates(void* c, double states[], size_t n) {
  if (n != 1) return ERROR;
  states[0] = ((Instance*)c)->values.x;
  return OK;
}
EXPORT int fmi2GetDerivatives(void* c, double derivatives[], size_t n) {
  if (n != 1) return ERROR;
  derivatives[0] = derivative_of(&((Instance*)c)->values);
  return OK;
}
/* None in broken_fmu_description; a test that declares one gets one. */
EXPORT int fmi2GetEventIndicators(void* c, double indicators[], size_t n) {
  const Values* values = &((Instance*)c)->values;
  const char* defect = getenv("DELASSUS_DEFECT");
  if (n == 0) return OK;
  if (n > 2 || defect == NULL || strstr(defect, "indicator") == NULL) return ERROR;
  indicators[0] = values->x - 0.512345;
  if (has_defect("indicator_zero")) indicators[0] = 0;
  /* Beside the motion, not along it: noise about zero, and steps that cross nothing. */
  if (has_defect("indicator_noise"))
    indicators[0] = 1e-12 * sin(1.3e14 * (values->x - values->rate * values->time) + 1.5);
  if (has_defect("indicator_jump")) indicators[0] = 1 + 0.5 * (fmod(floor(values->x * 3e8), 2) == 0);
  if (n == 2) indicators[1] = indicators[0];
  return OK;
}
EXPORT int fmi2GetNominalsOfContinuousStates(void* c, double nominals[], size_t n) {
  for (size_t i = 0; i < n; ++i) nominals[i] = has_defect("nominal") ? 0 : 1;
  return (void)c, OK;
}

#define NOT_OFFERED(name)    \
  EXPORT int name(void* c) { \
    return (void)c, ERROR;   \
  }
NOT_OFFERED(fmi2CancelStep)
NOT_OFFERED(fmi2GetStatus)
NOT_OFFERED(fmi2GetRealStatus)
NOT_OFFERED(fmi2GetIntegerStatus)
NOT_OFFERED(fmi2GetBooleanStatus)
NOT_OFFERED(fmi2GetStringStatus)
