#include "xml/ssp/structure_rewriter.hpp"

#include <new>
#include <optional>
#include <stdexcept>

#include "xml/text/libxml.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

std::optional<std::string> attribute(xmlNode* node, char const* name) {
  xmlChar* const value = xmlGetNoNsProp(node, BAD_CAST name);
  if (value == nullptr) return std::nullopt;
  std::string text = from_xml(value);
  xmlFree(value);
  return text;
}

void set_attribute(xmlNode* node, char const* name, std::string const& value) {
  if (xmlSetNsProp(node, nullptr, BAD_CAST name, to_xml(value)) == nullptr) throw std::bad_alloc{};
}

void replace_in(xmlNode* node, SourceReplacements const& replacements) {
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    auto const name = from_xml(node->name);
    if (name == "Annotations") continue;
    if (name == "Component") {
      auto const source = attribute(node, "source");
      auto const found = source ? replacements.components.find(*source) : replacements.components.end();
      if (found != replacements.components.end()) {
        set_attribute(node, "source", found->second.source);
        xmlUnsetNsProp(node, nullptr, BAD_CAST "type");
        if (!found->second.type.empty()) set_attribute(node, "type", found->second.type);
      }
    }
    bool const is_parameter = name == "ParameterBinding" || name == "ParameterMapping";
    char const* const file = is_parameter ? "source" : name == "ElementGeometry" ? "iconSource" : nullptr;
    if (file != nullptr && attribute(node, "sourceBase").value_or("SSD") == "SSD") {
      auto const source = attribute(node, file);
      auto const found = source ? replacements.files.find(*source) : replacements.files.end();
      if (found != replacements.files.end()) set_attribute(node, file, found->second);
    }
    replace_in(node->children, replacements);
  }
}

}  // namespace

std::string replace_sources(std::string const& text, SourceReplacements const& replacements) {
  read_tree(text, description_limits);  // refuses hostile text
  XmlParserContext const context{xmlNewParserCtxt()};
  if (!context) throw std::bad_alloc{};
  XmlDocument const document{xmlCtxtReadMemory(context.get(), text.data(), static_cast<int>(text.size()),
                                               nullptr, nullptr,
                                               XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)};
  if (!document) throw std::runtime_error("libxml2 could not read the structure");
  replace_in(xmlDocGetRootElement(document.get()), replacements);
  xmlChar* bytes = nullptr;
  int size = 0;
  xmlDocDumpMemoryEnc(document.get(), &bytes, &size, "UTF-8");
  if (bytes == nullptr) throw std::bad_alloc{};
  std::string written(reinterpret_cast<char const*>(bytes), static_cast<std::size_t>(size));
  xmlFree(bytes);
  return written;
}

}  // namespace delassus
