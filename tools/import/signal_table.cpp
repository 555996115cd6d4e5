#include "tools/import/signal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/language/vocabulary.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// An array larger than this is one that no command line, file or plot of ours can show.
constexpr std::uint64_t most_elements = 100'000;

std::vector<std::uint64_t> extents_of(ModelDescription const& description,
                                      DescribedVariable const& variable) {
  std::vector<std::uint64_t> extents;
  for (auto const& dimension : variable.dimensions) {
    std::uint64_t extent = dimension.start.value_or(1);
    if (dimension.value_reference) {
      for (auto const& structural : description.variables) {
        if (structural.value_reference == dimension.value_reference && structural.start) {
          extent = parse_integer<std::uint64_t>(*structural.start).value_or(1);
        }
      }
    }
    extents.push_back(extent);
  }
  return extents;
}

std::uint64_t product(std::vector<std::uint64_t> const& extents, std::string const& name) {
  std::uint64_t size = 1;
  for (auto const extent : extents) {
    if (extent > most_elements || size * extent > most_elements) {
      throw std::runtime_error(fmt::format("variable {} has more than {} elements", name, most_elements));
    }
    size *= extent;
  }
  return size;
}

// Row by row, counted from one: a[1,1], a[1,2], a[2,1], ...
std::string element_suffix(std::vector<std::uint64_t> const& extents, std::uint64_t offset) {
  std::string text;
  for (std::size_t i = extents.size(); i-- > 0; offset /= extents[i]) {
    text.insert(0, std::to_string(offset % extents[i] + 1) + (text.empty() ? "" : ","));
  }
  return text.empty() ? "" : "[" + text + "]";
}

DescribedType const* type_of(ModelDescription const& description, DescribedVariable const& variable) {
  for (auto const& type : description.types) {
    if (type.name == variable.declared_type) return &type;
  }
  return nullptr;
}

// A display unit that is not defined, or of the reciprocal, is none.
void set_display(ModelDescription const& description, std::string const& name, Signal& signal) {
  if (name.empty() || name == signal.unit || !signal.is_float()) return;
  for (auto const& unit : description.units) {
    if (unit.name != signal.unit) continue;
    for (auto const& display : unit.display_units) {
      if (display.name != name || display.inverse) continue;
      auto const factor = parse_double(display.factor.empty() ? "1" : display.factor),
                 offset = parse_double(display.offset.empty() ? "0" : display.offset);
      if (!factor || !offset) return;
      signal.display_unit = name;
      signal.display_factor = *factor;
      signal.display_offset = *offset;
      return;
    }
  }
}

// `position[2]` is an element of `position`, in FMI 2 only by its name.
std::string_view array_name(std::string_view name) {
  return name.substr(0, name.ends_with(']') ? name.rfind('[') : name.size());
}

// The attribute of <interface> that brings such a variable.
std::string_view asked_for_by(std::string_view name) {
  std::string_view const plain = array_name(name), word = plain.substr(plain.rfind('.') + 1);
  constexpr std::array<std::string_view, 6> analysis{"solutions", "paradox", "mu_crit",
                                                     "mu_jam",    "margin",  "locking_angle"};
  if (plain == "contact.residual" || (plain != word && std::ranges::find(analysis, word) != analysis.end()))
    return "analysis";
  return plain != word && word.ends_with("_number") ? "integers" : "";
}

std::string start_of(DescribedVariable const& variable, std::size_t offset) {
  if (!variable.start) return "";
  if (variable.dimensions.empty()) return *variable.start;
  auto const words = split_at_blanks(*variable.start);
  if (words.size() == 1) return std::string(words.front());  // one value for all elements
  return offset < words.size() ? std::string(words[offset]) : "";
}

// Of a contact, which has one of both.
std::string_view other_impact_law(std::string_view word) {
  return word == "zeta" ? "restitution" : word == "restitution" ? "zeta" : "";
}

}  // namespace

SignalTable::SignalTable(ModelDescription const& description) {
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    auto const& variable = description.variables[i];
    auto const* const type = type_of(description, variable);
    auto const extents = extents_of(description, variable);
    Signal signal;
    signal.description = variable.description;
    signal.type = variable.type;
    signal.causality = variable.effective_causality();
    signal.variability = variable.effective_variability();
    signal.unit = variable.unit.empty() && type != nullptr ? type->unit : variable.unit;
    set_display(description,
                variable.display_unit.empty() && type != nullptr ? type->display_unit : variable.display_unit,
                signal);
    signal.minimum = variable.minimum.empty() && type != nullptr ? type->minimum : variable.minimum;
    signal.maximum = variable.maximum.empty() && type != nullptr ? type->maximum : variable.maximum;
    if (type != nullptr) {
      for (auto const& item : type->items) {
        signal.items.push_back({item.name, parse_integer<std::int64_t>(item.value).value_or(0)});
      }
    }
    signal.value_reference = variable.value_reference.value_or(0);
    signal.variable = i;
    signal.size = product(extents, variable.name);
    signal.first = signals_.size();
    for (signal.offset = 0; signal.offset < signal.size; ++signal.offset) {
      signal.name = variable.name + element_suffix(extents, signal.offset);
      signal.start = start_of(variable, signal.offset);
      add(signal);
    }
  }
}

SignalTable::SignalTable(std::vector<Signal> const& signals) {
  for (auto const& signal : signals) add(signal);
}

void SignalTable::add(Signal const& signal) {
  if (auto const array = array_name(signal.name); array.size() < signal.name.size())
    arrays_[std::string(array)].push_back(signals_.size());
  by_name_.emplace(signal.name, signals_.size());
  signals_.push_back(signal);
}

std::optional<std::size_t> SignalTable::find(std::string_view name) const {
  auto const found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::size_t> SignalTable::resolve(std::string_view name) const {
  if (auto const signal = find(name)) return {*signal};
  if (auto const array = arrays_.find(name); array != arrays_.end()) return array->second;
  fail_unknown(name);
}

void SignalTable::fail_unknown(std::string_view name) const {
  std::vector<std::string_view> known;
  for (auto const& signal : signals_) known.push_back(signal.name);
  for (auto const& [array, elements] : arrays_) known.push_back(array);
  if (auto const dot = name.rfind('.'); dot != std::string_view::npos) {
    // A word that a contact, a joint or a spring of a scene may have, and this one has not.
    std::string_view const owner = name.substr(0, dot), word = name.substr(dot + 1);
    auto const is_of_owner = [&](std::string_view other) {
      return other.size() > dot && other.starts_with(owner) && other[dot] == '.';
    };
    // `contact.mu` as the guide writes it, for whatever the contact is called.
    bool const is_kind = find_element("scene", owner) != nullptr;
    bool const is_word =
        !is_kind && std::any_of(vocabulary().begin(), vocabulary().end(), [&](Element const& element) {
          Attribute const* const attribute = find_attribute(element, word);
          return attribute != nullptr && attribute->exposure != Exposure::none;
        });
    if (is_word && std::any_of(known.begin(), known.end(), is_of_owner)) {
      if (auto const other = std::string(owner) + "." + std::string(other_impact_law(word)); find(other)) {
        throw UnknownSignal(
            fmt::format("the model has no variable '{0}': the scene gives '{1}' {2}, and {2} and {3} are two "
                        "impact laws, of which a contact has one; set {4}, or write {3}=\"...\" in the scene "
                        "instead of {2}",
                        name, owner, other_impact_law(word), word, other));
      }
      throw UnknownSignal(fmt::format(
          "the model has no variable '{}': only what a scene writes is a parameter of its model; give "
          "'{}' the attribute {}=\"...\" there",
          name, owner, word));
    }
  }
  throw UnknownSignal(fmt::format("the model has no variable '{}'{}", name, suggested_names(name, known)));
}

std::string suggested_names(std::string_view name, std::vector<std::string_view> const& known) {
  if (std::string_view const attribute = asked_for_by(name); !attribute.empty())
    return fmt::format("; a scene has it that says <interface {}=\"yes\"/>", attribute);
  std::vector<std::string> near;
  auto const take = [&](auto const& is_near) {
    constexpr std::size_t most = 3;
    for (auto const candidate : known) {
      std::string const array(array_name(candidate));
      if (near.size() < most && is_near(std::string_view(array)) &&
          std::ranges::find(near, array) == near.end())
        near.push_back(array);
    }
    return !near.empty();
  };
  auto const last_part = [](std::string_view text) { return text.substr(text.rfind('.') + 1); };
  // The name without its owner, or the beginning of a name; then a misspelt one; then that of another owner.
  bool const found = take([&](std::string_view each) {
                       return each.size() > name.size() && each.ends_with(name) &&
                              each[each.size() - name.size() - 1] == '.';
                     }) ||
                     (name.size() > 1 && take([&](std::string_view each) { return each.starts_with(name); }));
  if (!found) {
    if (auto const meant = did_you_mean(name, known)) {
      near.emplace_back(*meant);
    } else if (name.find('.') != std::string_view::npos) {
      take([&](std::string_view each) { return last_part(each) == last_part(name); });
    }
  }
  if (near.empty()) return "; `delassus describe` lists all of them";
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i)
    text += (i == 0 ? "'" : i + 1 < near.size() ? ", '" : " or '") + near[i] + "'";
  return "; did you mean " + text + "?";
}

}  // namespace delassus
