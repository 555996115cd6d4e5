// Variables of every type, set and got back in the places where the standards allow it.
#include <fmt/format.h>

#include <algorithm>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

std::optional<double> start_number(Signal const& signal) {
  if (signal.type == "Boolean") {
    auto const value = parse_boolean(signal.start);
    return value ? std::optional(*value ? 1.0 : 0.0) : std::nullopt;
  }
  return parse_double(signal.start);
}

// Another value that the variable can have; nothing where its range has no other.
std::optional<double> other_number(Signal const& signal) {
  auto const start = start_number(signal).value_or(0);
  if (signal.type == "Boolean") return start == 0 ? 1 : 0;
  if (!signal.items.empty()) {
    for (auto const& item : signal.items) {
      if (static_cast<double>(item.value) != start) return static_cast<double>(item.value);
    }
    return std::nullopt;
  }
  auto const minimum = parse_double(signal.minimum), maximum = parse_double(signal.maximum);
  for (double const candidate : {start + 1, start - 1, start + 0.125, start - 0.125}) {
    bool const whole = candidate == static_cast<double>(static_cast<long long>(candidate));
    if (!signal.is_float() && !whole) continue;
    if (signal.type.starts_with("UInt") && candidate < 0) continue;
    if ((minimum && candidate < *minimum) || (maximum && candidate > *maximum)) continue;
    return candidate;
  }
  return std::nullopt;
}

class Access {
 public:
  explicit Access(ExerciseContext& context) : context_(context) {}

  void run() {
    context_.stage("setting every parameter and input to its start value");
    context_.attempt("set-get", "accept the start values of parameters and inputs before the initialisation",
                     [&] {
                       auto const instance = context_.instantiate("set");
                       for (std::size_t i = 0; i < context_.signals.signals().size(); ++i)
                         set_start(*instance, i);
                       instance->enter_initialization({context_.timeline.start, std::nullopt, std::nullopt});
                       for (std::size_t i = 0; i < context_.signals.signals().size(); ++i) {
                         if (is_set_[i])
                           expect(*instance, i, start_number(context_.signals[i]), context_.signals[i].start);
                       }
                       instance->exit_initialization();
                     });
    context_.stage("setting inputs to other values in initialization mode");
    context_.attempt("set-get", "accept values of inputs within min and max in initialization mode", [&] {
      auto const instance = context_.instantiate("inputs");
      instance->enter_initialization({context_.timeline.start, std::nullopt, std::nullopt});
      for (std::size_t i = 0; i < context_.signals.signals().size(); ++i) set_other_input(*instance, i);
    });
  }

 private:
  bool is_settable(std::size_t index) const {
    Signal const& signal = context_.signals[index];
    if (context_.description.variables[signal.variable].clocks || signal.type == "Clock") return false;
    return signal.causality == "parameter" || signal.is_input();
  }

  void set_start(SimulatedInstance& instance, std::size_t index) {
    is_set_.resize(context_.signals.signals().size());
    Signal const& signal = context_.signals[index];
    if (!is_settable(index) || signal.offset != 0) return;
    auto const& variable = context_.description.variables[signal.variable];
    if (signal.type == "Binary") {
      if (signal.size != 1 || variable.start_elements.empty()) return;
      instance.set_binary(index, bytes_of(variable.start_elements.front()));
    } else if (signal.type == "String") {
      auto const text = text_start(variable);
      if (signal.size != 1 || !text) return;
      instance.set(std::vector<SignalValue>{{index, *text}});
    } else {
      std::vector<SignalValue> values;
      for (std::size_t i = index; i < index + signal.size; ++i) {
        auto const value = start_number(context_.signals[i]);
        if (!value) return;
        values.push_back({i, *value});
      }
      instance.set(values);
      for (std::size_t i = index; i < index + signal.size; ++i) is_set_[i] = true;
      return;
    }
    is_set_[index] = true;
  }

  static std::optional<std::string> text_start(DescribedVariable const& variable) {
    if (!variable.start_elements.empty()) return variable.start_elements.front();
    return variable.start;
  }

  static std::vector<std::uint8_t> bytes_of(std::string const& hexadecimal) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16)));
    return bytes;
  }

  void expect(SimulatedInstance& instance, std::size_t index, std::optional<double> number,
              std::string const& text) const {
    Signal const& signal = context_.signals[index];
    auto const& variable = context_.description.variables[signal.variable];
    std::string got, wanted;
    if (signal.type == "Binary") {
      auto const bytes = instance.get_binary(index);
      if (bytes == bytes_of(variable.start_elements.front())) return;
      got = fmt::format("{} bytes", bytes.size());
      wanted = variable.start_elements.front();
    } else if (signal.type == "String") {
      got = instance.get_text(index);
      wanted = text_start(variable).value_or(text);
      if (got == wanted) return;
    } else {
      double value = 0;
      instance.get({&index, 1}, {&value, 1});
      double const expected =
          signal.type == "Float32" ? static_cast<double>(static_cast<float>(*number)) : *number;
      if (value == expected) return;
      got = format_number(value);
      wanted = format_number(expected);
    }
    context_.find("set-get", fmt::format("{} was set to {} and is {}", signal.name, wanted, got),
                  "let the getter give the value that was set");
  }

  void set_other_input(SimulatedInstance& instance, std::size_t index) const {
    Signal const& signal = context_.signals[index];
    if (!is_settable(index) || !signal.is_input() || signal.size != 1) return;
    if (signal.type == "String") {
      std::string const text = "delassus";
      instance.set(std::vector<SignalValue>{{index, text}});
      if (auto const got = instance.get_text(index); got != text)
        context_.find("set-get", fmt::format("{} was set to {} and is {}", signal.name, text, got),
                      "let the getter give the value that was set");
    } else if (signal.type == "Binary") {
      std::vector<std::uint8_t> const bytes{0, 1, 255};
      instance.set_binary(index, bytes);
      if (instance.get_binary(index) != bytes)
        context_.find("set-get", signal.name + " was set to 3 bytes and has others",
                      "let the getter give the value that was set");
    } else if (auto const value = other_number(signal)) {
      instance.set(std::vector<SignalValue>{{index, *value}});
      expect(instance, index, value, "");
    }
  }

  ExerciseContext& context_;
  std::vector<bool> is_set_;
};

}  // namespace

void exercise_access(ExerciseContext& context) {
  Access(context).run();
}

}  // namespace delassus
