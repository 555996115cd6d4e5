/* A small FMI 3 co-simulation FMU with event mode, early return, intermediate update and derivatives: x grows by `rate` a
   second, y is 3 u, and at 0.55 s there is an event with a tick. It has one defect, which the environment variable
   DELASSUS_DEFECT names. Without a defect it is a correct FMU. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void (*Log)(void*, int, const char*, const char*);
typedef void (*Update)(void*, double, bool, bool, bool, bool, bool*, double*);

typedef struct {
  double x, rate, time, u;
  char text[64];
  uint8_t bytes[64];
  size_t byte_count;
  bool ticks, was_event;
} Values;

typedef struct {
  Values values;
  void* environment;
  Log log;
  Update update;
  bool event_mode, early_allowed;
} Instance;

enum { OK = 0, ERROR = 3 };
static const double event_time = 0.55;

static int has_defect(const char* name) {
  const char* defect = getenv("DELASSUS_DEFECT");
  return defect != NULL && strcmp(defect, name) == 0;
}

static void set_start_values(Values* values) {
  memset(values, 0, sizeof *values);
  values->rate = 2;
  strcpy(values->text, "some text");
  values->bytes[1] = 255;
  values->byte_count = 2;
}

EXPORT const char* fmi3GetVersion(void) {
  return "3.0";
}
EXPORT int fmi3SetDebugLogging(void* c, bool on, size_t n, const char* const categories[]) {
  return (void)c, (void)on, (void)n, (void)categories, OK;
}
EXPORT void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources,
                                         bool visible, bool logging, bool event_mode, bool early_allowed,
                                         const uint32_t required[], size_t n, void* environment, Log log,
                                         Update update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)required, (void)n;
  if (strcmp(token, "{broken3}") != 0) {
    if (log != NULL) log(environment, ERROR, "logStatusError", "the token is another one");
    return NULL;
  }
  if (has_defect("logger")) log(environment, ERROR, "logStatusError", "this calls the logger, NULL or not");
  Instance* instance = calloc(1, sizeof(Instance));
  if (instance == NULL) return NULL;
  instance->environment = environment;
  instance->log = log;
  instance->update = update;
  instance->event_mode = event_mode;
  instance->early_allowed = early_allowed;
  set_start_values(&instance->values);
  return instance;
}
EXPORT void* fmi3InstantiateModelExchange(const char* a, const char* b, const char* d, bool e, bool f,
                                          void* g, Log h) {
  return (void)a, (void)b, (void)d, (void)e, (void)f, (void)g, (void)h, NULL;
}
EXPORT void* fmi3InstantiateScheduledExecution(const char* a, const char* b, const char* d, bool e, bool f,
                                               void* g, Log h, void* i, void* j, void* k) {
  return (void)a, (void)b, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j, (void)k, NULL;
}
EXPORT void fmi3FreeInstance(void* c) {
  free(c);
}
EXPORT int fmi3EnterInitializationMode(void* c, bool tolerance_defined, double tolerance, double start,
                                       bool stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((Instance*)c)->values.time = start;
  return OK;
}
EXPORT int fmi3ExitInitializationMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi3EnterEventMode(void* c) {
  return (void)c, has_defect("event_mode") ? ERROR : OK;
}
EXPORT int fmi3EnterStepMode(void* c) {
  return ((Instance*)c)->values.ticks = false, OK;
}
EXPORT int fmi3Terminate(void* c) {
  return (void)c, OK;
}
EXPORT int fmi3Reset(void* c) {
  return set_start_values(&((Instance*)c)->values), OK;
}
EXPORT int fmi3UpdateDiscreteStates(void* c, bool* again, bool* terminate, bool* nominals, bool* states,
                                    bool* defined, double* next) {
  *again = has_defect("endless_event");
  *terminate = *nominals = *states = *defined = false;
  if (has_defect("past_event") && ((Instance*)c)->values.time > 0.5) {
    *defined = true;
    *next = 0.1;
  }
  return OK;
}

EXPORT int fmi3GetFloat64(void* c, const uint32_t references[], size_t n, double values[], size_t m) {
  Values* own = &((Instance*)c)->values;
  if (n != m) return ERROR;
  for (size_t i = 0; i < n; ++i) {
    switch (references[i]) {
      case 0:
        values[i] = own->time;
        break;
      case 1:
        values[i] = own->rate;
        break;
      case 2:
        values[i] = own->x;
        break;
      case 3:
        values[i] = own->u;
        break;
      case 4:
        values[i] = 3 * own->u;
        break;
      default:
        return ERROR;
    }
  }
  return OK;
}
EXPORT int fmi3SetFloat64(void* c, const uint32_t references[], size_t n, const double values[], size_t m) {
  if (n != m) return ERROR;
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
EXPORT int fmi3GetString(void* c, const uint32_t references[], size_t n, const char* values[], size_t m) {
  if (n != 1 || m != 1 || references[0] != 5) return ERROR;
  values[0] = ((Instance*)c)->values.text;
  return OK;
}
EXPORT int fmi3SetString(void* c, const uint32_t references[], size_t n, const char* const values[],
                         size_t m) {
  if (n != 1 || m != 1 || references[0] != 5 || strlen(values[0]) > 63) return ERROR;
  strcpy(((Instance*)c)->values.text, has_defect("string") ? "other text" : values[0]);
  return OK;
}
EXPORT int fmi3GetBinary(void* c, const uint32_t references[], size_t n, size_t sizes[],
                         const uint8_t* values[], size_t m) {
  if (n != 1 || m != 1 || references[0] != 6) return ERROR;
  sizes[0] = ((Instance*)c)->values.byte_count;
  values[0] = ((Instance*)c)->values.bytes;
  return OK;
}
EXPORT int fmi3SetBinary(void* c, const uint32_t references[], size_t n, const size_t sizes[],
                         const uint8_t* const values[], size_t m) {
  if (n != 1 || m != 1 || references[0] != 6 || sizes[0] > 64) return ERROR;
  memcpy(((Instance*)c)->values.bytes, values[0], sizes[0]);
  ((Instance*)c)->values.byte_count = has_defect("binary") ? 1 : sizes[0];
  return OK;
}
EXPORT int fmi3GetClock(void* c, const uint32_t references[], size_t n, bool values[]) {
  if (n != 1 || references[0] != 7 || has_defect("clock")) return ERROR;
  values[0] = ((Instance*)c)->values.ticks;
  return OK;
}

EXPORT int fmi3GetFMUState(void* c, void** state) {
  if (*state == NULL) *state = malloc(sizeof(Values));
  memcpy(*state, &((Instance*)c)->values, sizeof(Values));
  return OK;
}
EXPORT int fmi3SetFMUState(void* c, void* state) {
  return memcpy(&((Instance*)c)->values, state, sizeof(Values)), OK;
}
EXPORT int fmi3FreeFMUState(void* c, void** state) {
  free(*state);
  *state = NULL;
  return (void)c, OK;
}
EXPORT int fmi3SerializedFMUStateSize(void* c, void* state, size_t* size) {
  return (void)c, (void)state, *size = sizeof(Values), OK;
}
EXPORT int fmi3SerializeFMUState(void* c, void* state, uint8_t bytes[], size_t size) {
  return (void)c, memcpy(bytes, state, size), OK;
}
EXPORT int fmi3DeserializeFMUState(void* c, const uint8_t bytes[], size_t size, void** state) {
  if (size != sizeof(Values)) return ERROR;
  *state = malloc(sizeof(Values));
  return (void)c, memcpy(*state, bytes, size), OK;
}

/* The matrix has one entry, dy/du = 3. */
static bool is_listed(uint32_t reference, const uint32_t references[], size_t n, size_t* place) {
  for (*place = 0; *place < n; ++*place) {
    if (references[*place] == reference) return true;
  }
  return false;
}
EXPORT int fmi3GetDirectionalDerivative(void* c, const uint32_t unknowns[], size_t n, const uint32_t knowns[],
                                        size_t m, const double seed[], size_t seed_count,
                                        double sensitivity[], size_t count) {
  size_t row, column;
  (void)c, (void)seed_count;
  for (size_t i = 0; i < count; ++i) sensitivity[i] = 0;
  if (is_listed(4, unknowns, n, &row) && is_listed(3, knowns, m, &column))
    sensitivity[row] = (has_defect("derivative") ? -3 : 3) * seed[column];
  return OK;
}
EXPORT int fmi3GetAdjointDerivative(void* c, const uint32_t unknowns[], size_t n, const uint32_t knowns[],
                                    size_t m, const double seed[], size_t seed_count, double sensitivity[],
                                    size_t count) {
  size_t row, column;
  (void)c, (void)seed_count;
  for (size_t i = 0; i < count; ++i) sensitivity[i] = 0;
  if (is_listed(4, unknowns, n, &row) && is_listed(3, knowns, m, &column))
    sensitivity[column] = (has_defect("adjoint") ? 2 : 3) * seed[row];
  return OK;
}

EXPORT int fmi3DoStep(void* c, double current, double size, bool no_rollback, bool* event, bool* terminate,
                      bool* early, double* reached) {
  Instance* instance = c;
  Values* values = &instance->values;
  double end = current + size;
  (void)no_rollback;
  *event = *terminate = *early = false;
  if (instance->update != NULL && !has_defect("no_callback")) {
    bool requested = false;
    double when = 0;
    double const middle = has_defect("callback_time") ? current - 1 : current + size / 2;
    values->x += values->rate * (middle - current) * (has_defect("callback_time") ? 0 : 1);
    values->time = middle;
    instance->update(instance->environment, middle, true, true, true, instance->early_allowed, &requested,
                     &when);
    if (!has_defect("callback_time")) values->x -= values->rate * (middle - current);
    if (requested && instance->early_allowed && !has_defect("no_return")) {
      end = when;
      *early = true;
    }
  }
  if (instance->event_mode && !values->was_event && current < event_time && end >= event_time) {
    values->was_event = values->ticks = *event = true;
    if (instance->early_allowed) {
      end = event_time;
      *early = true;
    }
  }
  if (has_defect("early") && !instance->early_allowed && current > 0.35) {
    end = current + size / 2;
    *early = true;
  }
  values->x += values->rate * (end - current);
  /* An internal step of 0.04 does not always reach the end of a step: allowed where it is told. */
  values->time = has_defect("lag") || has_defect("silent_lag") ? 0.04 * (int)(end / 0.04) : end;
  *reached = has_defect("silent_lag") ? end : values->time;
  return OK;
}

/* Whatever else the header has: nothing of it is offered. */
#define NOT_OFFERED(name)    \
  EXPORT int name(void* c) { \
    return (void)c, ERROR;   \
  }
#define NO_ACCESS(type) NOT_OFFERED(fmi3Get##type) NOT_OFFERED(fmi3Set##type)
NO_ACCESS(Float32)
NO_ACCESS(Int8)
NO_ACCESS(UInt8)
NO_ACCESS(Int16)
NO_ACCESS(UInt16)
NO_ACCESS(Int32)
NO_ACCESS(UInt32)
NO_ACCESS(Int64)
NO_ACCESS(UInt64)
NO_ACCESS(Boolean)
NO_ACCESS(IntervalDecimal)
NO_ACCESS(IntervalFraction)
NO_ACCESS(ShiftDecimal)
NO_ACCESS(ShiftFraction)
NO_ACCESS(ContinuousStates)
NOT_OFFERED(fmi3SetClock)
NOT_OFFERED(fmi3GetNumberOfVariableDependencies)
NOT_OFFERED(fmi3GetVariableDependencies)
NOT_OFFERED(fmi3EnterConfigurationMode)
NOT_OFFERED(fmi3ExitConfigurationMode)
NOT_OFFERED(fmi3EvaluateDiscreteStates)
NOT_OFFERED(fmi3EnterContinuousTimeMode)
NOT_OFFERED(fmi3CompletedIntegratorStep)
NOT_OFFERED(fmi3SetTime)
NOT_OFFERED(fmi3GetContinuousStateDerivatives)
NOT_OFFERED(fmi3GetEventIndicators)
NOT_OFFERED(fmi3GetNominalsOfContinuousStates)
NOT_OFFERED(fmi3GetNumberOfEventIndicators)
NOT_OFFERED(fmi3GetNumberOfContinuousStates)
NOT_OFFERED(fmi3GetOutputDerivatives)
NOT_OFFERED(fmi3ActivateModelPartition)
