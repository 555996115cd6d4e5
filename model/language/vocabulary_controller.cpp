// The words for controllers. A gain is written in the units of translation; of rotation, metres read as radians and newtons as
// newton metres (compile_controller.cpp).
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<std::string_view, 2> quantities{"translation", "rotation"};
constexpr std::array<std::string_view, 2> rates{"filtered", "measured"};
constexpr std::array<std::string_view, 3> shapes{"step", "linear", "smooth"};
constexpr std::array<std::string_view, 2> actuator_units{"N", "N.m"};
constexpr std::array<std::string_view, 4> state_units{"m", "rad", "m/s", "rad/s"};
constexpr std::array<std::string_view, 7> signal_units{"1", "m", "rad", "m/s", "rad/s", "N", "N.m"};

constexpr Attribute controller[]{
    a_name("name of the FMU"),
    {.name = "sample_time",
     .description = "time between two samples; outputs are held between them",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::fixed},
    {.name = "description", .kind = text, .description = "one sentence on the controller"},
};

constexpr Attribute experiment[]{
    {.name = "start",
     .description = "start of the default experiment",
     .unit = UnitId::second,
     .fallback = 0},
    {.name = "stop", .description = "end of the default experiment", .unit = UnitId::second, .fallback = 1},
    {.name = "step",
     .description = "communication step of the default experiment",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-2},
};

constexpr double far = 1e6;  // a limit that nothing reaches

constexpr Attribute of{.name = "of",
                       .kind = choice,
                       .description =
                           "what is controlled: a translation (m, N) or a rotation (rad, N.m). "
                           "Default translation",
                       .choices = quantities};

constexpr std::array<Attribute, 4> limits{{
    {.name = "output_minimum",
     .description = "least output",
     .unit = UnitId::newton,
     .fallback = -far,
     .exposure = Exposure::tunable},
    {.name = "output_maximum",
     .description = "largest output",
     .unit = UnitId::newton,
     .fallback = far,
     .exposure = Exposure::tunable},
    {.name = "bias",
     .description = "added to the output: a load that is known, such as a weight",
     .unit = UnitId::newton,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "initial_output",
     .description = "output before the first sample",
     .unit = UnitId::newton,
     .fallback = 0,
     .exposure = Exposure::fixed},
}};

constexpr std::array<Attribute, 9> pid_words{{
    of,
    {.name = "rate",
     .kind = choice,
     .description =
         "where the rate comes from: filtered, from differences of the measurement; or measured, an "
         "input of its own. Default filtered",
     .choices = rates},
    {.name = "proportional_gain",
     .required = true,
     .description = "proportional gain",
     .unit = UnitId::newton_per_metre,
     .exposure = Exposure::tunable},
    {.name = "integral_gain",
     .description = "integral gain; 0: a PD controller",
     .unit = UnitId::newton_per_metre_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "derivative_gain",
     .description = "derivative gain",
     .unit = UnitId::newton_second_per_metre,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "derivative_filter",
     .description = "time constant of the filter of the derivative; 0: plain differences",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "setpoint_weight",
     .description = "share of the setpoint that the proportional part sees",
     .fallback = 1,
     .exposure = Exposure::tunable},
    {.name = "rate_weight",
     .description = "share of the setpoint's rate that the derivative part sees; 0: no kick when it jumps",
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "tracking_time",
     .description =
         "anti-windup: time in which the integral follows a limited output (back-calculation); 0: it "
         "stops while the output is limited",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
}};

constexpr std::array<Attribute, 6> compensation_words{{
    {.name = "friction",
     .required = true,
     .description = "kinetic friction force that is fed forward",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "friction_static",
     .required = true,
     .description = "static friction force that is fed forward at rest",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "stribeck_velocity",
     .description = "speed over which it falls from static to kinetic: kinetic + (static - kinetic) "
                    "exp(-(v/stribeck_velocity)^2)",
     .unit = UnitId::metre_per_second,
     .range = positive,
     .fallback = 1e-2,
     .exposure = Exposure::tunable},
    {.name = "compensation",
     .description = "share of the friction that is fed forward",
     .range = {0, 2, false},
     .fallback = 1,
     .exposure = Exposure::tunable},
    {.name = "dead_zone",
     .required = true,
     .description =
         "error within which a standing setpoint counts as reached: neither friction is fed forward nor "
         "the error integrated",
     .unit = UnitId::metre,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "standstill",
     .description = "rate of the setpoint below which it counts as standing",
     .unit = UnitId::metre_per_second,
     .range = not_negative,
     .fallback = 1e-6,
     .exposure = Exposure::tunable},
}};

constexpr auto pid = joined(pid_words, limits);
constexpr auto friction_compensation = joined(joined(pid_words, compensation_words), limits);

constexpr Attribute gripper[]{
    {.name = "force_rate",
     .description = "how fast the wanted force may change",
     .unit = UnitId::newton_per_second,
     .range = positive,
     .fallback = 100,
     .exposure = Exposure::tunable},
    {.name = "proportional_gain",
     .description = "squeeze for each newton that the contacts lack",
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "integral_gain",
     .description = "the same for each second that they lack it",
     .unit = UnitId::per_second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "slip_threshold",
     .description = "slip speed that counts as slip",
     .unit = UnitId::metre_per_second,
     .range = not_negative,
     .fallback = 1e-4,
     .exposure = Exposure::tunable},
    {.name = "slip_gain",
     .description = "force that is added for each metre of slip",
     .unit = UnitId::newton_per_metre,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "slip_force",
     .description = "force that is added at once where slip begins",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "release_time",
     .description = "time in which the added force decays once nothing slips; 0: it stays",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "output_maximum",
     .description = "largest squeeze",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = far,
     .exposure = Exposure::tunable},
    {.name = "initial_output",
     .description = "squeeze before the first sample",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr std::array<Attribute, 1> state_feedback_words{{
    {.name = "unit",
     .kind = choice,
     .description = "unit of the output. Default N",
     .choices = actuator_units},
}};
constexpr auto state_feedback = joined(state_feedback_words, limits);

constexpr Attribute state[]{
    a_name("name of the FMU input"),
    {.name = "unit",
     .kind = choice,
     .required = true,
     .description = "unit of the input",
     .choices = state_units},
    {.name = "gain",
     .required = true,
     .description = "what the output loses for each unit of the state, in the units of both",
     .exposure = Exposure::tunable},
    {.name = "reference",
     .description = "value at which the state does not count, in its unit",
     .fallback = 0,
     .exposure = Exposure::tunable},
};

constexpr Attribute signal[]{
    {.name = "unit", .kind = choice, .description = "unit of the output. Default 1", .choices = signal_units},
};

constexpr Attribute setpoint[]{
    {.name = "shape",
     .kind = choice,
     .description =
         "between two points: step, the value of the first; linear; smooth, at rest in each point, of least "
         "jerk. Default linear",
     .choices = shapes},
    {.name = "period",
     .description = "time after which it repeats; 0: it ends in its last value",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr Attribute point[]{
    {.name = "time",
     .required = true,
     .description = "time of the point",
     .unit = UnitId::second,
     .exposure = Exposure::fixed},
    {.name = "value",
     .required = true,
     .description = "value there, in the unit of the setpoint",
     .exposure = Exposure::tunable},
};

constexpr std::array<Element, 10> elements{{
    {"controller", "", false, "A sampled controller, an FMU of its own.",
     R"(<controller name="position_control" sample_time="1e-3"/>)", controller},
    {"experiment", "controller", false, "The default experiment.", R"(<experiment stop="5" step="0.001"/>)",
     experiment},
    {"pid", "controller", false, "A PD or PID controller.",
     R"(<pid proportional_gain="400" integral_gain="300" derivative_gain="30"/>)", pid},
    {"friction_compensation", "controller", false,
     "A PID controller that feeds friction forward and rests within a dead zone: it ends stick-slip and "
     "hunting.",
     R"(<friction_compensation proportional_gain="400" derivative_gain="30" friction="3" friction_static="4" dead_zone="1e-4"/>)",
     friction_compensation},
    {"gripper", "controller", false,
     "A force controller for two fingers that follows a wanted force and grips harder when something slips.",
     R"(<gripper force_rate="50" slip_gain="2000"/>)", gripper},
    {"state_feedback", "controller", false,
     "Linear feedback of states: output = bias - sum of gain (state - reference).",
     R"(<state_feedback output_maximum="20" output_minimum="-20"/>)", state_feedback},
    {"signal", "controller", false, "No feedback: the setpoint itself, for commands and disturbances.",
     R"(<signal unit="N"/>)", signal},
    {"setpoint", "controller", false,
     "The setpoint over time; the FMU input `setpoint` is added to it. Without it that input alone counts.",
     R"(<setpoint shape="smooth" period="4"/>)", setpoint},
    {"state", "state_feedback", true, "A state that is fed back, an input of the FMU.",
     R"(<state name="angle" unit="rad" gain="-80"/>)", state},
    {"point", "setpoint", true, "A point of the setpoint.", R"(<point time="1" value="0.1"/>)", point},
}};

}  // namespace

std::span<const Element> controller_elements() {
  return elements;
}

}  // namespace delassus
