#include "xml/scene/vocabulary_schema.hpp"

#include <algorithm>

#include "model/language/vocabulary.hpp"
#include "xml/scene/attribute_text.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

std::string documentation(std::string const& indent, std::string const& text) {
  return indent + "<xs:annotation><xs:documentation>" + escape_markup(text) +
         "</xs:documentation></xs:annotation>\n";
}

// The schema allows children in any order and number. XSD 1.0 cannot also say that some may stand only once: the compilers
// check that.
class SchemaWriter {
 public:
  std::string write() {
    text_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- The scene language of Delassus, written from its vocabulary by the schema option of `delassus "
        "examples`. -->\n"
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n";
    write_types();
    for (Element const& element : vocabulary()) {
      if (element.parent.empty()) write_element(element, "  ", true);
    }
    return text_ + "</xs:schema>\n";
  }

 private:
  void write_types() {
    std::string const number = R"([+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?)";
    auto const simple = [&](std::string const& name, std::string const& pattern, std::string const& meaning) {
      text_ += "  <xs:simpleType name=\"" + name + "\">\n" + documentation("    ", meaning) +
               "    <xs:restriction base=\"xs:token\"><xs:pattern value=\"" + pattern +
               "\"/></xs:restriction>\n  </xs:simpleType>\n";
    };
    simple("name", "[A-Za-z][A-Za-z0-9_]*", "A letter, then letters, digits and underscores");
    simple("reference", R"([A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)?)",
           "A body, or a point or shape of one: body.point");
    simple("number", number, "A number");
    simple("angle", number + "(deg)?", "An angle in radians, or in degrees as 45deg");
    simple("rate", number + "(deg/s)?", "An angular velocity in rad/s, or in degrees as 90deg/s");
    simple("rates", number + "(deg/s)?( " + number + "(deg/s)?)*", "Angular velocities with blanks between");
    simple("quantity", number + "(deg|deg/s)?",
           "A number in the unit that other attributes say; angles also in degrees");
    simple("numbers", number + "( " + number + ")*", "Numbers with blanks between");
    simple("angles", number + "(deg)?( " + number + "(deg)?)*", "Angles with blanks between");
  }

  static std::string type_of(Attribute const& attribute) {
    bool const angle = attribute.unit == UnitId::radian, rate = attribute.unit == UnitId::radian_per_second;
    // Of controllers: the setpoint and the states may be angles.
    bool const either =
        attribute.unit_rule == "unit of the setpoint" || attribute.unit_rule == "unit of the state";
    switch (attribute.kind) {
      case AttributeKind::name:
        return "name";
      case AttributeKind::reference:
        return "reference";
      case AttributeKind::text:
      case AttributeKind::choice:
        return "xs:string";
      case AttributeKind::number:
        return angle ? "angle" : rate ? "rate" : either ? "quantity" : "number";
      case AttributeKind::vector:
      case AttributeKind::angles:
        return angle ? "angles" : rate ? "rates" : "numbers";
    }
    return "xs:string";
  }

  void write_attribute(Attribute const& attribute, std::string const& indent) {
    std::string meaning{attribute.description};
    if (auto const unit = unit_text(attribute); !unit.empty()) meaning += " [" + unit + "]";
    if (auto const range = range_text(attribute); !range.empty()) meaning += "; " + range;
    if (auto const left_out = default_text(attribute); !left_out.empty())
      meaning += ". If left out: " + left_out;
    std::string const use = attribute.required ? "\" use=\"required\"" : "\"";
    if (attribute.kind != AttributeKind::choice) {
      text_ += indent + "<xs:attribute name=\"" + std::string(attribute.name) + "\" type=\"" +
               type_of(attribute) + use + ">\n" + documentation(indent + "  ", meaning) + indent +
               "</xs:attribute>\n";
      return;
    }
    text_ += indent + "<xs:attribute name=\"" + std::string(attribute.name) + use + ">\n" +
             documentation(indent + "  ", meaning) + indent +
             "  <xs:simpleType><xs:restriction base=\"xs:string\">\n";
    auto const item = [&](std::string_view value, std::string_view what) {
      text_ += indent + "    <xs:enumeration value=\"" + std::string(value) + "\">";
      text_ += what.empty() ? ""
                            : "<xs:annotation><xs:documentation>" + escape_markup(what) +
                                  "</xs:documentation></xs:annotation>";
      text_ += "</xs:enumeration>\n";
    };
    for (EnumerationItem const& choice : choices_of(attribute)) item(choice.name, choice.description);
    text_ += indent + "  </xs:restriction></xs:simpleType>\n" + indent + "</xs:attribute>\n";
  }

  void write_element(Element const& element, std::string const& indent, bool root) {
    text_ += indent + "<xs:element name=\"" + std::string(element.name) + "\"" +
             (root ? ">\n" : " minOccurs=\"0\">\n") +
             documentation(indent + "  ",
                           std::string(element.description) + " Example: " + std::string(element.example)) +
             indent + "  <xs:complexType>\n";
    auto const elements = vocabulary();
    bool const has_children = std::any_of(elements.begin(), elements.end(),
                                          [&](Element const& child) { return child.parent == element.name; });
    if (has_children) {
      text_ += indent + "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";
      for (Element const& child : elements) {
        if (child.parent == element.name) write_element(child, indent + "      ", false);
      }
      text_ += indent + "    </xs:choice>\n";
    }
    for (Attribute const& attribute : element.attributes) write_attribute(attribute, indent + "    ");
    text_ += indent + "  </xs:complexType>\n" + indent + "</xs:element>\n";
  }

  std::string text_;
};

}  // namespace

std::string write_scene_schema() {
  return SchemaWriter().write();
}

}  // namespace delassus
