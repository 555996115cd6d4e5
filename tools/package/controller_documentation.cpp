#include "tools/package/controller_documentation.hpp"

#include <fmt/format.h>

#include <string_view>

#include "model/language/vocabulary.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// The equations are those above the code in model/control/pid_law.hpp, gripper_law.hpp and state_feedback_law.hpp.
constexpr std::string_view pid = R"(
<p>With the setpoint <i>r</i> (input and profile), the measurement <i>y</i>, its rate <i>v</i>, the sample time <i>h</i> and
<i>e</i> = <i>r</i> &#8722; <i>y</i>:</p>
<div class="equation"><div><i>w</i> = <i>K</i><sub>p</sub> (<i>b</i> <i>r</i> &#8722; <i>y</i>) + <i>I</i> + <i>D</i>{friction} + <code>feedforward</code> + <code>bias</code></div><span>before the limits</span></div>
<div class="equation"><div><code>output</code> = min(max(<i>w</i>, <code>output_minimum</code>), <code>output_maximum</code>)</div><span></span></div>
<div class="equation"><div>{derivative}</div><span>derivative part</span></div>
<div class="equation"><div><i>I</i> &#8592; <i>I</i> + <i>h</i> <i>K</i><sub>i</sub> <i>e</i> + (<i>h</i>/<i>T</i><sub>t</sub>) (<code>output</code> &#8722; <i>w</i>)</div><span>integral part, for the next sample</span></div>
<p><i>b</i> is <code>setpoint_weight</code>, <i>c</i> <code>rate_weight</code>, <i>T</i><sub>f</sub> <code>derivative_filter</code>,
<i>T</i><sub>t</sub> <code>tracking_time</code>; with <i>T</i><sub>t</sub> = 0 the integral stops while the output is limited and would be more so.</p>
)";

constexpr std::string_view derivative_measured =
    "<i>D</i> = <i>K</i><sub>d</sub> (<i>c</i> <i>r&#775;</i> &#8722; <i>v</i>)";
constexpr std::string_view derivative_filtered =
    "<i>D</i> = <i>K</i><sub>d</sub> <i>d</i>, &#160; (<i>T</i><sub>f</sub> + <i>h</i>) <i>d</i> &#8592; "
    "<i>T</i><sub>f</sub> <i>d</i> + &#916;(<i>c</i> <i>r</i> &#8722; <i>y</i>)";

constexpr std::string_view friction = R"(
<div class="equation"><div><i>F</i> = <i>&#947;</i> <i>s</i> (<i>F</i><sub>C</sub> + (<i>F</i><sub>S</sub> &#8722; <i>F</i><sub>C</sub>) exp(&#8722;(<i>v</i>/<i>v</i><sub>s</sub>)<sup>2</sup>))</div><span>friction that is fed forward</span></div>
<p><i>s</i> is the direction in which the setpoint moves, where it moves faster than <code>standstill</code>; where it stands, the direction towards it, and zero
once it is reached within <code>dead_zone</code>. There the integral rests as well. So what lies outside of the dead zone is moved without waiting for
the integral, and nothing pulls at what lies inside: the limit cycle in which a PID controller hunts ends. Choose the dead zone wider than what the
friction model is wrong by, and narrower than <i>F</i><sub>S</sub>/<i>K</i><sub>p</sub>.</p>
)";

constexpr std::string_view gripper = R"(
<p>The wanted force <i>F</i> follows the setpoint no faster than <code>force_rate</code>. Slip adds a reserve <i>R</i>: <code>slip_force</code> at once where it begins and
<code>slip_gain</code> for each metre; it decays in <code>release_time</code> once nothing slips. Slip counts where both fingers touch and one is faster than <code>slip_threshold</code>. With the mean
<i>f</i> of both measured forces and <i>e</i> = <i>F</i> + <i>R</i> &#8722; <i>f</i>:</p>
<div class="equation"><div><code>left_squeeze</code> = <code>right_squeeze</code> = min(max(<i>F</i> + <i>R</i> + <i>K</i><sub>p</sub> <i>e</i> + <i>I</i>, 0), <code>output_maximum</code>)</div><span></span></div>
<div class="equation"><div><i>I</i> &#8592; <i>I</i> + <i>h</i> <i>K</i><sub>i</sub> <i>e</i></div><span>unless limited, for the next sample</span></div>
)";

constexpr std::string_view state_feedback = R"(
<div class="equation"><div><code>output</code> = <code>bias</code> &#8722; &#931; <i>K</i><sub>i</sub> (<i>x</i><sub>i</sub> &#8722; <i>r</i><sub>i</sub>)</div><span>within its limits</span></div>
<p>The setpoint (input and profile) is added to the reference of the first state.</p>
)";

constexpr std::string_view signal = R"(
<p>The output is the value of the profile at the sample. It follows nothing else.</p>
)";

constexpr std::string_view sampling = R"(
<h2>Sampling</h2>
<p>Samples are at start + <i>k</i> <code>sample_time</code>, whatever the communication steps are. A sample sees the inputs of its instant; between two samples the outputs are held
and follow no input, which the description says with empty dependencies: a loop through this FMU is never an algebraic one.</p>
<ul>
<li>Without event mode a step from <i>t</i> to <i>t</i> + <i>h</i> takes the samples in [<i>t</i>, <i>t</i> + <i>h</i>). With a communication step equal to the sample time, a master that
steps the controller first and hands its output to the plant for the same step (Gauss-Seidel) has no delay; one that steps both with what they had before (Jacobi) has a delay of one step. Neither needs an iteration.</li>
<li>With event mode (FMI 3) each sample is a time event: it is taken in <code>fmi3UpdateDiscreteStates</code>, which also announces the next, and a step ends there where it may end early.</li>
</ul>
<p>Before the first sample outputs have the value <code>initial_output</code>, the others zero. Parameters that change during a run count from the next sample on.</p>
)";

constexpr std::string_view references = R"(
<h2>References</h2>
<ul>
<li>K. J. &#197;str&#246;m, T. H&#228;gglund, <i>PID Controllers: Theory, Design, and Tuning</i>, 2nd edition, 1995.</li>
<li>B. Armstrong-H&#233;louvry, P. Dupont, C. Canudas de Wit, <i>A Survey of Models, Analysis Tools and Compensation Methods for the Control of Machines with Friction</i>, Automatica 30 (1994) 1083-1138.</li>
<li>Functional Mock-up Interface, fmi-standard.org.</li>
</ul>
)";

std::string_view law_text(Controller const& controller, std::string& filled) {
  switch (controller.law) {
    case ControlLawKind::pid:
    case ControlLawKind::friction_compensation: {
      bool const compensates = controller.law == ControlLawKind::friction_compensation;
      filled = fmt::format(
          fmt::runtime(pid), fmt::arg("friction", compensates ? " + <i>F</i>" : ""),
          fmt::arg("derivative", controller.rate_is_measured ? derivative_measured : derivative_filtered));
      if (compensates) filled += friction;
      return filled;
    }
    case ControlLawKind::gripper:
      return gripper;
    case ControlLawKind::state_feedback:
      return state_feedback;
    case ControlLawKind::signal:
      return signal;
  }
  return {};
}

}  // namespace

std::string control_law_summary(ControllerModel const& model) {
  Element const* const element = find_element("controller", text(model.controller().law));
  return fmt::format("{} Its law is <code>{}</code>, below.",
                     escape_markup(std::string(element->description)), element->name);
}

std::string control_law_documentation(ControllerModel const& model) {
  std::string filled;
  std::string page = "<h2>The law</h2>\n";
  page += law_text(model.controller(), filled);
  page += sampling;
  return page + std::string(references);
}

}  // namespace delassus
