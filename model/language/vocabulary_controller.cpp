// The words for controllers. Gains are declared in the units of translation. For a rotation, controller_compiler.cpp replaces
// metres by radians and newtons by newton metres.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<EnumerationItem, 2> quantities{{
    {"translation", "metres and newtons"},
    {"rotation", "radians and newton metres"},
}};
constexpr std::array<EnumerationItem, 2> rates{{
    {"filtered", "from differences of the measurement"},
    {"measured", "an input `measured_rate` of the FMU"},
}};
constexpr std::array<EnumerationItem, 3> shapes{{
    {"step", "keeps the value of the earlier point"},
    {"linear", "straight lines"},
    {"smooth", "starts and ends each piece at rest, with least jerk"},
}};
constexpr std::array<EnumerationItem, 2> actuator_units{{{"N", ""}, {"N.m", ""}}};
constexpr std::array<EnumerationItem, 4> state_units{{{"m", ""}, {"rad", ""}, {"m/s", ""}, {"rad/s", ""}}};
constexpr std::array<EnumerationItem, 7> signal_units{
    {{"1", ""}, {"m", ""}, {"rad", ""}, {"m/s", ""}, {"rad/s", ""}, {"N", ""}, {"N.m", ""}}};

constexpr Attribute controller[]{
    a_name("name of the controller and of its FMU"),
    {.name = "sample_time",
     .description = "time between two samples; outputs keep their values in between",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::fixed},
    {.name = "description", .kind = text, .description = "one sentence on what the controller does"},
};

constexpr double far = 1e6;  // a limit that nothing reaches

constexpr Attribute of{.name = "of",
                       .kind = choice,
                       .description = "controlled quantity",
                       .left_out = "translation",
                       .choices = quantities};

constexpr std::array<Attribute, 4> limits{{
    {.name = "output_minimum",
     .description = "smallest output",
     .unit = UnitId::newton,
     .fallback = -far,
     .exposure = Exposure::tunable},
    {.name = "output_maximum",
     .description = "largest output",
     .unit = UnitId::newton,
     .fallback = far,
     .exposure = Exposure::tunable},
    {.name = "bias",
     .description = "constant that is added to the output, such as the weight of a known load",
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
     .description = "source of the rate of change",
     .left_out = "filtered",
     .choices = rates},
    {.name = "proportional_gain",
     .required = true,
     .description = "proportional gain",
     .unit = UnitId::newton_per_metre,
     .exposure = Exposure::tunable},
    {.name = "integral_gain",
     .description = "integral gain; at 0 it is a PD controller",
     .unit = UnitId::newton_per_metre_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "derivative_gain",
     .description = "derivative gain",
     .unit = UnitId::newton_second_per_metre,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "derivative_filter",
     .description = "time constant of the filter of the filtered rate; at 0 the rate is the plain difference",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "setpoint_weight",
     .description = "weight of the setpoint in the proportional part",
     .fallback = 1,
     .exposure = Exposure::tunable},
    {.name = "rate_weight",
     .description =
         "weight of the setpoint's rate in the derivative part; at 0 a jump of the setpoint causes no kick",
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "tracking_time",
     .description =
         "anti-windup: time constant with which the integral follows a limited output (back-calculation); at "
         "0 the integral stops while the output is limited",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
}};

constexpr std::array<Attribute, 6> compensation_words{{
    {.name = "friction",
     .required = true,
     .description = "kinetic friction force to compensate",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "friction_static",
     .required = true,
     .description = "static friction force to compensate",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "stribeck_velocity",
     .description =
         "speed over which the friction falls from static to kinetic: kinetic + (static - kinetic) "
         "exp(-(v/stribeck_velocity)^2)",
     .unit = UnitId::metre_per_second,
     .range = positive,
     .fallback = 1e-2,
     .exposure = Exposure::tunable},
    {.name = "compensation",
     .description = "share of the friction that is fed forward; 1 is all of it",
     .range = {0, 2, false},
     .fallback = 1,
     .exposure = Exposure::tunable},
    {.name = "dead_zone",
     .required = true,
     .description =
         "error within which a constant setpoint counts as reached: the controller then neither compensates "
         "friction nor integrates",
     .unit = UnitId::metre,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "standstill",
     .description = "rate of the setpoint below which it counts as constant",
     .unit = UnitId::metre_per_second,
     .range = not_negative,
     .fallback = 1e-6,
     .exposure = Exposure::tunable},
}};

constexpr auto pid = joined(pid_words, limits);
constexpr auto friction_compensation = joined(joined(pid_words, compensation_words), limits);

constexpr Attribute gripper[]{
    {.name = "force_rate",
     .description = "largest rate of change of the wanted force",
     .unit = UnitId::newton_per_second,
     .range = positive,
     .fallback = 100,
     .exposure = Exposure::tunable},
    {.name = "proportional_gain",
     .description = "squeezing force for each newton of force error",
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "integral_gain",
     .description = "squeezing force for each newton and second of force error",
     .unit = UnitId::per_second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "slip_threshold",
     .description = "speed above which motion at a finger counts as slip",
     .unit = UnitId::metre_per_second,
     .range = not_negative,
     .fallback = 1e-4,
     .exposure = Exposure::tunable},
    {.name = "slip_gain",
     .description = "force added for each metre of slip",
     .unit = UnitId::newton_per_metre,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "slip_force",
     .description = "force added at once when slip begins",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "release_time",
     .description = "time constant with which the added force decays after slip has ended; at 0 it stays",
     .unit = UnitId::second,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "output_maximum",
     .description = "largest squeezing force",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = far,
     .exposure = Exposure::tunable},
    {.name = "initial_output",
     .description = "squeezing force before the first sample",
     .unit = UnitId::newton,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr std::array<Attribute, 1> state_feedback_words{{
    {.name = "unit",
     .kind = choice,
     .description = "unit of the output",
     .left_out = "N",
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
     .description = "gain: a state above its reference by one unit lowers the output by this much",
     .unit_rule = "unit of the output over unit of the state",
     .exposure = Exposure::tunable},
    {.name = "reference",
     .description = "value at which the state has no effect on the output",
     .unit_rule = "unit of the state",
     .fallback = 0,
     .exposure = Exposure::tunable},
};

constexpr Attribute signal[]{
    {.name = "unit",
     .kind = choice,
     .description = "unit of the output",
     .left_out = "1",
     .choices = signal_units},
};

constexpr Attribute setpoint[]{
    {.name = "shape",
     .kind = choice,
     .description = "curve between two points",
     .left_out = "linear",
     .choices = shapes},
    {.name = "period",
     .description = "time after which the setpoint repeats; at 0 it keeps its last value",
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
     .description = "value at that time",
     .unit_rule = "unit of the setpoint",
     .exposure = Exposure::tunable},
};

constexpr std::array<Element, 10> elements{{
    {"controller", "", false,
     "The root element: a sampled controller, which becomes one FMU. It has one law and, if needed, a "
     "setpoint.",
     R"(<controller name="position_pid" sample_time="1e-3" description="A PID controller for a position"/>)",
     "controllers/position_pid.xml", controller},
    {"experiment", "controller", false,
     "The default experiment: what importers and `delassus simulate` run if told nothing else.",
     R"(<experiment stop="2" step="0.001"/>)", "controllers/position_pid.xml", experiment_attributes},
    {"pid", "controller", false, "A PD or PID controller.",
     R"(<pid rate="measured" proportional_gain="100" integral_gain="300" derivative_gain="12" output_minimum="-20" output_maximum="20"/>)",
     "controllers/position_pid.xml", pid},
    {"friction_compensation", "controller", false,
     "A PID controller that feeds friction forward and rests within a dead zone, which prevents stick-slip "
     "and "
     "hunting.",
     R"(<friction_compensation rate="measured" proportional_gain="100" integral_gain="300" derivative_gain="12" output_minimum="-20" output_maximum="20" friction="1" friction_static="1.5" stribeck_velocity="0.01" dead_zone="1e-4"/>)",
     "controllers/position_compensator.xml", friction_compensation},
    {"gripper", "controller", false,
     "A force controller for two fingers. It follows a wanted force and grips harder when something slips.",
     R"(<gripper force_rate="60" integral_gain="2" slip_threshold="1e-3" slip_gain="500" slip_force="3" release_time="2" output_maximum="60"/>)",
     "controllers/gripper_force.xml", gripper},
    {"state_feedback", "controller", false,
     "Linear state feedback: output = bias - sum of gain (state - reference). The setpoint shifts the "
     "reference "
     "of the first state.",
     R"(<state_feedback output_minimum="-40" output_maximum="40"/>)", "controllers/balance.xml",
     state_feedback},
    {"signal", "controller", false,
     "No feedback: the output is the setpoint itself, for commands and disturbances.",
     R"(<signal unit="N"/>)", "controllers/disturbance.xml", signal},
    {"setpoint", "controller", false,
     "The setpoint over time. The FMU input `setpoint` is added to it, except for a signal; without this "
     "element that input is the setpoint.",
     R"(<setpoint shape="step"/>)", "controllers/position_pid.xml", setpoint},
    {"state", "state_feedback", true, "A state that is fed back; it is an input of the FMU.",
     R"(<state name="pole_angle" unit="rad" gain="42.3" reference="1.5707963267948966"/>)",
     "controllers/balance.xml", state},
    {"point", "setpoint", true, "A point of the setpoint. Points stand in the order of time.",
     R"(<point time="0" value="0.05"/>)", "controllers/position_pid.xml", point},
}};

}  // namespace

std::span<const Element> controller_elements() {
  return elements;
}

}  // namespace delassus
