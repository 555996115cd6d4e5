#include "xml/text/xml_document.hpp"

#include <new>
#include <stdexcept>

#include "xml/text/tree_reader.hpp"

namespace delassus {

XmlDocument read_xml_document(std::string const& text) {
  read_tree(text, description_limits);  // refuses hostile text
  XmlParserContext const context{xmlNewParserCtxt()};
  if (!context) throw std::bad_alloc{};
  XmlDocument document{xmlCtxtReadMemory(context.get(), text.data(), static_cast<int>(text.size()), nullptr,
                                         nullptr, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)};
  if (!document) throw std::runtime_error("libxml2 could not read the document");
  return document;
}

std::string write_xml_document(xmlDoc& document) {
  xmlChar* bytes = nullptr;
  int size = 0;
  xmlDocDumpMemoryEnc(&document, &bytes, &size, "UTF-8");
  if (bytes == nullptr) throw std::bad_alloc{};
  std::string written(reinterpret_cast<char const*>(bytes), static_cast<std::size_t>(size));
  xmlFree(bytes);
  return written;
}

std::optional<std::string> xml_attribute(xmlNode* node, char const* name) {
  xmlChar* const value = xmlGetNoNsProp(node, BAD_CAST name);
  if (value == nullptr) return std::nullopt;
  std::string text = from_xml(value);
  xmlFree(value);
  return text;
}

void set_xml_attribute(xmlNode* node, char const* name, std::string const& value) {
  if (xmlSetNsProp(node, nullptr, BAD_CAST name, to_xml(value)) == nullptr) throw std::bad_alloc{};
}

xmlNode* xml_child(xmlNode const* node, std::string_view name) {
  for (xmlNode* child = node->children; child != nullptr; child = child->next) {
    if (child->type == XML_ELEMENT_NODE && from_xml(child->name) == name) return child;
  }
  return nullptr;
}

}  // namespace delassus
