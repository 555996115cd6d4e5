// Smart pointers for the handles of libxml2, each with its free function.
#pragma once

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlwriter.h>

#include <memory>
#include <string>
#include <string_view>

namespace delassus {

template <auto free_function>
struct LibxmlDeleter {
  template <typename Handle>
  void operator()(Handle* handle) const {
    free_function(handle);
  }
};

using XmlDocument = std::unique_ptr<xmlDoc, LibxmlDeleter<xmlFreeDoc>>;
using XmlBuffer = std::unique_ptr<xmlBuffer, LibxmlDeleter<xmlBufferFree>>;
using XmlParserContext = std::unique_ptr<xmlParserCtxt, LibxmlDeleter<xmlFreeParserCtxt>>;
using XmlTextWriter = std::unique_ptr<xmlTextWriter, LibxmlDeleter<xmlFreeTextWriter>>;
using XmlSchema = std::unique_ptr<::xmlSchema, LibxmlDeleter<xmlSchemaFree>>;
using XmlSchemaParser = std::unique_ptr<xmlSchemaParserCtxt, LibxmlDeleter<xmlSchemaFreeParserCtxt>>;
using XmlSchemaValidator = std::unique_ptr<xmlSchemaValidCtxt, LibxmlDeleter<xmlSchemaFreeValidCtxt>>;

inline xmlChar const* to_xml(std::string const& text) {
  return reinterpret_cast<xmlChar const*>(text.c_str());
}

inline std::string from_xml(xmlChar const* text) {
  return text == nullptr ? std::string{} : std::string{reinterpret_cast<char const*>(text)};
}

// libxml2's messages end with a line feed.
inline std::string message_of(char const* message) {
  std::string text = message == nullptr ? "unknown error" : message;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace delassus
