#include "xml/fmi/description_writer.hpp"

#include <new>
#include <stdexcept>

#include "xml/fmi/standard.hpp"
#include "xml/text/libxml.hpp"

namespace delassus {
namespace {

std::string joined(std::vector<std::string> const& words) {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

template <typename Integer>
std::string joined(std::vector<Integer> const& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (auto const number : numbers) words.push_back(std::to_string(number));
  return joined(words);
}

class Writer {
 public:
  explicit Writer(int version) : version_(version), buffer_(xmlBufferCreate()) {
    if (!buffer_) throw std::bad_alloc{};
    writer_.reset(xmlNewTextWriterMemory(buffer_.get(), 0));
    if (!writer_) throw std::bad_alloc{};
    demand(xmlTextWriterSetIndent(writer_.get(), 1));
    demand(xmlTextWriterSetIndentString(writer_.get(), BAD_CAST "  "));
    demand(xmlTextWriterStartDocument(writer_.get(), "1.0", "UTF-8", nullptr));
  }

  // Writes an element; `content` writes its attributes, then its children.
  template <typename Content>
  void element(std::string_view name, Content content) {
    if (name.empty()) {
      throw std::invalid_argument(
          "a variable, a type or a list of the model structure has no type name; set one");
    }
    demand(xmlTextWriterStartElement(writer_.get(), to_xml(std::string{name})));
    content();
    demand(xmlTextWriterEndElement(writer_.get()));
  }

  // An empty list is left out, as the schemas demand.
  template <typename List, typename Entry>
  void list(std::string_view name, List const& entries, Entry entry) {
    if (entries.empty()) return;
    element(name, [&] {
      for (auto const& each : entries) entry(each);
    });
  }

  void attribute(std::string_view name, std::string const& value) {
    check(name, value);
    demand(xmlTextWriterWriteAttribute(writer_.get(), to_xml(std::string{name}), to_xml(value)));
  }
  void attribute_if_any(std::string_view name, std::string const& value) {
    if (!value.empty()) attribute(name, value);
  }
  void attribute_if_any(std::string_view name, std::optional<std::string> const& value) {
    if (value) attribute(name, *value);
  }

  // Attributes in the order of the standard, then those that it does not name.
  void attributes(std::string_view parent, std::string_view element_name,
                  std::map<std::string, std::string> const& values) {
    auto const* const standard = find_standard_element(version_, parent, element_name);
    if (standard != nullptr) {
      for (auto const& each : standard->attributes) {
        auto const found = values.find(std::string{each.name});
        if (found != values.end()) attribute(found->first, found->second);
      }
    }
    for (auto const& [name, value] : values) {
      if (standard == nullptr || standard->attribute(name) == nullptr) attribute(name, value);
    }
  }

  std::string finish() {
    demand(xmlTextWriterEndDocument(writer_.get()));
    demand(xmlTextWriterFlush(writer_.get()));
    return {reinterpret_cast<char const*>(xmlBufferContent(buffer_.get())),
            static_cast<std::size_t>(xmlBufferLength(buffer_.get()))};
  }

 private:
  static void demand(int result) {
    if (result < 0) throw std::runtime_error("libxml2 could not write the model description");
  }

  // XML 1.0, production 2: no control characters except tab, line feed and carriage return, not even as
  // references.
  static void check(std::string_view name, std::string const& value) {
    bool legal = xmlCheckUTF8(to_xml(value)) == 1 && value.find('\0') == std::string::npos;
    for (unsigned char const character : value) {
      legal = legal && (character >= 0x20 || character == '\t' || character == '\n' || character == '\r');
    }
    if (!legal) {
      throw std::invalid_argument("the attribute " + std::string{name} + "=\"" + value +
                                  "\" cannot be written as XML: use UTF-8 without control characters");
    }
  }

  int version_;
  XmlBuffer buffer_;
  XmlTextWriter writer_;
};

// The attributes of a variable, in the order in which they are written. FMI 3 has them all on one element;
// FMI 2 has the common ones on <ScalarVariable> and the others on the element of the type inside it.
struct VariableAttribute {
  std::string_view name;
  bool common;
  std::string DescribedVariable::*member;
};

constexpr VariableAttribute variable_attributes[] = {
    {"name", true, &DescribedVariable::name},
    {"valueReference", true, nullptr},
    {"description", true, &DescribedVariable::description},
    {"causality", true, &DescribedVariable::causality},
    {"variability", true, &DescribedVariable::variability},
    {"initial", true, &DescribedVariable::initial},
    {"declaredType", false, &DescribedVariable::declared_type},
    {"quantity", false, &DescribedVariable::quantity},
    {"unit", false, &DescribedVariable::unit},
    {"displayUnit", false, &DescribedVariable::display_unit},
    {"min", false, &DescribedVariable::minimum},
    {"max", false, &DescribedVariable::maximum},
    {"nominal", false, &DescribedVariable::nominal},
    {"start", false, nullptr},
    {"derivative", false, &DescribedVariable::derivative},
    {"intermediateUpdate", true, &DescribedVariable::intermediate_update},
    {"intervalVariability", false, &DescribedVariable::interval_variability},
    {"intervalDecimal", false, &DescribedVariable::interval_decimal},
    {"clocks", false, nullptr},
};

void write_attribute(Writer& writer, VariableAttribute const& attribute, DescribedVariable const& variable) {
  if (attribute.member != nullptr) {
    writer.attribute_if_any(attribute.name, variable.*attribute.member);
  } else if (attribute.name == "valueReference" && variable.value_reference) {
    writer.attribute(attribute.name, std::to_string(*variable.value_reference));
  } else if (attribute.name == "start") {
    writer.attribute_if_any(attribute.name, variable.start);
  } else if (attribute.name == "clocks" && variable.clocks) {
    writer.attribute(attribute.name, joined(*variable.clocks));
  }
}

void write_variable(Writer& writer, int version, DescribedVariable const& variable) {
  auto const write_attributes = [&](bool common) {
    for (auto const& attribute : variable_attributes) {
      if (attribute.common == common) write_attribute(writer, attribute, variable);
    }
  };
  auto const type = type_element_name(version, variable.type);
  if (version == 2) {
    writer.element("ScalarVariable", [&] {
      write_attributes(true);
      writer.element(type, [&] { write_attributes(false); });
    });
    return;
  }
  writer.element(type, [&] {
    write_attributes(true);
    write_attributes(false);
    for (auto const& dimension : variable.dimensions) {
      writer.element("Dimension", [&] {
        if (dimension.start) writer.attribute("start", std::to_string(*dimension.start));
        if (dimension.value_reference)
          writer.attribute("valueReference", std::to_string(*dimension.value_reference));
      });
    }
    for (auto const& value : variable.start_elements) {
      writer.element("Start", [&] { writer.attribute("value", value); });
    }
    for (auto const& alias : variable.aliases) {
      writer.element("Alias", [&] {
        writer.attribute("name", alias.name);
        writer.attribute_if_any("description", alias.description);
        writer.attribute_if_any("displayUnit", alias.display_unit);
      });
    }
  });
}

void write_unit(Writer& writer, DescribedUnit const& unit) {
  writer.element("Unit", [&] {
    writer.attribute("name", unit.name);
    if (!unit.base_unit.empty()) {
      writer.element("BaseUnit", [&] { writer.attributes("Unit", "BaseUnit", unit.base_unit); });
    }
    for (auto const& display : unit.display_units) {
      writer.element("DisplayUnit", [&] {
        writer.attribute("name", display.name);
        writer.attribute_if_any("factor", display.factor);
        writer.attribute_if_any("offset", display.offset);
        if (display.inverse) writer.attribute("inverse", "true");
      });
    }
  });
}

void write_type(Writer& writer, int version, DescribedType const& type) {
  auto const write_name = [&] {
    writer.attribute("name", type.name);
    writer.attribute_if_any("description", type.description);
  };
  auto const write_content = [&] {
    writer.attribute_if_any("quantity", type.quantity);
    writer.attribute_if_any("unit", type.unit);
    writer.attribute_if_any("displayUnit", type.display_unit);
    writer.attribute_if_any("min", type.minimum);
    writer.attribute_if_any("max", type.maximum);
    writer.attribute_if_any("nominal", type.nominal);
    for (auto const& item : type.items) {
      writer.element("Item", [&] {
        writer.attribute("name", item.name);
        writer.attribute("value", item.value);
        writer.attribute_if_any("description", item.description);
      });
    }
  };
  auto const name = type_element_name(version, type.type);
  if (version == 2) {
    writer.element("SimpleType", [&] {
      write_name();
      writer.element(name, write_content);
    });
  } else {
    writer.element(std::string{name} + "Type", [&] {
      write_name();
      write_content();
    });
  }
}

void write_structure(Writer& writer, int version, std::vector<DescribedUnknown> const& structure) {
  auto const write_unknown = [&](DescribedUnknown const& unknown) {
    writer.element(version == 2 ? "Unknown" : unknown.list, [&] {
      writer.attribute(version == 2 ? "index" : "valueReference", std::to_string(unknown.reference));
      if (unknown.dependencies) writer.attribute("dependencies", joined(*unknown.dependencies));
      if (unknown.dependencies_kind) writer.attribute("dependenciesKind", joined(*unknown.dependencies_kind));
    });
  };
  writer.element("ModelStructure", [&] {
    for (auto const& list : structure_lists()) {
      std::vector<DescribedUnknown> entries;
      for (auto const& unknown : structure) {
        if (unknown.list == list.name(version)) entries.push_back(unknown);
      }
      if (version == 2) {
        writer.list(list.name(version), entries, write_unknown);
      } else {
        for (auto const& unknown : entries) write_unknown(unknown);
      }
    }
  });
}

}  // namespace

std::string write_model_description(ModelDescription const& description) {
  int const version = description.version;
  if (version != 2 && version != 3) {
    throw std::invalid_argument("a model description of FMI " + std::to_string(version) +
                                " cannot be written; set its version to 2 or 3");
  }
  Writer writer(version);
  writer.element("fmiModelDescription", [&] {
    writer.attributes("", "fmiModelDescription", description.attributes);
    for (auto const& interface : description.interfaces) {
      writer.element(interface.kind,
                     [&] { writer.attributes("fmiModelDescription", interface.kind, interface.attributes); });
    }
    writer.list("UnitDefinitions", description.units, [&](auto const& unit) { write_unit(writer, unit); });
    writer.list("TypeDefinitions", description.types,
                [&](auto const& type) { write_type(writer, version, type); });
    writer.list("LogCategories", description.log_categories, [&](auto const& category) {
      writer.element("Category", [&] {
        writer.attribute("name", category.name);
        writer.attribute_if_any("description", category.description);
      });
    });
    if (auto const& experiment = description.default_experiment) {
      writer.element("DefaultExperiment", [&] {
        writer.attribute_if_any("startTime", experiment->start_time);
        writer.attribute_if_any("stopTime", experiment->stop_time);
        writer.attribute_if_any("tolerance", experiment->tolerance);
        writer.attribute_if_any("stepSize", experiment->step_size);
      });
    }
    writer.element("ModelVariables", [&] {
      for (auto const& variable : description.variables) write_variable(writer, version, variable);
    });
    write_structure(writer, version, description.model_structure);
  });
  return writer.finish();
}

}  // namespace delassus
