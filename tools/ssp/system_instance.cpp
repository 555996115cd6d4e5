#include "tools/ssp/system_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/language/vocabulary.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rules.hpp"
#include "xml/ssp/unit_conversion.hpp"

namespace delassus {
namespace {

// More is a structure that multiplies itself by references: no system of anyone has as many.
constexpr std::size_t most_elements = 100'000, most_structures = 1'000;

bool starts_like_archive(std::filesystem::path const& file) {
  return find_model(file.string()).is_fmu;
}

bool type_fits(std::string_view connector, std::string const& variable) {
  auto const value_type = structure_value_type(connector);
  if (connector == "Real") return variable.starts_with("Float");  // SSP 1.0 has no other words
  if (connector == "Integer") return variable.find("Int") != std::string::npos;
  return value_type == variable;
}

bool kind_fits(std::string const& kind, Signal const& signal) {
  if (kind == "constant") return signal.variability == "constant";
  if (kind == "unspecified") return true;  // reported as such
  return kind == signal.causality;
}

// Under that very name, and not as an element or an array of our own making.
bool is_variable(CosimComponent const& component, std::string const& name) {
  return std::ranges::any_of(
      component.model->description().variables, [&](DescribedVariable const& variable) {
        return variable.name == name ||
               std::ranges::any_of(variable.aliases,
                                   [&](DescribedVariable::Alias const& alias) { return alias.name == name; });
      });
}

class Instantiation {
 public:
  Instantiation(CosimSystem& system, FindingList& findings, ImportBackend backend)
      : system_(system), findings_(findings), backend_(backend) {}

  std::unique_ptr<SystemInstance> run(std::shared_ptr<const StructureSource> source) {
    for (auto& finding : check_structure(source->structure())) findings_.add(std::move(finding));
    system_.files.push_back(source->file());
    auto root = std::make_unique<SystemInstance>();
    root->element = &source->structure().system;
    root->name = root->element->name;
    root->scope = std::move(source);
    add_children(*root);
    return root;
  }

 private:
  void report(SystemInstance const& where, std::string_view rule, int line, std::string message,
              std::string remedy) {
    findings_.add(rule, where.file(), line, std::move(message), std::move(remedy));
  }

  void add_children(SystemInstance& parent) {
    for (auto const& element : parent.element->elements) {
      if (++elements_ > most_elements) {
        report(parent, "component-source", element.line,
               fmt::format("there are more than {} elements", most_elements),
               "look for systems that refer to each other many times");
        return;
      }
      if (element.kind == StructureElement::Kind::signal_dictionary_reference) continue;  // reported
      auto child = std::make_unique<SystemInstance>();
      child->element = &element;
      child->scope = parent.scope;
      child->parent = &parent;
      child->name = element.name;
      child->path = parent.path.empty() ? element.name : parent.path + "." + element.name;
      if (element.is_system()) {
        add_children(*child);
      } else if (!add_component(*child)) {
        continue;
      }
      parent.children.push_back(std::move(child));
    }
  }

  bool add_component(SystemInstance& instance) {
    StructureElement const& element = *instance.element;
    if (!element.source) {
      report(instance, "component-source", element.line,
             fmt::format("the component \"{}\" has no source, so there is nothing to run", element.name),
             "add source=\"...\", the name of an FMU");
      return false;
    }
    try {
      bool const same_document = element.source->starts_with('#');
      if (same_document || element.type == structure_component_type || element.type == package_component_type)
        return add_structure(instance, same_document);
      return add_model(instance);
    } catch (StructureError const& error) {
      findings_.add("component-source", error.file(), error.line(),
                    error.file() == instance.file()
                        ? fmt::format("the component \"{}\": {}", element.name, error.message())
                        : error.message(),
                    "");
    } catch (std::exception const& error) {
      report(instance, "component-source", element.line,
             fmt::format("the component \"{}\": {}", element.name, error.what()), "");
    }
    return false;
  }

  // As if the system of the other structure stood here instead of the component.
  bool add_structure(SystemInstance& instance, bool same_document) {
    StructureElement const& reference = *instance.element;
    auto const fragment = uri_fragment(*reference.source);
    StructureElement const* system = nullptr;
    if (same_document) {
      system = instance.scope->structure().system_with_id(fragment);
      if (system == nullptr)
        throw StructureError(instance.file(), reference.line,
                             fmt::format("no system here has id=\"{}\"", fragment));
    } else {
      if (++structures_ > most_structures)
        throw StructureError(instance.file(), reference.line,
                             fmt::format("there are more than {} structures in it", most_structures));
      auto source = instance.scope->inner(*reference.source, reference.line);
      for (auto& finding : check_structure(source->structure())) findings_.add(std::move(finding));
      system = &source->structure().system;
      if (!instance.scope->is_package()) system_.files.push_back(source->file());
      instance.scope = std::move(source);
    }
    for (auto const* outer = instance.parent; outer != nullptr; outer = outer->parent) {
      if (outer->element == system ||
          (!same_document && outer->scope->location() == instance.scope->location()))
        throw StructureError(instance.parent->file(), reference.line,
                             "the structure has itself as a component");
    }
    instance.reference = &reference;
    instance.element = system;
    add_children(instance);
    return true;
  }

  bool add_model(SystemInstance& instance) {
    StructureElement const& element = *instance.element;
    bool const is_fmu = element.type == fmu_component_type;
    if (!is_fmu && element.type != scene_component_type && element.type != controller_component_type) {
      constexpr std::string_view known[] = {fmu_component_type, structure_component_type,
                                            package_component_type, scene_component_type,
                                            controller_component_type};
      auto const near = did_you_mean(element.type, known);
      report(instance, "component-type", element.line,
             fmt::format("the component \"{}\" has the type {}, which cannot be run here", element.name,
                         element.type),
             near ? fmt::format("write type=\"{}\"", *near)
                  : fmt::format("leave type out for an FMU, or write {}", scene_component_type));
      return false;
    }
    std::string argument;
    if (!is_fmu && element.source->starts_with(example_scheme)) {
      argument = element.source->substr(example_scheme.size());
    } else {
      instance.source_file = instance.scope->resolve(*element.source, element.line);
      argument = instance.source_file.string();
      if (!instance.scope->is_package()) system_.files.push_back(instance.source_file);
      if (is_fmu != starts_like_archive(instance.source_file))
        throw StructureError(
            instance.file(), element.line,
            is_fmu ? fmt::format("\"{}\" is no FMU; for a scene write type=\"{}\"", *element.source,
                                 scene_component_type)
                   : fmt::format("\"{}\" is an FMU; leave type=\"{}\" out", *element.source, element.type));
    }
    auto& model = models_[argument];
    if (!model) model = std::make_shared<RunnableModel>(argument, 0, is_fmu ? backend_ : ImportBackend::own);
    int const version = model->description().version;
    if (version != 2 && version != 3)
      throw StructureError(
          instance.file(), element.line,
          fmt::format("\"{}\" is of a version of FMI that is not supported; FMI 2.0 and 3.0 are",
                      *element.source));
    CosimComponent component{.name = instance.path,
                             .model = model,
                             .signals = SignalTable(model->description()),
                             .settings = {},
                             .kind = kind_of(instance, *model),
                             .source = *element.source,
                             .line = element.line};
    check_connectors(instance, component);
    instance.component = system_.components.size();
    system_.components.push_back(std::move(component));
    return true;
  }

  std::optional<InterfaceKind> kind_of(SystemInstance const& instance, RunnableModel const& model) {
    auto const& wanted = instance.element->implementation;
    bool const known = wanted == "CoSimulation" || wanted == "ModelExchange";
    if (wanted == "ScheduledExecution") {
      report(instance, "structure-supported", instance.element->line,
             fmt::format("the component \"{}\" asks for Scheduled Execution", instance.name),
             "write implementation=\"CoSimulation\" or \"ModelExchange\"");
    } else if (known && model.description().interface(wanted) == nullptr) {
      std::string offered;
      for (auto const& each : model.description().interfaces)
        offered += (offered.empty() ? "" : ", ") + each.kind;
      report(instance, "component-implementation", instance.element->line,
             fmt::format("the component \"{}\" asks for {}, and its source offers {}", instance.name, wanted,
                         offered.empty() ? "nothing" : offered),
             "write implementation=\"any\", or export the FMU with it");
    }
    // A scene in this process is stepped as such.
    if (!known || model.runs_in_process()) return std::nullopt;
    return wanted == "ModelExchange" ? InterfaceKind::model_exchange : InterfaceKind::co_simulation;
  }

  void check_connectors(SystemInstance const& instance, CosimComponent const& component) {
    for (auto const& connector : instance.element->connectors) {
      auto const who = fmt::format("\"{}.{}\"", instance.name, connector.name);
      auto const signals = component_signals(component, connector.name);
      if (signals.empty()) {
        report(instance, "connector-variable", connector.line,
               fmt::format("{} is no variable of {}", who, component.source.string()),
               near_signal(component, connector.name, "`delassus describe` lists the variables"));
        continue;
      }
      if (!component.model->runs_in_process() && !is_variable(component, connector.name))
        report(instance, "connector-scalar", connector.line,
               fmt::format("{} is {} of {}, which other tools do not know by that name", who,
                           signals.size() > 1 ? "an array" : "an element of an array",
                           component.source.string()),
               signals.size() > 1 ? "connect its elements, such as " + component.signals[signals.front()].name
                                  : "connect the array as a whole, or use FMI 2");
      Signal const& signal = component.signals[signals.front()];
      if (!kind_fits(connector.kind, signal))
        report(instance, "connector-causality", connector.line,
               fmt::format("{} is of kind {}, and the variable is {}", who, connector.kind, signal.causality),
               fmt::format("write kind=\"{}\"", signal.causality));
      if (!connector.type.empty() && !type_fits(connector.type, signal.type))
        report(instance, "connector-type", connector.line,
               fmt::format("{} is of type {}, and the variable is {}", who, connector.type, signal.type),
               "give the connector the type of its variable, or none");
      if (connector.size && *connector.size != signals.size())
        report(
            instance, "connector-type", connector.line,
            fmt::format("{} has {} elements, and the variable has {}", who, *connector.size, signals.size()),
            "give the connector the dimensions of its variable, or none");
      check_unit(instance, component, connector, signal);
    }
  }

  void check_unit(SystemInstance const& instance, CosimComponent const& component,
                  StructureConnector const& connector, Signal const& signal) {
    if (connector.unit.empty() || signal.unit.empty()) return;
    auto const said = meaning_of(instance.scope->structure().units, connector.unit);
    auto const real = meaning_of(component.model->description(), signal.unit);
    if (!said || !real || compare_units(*said, *real) != UnitFit::unlike) return;
    report(instance, "connector-unit", connector.line,
           fmt::format("\"{}.{}\" has the unit {} ({}), and the variable has {} ({})", instance.name,
                       connector.name, connector.unit, dimension_text(*said), signal.unit,
                       dimension_text(*real)),
           "write the unit of the variable, or one of the same dimension");
  }

  CosimSystem& system_;
  FindingList& findings_;
  ImportBackend backend_;
  std::size_t elements_ = 0, structures_ = 0;
  std::map<std::string, std::shared_ptr<RunnableModel>> models_;
};

}  // namespace

void FindingList::add(Finding finding) {
  bool const known = std::ranges::any_of(findings_, [&](Finding const& each) {
    return each.rule == finding.rule && each.file == finding.file && each.line == finding.line &&
           each.message == finding.message;
  });
  if (!known) findings_.push_back(std::move(finding));
}

void FindingList::add(std::string_view rule, std::string const& file, int line, std::string message,
                      std::string remedy) {
  add(structure_finding(rule, file, line, std::move(message), std::move(remedy)));
}

void FindingList::add_tolerated(std::string_view rule, std::string const& file, int line, std::string message,
                                std::string remedy) {
  auto finding = structure_finding(rule, file, line, std::move(message), std::move(remedy));
  finding.tolerated = true;
  add(std::move(finding));
}

bool FindingList::has_errors() const {
  return std::ranges::any_of(
      findings_, [](Finding const& each) { return each.severity == Severity::error && !each.tolerated; });
}

std::vector<Finding> FindingList::take() {
  std::map<std::string, std::size_t> order;
  for (auto const& finding : findings_) order.emplace(finding.file, order.size());
  std::ranges::stable_sort(
      findings_, {}, [&](Finding const& finding) { return std::pair(order.at(finding.file), finding.line); });
  return std::move(findings_);
}

SystemInstance const* SystemInstance::child(std::string_view child_name) const {
  for (auto const& each : children) {
    if (each->name == child_name) return each.get();
  }
  return nullptr;
}

std::unique_ptr<SystemInstance> instantiate_structure(std::shared_ptr<const StructureSource> source,
                                                      CosimSystem& system, FindingList& findings,
                                                      ImportBackend backend) {
  return Instantiation(system, findings, backend).run(std::move(source));
}

std::vector<std::size_t> component_signals(CosimComponent const& component, std::string_view name) {
  try {
    return component.signals.resolve(name);
  } catch (UnknownSignal const&) {
    for (auto const& variable : component.model->description().variables) {
      for (auto const& alias : variable.aliases) {
        if (alias.name == name) return component.signals.resolve(variable.name);
      }
    }
  }
  return {};
}

std::string near_signal(CosimComponent const& component, std::string_view name,
                        std::string const& otherwise) {
  std::vector<std::string_view> known;
  for (auto const& signal : component.signals.signals()) known.push_back(signal.name);
  // What a scene has on request is not what is spelt like it.
  if (auto const hint = suggested_names(name, known); hint.starts_with("; a scene has it"))
    return hint.substr(2);
  auto const near = did_you_mean(name, known);
  return near ? fmt::format("write \"{}\"", *near) : otherwise;
}

}  // namespace delassus
