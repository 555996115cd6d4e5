#include "model/language/likely_words.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace delassus {
namespace {

struct LikelyWords {
  std::string_view places;  // elements or attributes, separated by blanks
  std::string_view words;   // in small letters, without `_` and `-`
  std::string_view advice;
};

constexpr LikelyWords elements[]{
    {"body", "cylinder tube wheel",
     "there is no cylinder: in the plane <sphere radius=\"0.1\"/> is a disc and <box half_size=\"0.2 0.1\"/> "
     "a "
     "rectangle; in space <capsule radius=\"0.1\" half_length=\"0.2\"/> is a cylinder with round caps"},
    {"body", "disc disk circle ball", "write <sphere radius=\"0.1\"/>, which is a disc in the plane"},
    {"body", "rectangle square cube cuboid block brick",
     "write <box half_size=\"...\"/> with half of the extent along each axis"},
    {"body", "pill stadium", "write <capsule radius=\"0.1\" half_length=\"0.2\"/>"},
    {"body", "mesh polygon convex hull triangle cone ellipsoid torus",
     "the shapes are <sphere>, <capsule>, <box> and <plane>; a body may have several of them"},
    {"body", "shape geometry collision collider visual",
     "write the shape itself: <sphere>, <capsule>, <box> or <plane>"},
    {"body", "mass inertia inertial density", "these are attributes: <body mass=\"1\" inertia=\"0.1\" ...>"},
    {"body", "position velocity pose origin state angle rotation",
     "these are attributes of <initial position=\"...\" velocity=\"...\"/>"},
    {"body", "contact contacts joint spring force torque",
     "it stands beside the bodies, in <scene>, and names them"},
    {"scene body", "ground floor",
     "the ground is there already, at height 0: a <contact> without 'with' is with it. A floor of another "
     "place or slope is a <body type=\"fixed\"> with a <plane/> or <box/>"},
    {"scene", "plane wall box sphere capsule shape",
     "shapes stand in a body: <body name=\"wall\" type=\"fixed\"><plane normal=\"1 0\"/></body>"},
    {"scene", "bodies world model links objects", "write each <body> directly in <scene>"},
    {"scene", "link object rigidbody particle mass", "write <body name=\"...\" type=\"...\" mass=\"...\">"},
    {"scene", "hinge revolute prismatic slider weld constraint",
     "write <joint type=\"...\"/>, for example type=\"revolute\""},
    {"scene", "damper dashpot springdamper",
     "write <spring stiffness=\"0\" damping=\"...\" a=\"...\" b=\"...\"/>"},
    {"scene", "motor actuator drive", "write the attribute 'drive' of a <joint>, or a <force> or <torque>"},
    {"scene", "simulation time settings options", "write <experiment stop=\"1\" step=\"0.01\"/>"},
    {"scene", "integrator stepper", "write <solver stepper=\"...\"/>"},
    {"scene", "material surface", "friction and restitution are attributes of <contact> and <contacts>"},
};

constexpr LikelyWords attributes[]{
    {"body", "position velocity angle rotation angularvelocity orientation pos vel x y z speed omega height",
     "where a body starts and how fast goes into an element inside it: <initial position=\"...\" "
     "velocity=\"...\" angle=\"...\"/> (in space rotation instead of angle)"},
    {"body", "radius halfsize halflength size length width shape diameter",
     "sizes go into a shape inside the body, such as <sphere radius=\"0.1\"/> or <box half_size=\"...\"/>"},
    {"body", "fixed static ismovable", "write type=\"fixed\" for a body that does not move"},
    {"body", "mu friction restitution stiffness damping",
     "it belongs to the contact of two bodies: write it in <contact> or <contacts>"},
    {"body", "color colour", "reports choose the colours; leave it out"},
    {"body", "weight m", "write 'mass', in kg"},
    {"body", "com centerofgravity centreofmass cog", "write 'center_of_mass'"},
    {"body", "moi i ixx momentofinertia", "write 'inertia'"},
    {"initial", "omega w spin angvel angularspeed", "write 'angular_velocity'"},
    {"initial", "theta phi orientation heading tilt", "write 'angle', or in space 'rotation'"},
    {"initial", "pos x y z height origin", "write 'position', one number for each axis"},
    {"initial", "vel v vx vy vz speed", "write 'velocity', one number for each axis"},
    {"box", "size width height length depth extent extents dimensions halfextents halfwidth halfheight",
     "write 'half_size', half of the extent along each axis"},
    {"sphere capsule", "diameter d r", "write 'radius', half of the diameter"},
    {"capsule", "length height l h",
     "write 'half_length', half of the distance between the centres of the caps"},
    {"rod", "length l", "write 'half_length', half of the length of the rod"},
    {"rod", "mass", "write 'mass' in <body>"},
    {"sphere capsule box plane", "center centre origin pos offset", "write 'position'"},
    {"sphere capsule box plane", "angle orientation", "write 'rotation'; a sphere and a plane have none"},
    {"sphere capsule box plane", "mu friction restitution",
     "it belongs to the contact of two bodies: write it in <contact> or <contacts>"},
    {"plane", "height", "write 'position', a point of the plane"},
    {"contact contacts", "e cor elasticity bounce bounciness restitutioncoefficient coefficientofrestitution",
     "write 'restitution', from 0 to 1"},
    {"contact contacts",
     "frictioncoefficient frictioncoeff coefficientoffriction coefficient cof muk mukinetic mud mudynamic "
     "dynamicfriction kineticfriction",
     "write 'mu'"},
    {"contact contacts", "mus staticfriction muh", "write 'mu_static', together with 'mu' of sliding"},
    {"contact contacts", "k kn stiff", "write 'stiffness', with law=\"kelvin_voigt\" or \"hunt_crossley\""},
    {"contact contacts", "c d alpha", "write 'damping', with law=\"kelvin_voigt\" or \"hunt_crossley\""},
    {"contact", "body body1 body2 bodya bodyb bodies a b shape shape1 shape2 between",
     "write point=\"...\" for one side and with=\"...\" for the other; without 'with' it is the ground. "
     "<contacts between=\"...\"/> takes many bodies"},
    {"contacts", "body bodies a b point with shapes",
     "write between=\"...\" with the names of the bodies, or leave it out for all bodies and the ground"},
    {"motion", "position angle rotation path trajectory",
     "a prescribed body starts where its <initial> says and moves with 'velocity' and 'angular_velocity', "
     "which "
     "input=\"yes\" makes inputs"},
    {"gravity", "g value vector y z", "write acceleration=\"0 -9.81\", in space acceleration=\"0 0 -9.81\""},
    {"scene", "gravity g", "write the element <gravity acceleration=\"0 -9.81\"/>"},
    {"scene", "stepper solver tolerance", "write the element <solver stepper=\"...\"/>"},
    {"scene", "stop step duration time dt", "write the element <experiment stop=\"1\" step=\"0.01\"/>"},
    {"scene", "dim dimensions", "write dimension=\"2\" or dimension=\"3\""},
    {"experiment", "duration end stoptime tend time t tstop until", "write 'stop'"},
    {"experiment", "dt stepsize h timestep communicationstep", "write 'step'"},
    {"solver", "type method integrator name scheme", "write 'stepper'"},
    {"solver", "dt stepsize h timestep", "write 'step'"},
    {"solver", "tol eps precision rtol atol", "write 'tolerance'"},
    {"joint", "body1 bodya parent from first body",
     "write a=\"...\" for one body and b=\"...\" for the other"},
    {"joint", "body2 bodyb child to second with", "write b=\"...\"; without it the joint is with the ground"},
    {"joint", "min lowerlimit minimum", "write 'lower'"},
    {"joint", "max upperlimit maximum limit", "write 'upper'"},
    {"joint", "motor actuator torque force input", "write drive=\"...\" with a name for the input"},
    {"joint", "mu", "write 'friction', the largest friction force or torque"},
    {"joint", "damping stiffness spring k d",
     "stiffness and damping are those of a <torsion_spring> or <spring> between the same bodies"},
    {"friction", "mu",
     "write 'bound', the largest friction force in N; a coefficient is that of a <contact>"},
    {"joint", "point anchor position origin",
     "a joint lies at a point of a body: write <point name=\"...\" position=\"...\"/> in the body, and "
     "a=\"body.point\""},
    {"spring torsion_spring", "k", "write 'stiffness'"},
    {"spring torsion_spring", "c d", "write 'damping'"},
    {"spring", "l0 restlength length0 rest", "write 'length'"},
    {"spring torsion_spring", "body1 body2 bodya bodyb from to point with", "write a=\"...\" and b=\"...\""},
    {"force torque", "force torque start f vector components", "write 'value'"},
    {"force", "body at on", "write 'point', which names a body or a point of one"},
    {"torque", "point at on", "write 'body'"},
};

constexpr LikelyWords choices[]{
    {"type", "dynamic free moving movable",
     "write planar in a scene of dimension 2, and rigid in one of dimension 3"},
    {"type", "static ground", "write fixed"},
    {"type", "kinematic moved driven", "write prescribed, with a <motion>"},
    {"type", "particle mass pointmass", "write point"},
    {"type", "hinge pin", "write revolute"},
    {"type", "slider sliding translational translation linear", "write prismatic"},
    {"type", "ball ballsocket socket", "write spherical"},
    {"type", "weld welded", "write fixed"},
    {"type", "rope link", "write distance"},
    {"law", "compliant spring penalty linear kelvinvoigt springdamper soft",
     "write kelvin_voigt for a linear spring and damper, hunt_crossley for a nonlinear one"},
    {"law", "hertz hertzian huntcrossley", "write hunt_crossley; its exponent is 1.5 if none is written"},
    {"law", "hard unilateral", "write rigid"},
    {"law", "newton poisson elastic restitution impact",
     "that is the law of impacts: write restitution=\"0.5\", and impact_law=\"poisson\" if it is not "
     "Newton's"},
    {"friction", "dry coulombic", "write coulomb"},
    {"friction", "none no frictionless", "a contact without 'mu' has no friction: leave out 'friction'"},
    {"friction", "yes true", "write mu=\"0.3\", the coefficient of friction"},
    {"friction", "regularised regularized tanh", "write smooth"},
    {"stepper", "moreau moreaujean timestepping fixed", "write nonsmooth"},
    {"stepper", "rk45 dopri dopri5 dormandprince ode45 adaptive variable rk4 rungekutta", "write relaxed"},
};

std::string plain(std::string_view word) {
  std::string text;
  for (char const c : word) {
    if (c != '_' && c != '-') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    std::size_t const end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

std::string_view find_advice(std::span<const LikelyWords> table, std::string_view place,
                             std::string_view word) {
  std::string const wanted = plain(word);
  for (LikelyWords const& row : table) {
    if (has_word(row.places, place) && has_word(row.words, wanted)) return row.advice;
  }
  return {};
}

}  // namespace

std::string_view advice_on_element(std::string_view parent, std::string_view word) {
  return find_advice(elements, parent, word);
}

std::string_view advice_on_attribute(std::string_view element, std::string_view word) {
  return find_advice(attributes, element, word);
}

std::string_view advice_on_choice(std::string_view attribute, std::string_view word) {
  return find_advice(choices, attribute, word);
}

}  // namespace delassus
