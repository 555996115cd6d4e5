#include "xml/fmi/companion_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "model/language/vocabulary.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

constexpr Rule companion_rule_table[] = {
    {"xml-encoding", Severity::error, "XML files are encoded in UTF-8 and say so"},
    {"companion-readable", Severity::error,
     "terminalsAndIcons.xml, buildDescription.xml and manifests are well-formed, harmless and have their "
     "root "
     "element"},
    {"companion-name", Severity::error,
     "their elements and attributes are those of the standard, with values that fit"},
    {"companion-version", Severity::error,
     "their fmiVersion is that of the description; in FMI 2, which takes them from FMI 3, one of FMI 3"},
    {"terminal-name", Severity::error, "terminals have names, unique among siblings"},
    {"terminal-variable", Severity::error, "members of terminals are variables of the description"},
    {"terminal-member", Severity::error, "members of a plug or bus have names, unique in their terminal"},
    {"terminal-causality", Severity::error,
     "signals and flows in terminals are inputs, outputs, parameters or calculated parameters"},
    {"terminal-stream", Severity::error, "a terminal with stream members has exactly one inflow or outflow"},
    {"terminal-icon", Severity::error, "the picture of a terminal is a .png file in terminalsAndIcons"},
    {"build-configuration", Severity::error,
     "a build configuration has the modelIdentifier of an interface type and source files; at most one for "
     "each "
     "has no platform"},
    {"build-source", Severity::error, "source files that are listed exist"},
    {"manifest", Severity::warning,
     "a layered standard's manifest has fmi-ls-name, the name of its folder, and fmi-ls-version"},
};

// Elements of these files, in the form of the rows of standard.cpp: parent, name, attributes.
struct CompanionElement {
  std::string_view parent, name, attributes;
};

constexpr CompanionElement terminal_rows[] = {
    {"", "fmiTerminalsAndIcons", "fmiVersion*"},
    {"fmiTerminalsAndIcons", "GraphicalRepresentation", ""},
    {"GraphicalRepresentation", "CoordinateSystem",
     "x1*:number y1*:number x2*:number y2*:number suggestedScalingFactorTo_mm*:number"},
    {"GraphicalRepresentation", "Icon", "x1*:number y1*:number x2*:number y2*:number"},
    {"fmiTerminalsAndIcons", "Terminals", ""},
    {"Terminals", "Terminal", "name* matchingRule* terminalKind description"},
    {"Terminal", "Terminal", "name* matchingRule* terminalKind description"},
    {"Terminal", "TerminalMemberVariable", "variableName* memberName variableKind*"},
    {"Terminal", "TerminalStreamMemberVariable",
     "inStreamMemberName* outStreamMemberName* inStreamVariableName* outStreamVariableName*"},
    {"Terminal", "TerminalGraphicalRepresentation",
     "defaultConnectionColor:unsigneds defaultConnectionStrokeSize:number x1*:number y1*:number x2*:number "
     "y2*:number iconBaseName*"},
};

constexpr CompanionElement build_rows[] = {
    {"", "fmiBuildDescription", "fmiVersion*"},
    {"fmiBuildDescription", "BuildConfiguration", "modelIdentifier* platform description"},
    {"BuildConfiguration", "SourceFileSet", "name language compiler compilerOptions"},
    {"SourceFileSet", "SourceFile", "name*"},
    {"SourceFileSet", "PreprocessorDefinition", "name* optional:boolean value description"},
    {"PreprocessorDefinition", "Option", "value description"},
    {"SourceFileSet", "IncludeDirectory", "name*"},
    {"BuildConfiguration", "Library", "name* version external:boolean description"},
};

class Companion {
 public:
  Companion(std::string const& text, std::string file, std::string_view root) : file_(std::move(file)) {
    try {
      root_ = read_tree(text, description_limits);
    } catch (XmlError const& failure) {
      report("companion-readable", failure.line(), failure.what(), "correct the XML");
      return;
    }
    if (!root.empty() && root_.name != root) {
      report("companion-readable", root_.line, "the root element is <" + root_.name + ">",
             "write <" + std::string{root} + "> as the root element");
      return;
    }
    readable_ = true;
  }

  bool readable() const { return readable_; }
  SourceElement const& root() const { return root_; }

  void report(std::string_view rule, int line, std::string message, std::string remedy) {
    auto const found = std::ranges::find(companion_rule_table, rule, &Rule::name);
    if (found == std::end(companion_rule_table))
      throw std::logic_error("no rule is named " + std::string{rule});
    findings_.push_back(
        {std::string{rule}, found->severity, file_, line, std::move(message), std::move(remedy)});
  }

  void check_names(std::span<const CompanionElement> table) { check_names(table, root_, ""); }

  void check_version(ModelDescription const& description) {
    auto const version = attribute(root_, "fmiVersion");
    auto const expected = description.attributes.find("fmiVersion");
    if (version.empty()) return;
    if (description.version == 2 && !version.starts_with("3."))
      report(
          "companion-version", root_.line,
          "fmiVersion=\"" + version + "\", and FMI 2.0.4 takes this file from FMI 3, whose version it names",
          "write fmiVersion=\"3.0\"");
    if (description.version != 3 || expected == description.attributes.end() || version == expected->second)
      return;
    report("companion-version", root_.line,
           "fmiVersion=\"" + version + "\", and modelDescription.xml has \"" + expected->second + "\"",
           "write fmiVersion=\"" + expected->second + "\"");
  }

  std::vector<Finding> take() {
    std::ranges::stable_sort(findings_, {}, &Finding::line);
    return std::move(findings_);
  }

  static std::string attribute(SourceElement const& element, std::string_view name) {
    for (auto const& each : element.attributes) {
      if (each.name == name) return each.value;
    }
    return {};
  }

 private:
  void check_names(std::span<const CompanionElement> table, SourceElement const& element,
                   std::string const& parent) {
    if (element.name == "Annotations" || element.name.find(':') != std::string::npos) return;
    auto const row = std::ranges::find_if(table, [&](CompanionElement const& each) {
      return each.parent == parent && each.name == element.name;
    });
    if (row == table.end()) {
      report("companion-name", element.line,
             "<" + element.name + "> inside <" + parent + "> is not in the standard",
             "remove it, or move it to the place that the schema gives it");
      return;
    }
    std::vector<StandardAttribute> known;
    std::vector<std::string_view> names;
    for (auto const word : split_at_blanks(row->attributes)) {
      known.push_back(parse_standard_attribute(word));
      names.push_back(known.back().name);
    }
    for (auto const& attribute : known) {
      bool const there = std::ranges::any_of(
          element.attributes, [&](SourceAttribute const& each) { return each.name == attribute.name; });
      if (attribute.required && !there)
        report("companion-name", element.line, "<" + element.name + "> has no " + std::string{attribute.name},
               "add the attribute " + std::string{attribute.name});
    }
    for (auto const& [name, value] : element.attributes) {
      if (name.find(':') != std::string::npos) continue;
      auto const found = std::ranges::find(known, std::string_view{name}, &StandardAttribute::name);
      if (found == known.end()) {
        auto const near = did_you_mean(name, names);
        report("companion-name", element.line, "<" + element.name + "> has the attribute " + name,
               near ? "write " + std::string{*near} : "remove it");
      } else if (auto const expected = expected_instead(*found, value)) {
        report("companion-name", element.line, "<" + element.name + "> has " + name + "=\"" + value + "\"",
               "write " + *expected);
      }
    }
    for (auto const& child : element.children) check_names(table, child, element.name);
  }

  std::string file_;
  SourceElement root_;
  bool readable_ = false;
  std::vector<Finding> findings_;
};

class TerminalCheck {
 public:
  TerminalCheck(Companion& companion, CompanionContext const& context)
      : companion_(companion), context_(context) {
    for (auto const& variable : context.description.variables) {
      causalities_.emplace(variable.name, variable.effective_causality());
      for (auto const& alias : variable.aliases)
        causalities_.emplace(alias.name, variable.effective_causality());
    }
  }

  void check_siblings(SourceElement const& parent) {
    std::set<std::string> names;
    for (auto const& terminal : parent.children) {
      if (terminal.name != "Terminal") continue;
      auto const name = Companion::attribute(terminal, "name");
      if (name.empty() || !names.insert(name).second) {
        companion_.report(
            "terminal-name", terminal.line,
            name.empty() ? "a terminal has no name" : "the terminal \"" + name + "\" is there twice",
            "give every terminal a name that no sibling has");
      }
      check(terminal);
      check_siblings(terminal);
    }
  }

 private:
  void check(SourceElement const& terminal) {
    auto const rule = Companion::attribute(terminal, "matchingRule");
    auto const who = "the terminal \"" + Companion::attribute(terminal, "name") + "\"";
    std::set<std::string> members;
    int flows = 0, streams = 0;
    for (auto const& child : terminal.children) {
      if (child.name == "TerminalMemberVariable") {
        auto const member = Companion::attribute(child, "memberName");
        if ((rule == "plug" || rule == "bus") && (member.empty() || !members.insert(member).second)) {
          companion_.report("terminal-member", child.line,
                            who + (member.empty() ? " has a member without memberName"
                                                  : " has the member \"" + member + "\" twice"),
                            "give each member of a plug or bus a memberName of its own");
        }
        auto const kind = Companion::attribute(child, "variableKind");
        flows += kind == "inflow" || kind == "outflow" ? 1 : 0;
        check_variable(child, "variableName", who, kind == "signal" || kind == "inflow" || kind == "outflow");
      } else if (child.name == "TerminalStreamMemberVariable") {
        ++streams;
        check_variable(child, "inStreamVariableName", who, false);
        check_variable(child, "outStreamVariableName", who, false);
      } else if (child.name == "TerminalGraphicalRepresentation") {
        check_icon(child, who);
      }
    }
    if (streams > 0 && flows != 1) {
      companion_.report(
          "terminal-stream", terminal.line,
          who + " has stream members and " + std::to_string(flows) + " members of kind inflow or outflow",
          "write exactly one member with variableKind=\"inflow\" or \"outflow\"");
    }
  }

  void check_variable(SourceElement const& element, std::string_view attribute, std::string const& who,
                      bool restricted) {
    auto const name = Companion::attribute(element, attribute);
    if (name.empty()) return;  // `companion-name`
    auto const found = causalities_.find(name);
    if (found == causalities_.end()) {
      std::vector<std::string_view> known;
      for (auto const& [each, causality] : causalities_) known.push_back(each);
      auto const near = did_you_mean(name, known);
      companion_.report("terminal-variable", element.line,
                        who + " has the variable \"" + name + "\", which the description does not have",
                        near ? "write " + std::string{*near} : "write the name of a variable");
    } else if (restricted && found->second != "input" && found->second != "output" &&
               found->second != "parameter" && found->second != "calculatedParameter") {
      companion_.report("terminal-causality", element.line,
                        who + " has the variable \"" + name + "\" of causality " + found->second,
                        "list inputs, outputs, parameters and calculated parameters");
    }
  }

  void check_icon(SourceElement const& element, std::string const& who) {
    auto const base = Companion::attribute(element, "iconBaseName");
    if (base.empty()) return;
    if (base.find("..") != std::string::npos || base.starts_with('/') ||
        base.find(':') != std::string::npos || !context_.has_entry("terminalsAndIcons/" + base + ".png")) {
      companion_.report(
          "terminal-icon", element.line,
          who + " has iconBaseName=\"" + base + "\", and there is no terminalsAndIcons/" + base + ".png",
          "add the picture, or write the name of one without its extension");
    }
  }

  Companion& companion_;
  CompanionContext const& context_;
  std::map<std::string, std::string, std::less<>> causalities_;
};

void check_configuration(Companion& companion, SourceElement const& configuration,
                         CompanionContext const& context, std::set<std::string>& without_platform) {
  auto const identifier = Companion::attribute(configuration, "modelIdentifier");
  auto const report = [&](std::string message, std::string remedy) {
    companion.report("build-configuration", configuration.line, std::move(message), std::move(remedy));
  };
  bool const known = std::ranges::any_of(context.description.interfaces, [&](DescribedInterface const& each) {
    return each.model_identifier() == identifier;
  });
  if (!identifier.empty() && !known) {
    report("modelIdentifier=\"" + identifier + "\" matches no interface type in modelDescription.xml",
           "write the modelIdentifier of the interface type that it builds");
  }
  if (Companion::attribute(configuration, "platform").empty() &&
      !without_platform.insert(identifier).second) {
    report("two configurations for \"" + identifier + "\" have no platform",
           "leave one of them without, and name the platform of the others");
  }
  bool has_set = false;
  for (auto const& set : configuration.children) {
    if (set.name != "SourceFileSet") continue;
    has_set = true;
    for (auto const& file : set.children) {
      if (file.name != "SourceFile") continue;
      auto const name = Companion::attribute(file, "name");
      if (name.empty() || context.has_entry("sources/" + name)) continue;
      companion.report("build-source", file.line, "sources/" + name + " is not in the FMU",
                       "add the file, or correct its name: it is relative to sources/");
    }
  }
  if (!has_set) report("a build configuration has no <SourceFileSet>", "add the source files");
}

// The value of an attribute, whatever the prefix of its name space is.
std::string local_attribute(SourceElement const& element, std::string_view name) {
  for (auto const& [full, value] : element.attributes) {
    auto const colon = full.find(':');
    if (full.substr(colon == std::string::npos ? 0 : colon + 1) == name) return value;
  }
  return {};
}

}  // namespace

std::span<const Rule> companion_rules() {
  return companion_rule_table;
}

std::vector<Finding> check_terminals(std::string const& text, std::string const& file,
                                     CompanionContext const& context) {
  Companion companion(text, file, "fmiTerminalsAndIcons");
  if (!companion.readable()) return companion.take();
  companion.check_names(terminal_rows);
  companion.check_version(context.description);
  TerminalCheck terminals(companion, context);
  for (auto const& section : companion.root().children) {
    if (section.name == "Terminals") terminals.check_siblings(section);
  }
  return companion.take();
}

std::vector<Finding> check_build_description(std::string const& text, std::string const& file,
                                             CompanionContext const& context) {
  Companion companion(text, file, "fmiBuildDescription");
  if (!companion.readable()) return companion.take();
  companion.check_names(build_rows);
  companion.check_version(context.description);
  std::set<std::string> without_platform;
  bool found = false;
  for (auto const& configuration : companion.root().children) {
    if (configuration.name != "BuildConfiguration") continue;
    found = true;
    check_configuration(companion, configuration, context, without_platform);
  }
  if (!found)
    companion.report("build-configuration", companion.root().line, "there is no <BuildConfiguration>",
                     "add one");
  return companion.take();
}

std::vector<Finding> check_manifest(std::string const& text, std::string const& file,
                                    std::string const& folder) {
  Companion companion(text, file, "");
  if (!companion.readable()) return companion.take();
  auto const& root = companion.root();
  auto const name = local_attribute(root, "fmi-ls-name");
  for (auto const* const required : {"fmi-ls-name", "fmi-ls-version"}) {
    bool const there = std::ranges::any_of(root.attributes, [&](SourceAttribute const& each) {
      return each.name.ends_with(std::string(":") + required) || each.name == required;
    });
    if (!there) {
      companion.report("manifest", root.line, "the manifest has no " + std::string(required),
                       "add the attribute, in the name space http://fmi-standard.org/fmi-ls-manifest");
    }
  }
  if (!name.empty() && name != folder) {
    companion.report("manifest", root.line, "the layered standard \"" + name + "\" stands in extra/" + folder,
                     "put it into extra/" + name);
  }
  return companion.take();
}

}  // namespace delassus
