#include "xml/fmi/terminals.hpp"

#include <map>
#include <set>

#include "fmu/table/outputs.hpp"
#include "model/equations/joint_rows.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// The standard demands that the terminal kinds of a tool begin with its name. They are not flanges of
// Modelica, which have no speed.
std::string kind_of(std::string const& name) {
  return "_Delassus.Mechanics." + name;
}

std::string body_kind(BodyType type) {
  switch (type) {
    case BodyType::slider:
      return kind_of("Slider");
    case BodyType::point:
      return kind_of("PointBody");
    case BodyType::planar:
      return kind_of("PlanarBody");
    case BodyType::rigid:
      return kind_of("RigidBody");
    case BodyType::fixed:
      return kind_of("FixedBody");
    case BodyType::prescribed:
      return kind_of("PrescribedBody");
  }
  return kind_of("Body");
}

class TerminalList {
 public:
  TerminalList(Scene const& scene, VariableTable const& table, int fmi_version)
      : scene_(scene), table_(table), fmi_version_(fmi_version) {
    int index = 0;
    for (OutputDefinition const& output : outputs_of(scene)) {
      output_index_[output.name] = index;
      index += output.size;
    }
  }

  std::vector<Terminal> take() {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) add_body(static_cast<int>(i));
    for (Contact const& contact : scene_.contacts) add_contact(contact);
    for (Joint const& joint : scene_.joints) add_joint(joint);
    return std::move(terminals_);
  }

 private:
  // The variable, whatever name the scene gave it; null if the scene hides it.
  Variable const* find(Storage storage, int index) const {
    for (Variable const& variable : table_.variables()) {
      if (variable.storage == storage && variable.index == index) return &variable;
    }
    return nullptr;
  }

  void add_member(Terminal& terminal, std::string const& name, Variable const* variable,
                  MemberKind kind = MemberKind::signal) const {
    if (variable == nullptr) return;
    if (fmi_version_ == 3 || !variable->array) {
      terminal.members.push_back({name, variable->name, kind});
      return;
    }
    for (int offset = 0; offset < variable->size; ++offset) {
      terminal.members.push_back({name + "[" + std::to_string(offset + 1) + "]",
                                  VariableTable::element_name(*variable, offset), kind});
    }
  }

  void add_output(Terminal& terminal, std::string const& of, std::string const& member) const {
    auto const found = output_index_.find(of + "." + member);
    if (found != output_index_.end()) add_member(terminal, member, find(Storage::output, found->second));
  }

  void add_body(int index) {
    Body const& body = scene_.bodies[static_cast<std::size_t>(index)];
    Terminal terminal{
        body.name, body_kind(body.type), "motion of " + body.name + ", and forces and torques on it", {}};
    for (char const* const member : {"position", "angle", "orientation"})
      add_output(terminal, body.name, member);
    for (char const* const member : {"velocity", "angular_velocity"}) add_output(terminal, body.name, member);
    for (MotionInput const& motion : scene_.motions) {
      if (motion.body == index)
        add_member(terminal, motion.angular ? "angular_velocity" : "velocity",
                   find(Storage::input, motion.first));
    }
    add_inputs(terminal, scene_.forces, "force",
               [&](ForceInput const& force) { return force.point.body == index; });
    add_inputs(terminal, scene_.torques, "torque",
               [&](TorqueInput const& torque) { return torque.body == index; });
    add(std::move(terminal));
  }

  // The only force of a body is its `force`; of several, each keeps its name.
  template <class Input, class Acts>
  void add_inputs(Terminal& terminal, std::vector<Input> const& inputs, std::string const& only,
                  Acts const& acts) const {
    int count = 0;
    for (Input const& input : inputs) count += acts(input) ? 1 : 0;
    for (Input const& input : inputs) {
      if (acts(input))
        add_member(terminal, count == 1 ? only : input.name, find(Storage::input, input.first),
                   MemberKind::inflow);
    }
  }

  void add_contact(Contact const& contact) {
    Terminal terminal{contact.name, kind_of("Contact"), "contact point of " + contact.name, {}};
    for (char const* const member : {"position", "velocity", "force", "world_force", "world_torque"})
      add_output(terminal, contact.name, member);
    add(std::move(terminal));
  }

  void add_joint(Joint const& joint) {
    if (joint.drive < 0) return;
    bool const angle = has_free_angle(joint.type);
    Terminal terminal{joint.name,
                      kind_of(angle ? "RotationalFlange" : "TranslationalFlange"),
                      "drive of joint " + joint.name,
                      {}};
    add_output(terminal, joint.name, angle ? "angle" : "position");
    add_output(terminal, joint.name, angle ? "angular_velocity" : "velocity");
    add_member(terminal, angle ? "torque" : "force", find(Storage::input, joint.drive), MemberKind::inflow);
    add(std::move(terminal));
  }

  void add(Terminal terminal) {
    if (terminal.members.empty()) return;
    // Siblings need different names, but elements of different kinds may share one.
    while (!names_.insert(terminal.name).second) terminal.name += "_terminal";
    terminals_.push_back(std::move(terminal));
  }

  Scene const& scene_;
  VariableTable const& table_;
  int fmi_version_;
  std::map<std::string, int> output_index_;  // by their original names
  std::set<std::string> names_;
  std::vector<Terminal> terminals_;
};

}  // namespace

std::vector<Terminal> terminals_of(Scene const& scene, VariableTable const& table, int fmi_version) {
  return TerminalList(scene, table, fmi_version).take();
}

std::string write_terminals_and_icons(std::vector<Terminal> const& terminals) {
  // The version is that of the standard that defines this file, also inside an FMU of FMI 2.
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n"
      "  <GraphicalRepresentation>\n"
      "    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" "
      "suggestedScalingFactorTo_mm=\"0.1\"/>\n"
      "    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
      "  </GraphicalRepresentation>\n";
  if (!terminals.empty()) text += "  <Terminals>\n";
  for (Terminal const& terminal : terminals) {
    text += "    <Terminal name=\"" + escape_markup(terminal.name) +
            "\" matchingRule=\"plug\" terminalKind=\"" + escape_markup(terminal.kind) + "\" description=\"" +
            escape_markup(terminal.description) + "\">\n";
    for (TerminalMember const& member : terminal.members) {
      text += "      <TerminalMemberVariable variableName=\"" + escape_markup(member.variable_name) +
              "\" memberName=\"" + escape_markup(member.name) + "\" variableKind=\"" +
              (member.kind == MemberKind::inflow ? "inflow" : "signal") + "\"/>\n";
    }
    text += "    </Terminal>\n";
  }
  if (!terminals.empty()) text += "  </Terminals>\n";
  return text + "</fmiTerminalsAndIcons>\n";
}

}  // namespace delassus
