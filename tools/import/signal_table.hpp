// The scalar signals of a model, one for each element of each variable, read from its description. FMI 3's
// array `position` of two elements is `position[1]` and `position[2]` here, as FMI 2 spells it, so that names
// on the command line and in files are the same for both versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scene/user_error.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

struct SignalItem {  // of an enumeration
  std::string name;
  std::int64_t value = 0;
};

struct Signal {
  std::string name, description;
  std::string type;                    // FMI 3's names: Float64, Int32, Enumeration, ...
  std::string causality, variability;  // with the standard's defaults filled in
  std::string unit;
  // What the description proposes to show instead of the unit; empty: the unit. A value of the unit is shown as
  // factor value + offset.
  std::string display_unit;
  double display_factor = 1, display_offset = 0;
  std::string start;             // as written; empty where there is none
  std::string minimum, maximum;  // as written
  std::vector<SignalItem> items;
  std::uint32_t value_reference = 0;  // of the variable
  std::size_t variable = 0;           // which one of the description's
  std::size_t offset = 0, size = 1;   // element of the variable, and how many it has
  std::size_t first = 0;              // index of the variable's first signal

  double displayed(double value) const { return display_factor * value + display_offset; }
  bool is_number() const { return type != "String" && type != "Binary" && type != "Clock"; }
  bool is_float() const { return type == "Float64" || type == "Float32"; }
  bool is_input() const { return causality == "input"; }
  bool is_output() const { return causality == "output"; }
};

// A name that the model does not have. The message says which one may be meant.
class UnknownSignal : public UserError {
 public:
  using UserError::UserError;
};

// For messages: "; did you mean 'tip_ground.mu'?" for `mu`, `tip_ground.m` or `tip_ground.nu`; without a near name,
// where all are listed.
std::string suggested_names(std::string_view name, std::vector<std::string_view> const& known);

class SignalTable {
 public:
  explicit SignalTable(ModelDescription const& description);
  // Of several models together: names must differ.
  explicit SignalTable(std::vector<Signal> const& signals);

  std::vector<Signal> const& signals() const { return signals_; }
  Signal const& operator[](std::size_t index) const { return signals_[index]; }
  std::optional<std::size_t> find(std::string_view name) const;

  // The signals that a name stands for: itself, or the elements of the array that it names. Throws
  // UnknownSignal.
  std::vector<std::size_t> resolve(std::string_view name) const;

 private:
  void add(Signal const& signal);
  [[noreturn]] void fail_unknown(std::string_view name) const;

  std::vector<Signal> signals_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> arrays_;
};

}  // namespace delassus
