/* Small FMUs of FMI 2 for Model Exchange, for integrators; the guid says which one it is.
   roberts: Robertson's chemical reaction, stiff. chain: heat in a rod, k = 1e5 1/s, between ends at zero.
   relay: x' = m, where m becomes u only in event mode. line: x' = u. Both count their events in n.
   A time beyond the stop time is refused, be it by rounding.
   Variables: 0 time, 1 u, 2 y = x[0], 3 n (Integer), 10 + i states, 1000 + i their derivatives. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { OK = 0, ERROR = 3 };
enum { TIME = 0, U = 1, Y = 2, N = 3, STATES = 10, DERIVATIVES = 1000, MOST = 60 };
enum Kind { ROBERTS, CHAIN, RELAY, LINE };
typedef unsigned Reference;
typedef struct {
  enum Kind kind;
  size_t count;
  double x[MOST], u, m, time, stop;
  int events;
  bool in_event_mode, initialised;
} Model;

static const double chain_rate = 1e5;

/* Rates, or with `seed` their change along it. */
static void rates(const Model* c, const double* seed, double* to) {
  const double* x = c->x;
  const double* d = seed != NULL ? seed : x;
  switch (c->kind) {
    case ROBERTS: {
      double back = seed != NULL ? 1e4 * (d[1] * x[2] + x[1] * d[2]) : 1e4 * x[1] * x[2];
      double away = seed != NULL ? 6e7 * x[1] * d[1] : 3e7 * x[1] * x[1];
      to[0] = -0.04 * d[0] + back;
      to[1] = 0.04 * d[0] - back - away;
      to[2] = away;
      break;
    }
    case CHAIN:
      for (size_t i = 0; i < c->count; ++i)
        to[i] = chain_rate * ((i > 0 ? d[i - 1] : 0) - 2 * d[i] + (i + 1 < c->count ? d[i + 1] : 0));
      break;
    case RELAY:
      to[0] = seed != NULL ? 0 : c->m;
      break;
    case LINE:
      to[0] = seed != NULL ? 0 : c->u;
      break;
  }
}

EXPORT const char* fmi2GetTypesPlatform(void) {
  return "default";
}
EXPORT const char* fmi2GetVersion(void) {
  return "2.0";
}
EXPORT int fmi2SetDebugLogging(void* c, int on, size_t n, const char* const k[]) {
  return (void)c, (void)on, (void)n, (void)k, OK;
}
static double half_sine(double share) {
  return sin(3.14159265358979323846 * share);
}
EXPORT void* fmi2Instantiate(const char* a, int b, const char* guid, const char* e, const void* f, int g,
                             int h) {
  (void)a, (void)b, (void)e, (void)f, (void)g, (void)h;
  Model* c = calloc(1, sizeof(Model));
  if (c == NULL) return NULL;
  c->kind = strstr(guid, "roberts") ? ROBERTS
            : strstr(guid, "chain") ? CHAIN
            : strstr(guid, "relay") ? RELAY
                                    : LINE;
  c->count = c->kind == ROBERTS ? 3 : c->kind == CHAIN ? MOST : 1;
  if (c->kind == ROBERTS) c->x[0] = 1;
  for (size_t i = 0; c->kind == CHAIN && i < c->count; ++i)
    c->x[i] = half_sine((double)(i + 1) / (double)(c->count + 1));
  return c;
}
EXPORT void fmi2FreeInstance(void* c) {
  free(c);
}
EXPORT int fmi2SetupExperiment(void* c, int a, double b, double start, int stops, double stop) {
  (void)a, (void)b;
  ((Model*)c)->time = start;
  ((Model*)c)->stop = stops ? stop : INFINITY;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2ExitInitializationMode(void* c) {
  Model* m = c;
  m->initialised = m->in_event_mode = true;
  m->m = m->u;
  return OK;
}
EXPORT int fmi2Terminate(void* c) {
  return (void)c, OK;
}
EXPORT int fmi2Reset(void* c) {
  return (void)c, ERROR;
}
EXPORT int fmi2GetReal(void* c, const Reference r[], size_t n, double values[]) {
  const Model* m = c;
  double derivatives[MOST];
  rates(m, NULL, derivatives);
  for (size_t i = 0; i < n; ++i) {
    if (r[i] >= DERIVATIVES)
      values[i] = derivatives[r[i] - DERIVATIVES];
    else if (r[i] >= STATES)
      values[i] = m->x[r[i] - STATES];
    else
      values[i] = r[i] == U ? m->u : r[i] == Y ? m->x[0] : m->time;
  }
  return OK;
}
EXPORT int fmi2SetReal(void* c, const Reference r[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (r[i] != U) return ERROR;
    ((Model*)c)->u = values[i];
  }
  return OK;
}
EXPORT int fmi2GetInteger(void* c, const Reference r[], size_t n, int values[]) {
  for (size_t i = 0; i < n; ++i) values[i] = r[i] == N ? ((const Model*)c)->events : 0;
  return OK;
}
EXPORT int fmi2EnterEventMode(void* c) {
  Model* m = c;
  if (m->in_event_mode) return ERROR;
  m->in_event_mode = true;
  ++m->events;
  return OK;
}
typedef struct {
  int again, terminate, nominals, values, next_defined;
  double next;
} EventInfo;
EXPORT int fmi2NewDiscreteStates(void* c, EventInfo* info) {
  Model* m = c;
  if (!m->in_event_mode) return ERROR;
  m->m = m->u;
  *info = (EventInfo){0, 0, 0, 0, 0, 0};
  return OK;
}
EXPORT int fmi2EnterContinuousTimeMode(void* c) {
  ((Model*)c)->in_event_mode = false;
  return OK;
}
EXPORT int fmi2CompletedIntegratorStep(void* c, int no_rollback, int* enter, int* terminate) {
  (void)c, (void)no_rollback;
  *enter = *terminate = 0;
  return OK;
}
EXPORT int fmi2SetTime(void* c, double time) {
  ((Model*)c)->time = time;
  return time > ((Model*)c)->stop ? ERROR : OK;
}
EXPORT int fmi2SetContinuousStates(void* c, const double x[], size_t n) {
  memcpy(((Model*)c)->x, x, n * sizeof *x);
  return OK;
}
EXPORT int fmi2GetContinuousStates(void* c, double x[], size_t n) {
  memcpy(x, ((Model*)c)->x, n * sizeof *x);
  return OK;
}
EXPORT int fmi2GetDerivatives(void* c, double x[], size_t n) {
  (void)n;
  rates(c, NULL, x);
  return OK;
}
EXPORT int fmi2GetEventIndicators(void* c, double z[], size_t n) {
  return (void)c, (void)z, (void)n, OK;
}
EXPORT int fmi2GetNominalsOfContinuousStates(void* c, double x[], size_t n) {
  (void)c;
  for (size_t i = 0; i < n; ++i) x[i] = 1;
  return OK;
}
EXPORT int fmi2GetDirectionalDerivative(void* c, const Reference unknown[], size_t unknowns,
                                        const Reference known[], size_t knowns, const double seed[],
                                        double change[]) {
  double along[MOST] = {0}, all[MOST];
  for (size_t i = 0; i < knowns; ++i) {
    if (known[i] < STATES || known[i] >= DERIVATIVES) return ERROR;
    along[known[i] - STATES] = seed[i];
  }
  rates(c, along, all);
  for (size_t i = 0; i < unknowns; ++i) {
    if (unknown[i] < DERIVATIVES) return ERROR;
    change[i] = all[unknown[i] - DERIVATIVES];
  }
  return OK;
}
