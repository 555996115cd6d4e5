// Model Exchange behind the same vocabulary for both C interfaces.
#pragma once

#include "tests/support/fmi_faces.hpp"

namespace delassus::test {

#define DELASSUS_BIND(name) \
  decltype(&::name) const name = reinterpret_cast<decltype(&::name)>(fmu_library().find(#name))

class Fmi2ExchangeFace : public Fmi2Face {
 public:
  using Fmi2Face::Fmi2Face;

  bool instantiate_model_exchange(char const* token, char const* resources) {
    instance = fmi2Instantiate("test", fmi2ModelExchange, token, resources, &callbacks_, fmi2False, fmi2True);
    return instance != nullptr;
  }
  // FMI 2 tells the numbers in the description only: the right one is the one that is not refused.
  std::size_t states() { return size_that_fits(fmi2GetContinuousStates); }
  std::size_t indicators() { return size_that_fits(fmi2GetEventIndicators); }
  int enter_event() { return fmi2EnterEventMode(instance); }
  int update() {
    fmi2EventInfo info{fmi2True, fmi2True, fmi2True, fmi2True, fmi2True, 1};
    int const status = fmi2NewDiscreteStates(instance, &info);
    bool const quiet = !info.newDiscreteStatesNeeded && !info.terminateSimulation &&
                       !info.valuesOfContinuousStatesChanged && !info.nextEventTimeDefined;
    return quiet ? status : error;
  }
  // For an importer that iterates until nothing is new, and takes over states that have changed.
  int update(bool& states_changed) {
    fmi2EventInfo info{fmi2True, fmi2False, fmi2False, fmi2False, fmi2False, 0};
    int status = ok;
    states_changed = false;
    for (int i = 0; i < 10 && status == ok && info.newDiscreteStatesNeeded; ++i) {
      status = fmi2NewDiscreteStates(instance, &info);
      states_changed |= info.valuesOfContinuousStatesChanged != fmi2False;
    }
    return info.newDiscreteStatesNeeded ? error : status;
  }
  int enter_continuous() { return fmi2EnterContinuousTimeMode(instance); }
  int completed(bool& event) {
    fmi2Boolean enter = fmi2False, end = fmi2True;
    int const status = fmi2CompletedIntegratorStep(instance, fmi2True, &enter, &end);
    event = enter != fmi2False;
    return end == fmi2False ? status : error;
  }
  int set_time(double t) { return fmi2SetTime(instance, t); }
  int set_states(std::vector<double> const& x) {
    return fmi2SetContinuousStates(instance, x.data(), x.size());
  }
  int get_states(std::vector<double>& x) { return fmi2GetContinuousStates(instance, x.data(), x.size()); }
  int get_derivatives(std::vector<double>& x) { return fmi2GetDerivatives(instance, x.data(), x.size()); }
  int get_indicators(std::vector<double>& z) { return fmi2GetEventIndicators(instance, z.data(), z.size()); }

 private:
  template <class Function>
  std::size_t size_that_fits(Function function) {
    std::vector<double> buffer(1000);
    std::size_t size = 0;
    while (function(instance, buffer.data(), size) != fmi2OK) ++size;
    return size;
  }

  DELASSUS_BIND(fmi2Instantiate);
  DELASSUS_BIND(fmi2EnterEventMode);
  DELASSUS_BIND(fmi2NewDiscreteStates);
  DELASSUS_BIND(fmi2EnterContinuousTimeMode);
  DELASSUS_BIND(fmi2CompletedIntegratorStep);
  DELASSUS_BIND(fmi2SetTime);
  DELASSUS_BIND(fmi2SetContinuousStates);
  DELASSUS_BIND(fmi2GetContinuousStates);
  DELASSUS_BIND(fmi2GetDerivatives);
  DELASSUS_BIND(fmi2GetEventIndicators);
};

class Fmi3ExchangeFace : public Fmi3Face {
 public:
  using Fmi3Face::Fmi3Face;

  bool instantiate_model_exchange(char const* token, char const* resources) {
    instance = fmi3InstantiateModelExchange("test", token, resources, false, true, log_, record_fmi3);
    return instance != nullptr;
  }
  std::size_t states() { return number(fmi3GetNumberOfContinuousStates); }
  std::size_t indicators() { return number(fmi3GetNumberOfEventIndicators); }
  int enter_event() { return fmi3EnterEventMode(instance); }
  int update() {
    bool need = true, end = true, nominals = true, states_changed = true, defined = true;
    double next = 0;
    int const status =
        fmi3UpdateDiscreteStates(instance, &need, &end, &nominals, &states_changed, &defined, &next);
    return need || end || nominals || states_changed || defined ? error : status;
  }
  int update(bool& states_changed) {
    bool need = true, end = false, nominals = false, changed = false, defined = false;
    double next = 0;
    int status = ok;
    states_changed = false;
    for (int i = 0; i < 10 && status == ok && need; ++i) {
      status = fmi3UpdateDiscreteStates(instance, &need, &end, &nominals, &changed, &defined, &next);
      states_changed |= changed;
    }
    return need ? error : status;
  }
  int enter_continuous() { return fmi3EnterContinuousTimeMode(instance); }
  int completed(bool& event) {
    bool end = true;
    int const status = fmi3CompletedIntegratorStep(instance, true, &event, &end);
    return end ? error : status;
  }
  int set_time(double t) { return fmi3SetTime(instance, t); }
  int set_states(std::vector<double> const& x) {
    return fmi3SetContinuousStates(instance, x.data(), x.size());
  }
  int get_states(std::vector<double>& x) { return fmi3GetContinuousStates(instance, x.data(), x.size()); }
  int get_derivatives(std::vector<double>& x) {
    return fmi3GetContinuousStateDerivatives(instance, x.data(), x.size());
  }
  int get_indicators(std::vector<double>& z) { return fmi3GetEventIndicators(instance, z.data(), z.size()); }

 private:
  template <class Function>
  std::size_t number(Function function) {
    std::size_t count = 0;
    function(instance, &count);
    return count;
  }

  DELASSUS_BIND(fmi3InstantiateModelExchange);
  DELASSUS_BIND(fmi3GetNumberOfContinuousStates);
  DELASSUS_BIND(fmi3GetNumberOfEventIndicators);
  DELASSUS_BIND(fmi3EnterEventMode);
  DELASSUS_BIND(fmi3UpdateDiscreteStates);
  DELASSUS_BIND(fmi3EnterContinuousTimeMode);
  DELASSUS_BIND(fmi3CompletedIntegratorStep);
  DELASSUS_BIND(fmi3SetTime);
  DELASSUS_BIND(fmi3SetContinuousStates);
  DELASSUS_BIND(fmi3GetContinuousStates);
  DELASSUS_BIND(fmi3GetContinuousStateDerivatives);
  DELASSUS_BIND(fmi3GetEventIndicators);
};

#undef DELASSUS_BIND

}  // namespace delassus::test
