/* A small FMU to be coupled, of FMI 2 or FMI 3 (COUPLED_VERSION). Its output y is gain * u + offset where `direct` is not zero,
   and else x, with x' = gain * u + offset. From the time `when` on it does what `deed` says, so that a master can be shown
   what FMUs do in the middle of a run. FMI 3: the deed `event` ends a step early and counts in event mode; m is a discrete
   input that is only taken there, and n, the number of events, a discrete output. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { OK = 0, WARNING = 1, DISCARD = 2, ERROR = 3 };
enum Deed {
  NOTHING,
  RETURN_ERROR,
  NOT_A_NUMBER,
  REFUSE_LONG_STEPS,
  CRASH,
  HANG,
  TERMINATE,
  EXIT,
  EVENT,
  ANNOUNCED_EVENT,
  TERMINATE_AT_ONCE
};
enum { TIME, GAIN, OFFSET, DIRECT, DEED, WHEN, U, Y, M, N, TICK, TOCK, TICKS };

typedef struct {
  double value[8]; /* by value reference, up to Y */
  double x;
  int32_t m, n, ticks;
  bool tick, tock, in_event, event_done;
} Values;

typedef struct {
  Values values;
  bool early_allowed;
  double promised; /* no state of before this time is restored */
} Instance;

static double output_of(const Values* v) {
  if ((int)v->value[DEED] == NOT_A_NUMBER && v->value[TIME] >= v->value[WHEN]) return NAN;
  return v->value[DIRECT] != 0 ? v->value[GAIN] * v->value[U] + v->value[OFFSET] : v->x;
}

static Instance* make(void) {
  Instance* instance = calloc(1, sizeof(Instance));
  if (instance != NULL) {
    instance->values.value[GAIN] = 1;
    instance->values.value[WHEN] = 1e300;
    instance->promised = -1e300;
  }
  return instance;
}

/* Advances; *size becomes shorter where the step ends early. */
static int advance(Instance* c, double current, double* size, bool* event, bool* terminate) {
  Values* v = &c->values;
  double when = v->value[WHEN];
  *event = *terminate = false;
  switch ((enum Deed)(int)v->value[DEED]) {
    case RETURN_ERROR:
      if (current >= when) return ERROR;
      break;
    case REFUSE_LONG_STEPS:
      if (current >= when && *size > 0.3 * v->value[GAIN]) return DISCARD;
      break;
    case CRASH:
      if (current >= when) abort();
      break;
    case HANG:
      while (current >= when) sleep(1);
      break;
    case EXIT:
      if (current >= when) _exit(7);
      break;
    case TERMINATE:
      *terminate = current + *size >= when;
      break;
    case TERMINATE_AT_ONCE: /* without a step */
      if (current < when) break;
      *terminate = true;
      *size = 0;
      break;
    case EVENT:
      if (!v->event_done && current + *size >= when) {
        if (c->early_allowed && current < when) *size = when - current;
        *event = true;
      }
      break;
    default:
      break;
  }
  v->x += *size * (v->value[GAIN] * v->value[U] + v->value[OFFSET]);
  v->value[TIME] = current + *size;
  return OK;
}

#if COUPLED_VERSION == 2
typedef unsigned Reference;

EXPORT const char* fmi2GetTypesPlatform(void) {
  return "default";
}
EXPORT const char* fmi2GetVersion(void) {
  return "2.0";
}
EXPORT int fmi2SetDebugLogging(void* c, int on, size_t n, const char* const k[]) {
  return (void)c, (void)on, (void)n, (void)k, OK;
}
EXPORT void* fmi2Instantiate(const char* a, int b, const char* d, const char* e, const void* f, int g,
                             int h) {
  return (void)a, (void)b, (void)d, (void)e, (void)f, (void)g, (void)h, make();
}
EXPORT void fmi2FreeInstance(void* c) {
  free(c);
}
EXPORT int fmi2SetupExperiment(void* c, int a, double b, double start, int d, double e) {
  (void)a, (void)b, (void)d, (void)e;
  ((Instance*)c)->values.value[TIME] = start;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2ExitInitializationMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2Terminate(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2Reset(void* c) {
  return (void)c, ERROR;
}
EXPORT int fmi2GetReal(void* c, const Reference r[], size_t n, double values[]) {
  const Values* v = &((Instance*)c)->values;
  for (size_t i = 0; i < n; ++i) {
    if (r[i] > Y) return ERROR;
    values[i] = r[i] == Y ? output_of(v) : v->value[r[i]];
  }
  return OK;
}
EXPORT int fmi2SetReal(void* c, const Reference r[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (r[i] >= Y) return ERROR;
    ((Instance*)c)->values.value[r[i]] = values[i];
  }
  return OK;
}
#define UNUSED(name, type)                                            \
  EXPORT int name(void* c, const Reference r[], size_t n, type v[]) { \
    return (void)c, (void)r, (void)v, n == 0 ? OK : ERROR;            \
  }
UNUSED(fmi2GetInteger, int)
UNUSED(fmi2GetBoolean, int)
UNUSED(fmi2GetString, const char*)
UNUSED(fmi2SetInteger, const int)
UNUSED(fmi2SetBoolean, const int)
UNUSED(fmi2SetString, const char* const)
EXPORT int fmi2DoStep(void* c, double current, double size, int no_rollback) {
  bool event, terminate;
  if (no_rollback) ((Instance*)c)->promised = current;
  int status = advance(c, current, &size, &event, &terminate);
  return status == OK && terminate ? DISCARD : status;
}
EXPORT int fmi2GetBooleanStatus(void* c, int kind, int* value) {
  (void)kind;
  int deed = (int)((Instance*)c)->values.value[DEED];
  return *value = deed == TERMINATE || deed == TERMINATE_AT_ONCE, OK;
}
EXPORT int fmi2GetRealStatus(void* c, int kind, double* value) {
  (void)kind;
  return *value = ((Instance*)c)->values.value[TIME], OK;
}
#define GET_STATE fmi2GetFMUstate
#define SET_STATE fmi2SetFMUstate
#define FREE_STATE fmi2FreeFMUstate
#else
typedef uint32_t Reference;
EXPORT const char* fmi3GetVersion(void) {
  return "3.0";
}
EXPORT int fmi3SetDebugLogging(void* c, bool on, size_t n, const char* const k[]) {
  return (void)c, (void)on, (void)n, (void)k, OK;
}
EXPORT void* fmi3InstantiateCoSimulation(const char* a, const char* b, const char* d, bool e, bool f,
                                         bool event_mode, bool early, const Reference g[], size_t h, void* i,
                                         void* k, void* l) {
  (void)a, (void)b, (void)d, (void)e, (void)f, (void)event_mode, (void)g, (void)h, (void)i, (void)k, (void)l;
  Instance* instance = make();
  if (instance != NULL) instance->early_allowed = early;
  return instance;
}
EXPORT void fmi3FreeInstance(void* c) {
  free(c);
}
EXPORT int fmi3EnterInitializationMode(void* c, bool a, double b, double start, bool d, double e) {
  (void)a, (void)b, (void)d, (void)e;
  ((Instance*)c)->values.value[TIME] = start;
  return OK;
}
EXPORT int fmi3ExitInitializationMode(void* c) {
  return ((Instance*)c)->values.in_event = true, OK;
}
EXPORT int fmi3EnterEventMode(void* c) {
  return ((Instance*)c)->values.in_event = true, OK;
}
EXPORT int fmi3EnterStepMode(void* c) {
  return ((Instance*)c)->values.in_event = false, OK;
}
EXPORT int fmi3Terminate(void* c) {
  return (void)c, OK;
}
EXPORT int fmi3Reset(void* c) {
  return (void)c, ERROR;
}
EXPORT int fmi3UpdateDiscreteStates(void* c, bool* again, bool* terminate, bool* nominals, bool* states,
                                    bool* defined, double* next) {
  Values* v = &((Instance*)c)->values;
  *again = *terminate = *nominals = *states = *defined = false;
  bool has_event = (int)v->value[DEED] == EVENT || (int)v->value[DEED] == ANNOUNCED_EVENT;
  v->tick = false;
  if (v->tock) v->ticks += 1;
  v->tock = false;
  if (has_event && !v->event_done && v->value[TIME] >= v->value[WHEN]) {
    v->event_done = v->tick = *again = true;
    v->n += 1;
  }
  if ((int)v->value[DEED] == ANNOUNCED_EVENT && !v->event_done) {
    *defined = true;
    *next = v->value[WHEN];
  }
  return OK;
}
EXPORT int fmi3GetFloat64(void* c, const Reference r[], size_t n, double values[], size_t m) {
  const Values* v = &((Instance*)c)->values;
  (void)m;
  for (size_t i = 0; i < n; ++i) {
    if (r[i] > Y) return ERROR;
    values[i] = r[i] == Y ? output_of(v) : v->value[r[i]];
  }
  return OK;
}
EXPORT int fmi3SetFloat64(void* c, const Reference r[], size_t n, const double values[], size_t m) {
  (void)m;
  for (size_t i = 0; i < n; ++i) {
    if (r[i] >= Y) return ERROR;
    ((Instance*)c)->values.value[r[i]] = values[i];
  }
  return OK;
}
EXPORT int fmi3GetInt32(void* c, const Reference r[], size_t n, int32_t values[], size_t m) {
  const Values* v = &((Instance*)c)->values;
  (void)m;
  for (size_t i = 0; i < n; ++i) values[i] = r[i] == M ? v->m : r[i] == N ? v->n : v->ticks;
  return OK;
}
EXPORT int fmi3SetInt32(void* c, const Reference r[], size_t n, const int32_t values[], size_t m) {
  Values* v = &((Instance*)c)->values;
  (void)m;
  /* The standard: discrete inputs are set in event mode (and in the initialisation) alone. */
  if (n != 1 || r[0] != M || (!v->in_event && ((Instance*)c)->early_allowed && v->value[TIME] > 0))
    return ERROR;
  v->m = values[0];
  return OK;
}
EXPORT int fmi3GetClock(void* c, const Reference r[], size_t n, bool values[]) {
  for (size_t i = 0; i < n; ++i) values[i] = r[i] == TICK && ((Instance*)c)->values.tick;
  return OK;
}
EXPORT int fmi3SetClock(void* c, const Reference r[], size_t n, const bool values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (r[i] != TOCK || !((Instance*)c)->values.in_event) return ERROR;
    ((Instance*)c)->values.tock = values[i];
  }
  return OK;
}
EXPORT int fmi3DoStep(void* c, double current, double size, bool no_rollback, bool* event, bool* terminate,
                      bool* early, double* reached) {
  double wanted = size;
  if (no_rollback) ((Instance*)c)->promised = current;
  int status = advance(c, current, &size, event, terminate);
  *early = size < wanted;
  *reached = current + size;
  return status;
}
#define GET_STATE fmi3GetFMUState
#define SET_STATE fmi3SetFMUState
#define FREE_STATE fmi3FreeFMUState
#endif

EXPORT int GET_STATE(void* c, void** state) {
  if (*state == NULL) *state = malloc(sizeof(Values));
  if (*state == NULL) return ERROR;
  memcpy(*state, &((Instance*)c)->values, sizeof(Values));
  return OK;
}
EXPORT int SET_STATE(void* c, void* state) {
  if (((Values*)state)->value[TIME] < ((Instance*)c)->promised - 1e-9) return ERROR;
  memcpy(&((Instance*)c)->values, state, sizeof(Values));
  return OK;
}
EXPORT int FREE_STATE(void* c, void** state) {
  free(*state);
  *state = NULL;
  return (void)c, OK;
}
