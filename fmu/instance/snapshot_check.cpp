#include "fmu/instance/snapshot_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fmu/content/parameter_check.hpp"
#include "fmu/instance/state_check.hpp"
#include "model/language/vocabulary.hpp"

namespace delassus {
namespace {

// Far above what ends a run (RunLimits::unsolved_steps).
constexpr int most_unsolved_steps = 1'000'000;

template <class... Numbers>
bool all_finite(Numbers... numbers) {
  return (std::isfinite(numbers) && ...);
}

// m, rad, m/s or rad/s: from here on squares are not finite. Nothing that is seen has a size of 1e150 m.
constexpr double largest_state = 1e150;

// s. Steps of the adaptive stepper are a hundredth of a second at most.
constexpr double longest_interval = 1;

bool is_whole_between(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

// What a snapshot of this model refers to, and how many there are of each.
class SnapshotCheck {
 public:
  explicit SnapshotCheck(SceneModel const& model)
      : model_(model), scene_(model.scene()), sources_(model.system().mode_sources()) {
    for (ModeSource const& source : sources_)
      functions_ += (source.unilateral ? 1U : 0U) + (source.frictional ? 1U : 0U);
    states_ =
        static_cast<std::size_t>(scene_.configuration_size) + static_cast<std::size_t>(scene_.velocity_size);
  }

  void check(Snapshot const& s) const {
    check_state(s, scene_.parameters, static_cast<std::size_t>(scene_.input_size));
    check_size("seen values of inputs", s.inputs_seen.size(), s.inputs.size());
    demand_finite(s.inputs_seen, "an input");
    if (has_run(s.phase)) {
      if (std::string const problem = problem_with_parameters(scene_, s.parameters); !problem.empty())
        refuse_state(problem);
      demand_in_state(s.motion_current, "it runs, and its motion belongs to other parameters");
    }
    check_settings(s.settings);
    check_held(s);
    check_motion(s);
    check_stepper(s.stepper);
    if (s.stepper.has_interval && !s.model_exchange && has_run(s.phase) &&
        s.settings[0] == static_cast<double>(StepperKind::relaxed))
      check_interval(s.stepper);
  }

 private:
  static void demand_finite(std::vector<double> const& values, char const* what) {
    try {
      check_finite(values, what);
    } catch (std::runtime_error const& error) {
      refuse_state(error.what());
    }
  }

  static void demand_states(std::vector<double> const& x) {
    demand_finite(x, "a state");
    demand_in_state(
        std::all_of(x.begin(), x.end(), [](double each) { return std::abs(each) < largest_state; }),
        "a state is larger than any number whose square is finite");
  }

  static void check_settings(SettingValues const& values) {
    Element const& element = *find_element("scene", "solver");
    for (std::size_t i = 0; i < values.size(); ++i) {
      Attribute const& attribute = *find_attribute(element, setting_names[i]);
      bool const fits =
          attribute.enumeration
              ? is_whole_between(values[i], 1, static_cast<double>(attribute.enumeration()->items.size()))
              : std::isfinite(values[i]) && attribute.range.contains(values[i]);
      if (!fits)
        refuse_state("its solver." + std::string(setting_names[i]) + " is " + std::to_string(values[i]));
    }
  }

  void check_events(EventValues const& events, bool may_be_unset) const {
    auto const of = [&](EventValue which) { return events[static_cast<std::size_t>(which)]; };
    constexpr double most = std::numeric_limits<int>::max();
    demand_in_state(is_whole_between(of(EventValue::count), 0, most), "its number of events is none");
    demand_in_state(std::isfinite(of(EventValue::time)), "the time of its last event is not finite");
    demand_in_state(is_whole_between(of(EventValue::source), 0, static_cast<double>(sources_.size())),
                    "the source of its last event is none");
    auto const kinds = static_cast<double>(contact_event_enumeration().items.size());
    demand_in_state(is_whole_between(of(EventValue::kind), may_be_unset ? 0 : 1, kinds),
                    "the kind of its last event is none");
  }

  // Outputs that are held: those that are not real are read as integers.
  void check_held(Snapshot const& s) const {
    check_events(s.events, false);
    check_events(s.held_events, s.held_outputs.empty());
    if (s.held_outputs.empty()) return;
    std::size_t size = 0;
    for (OutputDefinition const& output : model_.outputs()) size += static_cast<std::size_t>(output.size);
    check_size("held outputs", s.held_outputs.size(), size);
    std::size_t next = 0;
    for (OutputDefinition const& output : model_.outputs()) {
      for (int i = 0; i < output.size; ++i, ++next) {
        if (output.type == VariableType::real) continue;
        double const most = output.enumeration ? static_cast<double>(output.enumeration->items.size())
                                               : static_cast<double>(std::numeric_limits<int>::max());
        if (!is_whole_between(s.held_outputs[next], output.enumeration ? 1 : -most, most))
          refuse_state("it holds the output '" + output.name + "' at " +
                       std::to_string(s.held_outputs[next]));
      }
    }
  }

  void check_motion(Snapshot const& s) const {
    demand_in_state(std::isfinite(s.stepper.t), "its time is not finite");
    check_size("states", s.stepper.x.size(), states_);
    demand_states(s.stepper.x);
    // A host that integrates may leave any quaternion; a stepper leaves one that is near 1.
    if (s.model_exchange || !s.motion_current) return;
    for (Body const& body : scene_.bodies) {
      if (body.coordinates != 7) continue;
      double square = 0;
      for (int k = 3; k < 7; ++k) {
        double const part = s.stepper.x[static_cast<std::size_t>(body.first_coordinate + k)];
        square += part * part;
      }
      if (!(square > 0.25 && square < 4))
        refuse_state("the orientation of body '" + body.name + "' is no unit quaternion");
    }
  }

  void check_stepper(StepperState const& s) const {
    check_forces(s.lambda);
    for (BlockParadox const& each : s.paradoxes)
      demand_in_state(each.paradox >= Paradox::regular && each.paradox <= Paradox::inconsistent,
                      "it has an unknown paradox");
    check_identities(s.paradoxes, [](BlockParadox const& each) { return each.identity; });
    check_sides(s.sides);
    if (!s.modes.empty()) check_size("modes", s.modes.size(), sources_.size());
    for (ContactMode const mode : s.modes) check_mode(mode);
    demand_in_state(s.unsolved >= 0 && s.unsolved < most_unsolved_steps,
                    "its number of unsolved steps is none");
    check_closed(s.closed);
    EnergyWatch const& e = s.energy;
    demand_in_state(all_finite(e.energy, e.recovered, e.gained, e.largest), "its energy is not finite");
    demand_in_state(std::isfinite(s.next_size) && s.next_size >= 0, "its proposed step is none");
    // Of an interval that no longer counts at least the memory has to fit.
    StepperState::Interval const& i = s.interval;
    for (auto const* const x : {&i.x, &i.dxdt, &i.x_end, &i.dxdt_end, &i.x_after}) {
      if (s.has_interval || !x->empty()) {
        bool const unused = x == &i.x_after && !i.impact && x->empty();
        if (!unused) check_size("states in an interval", x->size(), states_);
      }
      demand_states(*x);
    }
    check_forces(i.lambda);
    check_closed(i.closed);
    check_closed(i.closed_after);
    check_sides(i.sides_end);
    demand_in_state(!s.has_interval || i.sides_end.size() == functions_,
                    "its interval does not say what is in contact at its end");
    for (ModeEvent const& event : i.events) {
      demand_in_state(std::isfinite(event.t), "the time of an event is not finite");
      demand_in_state(event.source >= 0 && static_cast<std::size_t>(event.source) < sources_.size(),
                      "the source of an event is none");
      check_mode(event.before);
      check_mode(event.after);
    }
  }

  static void check_interval(StepperState const& s) {
    StepperState::Interval const& i = s.interval;
    demand_in_state(all_finite(i.t, i.size) && i.size >= 0 && i.size <= longest_interval && i.t <= s.t &&
                        s.t <= i.t + i.size,
                    "its time lies outside of its interval");
  }

  static void check_mode(ContactMode mode) {
    demand_in_state(mode >= ContactMode::detached && mode <= ContactMode::slip, "it has an unknown mode");
  }

  void check_sides(ModeFunctions::Sides const& sides) const {
    if (!sides.empty()) check_size("sides of mode functions", sides.size(), functions_);
    demand_in_state(std::all_of(sides.begin(), sides.end(), [](std::uint8_t side) { return side <= 1; }),
                    "a side of a mode function is neither 0 nor 1");
  }

  void check_forces(std::vector<BlockForce> const& forces) const {
    for (BlockForce const& force : forces)
      demand_in_state(all_finite(force.lambda[0], force.lambda[1], force.lambda[2]), "a force is not finite");
    check_identities(forces, [](BlockForce const& each) { return each.identity; });
  }

  void check_closed(std::vector<BlockIdentity> const& closed) const {
    check_identities(closed, [](BlockIdentity each) { return each; });
  }

  // Lists are searched by identity, and elements named by it.
  template <class List, class IdentityOf>
  void check_identities(List const& list, IdentityOf const& identity_of) const {
    BlockIdentity before = 0;
    for (auto const& each : list) {
      BlockIdentity const identity = identity_of(each);
      demand_in_state(identity >= before, "a list of contacts does not rise");
      demand_in_state(is_block(identity), "it names a contact or joint that is not there");
      before = identity;
    }
  }

  bool is_block(BlockIdentity identity) const {
    std::size_t const element = element_of(identity);
    constexpr BlockIdentity between = 0xffffULL << 40U;  // unused, except by groups
    if (owner_of(identity) != BlockOwner::group && (identity & between) != 0) return false;
    switch (owner_of(identity)) {
      case BlockOwner::joint:
        return element < scene_.joints.size();
      case BlockOwner::friction:
        return element < scene_.frictions.size();
      case BlockOwner::rolling:
        return element < scene_.rollings.size();
      case BlockOwner::knife_edge:
        return element < scene_.knife_edges.size();
      case BlockOwner::contact:
        return element < scene_.contacts.size();
      case BlockOwner::group: {
        // Two of its shapes, 20 bits each; the ground comes after the last one.
        if (element >= scene_.groups.size()) return false;
        ContactGroup const& group = scene_.groups[element];
        std::size_t const sides = group.shapes.size() + (group.with_ground ? 1 : 0);
        return ((identity >> 28U) & 0xfffffU) < sides && ((identity >> 8U) & 0xfffffU) < sides;
      }
      case BlockOwner::spring:
        return element < scene_.springs.size();
    }
    return false;
  }

  SceneModel const& model_;
  Scene const& scene_;
  std::vector<ModeSource> sources_;
  std::size_t functions_ = 0, states_ = 0;
};

}  // namespace

void check_snapshot(SceneModel const& model, Snapshot const& snapshot) {
  SnapshotCheck(model).check(snapshot);
}

}  // namespace delassus
