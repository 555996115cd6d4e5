#include "model/language/quantity_notes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "model/language/element_reader.hpp"
#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

// Rubber on rough ground, soft metals without an oxide layer, and glue come to 2; above it, friction of dry bodies is
// hardly ever measured.
constexpr double most_friction = 4;
// Solids weigh more than this, in kg/m3, but for foams that weigh more than the upper of the two; in g/cm3 all of them
// lie between the two.
constexpr double lightest_gram = 0.5, heaviest_gram = 23;
// m/s2: of any planet; 981 is in centimetres and 9810 in millimetres.
constexpr double most_gravity = 300;
// The radius of gyration of a body is a share of its size: 0.29 of the length of a rod. Less than this is no body's.
constexpr double least_gyration = 1e-3;
// It is also at most the distance of the farthest point: mass within R of the centre has an inertia of at most m R^2. What
// a shape leaves out, as an antenna or the rotor of a drive behind a gear, seldom makes it more than ten times as much.
constexpr double most_gyration = 10;

std::string const* value_of(SourceElement const& element, std::string_view name) {
  for (SourceAttribute const& attribute : element.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

std::string rounded(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", value);
  return buffer;
}

class QuantityNotes {
 public:
  QuantityNotes(Scene const& scene, std::function<void(int, std::string const&)> const& note)
      : scene_(scene), values_(scene.default_parameters()), note_(note) {}

  void take(SourceElement const& element) {
    for (std::string_view const name : {"mu", "mu_static"}) note_friction(element, name);
    note_density(element);
    if (element.name == "gravity") note_gravity(element);
    if (element.name == "body") note_inertia(element);
    for (SourceElement const& child : element.children) take(child);
  }

 private:
  void note_friction(SourceElement const& element, std::string_view name) {
    std::string const* const text = value_of(element, name);
    auto const mu = text ? parse_number(*text) : std::nullopt;
    if (!mu || !(*mu > most_friction)) return;
    std::string const tangent = *mu < 90 ? "; if an angle of friction of " + *text +
                                               " degrees is meant, write its tangent, " +
                                               rounded(elementary::tan(*mu * std::numbers::pi / 180))
                                         : "";
    note_(element.line,
          "attribute " + quoted(std::string(name)) + " of <" + element.name + "> is " + *text +
              ": a friction coefficient is the friction over the normal force, for dry bodies 0.05 to "
              "2" +
              tangent);
  }

  void note_density(SourceElement const& element) {
    std::string const* const text = value_of(element, "density");
    auto const density = text ? parse_number(*text) : std::nullopt;
    if (!density || *density < lightest_gram || *density > heaviest_gram) return;
    note_(element.line, "attribute 'density' of <" + element.name + "> is " + *text +
                            " kg/m3, which is that of a gas; if g/cm3 are meant, write " +
                            format_number(std::round(*density * 1e6) / 1e3));
  }

  void note_gravity(SourceElement const& element) {
    std::string const* const text = value_of(element, "acceleration");
    if (!text || scene_.gravity < 0) return;
    double sum = 0;
    for (int i = 0; i < scene_.dimension; ++i)
      sum += elementary::pow(values_[static_cast<std::size_t>(scene_.gravity + i)], 2);
    if (!(std::sqrt(sum) > most_gravity)) return;
    note_(element.line,
          "gravity is " + rounded(std::sqrt(sum)) +
              " m/s2, and 9.81 on Earth; numbers are in SI units (m, kg, s), lengths in metres too");
  }

  double length_of(int vector) const {
    double squares = 0;
    for (int k = 0; vector >= 0 && k < scene_.dimension; ++k)
      squares += elementary::pow(values_[static_cast<std::size_t>(vector + k)], 2);
    return std::sqrt(squares);
  }

  // The largest distance of a shape's surface from the centre of the shape. Planes are on no body that moves.
  double size_of(Body const& body) const {
    return largest_of(body, [](Shape const&) { return 0.0; });
  }

  // From the centre of mass of its body at most.
  double reach_of(Body const& body) const {
    return length_of(body.center_of_mass) +
           largest_of(body, [&](Shape const& shape) { return length_of(shape.position); });
  }

  template <class Place>
  double largest_of(Body const& body, Place const& place) const {
    double size = 0;
    for (int i = body.first_shape; i < body.first_shape + body.shapes; ++i) {
      Shape const& shape = scene_.shapes[static_cast<std::size_t>(i)];
      auto const value = [&](int index) { return index < 0 ? 0 : values_[static_cast<std::size_t>(index)]; };
      size = std::max(
          size, place(shape) + value(shape.radius) + value(shape.half_length) + length_of(shape.half_size));
    }
    return size;
  }

  void note_inertia(SourceElement const& element) {
    std::string const* const text = value_of(element, "inertia");
    std::string const* const name = value_of(element, "name");
    if (!text || !name) return;
    auto const body = std::ranges::find(scene_.bodies, *name, &Body::name);
    if (body == scene_.bodies.end() || body->inertia < 0 || body->mass < 0 || !body->moves_freely()) return;
    double const mass = values_[static_cast<std::size_t>(body->mass)], size = size_of(*body);
    int const count = body->type == BodyType::planar ? 1 : 3;
    auto const first = values_.begin() + body->inertia;
    double const smallest = *std::min_element(first, first + count),
                 largest = *std::max_element(first, first + count);
    double const gyration = std::sqrt(smallest / mass), far = std::sqrt(largest / mass);
    if (!(size > 0) || !(mass > 0)) return;
    if (gyration < least_gyration * size) {
      note_(element.line,
            "the inertia " + rounded(smallest) + " kg m2 of body " + quoted(*name) +
                " is that of its mass at " + rounded(gyration) + " m from the centre, and its shapes reach " +
                rounded(size) +
                " m: it will spin at the slightest touch; leave 'inertia' out, and it follows from "
                "the shapes");
    } else if (double const reach = reach_of(*body); far > most_gyration * reach) {
      note_(element.line,
            "the inertia " + rounded(largest) + " kg m2 of body " + quoted(*name) +
                " is that of its mass at " + rounded(far) + " m from the centre, and its shapes reach " +
                rounded(reach) + " m: mass within them has at most " + rounded(mass * reach * reach) +
                " kg m2, its mass times the square of that; leave 'inertia' out, and it follows from the "
                "shapes");
    }
  }

  Scene const& scene_;
  std::vector<double> values_;
  std::function<void(int, std::string const&)> const& note_;
};

}  // namespace

void note_quantities(SceneSource const& source, Scene const& scene,
                     std::function<void(int line, std::string const& text)> const& note) {
  QuantityNotes(scene, note).take(source.root);
}

}  // namespace delassus
