// What the documentation of every FMU has in common: look, equations and references.
#pragma once

#include <string_view>

namespace delassus {

inline constexpr std::string_view documentation_style = R"(
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#1b2530;--soft:#55626f;--line:#dde2e7;--accent:#0072b2}
@media screen and (prefers-color-scheme:dark){:root{--paper:#10151a;--card:#171d24;--ink:#e4e9ee;--soft:#9aa6b2;--line:#2b343d;--accent:#6fb8ea}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 Inter,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:28px 24px 60px}
header{display:flex;gap:20px;align-items:center}header svg{flex:none;width:84px;height:84px}
h1{font-size:27px;margin:0}h2{font-size:20px;margin:40px 0 8px;padding-top:10px;border-top:2px solid var(--line)}h3{font-size:16px;margin:22px 0 4px}
p{margin:6px 0 10px;max-width:92ch}.lead{color:var(--soft)}a{color:var(--accent)}code{font-size:93%}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:18px;margin:18px 0}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:8px;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);font-size:13.5px}
th{text-align:left;color:var(--soft);padding:7px 10px;border-bottom:1px solid var(--line)}
td{padding:5px 10px;border-bottom:1px solid var(--line);vertical-align:top}
.equation{display:flex;justify-content:space-between;gap:24px;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 18px;margin:8px 0;font:17px/1.6 "STIX Two Math","Cambria Math",Georgia,"Times New Roman",serif;overflow-x:auto}
.equation span{color:var(--soft);white-space:nowrap}
dt{margin-top:6px}dd{margin:0 0 0 1.6em;color:var(--soft)}
)";

inline constexpr std::string_view documentation_equations = R"(
<h2>Equations</h2>
<p>Numbers in parentheses are those of Kikuuwe and Brogliato (2017). Components: tangential first (t), normal last (n).
<i>q</i> are the coordinates, <i>v</i> the velocities, <i>M</i> the mass matrix, <i>&#934;</i> gravity, springs and applied forces,
<i>J</i> the rows of contacts and joints, <i>&#936;</i> their gaps, <i>&#955;</i> their forces.</p>
<div class="equation"><div><i>M</i> <i>v&#775;</i> + <i>&#934;</i>(<i>q</i>, <i>v</i>, <i>t</i>) = <i>J</i><sup>T</sup> <i>&#955;</i></div><span>motion</span></div>
<div class="equation"><div>&#936;&#776; + (2<i>&#950;</i>/<i>&#948;</i>) &#936;&#775; + (1/<i>&#948;</i><sup>2</sup>) &#936; &#8594; 0</div><span>(64) relaxation</span></div>
<p>Where a rigid constraint would hold exactly, its violation decays like an oscillator with the damping ratio <code>zeta</code>
and the time scale <code>delta</code>. Below <code>zeta</code> = 1 a contact bounces; the smaller <code>delta</code>, the stiffer
it is. Velocity rows have no term in &#936;.</p>
<div class="equation"><div><i>A</i> = <i>J</i> <i>M</i><sup>&#8722;1</sup> <i>J</i><sup>T</sup>,&#160;&#160; <i>b</i> = <i>J</i> <i>M</i><sup>&#8722;1</sup> <i>&#934;</i> &#8722; <i>J&#775;</i> <i>v</i> &#8722; (2<i>&#950;</i>/<i>&#948;</i>) <i>J</i> <i>v</i> &#8722; (1/<i>&#948;</i><sup>2</sup>) [0; &#936;]</div><span>(27)</span></div>
<div class="equation"><div><i>A</i> <i>&#955;</i> &#8722; <i>b</i> &#8712; &#8722;lim <i>N</i><sub><i>C</i></sub>(<i>&#955;</i>)</div><span>(65) what is solved at every instant</span></div>
<p>In words, with <i>w</i> = <i>A&#955;</i> &#8722; <i>b</i>, each contact</p>
<ul>
<li>is <b>detached</b>: <i>&#955;</i> = 0 and <i>w</i><sub>n</sub> &#8805; 0: no force, the points separate; or</li>
<li><b>sticks</b>: |<i>&#955;</i><sub>t</sub>| &#8804; <i>&#956;</i> <i>&#955;</i><sub>n</sub> and <i>w</i> = 0: the force is inside the friction cone and the relaxed constraint holds; or</li>
<li><b>slips</b>: |<i>&#955;</i><sub>t</sub>| = <i>&#956;</i> <i>&#955;</i><sub>n</sub>, <i>w</i><sub>n</sub> = 0 and <i>&#955;</i><sub>t</sub> opposes <i>w</i><sub>t</sub>.</li>
</ul>
<p>With friction, (65) may have several solutions or none (Painlev&#233;'s paradoxes). The FMU then follows
<code>solver.rule</code> and says so in its outputs (<code>solutions</code>, <code>paradox</code>) and its log.</p>
)";

inline constexpr std::string_view documentation_references = R"(
<h2>References</h2>
<ul>
<li>R. Kikuuwe, B. Brogliato, <i>A New Representation of Systems with Frictional Unilateral Constraints and Its Baumgarte-Like Relaxation</i>, Multibody System Dynamics 39 (2017) 267-290.</li>
<li>A. Peiret, J. K&#246;vecses, J. M. Font-Llagunes, <i>Analysis of Friction Coupling and the Painlev&#233; Paradox in Multibody Systems</i>, 2019.</li>
<li>Functional Mock-up Interface, fmi-standard.org.</li>
</ul>
)";

}  // namespace delassus
