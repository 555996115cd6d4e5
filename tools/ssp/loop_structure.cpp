#include "tools/ssp/loop_structure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/element_reader.hpp"
#include "model/language/vocabulary.hpp"
#include "tools/ssp/structure_source.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/ssp/structure.hpp"
#include "xml/ssp/unit_conversion.hpp"

namespace delassus {
namespace {

[[noreturn]] void refuse_loop(std::string const& message) {
  throw CommandError(ExitCode::usage, message);
}

// Names of elements have no dots, which stand between an element and its connector, and many tools take letters, digits
// and underscores only.
std::string element_name(std::string const& text) {
  std::string name = text;
  for (char& c : name) {
    bool const plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    if (!plain) c = '_';
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
  return name;
}

// `position` of `position[2]`.
std::string array_of(Signal const& signal) {
  return signal.name.ends_with(']') ? signal.name.substr(0, signal.name.rfind('[')) : signal.name;
}

// Of a connector, in the words of SSP 1. An enumeration would need its items in the structure.
std::string connector_type(Signal const& signal) {
  return signal.is_float()                              ? "Real"
         : signal.type.find("Int") != std::string::npos ? "Integer"
         : signal.type == "Boolean"                     ? "Boolean"
                                                        : "";
}

}  // namespace

LoopStructure::LoopStructure(std::vector<std::string> const& models,
                             std::vector<std::string> const& connections, ImportBackend backend) {
  for (auto const& argument : models) add_component(argument, backend);
  if (connections.empty()) {
    std::string offers;
    for (std::size_t i = 0; i < components_.size(); ++i)
      offers += fmt::format("\n  {}: inputs {}; outputs {}", components_[i].name, offered(i, true),
                            offered(i, false));
    refuse_loop(
        fmt::format("nothing connects {}: write --connect COMPONENT.OUTPUT:COMPONENT.INPUT for each "
                    "connection{}",
                    component_names(), offers));
  }
  for (auto const& connection : connections) add_connection(connection);
}

void LoopStructure::add_component(std::string const& argument, ImportBackend backend) {
  std::error_code error;
  auto const equals = argument.find('=');
  bool const named = equals != std::string::npos && !std::filesystem::exists(argument, error);
  std::string const model = named ? argument.substr(equals + 1) : argument;
  if (named && (equals == 0 || element_name(argument.substr(0, equals)) != argument.substr(0, equals)))
    refuse_loop(
        fmt::format("'{}' is no name of a component; it has letters, digits and underscores, as in "
                    "left=plant.xml",
                    argument.substr(0, equals)));
  if (is_system_file(model))
    refuse_loop(
        fmt::format("{} is a system already; --connect is for scenes, controllers and FMUs, and more "
                    "connections of a system go into its .ssd",
                    model));
  ModelArgument const found = find_model(model);
  std::string const name =
      named ? argument.substr(0, equals) : element_name(std::filesystem::path(model).stem().string());
  for (Component const& other : components_) {
    if (other.name == name)
      refuse_loop(fmt::format("two components are called {0}; name them, as in {0}_1={1} {0}_2={2}", name,
                              other.argument, model));
  }
  auto loaded = std::make_shared<RunnableModel>(model, 0, found.is_fmu ? backend : ImportBackend::own);
  std::string const type = found.is_fmu      ? ""
                           : loaded->scene() ? std::string(scene_component_type)
                                             : std::string(controller_component_type);
  SignalTable signals(loaded->description());
  components_.push_back({.name = name,
                         .argument = model,
                         .file = found.file,
                         .is_example = !std::filesystem::exists(model, error),
                         .type = type,
                         .model = std::move(loaded),
                         .signals = std::move(signals)});
}

std::string LoopStructure::component_names() const {
  std::vector<std::string_view> names;
  for (Component const& each : components_) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Arrays by their names; of many, the first ones.
std::string LoopStructure::offered(std::size_t component, bool inputs) const {
  constexpr std::size_t most = 12;
  std::vector<std::string> names;
  for (Signal const& signal : components_[component].signals.signals()) {
    if ((inputs ? signal.is_input() : signal.is_output()) && signal.is_number()) {
      auto name = array_of(signal);
      if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
  }
  if (names.empty()) return "none";
  bool const cut = names.size() > most;
  if (cut) names.resize(most);
  return fmt::format("{}{}", fmt::join(names, ", "), cut ? ", ..." : "");
}

LoopStructure::End LoopStructure::find_end(std::string_view text) const {
  auto const dot = text.find('.');
  std::string_view const owner = text.substr(0, dot);
  auto const component = std::ranges::find(components_, owner, &Component::name);
  if (component == components_.end()) {
    for (Component const& each : components_) {
      try {
        each.signals.resolve(text);
      } catch (UnknownSignal const&) {
        continue;
      }
      refuse_loop(fmt::format("'{0}' names no component; did you mean '{1}.{0}'?", text, each.name));
    }
    std::vector<std::string_view> names;
    for (Component const& each : components_) names.push_back(each.name);
    auto const near = did_you_mean(owner, names);
    refuse_loop(fmt::format(
        "there is no component '{}'; {}", owner,
        near ? fmt::format("did you mean '{}'?", *near) : fmt::format("there are {}", component_names())));
  }
  auto const index = static_cast<std::size_t>(component - components_.begin());
  if (dot == std::string_view::npos || dot + 1 == text.size())
    refuse_loop(fmt::format("'{0}' is a component; write {0}.NAME. Its inputs are {1}; its outputs {2}",
                            owner, offered(index, true), offered(index, false)));
  std::string_view const name = text.substr(dot + 1);
  try {
    return {index, std::string(name), component->signals.resolve(name)};
  } catch (UnknownSignal const& error) {
    refuse_loop(fmt::format("{}: {}", owner, error.what()));
  }
}

// Names may have colons, too: the one that separates has a component and its variable on both sides.
std::pair<LoopStructure::End, LoopStructure::End> LoopStructure::find_ends(std::string const& text) const {
  std::vector<std::size_t> colons;
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1))
    colons.push_back(at);
  if (colons.empty())
    refuse_loop(
        "write COMPONENT.OUTPUT:COMPONENT.INPUT, such as plant.block.position:controller.measurement");
  auto const split = [&](std::size_t at) {
    return std::pair{find_end(std::string_view(text).substr(0, at)),
                     find_end(std::string_view(text).substr(at + 1))};
  };
  for (std::size_t const at : colons) {
    try {
      return split(at);
    } catch (CommandError const&) {
      if (colons.size() == 1) throw;
    }
  }
  return split(colons.front());
}

// The output first, whatever was written first.
void LoopStructure::demand_direction(End& from, End& to) const {
  auto const signal = [&](End const& end) -> Signal const& {
    return components_[end.component].signals[end.signals.front()];
  };
  for (End const* const end : {&from, &to}) {
    Signal const& each = signal(*end);
    if (each.is_input() || each.is_output()) continue;
    refuse_loop(
        each.causality.ends_with("arameter")
            ? fmt::format("{0} is a parameter, which keeps its value in a run; --set {0}=VALUE sets it",
                          full_name(*end))
            : fmt::format("{} is {} {} variable, which other components cannot see; outputs of {} are {}",
                          full_name(*end), each.causality == "independent" ? "an" : "a", each.causality,
                          components_[end->component].name, offered(end->component, false)));
  }
  if (signal(from).is_input()) std::swap(from, to);
  bool const inputs = signal(from).is_input();
  if (inputs == signal(to).is_input())
    refuse_loop(fmt::format("{} and {} are both {}; one end has to be an {}: {} has {}, {} has {}",
                            full_name(from), full_name(to), inputs ? "inputs" : "outputs",
                            inputs ? "output" : "input", components_[from.component].name,
                            offered(from.component, !inputs), components_[to.component].name,
                            offered(to.component, !inputs)));
}

// Whether numbers go over as they are.
bool LoopStructure::units_fit(End const& from, End const& to) {
  auto const unit = [&](End const& end) {
    Component const& component = components_[end.component];
    std::string const& name = component.signals[end.signals.front()].unit;
    return std::pair{name, name.empty() ? std::nullopt : meaning_of(component.model->description(), name)};
  };
  auto const [from_unit, from_meaning] = unit(from);
  auto const [to_unit, to_meaning] = unit(to);
  if (!from_meaning || !to_meaning) return false;
  UnitFit const fit = compare_units(*from_meaning, *to_meaning);
  if (fit == UnitFit::unlike)
    refuse_loop(
        fmt::format("{} is in {} and {} in {}: connect quantities of one dimension. Where the numbers "
                    "are meant, write a system structure, whose connections may have "
                    "suppressUnitConversion=\"true\"; of our controllers, `of` or `unit` sets the "
                    "quantity",
                    full_name(from), from_unit, full_name(to), to_unit));
  if (fit != UnitFit::dimensionless) return false;
  notes_.push_back(fmt::format("{} is in {} and {} in {}: numbers go over as they are", full_name(from),
                               from_unit == "1" ? "no unit" : from_unit, full_name(to),
                               to_unit == "1" ? "no unit" : to_unit));
  return true;
}

void LoopStructure::connect(End const& from, std::string const& from_name, End const& to,
                            std::string const& to_name, bool as_it_is, std::string const& option) {
  auto const declare = [&](End const& end, std::string const& name, char const* kind) {
    auto& component = components_[end.component];
    if (std::ranges::find(component.connectors, name, &Component::Connector::name) !=
        component.connectors.end())
      return;
    auto const scalar = component.signals.find(name);
    bool const whole = !scalar || component.signals[*scalar].name != name;
    component.connectors.push_back({name, kind, whole ? "" : connector_type(component.signals[*scalar])});
  };
  declare(from, from_name, "output");
  declare(to, to_name, "input");
  connections_.push_back({from.component, to.component, from_name, to_name, as_it_is, option});
}

void LoopStructure::add_connection(std::string const& text) {
  try {
    auto [from, to] = find_ends(text);
    demand_direction(from, to);
    auto const& sources = components_[from.component].signals;
    auto const& targets = components_[to.component].signals;
    if (from.signals.size() != to.signals.size()) {
      bool const longer = from.signals.size() > to.signals.size();
      End const& array = longer ? from : to;
      refuse_loop(fmt::format("{} has {} elements and {} has {}; name one element, such as {}.{}",
                              full_name(from), from.signals.size(), full_name(to), to.signals.size(),
                              components_[array.component].name,
                              components_[array.component].signals[array.signals.front()].name));
    }
    for (std::size_t const signal : to.signals) {
      auto const [earlier, is_new] = sources_.emplace(std::pair(to.component, signal), full_name(from));
      if (!is_new)
        refuse_loop(fmt::format("{}.{} gets its value from {} already; keep one of them",
                                components_[to.component].name, targets[signal].name, earlier->second));
    }
    bool const as_it_is = units_fit(from, to);
    // One variable with all its elements, as FMI 3 has them, stays one.
    auto const whole = [](SignalTable const& signals, End const& end) {
      return end.signals.size() > 1 && signals[end.signals.front()].size == end.signals.size();
    };
    if (whole(sources, from) && whole(targets, to)) {
      connect(from, from.name, to, to.name, as_it_is, text);
      return;
    }
    for (std::size_t i = 0; i < from.signals.size(); ++i)
      connect(from, sources[from.signals[i]].name, to, targets[to.signals[i]].name, as_it_is, text);
  } catch (CommandError const& error) {
    refuse_loop(fmt::format("--connect {}: {}", text, error.what()));
  }
}

std::vector<std::filesystem::path> LoopStructure::files() const {
  std::vector<std::filesystem::path> files;
  for (Component const& each : components_) files.push_back(each.file);
  return files;
}

CosimSystem LoopStructure::system(ImportBackend backend, std::vector<std::string>* warnings) const {
  auto const shown = std::filesystem::current_path() / "loop.ssd";
  std::vector<int> lines;
  auto const source = std::make_shared<const StructureSource>(
      StructureSource::Written{write("loop", shown.parent_path(), {}, &lines)}, shown);
  CosimSource read = read_cosim_source(source, backend);
  std::string errors;
  for (Finding const& finding : read.findings) {
    if (finding.severity == Severity::note) continue;
    auto const line = std::ranges::find(lines, finding.line);
    std::string const where =
        line == lines.end()
            ? ""
            : "--connect " + connections_[static_cast<std::size_t>(line - lines.begin())].option + ": ";
    std::string const text = where + finding.message + (finding.remedy.empty() ? "" : "; " + finding.remedy);
    if (finding.severity == Severity::error) {
      errors += (errors.empty() ? "" : "\n") + text;
    } else if (warnings != nullptr) {
      warnings->push_back(text);
    }
  }
  if (!errors.empty()) refuse_loop(errors);
  std::erase(read.system.files, shown);  // which nobody has read
  return std::move(read.system);
}

}  // namespace delassus
