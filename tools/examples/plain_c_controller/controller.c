/* A sampled PID controller as an FMU, in plain C99 against the C interface of FMI 3.0: copy it and write your own law into
 * `sample`. What to change when you add a variable: the enumeration below, `values`, and modelDescription.xml.
 *
 *   e = setpoint - measurement,  output = Kp e + I + Kd (e - e_before)/h,  I <- I + h Ki e
 *
 * A step from t to t + h takes the samples in [t, t + h), with the inputs set at t, and holds the output between them. No output
 * follows an input at once, as the description says, so a loop through this FMU needs no iteration.
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C interface of FMI 3.0, as far as it is needed here. The standard's own headers say the same. */
typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

static const char token[] = "plain-c-controller-1"; /* instantiationToken in modelDescription.xml */

enum Variable {
  time_,
  setpoint,
  measurement,
  output,
  proportional_gain,
  integral_gain,
  derivative_gain,
  sample_time,
  variables
};
static const char* const names[variables] = {
    "time",          "setpoint",        "measurement", "output", "proportional_gain",
    "integral_gain", "derivative_gain", "sample_time"};
static const double start_values[variables] = {0, 0, 0, 0, 100, 0, 20, 1e-3};

/* The life cycle: which functions may be called when. */
enum Phase { instantiated = 1, initialization = 2, stepping = 4, terminated = 8 };

/* All that the future depends on, so that saving the state is one copy. */
typedef struct {
  int phase;
  double start, stop; /* stop: infinite where the host gave none */
  double values[variables];
  double integral, error_before;
  int64_t next; /* number of the next sample: a counter, so that instants do not drift */
} State;

typedef struct {
  State state;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
} Instance;

static void sample(State* s) {
  double* const v = s->values;
  double const h = v[sample_time], error = v[setpoint] - v[measurement];
  double const rate = s->next == 0 ? 0 : (error - s->error_before) / h;
  v[output] = v[proportional_gain] * error + s->integral + v[derivative_gain] * rate;
  s->integral += h * v[integral_gain] * error;
  s->error_before = error;
  ++s->next;
}

/* Tells the host what was wrong. */
static fmi3Status refuse(Instance* c, fmi3Status status, const char* format, ...) {
  if (c->log) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    c->log(c->environment, status, status == fmi3Discard ? "logStatusDiscard" : "logStatusError", message);
  }
  return status;
}

static bool allowed(Instance* c, int phases, const char* function) {
  if (c && (c->state.phase & phases)) return true;
  if (c) refuse(c, fmi3Error, "%s: not allowed in this state", function);
  return false;
}
#define DEMAND(phases) \
  if (!allowed(instance, phases, __func__)) return fmi3Error
#define DEMAND_POINTER(pointer) \
  if (!(pointer)) return refuse(instance, fmi3Error, "%s: an argument is NULL", __func__)

enum { any = instantiated | initialization | stepping | terminated };

static void set_to_start(State* s) {
  memset(s, 0, sizeof *s);
  s->phase = instantiated;
  s->stop = HUGE_VAL;
  memcpy(s->values, start_values, sizeof start_values);
}

EXPORT const char* fmi3GetVersion(void) {
  return "3.0";
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String given_token,
                                                fmi3String resource_path, fmi3Boolean visible,
                                                fmi3Boolean logging_on, fmi3Boolean event_mode_used,
                                                fmi3Boolean early_return_allowed,
                                                const fmi3ValueReference required[], size_t required_count,
                                                fmi3InstanceEnvironment environment,
                                                fmi3LogMessageCallback log, void* intermediate_update) {
  (void)resource_path, (void)visible, (void)logging_on, (void)event_mode_used, (void)early_return_allowed,
      (void)required;
  (void)intermediate_update;
  const char* problem = NULL;
  if (!name || !*name) problem = "the instance name is missing";
  if (!given_token || strcmp(given_token, token) != 0)
    problem = "the instantiation token is not that of this FMU";
  if (required_count > 0) problem = "there are no variables with intermediate update";
  Instance* const c = problem ? NULL : calloc(1, sizeof *c);
  if (!c) {
    if (log) log(environment, fmi3Error, "logStatusError", problem ? problem : "out of memory");
    return NULL;
  }
  set_to_start(&c->state);
  c->environment = environment;
  c->log = log;
  return c;
}

EXPORT void fmi3FreeInstance(fmi3Instance instance) {
  free(instance);
}

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t count,
                                      const fmi3String categories[]) {
  (void)on;
  DEMAND(any);
  for (size_t i = 0; i < count; ++i) {
    DEMAND_POINTER(categories && categories[i]);
    if (strcmp(categories[i], "logStatusError") != 0 && strcmp(categories[i], "logStatusDiscard") != 0)
      return refuse(instance, fmi3Error, "there is no log category '%s'", categories[i]);
  }
  return fmi3OK; /* errors are told always, and there is nothing else to tell */
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                              fmi3Float64 tolerance, fmi3Float64 start_time,
                                              fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
  (void)tolerance_defined, (void)tolerance;
  DEMAND(instantiated);
  if (!isfinite(start_time) || (stop_time_defined && !(stop_time > start_time)))
    return refuse(instance, fmi3Error, "the experiment from %g s to %g s cannot be", start_time, stop_time);
  State* const s = &((Instance*)instance)->state;
  s->start = s->values[time_] = start_time;
  s->stop = stop_time_defined ? stop_time : HUGE_VAL;
  s->phase = initialization;
  return fmi3OK;
}
EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  DEMAND(initialization);
  ((Instance*)instance)->state.phase = stepping;
  return fmi3OK;
}
EXPORT fmi3Status fmi3Terminate(fmi3Instance instance) {
  DEMAND(stepping);
  ((Instance*)instance)->state.phase = terminated;
  return fmi3OK;
}
EXPORT fmi3Status fmi3Reset(fmi3Instance instance) {
  DEMAND(any);
  set_to_start(&((Instance*)instance)->state);
  return fmi3OK;
}

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                 fmi3Float64 values[], size_t value_count) {
  DEMAND(any);
  if (count != value_count)
    return refuse(instance, fmi3Error, "there are no arrays: as many values as references");
  for (size_t i = 0; i < count; ++i) {
    DEMAND_POINTER(references && values);
    if (references[i] >= variables)
      return refuse(instance, fmi3Error, "no variable has the reference %u", (unsigned)references[i]);
    values[i] = ((Instance*)instance)->state.values[references[i]];
  }
  return fmi3OK;
}

EXPORT fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                 const fmi3Float64 values[], size_t value_count) {
  DEMAND(instantiated | initialization | stepping);
  State* const s = &((Instance*)instance)->state;
  if (count != value_count)
    return refuse(instance, fmi3Error, "there are no arrays: as many values as references");
  for (size_t i = 0; i < count; ++i) { /* all is looked at before anything is changed */
    DEMAND_POINTER(references && values);
    fmi3ValueReference const r = references[i];
    if (r >= variables) return refuse(instance, fmi3Error, "no variable has the reference %u", (unsigned)r);
    if (r == time_ || r == output || (r == sample_time && s->phase == stepping))
      return refuse(instance, fmi3Error, "variable '%s' cannot be set now", names[r]);
    if (!isfinite(values[i]) || (r == sample_time && values[i] <= 0))
      return refuse(instance, fmi3Discard, "variable '%s' was set to %g, which is out of its range", names[r],
                    values[i]);
  }
  for (size_t i = 0; i < count; ++i) s->values[references[i]] = values[i];
  return fmi3OK;
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 current, fmi3Float64 size,
                             fmi3Boolean no_rollback, fmi3Boolean* event_needed, fmi3Boolean* terminate,
                             fmi3Boolean* early, fmi3Float64* last_time) {
  (void)no_rollback;
  DEMAND(stepping);
  State* const s = &((Instance*)instance)->state;
  double const h = s->values[sample_time], now = s->values[time_], end = current + size;
  double const slack = fmax(1e-9 * fabs(now), 1e-6 * size); /* hosts add steps up, with rounding */
  if (event_needed) *event_needed = false;
  if (terminate) *terminate = false;
  if (early) *early = false;
  if (last_time) *last_time = now;
  if (!(size > 0) || !isfinite(size) || !(fabs(current - now) <= slack) || end > s->stop + slack)
    return refuse(instance, fmi3Error, "a step of %g s from %g s cannot be made at %g s", size, current, now);
  while (s->start + (double)s->next * h < end - 1e-6 * h) sample(s);
  s->values[time_] = end;
  if (last_time) *last_time = end;
  return fmi3OK;
}

/* The state: a copy. As bytes it has a checksum, so that one that was cut or damaged is refused. */
static uint64_t checksum(const fmi3Byte* bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}
EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  DEMAND(any);
  DEMAND_POINTER(state);
  if (!*state) *state = malloc(sizeof(State));
  DEMAND_POINTER(*state);
  memcpy(*state, &((Instance*)instance)->state, sizeof(State));
  return fmi3OK;
}
EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  DEMAND(any);
  DEMAND_POINTER(state);
  memcpy(&((Instance*)instance)->state, state, sizeof(State));
  return fmi3OK;
}
EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  DEMAND(any);
  if (state) {
    free(*state);
    *state = NULL;
  }
  return fmi3OK;
}
EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size) {
  DEMAND(any);
  DEMAND_POINTER(state && size);
  *size = sizeof(State) + sizeof(uint64_t);
  return fmi3OK;
}
EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                        size_t size) {
  DEMAND(any);
  DEMAND_POINTER(state && bytes);
  if (size < sizeof(State) + sizeof(uint64_t))
    return refuse(instance, fmi3Error, "the buffer is too small for the state");
  memcpy(bytes, state, sizeof(State));
  uint64_t const hash = checksum(bytes, sizeof(State));
  memcpy(bytes + sizeof(State), &hash, sizeof hash);
  return fmi3OK;
}
EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                          fmi3FMUState* state) {
  DEMAND(any);
  DEMAND_POINTER(bytes && state);
  uint64_t hash = 0;
  if (size == sizeof(State) + sizeof hash) memcpy(&hash, bytes + sizeof(State), sizeof hash);
  if (size != sizeof(State) + sizeof hash || hash != checksum(bytes, sizeof(State)))
    return refuse(instance, fmi3Error, "these bytes are no state of this FMU, or were damaged");
  if (!*state) *state = malloc(sizeof(State));
  DEMAND_POINTER(*state);
  memcpy(*state, bytes, sizeof(State));
  return fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                                      size_t* count) {
  DEMAND(any);
  DEMAND_POINTER(count);
  if (reference >= variables)
    return refuse(instance, fmi3Error, "no variable has the reference %u", (unsigned)reference);
  *count = 0;
  return fmi3OK;
}
EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                              size_t dependent_elements[], fmi3ValueReference independents[],
                                              size_t independent_elements[], int kinds[], size_t count) {
  (void)dependent_elements, (void)independents, (void)independent_elements, (void)kinds;
  DEMAND(any);
  if (reference >= variables || count > 0)
    return refuse(instance, fmi3Error, "there are no dependencies to tell");
  return fmi3OK;
}

/* Importers look for every function of the standard; these say that they are not offered, and the description declares none of them.
 * Callers pass more arguments than are named here, which the C calling convention lets a function ignore. */
#define NO_VARIABLES(name)                                                                                \
  EXPORT fmi3Status name(fmi3Instance instance, const fmi3ValueReference references[], size_t count) {    \
    (void)references;                                                                                     \
    DEMAND(any);                                                                                          \
    return count == 0 ? fmi3OK                                                                            \
                      : refuse(instance, fmi3Error, "%s: this FMU has no variables of that type", #name); \
  }
#define NOT_OFFERED(name)                                                                              \
  EXPORT fmi3Status name(fmi3Instance instance) {                                                      \
    return instance ? refuse(instance, fmi3Error, "%s is not offered by this FMU", #name) : fmi3Error; \
  }
#define NO_INSTANCE(name)          \
  EXPORT fmi3Instance name(void) { \
    return NULL;                   \
  }

NO_VARIABLES(fmi3GetFloat32)
NO_VARIABLES(fmi3SetFloat32)
NO_VARIABLES(fmi3GetInt8)
NO_VARIABLES(fmi3SetInt8)
NO_VARIABLES(fmi3GetUInt8)
NO_VARIABLES(fmi3SetUInt8)
NO_VARIABLES(fmi3GetInt16)
NO_VARIABLES(fmi3SetInt16)
NO_VARIABLES(fmi3GetUInt16)
NO_VARIABLES(fmi3SetUInt16)
NO_VARIABLES(fmi3GetInt32)
NO_VARIABLES(fmi3SetInt32)
NO_VARIABLES(fmi3GetUInt32)
NO_VARIABLES(fmi3SetUInt32)
NO_VARIABLES(fmi3GetInt64)
NO_VARIABLES(fmi3SetInt64)
NO_VARIABLES(fmi3GetUInt64)
NO_VARIABLES(fmi3SetUInt64)
NO_VARIABLES(fmi3GetBoolean)
NO_VARIABLES(fmi3SetBoolean)
NO_VARIABLES(fmi3GetString)
NO_VARIABLES(fmi3SetString)
NO_VARIABLES(fmi3GetBinary)
NO_VARIABLES(fmi3SetBinary)
NO_VARIABLES(fmi3GetClock)
NO_VARIABLES(fmi3SetClock)
NOT_OFFERED(fmi3GetDirectionalDerivative)
NOT_OFFERED(fmi3GetAdjointDerivative)
NOT_OFFERED(fmi3GetOutputDerivatives)
NOT_OFFERED(fmi3EnterConfigurationMode)
NOT_OFFERED(fmi3ExitConfigurationMode)
NOT_OFFERED(fmi3GetIntervalDecimal)
NOT_OFFERED(fmi3GetIntervalFraction)
NOT_OFFERED(fmi3GetShiftDecimal)
NOT_OFFERED(fmi3GetShiftFraction)
NOT_OFFERED(fmi3SetIntervalDecimal)
NOT_OFFERED(fmi3SetIntervalFraction)
NOT_OFFERED(fmi3SetShiftDecimal)
NOT_OFFERED(fmi3SetShiftFraction)
NOT_OFFERED(fmi3EvaluateDiscreteStates)
NOT_OFFERED(fmi3UpdateDiscreteStates)
NOT_OFFERED(fmi3EnterEventMode)
NOT_OFFERED(fmi3EnterStepMode)
NOT_OFFERED(fmi3EnterContinuousTimeMode)
NOT_OFFERED(fmi3CompletedIntegratorStep)
NOT_OFFERED(fmi3SetTime)
NOT_OFFERED(fmi3SetContinuousStates)
NOT_OFFERED(fmi3GetContinuousStateDerivatives)
NOT_OFFERED(fmi3GetEventIndicators)
NOT_OFFERED(fmi3GetContinuousStates)
NOT_OFFERED(fmi3GetNominalsOfContinuousStates)
NOT_OFFERED(fmi3GetNumberOfEventIndicators)
NOT_OFFERED(fmi3GetNumberOfContinuousStates)
NOT_OFFERED(fmi3ActivateModelPartition)
NO_INSTANCE(fmi3InstantiateModelExchange)
NO_INSTANCE(fmi3InstantiateScheduledExecution)
