// A port of an FMI 3 instance: one call for each type. Arrays are read and written as a whole; elements that the
// port does not have keep their values.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "tools/import/fmi3_library.hpp"
#include "tools/import/foreign_instance.hpp"

namespace delassus {

class Fmi3Port final : public SignalPort {
 public:
  // Both must outlive this.
  Fmi3Port(ForeignInstance& instance, Fmi3Library const& functions, std::span<const std::size_t> indices) {
#define MAKE(described, accessor)                                                                  \
  add<fmi3##accessor>(instance, functions.fmi3Get##accessor, functions.fmi3Set##accessor, indices, \
                      #described, "fmi3Get" #accessor, "fmi3Set" #accessor);
    DELASSUS_FMI3_NUMBERS(MAKE)
#undef MAKE
    for (auto const index : indices) {
      Signal const& signal = instance.signals()[index];
      if (!signal.is_number())
        throw InstanceError(Status::error,
                            fmt::format("{} is a {} and has no number", signal.name, signal.type));
    }
  }

  void read(std::span<double> values) override {
    for (auto const& group : groups_) group->read(values);
  }
  void write(std::span<const double> values) override {
    for (auto const& group : groups_) group->write(values);
  }

 private:
  struct Group {
    Group() = default;
    virtual ~Group() = default;
    Group(Group const&) = delete;
    Group& operator=(Group const&) = delete;
    virtual void read(std::span<double> values) = 0;
    virtual void write(std::span<const double> values) = 0;
  };

  template <typename Value, typename Getter, typename Setter>
  struct TypedGroup final : Group {
    ForeignInstance& instance;
    Getter getter;
    Setter setter;
    std::string_view getter_name, setter_name;
    std::vector<fmi3ValueReference> references;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // in the port, in the elements
    std::unique_ptr<Value[]> elements;
    std::size_t size = 0;
    bool whole = false;  // every element is one of the port's

    TypedGroup(ForeignInstance& of, Getter get, Setter set, std::string_view get_name,
               std::string_view set_name)
        : instance(of), getter(get), setter(set), getter_name(get_name), setter_name(set_name) {}

    void fetch() {
      instance.call(getter, getter_name, references.data(), references.size(), elements.get(), size);
    }
    void read(std::span<double> values) override {
      fetch();
      for (auto const& [place, element] : places) values[place] = static_cast<double>(elements[element]);
    }
    void write(std::span<const double> values) override {
      if (!whole) fetch();
      for (auto const& [place, element] : places) elements[element] = static_cast<Value>(values[place]);
      instance.call(setter, setter_name, references.data(), references.size(),
                    static_cast<Value const*>(elements.get()), size);
    }
  };

  template <typename Value, typename Getter, typename Setter>
  void add(ForeignInstance& instance, Getter getter, Setter setter, std::span<const std::size_t> indices,
           std::string_view type, std::string_view getter_name, std::string_view setter_name) {
    auto group = std::make_unique<TypedGroup<Value, Getter, Setter>>(instance, getter, setter, getter_name,
                                                                     setter_name);
    std::vector<std::size_t> variables, starts;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Signal const& signal = instance.signals()[indices[i]];
      if (signal.type != type) continue;
      auto const known = std::ranges::find(variables, signal.first);
      std::size_t const at = static_cast<std::size_t>(known - variables.begin());
      if (known == variables.end()) {
        variables.push_back(signal.first);
        starts.push_back(group->size);
        group->references.push_back(signal.value_reference);
        group->size += signal.size;
      }
      group->places.emplace_back(i, starts[at] + signal.offset);
    }
    if (group->places.empty()) return;
    group->whole = group->places.size() == group->size;
    group->elements = std::make_unique<Value[]>(group->size);
    groups_.push_back(std::move(group));
  }

  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace delassus
