// A port of an FMI 2 instance: one call for each type of FMI 2, floats without a copy where there is nothing else.
#pragma once

#include <algorithm>
#include <vector>

#include "tools/import/fmi2_library.hpp"
#include "tools/import/foreign_instance.hpp"

namespace delassus {

class Fmi2Port final : public SignalPort {
 public:
  // Both must outlive this.
  Fmi2Port(ForeignInstance& instance, Fmi2Library const& functions, std::span<const std::size_t> indices)
      : instance_(instance), functions_(functions) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Signal const& signal = instance.signals()[indices[i]];
      if (signal.is_float()) {
        reals_.add(signal, i);
      } else if (signal.type == "Boolean") {
        booleans_.add(signal, i);
      } else {
        integers_.add(signal, i);
      }
    }
    only_reals_ = reals_.references.size() == indices.size();
  }

  void read(std::span<double> values) override {
    if (only_reals_) {
      if (!values.empty())
        instance_.call(functions_.fmi2GetReal, "fmi2GetReal", reals_.references.data(), values.size(),
                       values.data());
      return;
    }
    get(reals_, functions_.fmi2GetReal, "fmi2GetReal", values);
    get(booleans_, functions_.fmi2GetBoolean, "fmi2GetBoolean", values);
    get(integers_, functions_.fmi2GetInteger, "fmi2GetInteger", values);
    for (auto const place : booleans_.places) values[place] = values[place] != 0;
  }

  void write(std::span<const double> values) override {
    if (only_reals_) {
      if (!values.empty())
        instance_.call(functions_.fmi2SetReal, "fmi2SetReal", reals_.references.data(), values.size(),
                       values.data());
      return;
    }
    set(reals_, functions_.fmi2SetReal, "fmi2SetReal", values);
    set(booleans_, functions_.fmi2SetBoolean, "fmi2SetBoolean", values);
    set(integers_, functions_.fmi2SetInteger, "fmi2SetInteger", values);
  }

 private:
  template <typename Value>
  struct Group {
    std::vector<fmi2ValueReference> references;
    std::vector<std::size_t> places;
    std::vector<Value> values;

    void add(Signal const& signal, std::size_t place) {
      references.push_back(signal.value_reference);
      places.push_back(place);
      values.push_back(0);
    }
  };

  template <typename Value, typename Getter>
  void get(Group<Value>& group, Getter getter, std::string_view name, std::span<double> values) {
    if (group.places.empty()) return;
    instance_.call(getter, name, group.references.data(), group.places.size(), group.values.data());
    for (std::size_t i = 0; i < group.places.size(); ++i)
      values[group.places[i]] = static_cast<double>(group.values[i]);
  }
  template <typename Value, typename Setter>
  void set(Group<Value>& group, Setter setter, std::string_view name, std::span<const double> values) {
    if (group.places.empty()) return;
    for (std::size_t i = 0; i < group.places.size(); ++i)
      group.values[i] = static_cast<Value>(values[group.places[i]]);
    instance_.call(setter, name, group.references.data(), group.places.size(), group.values.data());
  }

  ForeignInstance& instance_;
  Fmi2Library const& functions_;
  Group<fmi2Real> reals_;
  Group<fmi2Boolean> booleans_;
  Group<fmi2Integer> integers_;
  bool only_reals_ = false;
};

}  // namespace delassus
