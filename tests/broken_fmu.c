/* A small FMI 2 FMU, x grows by `rate` a second, with one defect that the environment variable DELASSUS_DEFECT names: what the
   checker must find. Without a defect it is a correct FMU, in which the checker must find nothing. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  double x, rate, time;
} Values;

typedef struct {
  Values values;
  void (*release)(void*);
} Instance;

typedef struct {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} Callbacks;

enum { OK = 0, ERROR = 3 };

static double shared_x = 0; /* of the defect `shared` */

static int has_defect(const char* name) {
  const char* defect = getenv("DELASSUS_DEFECT");
  return defect != NULL && strcmp(defect, name) == 0;
}

static void set_start_values(Values* values) {
  values->x = 0;
  values->rate = 2;
  values->time = 0;
}

EXPORT const char* fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char* fmi2GetVersion(void) { return has_defect("version") ? "1.0" : "2.0"; }
EXPORT int fmi2SetDebugLogging(void* c, int on, size_t n, const char* const categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return OK;
}

EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources, const Callbacks* callbacks, int visible,
                             int logging) {
  (void)name, (void)type, (void)resources, (void)visible, (void)logging;
  if (strcmp(guid, "{broken}") != 0 && !has_defect("token")) return NULL;
  if (has_defect("refuse")) {
    callbacks->logger(callbacks->environment, name, ERROR, "logStatusError", "%s", "this FMU refuses to be instantiated");
    return NULL;
  }
  Instance* instance = callbacks->allocate(1, sizeof(Instance));
  if (instance == NULL) return NULL;
  instance->release = callbacks->release;
  set_start_values(&instance->values);
  return instance;
}
EXPORT void fmi2FreeInstance(void* c) {
  if (c != NULL && !has_defect("leak")) ((Instance*)c)->release(c);
}
EXPORT int fmi2SetupExperiment(void* c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((Instance*)c)->values.time = start;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void* c) { return (void)c, OK; }
EXPORT int fmi2ExitInitializationMode(void* c) {
  if (has_defect("crash")) *(volatile int*)8 = 1;
  return (void)c, OK;
}
EXPORT int fmi2Terminate(void* c) { return (void)c, OK; }
EXPORT int fmi2Reset(void* c) {
  if (!has_defect("reset")) set_start_values(&((Instance*)c)->values);
  return OK;
}

EXPORT int fmi2GetReal(void* c, const unsigned references[], size_t n, double values[]) {
  Values* own = &((Instance*)c)->values;
  for (size_t i = 0; i < n; ++i) {
    values[i] = references[i] == 0 ? own->time : references[i] == 1 ? own->rate : has_defect("shared") ? shared_x : own->x;
    if (references[i] == 2 && has_defect("nan") && own->time > 0.5) values[i] = NAN;
  }
  return OK;
}
EXPORT int fmi2SetReal(void* c, const unsigned references[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (references[i] != 1) return ERROR;
    ((Instance*)c)->values.rate = values[i];
  }
  return OK;
}
#define UNUSED_ACCESS(name, type) \
  EXPORT int name(void* c, const unsigned references[], size_t n, type values[]) { return (void)c, (void)references, (void)values, n == 0 ? OK : ERROR; }
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
  if (has_defect("exit")) exit(0);
  if (has_defect("abort")) abort();
  if (has_defect("error") && current > 0.35) return ERROR;
  values->x += values->rate * size;
  shared_x += values->rate * size;
  values->time = current + size;
  return OK;
}

#define NOT_OFFERED(name) \
  EXPORT int name(void* c) { return (void)c, ERROR; }
NOT_OFFERED(fmi2GetDirectionalDerivative)
NOT_OFFERED(fmi2SetRealInputDerivatives)
NOT_OFFERED(fmi2GetRealOutputDerivatives)
NOT_OFFERED(fmi2CancelStep)
NOT_OFFERED(fmi2GetStatus)
NOT_OFFERED(fmi2GetRealStatus)
NOT_OFFERED(fmi2GetIntegerStatus)
NOT_OFFERED(fmi2GetBooleanStatus)
NOT_OFFERED(fmi2GetStringStatus)
