#include "xml/ssp/structure_rewriter.hpp"

#include "xml/text/xml_document.hpp"

namespace delassus {
namespace {

void replace_in(xmlNode* node, SourceReplacements const& replacements) {
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    auto const name = from_xml(node->name);
    if (name == "Annotations") continue;
    if (name == "Component") {
      auto const source = xml_attribute(node, "source");
      auto const found = source ? replacements.components.find(*source) : replacements.components.end();
      if (found != replacements.components.end()) {
        set_xml_attribute(node, "source", found->second.source);
        xmlUnsetNsProp(node, nullptr, BAD_CAST "type");
        if (!found->second.type.empty()) set_xml_attribute(node, "type", found->second.type);
      }
    }
    bool const is_parameter = name == "ParameterBinding" || name == "ParameterMapping";
    char const* const file = is_parameter ? "source" : name == "ElementGeometry" ? "iconSource" : nullptr;
    if (file != nullptr && xml_attribute(node, "sourceBase").value_or("SSD") == "SSD") {
      auto const source = xml_attribute(node, file);
      auto const found = source ? replacements.files.find(*source) : replacements.files.end();
      if (found != replacements.files.end()) set_xml_attribute(node, file, found->second);
    }
    replace_in(node->children, replacements);
  }
}

}  // namespace

std::string replace_sources(std::string const& text, SourceReplacements const& replacements) {
  XmlDocument const document = read_xml_document(text);
  replace_in(xmlDocGetRootElement(document.get()), replacements);
  return write_xml_document(*document);
}

}  // namespace delassus
