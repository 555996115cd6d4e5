#include "xml/text/schema.hpp"

#include <new>
#include <stdexcept>

#include "xml/text/libxml.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

struct Report {
  std::string file;
  std::vector<Finding> findings;
  std::string first_message;
};

// Versions of libxml2 differ in whether the error is const.
template <typename Error>
void on_schema_error(void* data, Error* error) {
  auto& report = *static_cast<Report*>(data);
  auto const message = message_of(error->message);
  if (report.first_message.empty()) report.first_message = message;
  report.findings.push_back({"schema", Severity::error, report.file, error->line, message,
                             "write what the schema of the standard demands at this place"});
}

XmlSchema read_schema(std::filesystem::path const& xsd) {
  // libxml2 would print it to stderr.
  if (!std::filesystem::is_regular_file(xsd))
    throw std::runtime_error("the schema " + xsd.string() + " does not exist");
  XmlSchemaParser const parser{xmlSchemaNewParserCtxt(xsd.string().c_str())};
  if (!parser) throw std::bad_alloc{};
  Report report{xsd.string(), {}, {}};
  xmlSchemaSetParserStructuredErrors(parser.get(), on_schema_error, &report);
  XmlSchema schema{xmlSchemaParse(parser.get())};
  if (!schema) {
    throw std::runtime_error("the schema " + xsd.string() + " cannot be read: " + report.first_message);
  }
  return schema;
}

XmlDocument read_document(std::string const& text, std::string const& file) {
  XmlParserContext const context{xmlNewParserCtxt()};
  if (!context) throw std::bad_alloc{};
  return XmlDocument{
      xmlCtxtReadMemory(context.get(), text.data(), static_cast<int>(text.size()), file.c_str(), nullptr,
                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES)};
}

}  // namespace

std::vector<Finding> validate_schema(std::string const& xml_text, std::string const& file,
                                     std::filesystem::path const& xsd) {
  // Malformed or hostile text ends here. The rest is safe to read as a tree.
  try {
    read_tree(xml_text, description_limits);
  } catch (XmlError const& error) {
    return {{"schema", Severity::error, file, error.line(), error.what(),
             "write well-formed XML without a DOCTYPE"}};
  }
  auto const schema = read_schema(xsd);
  auto const document = read_document(xml_text, file);
  if (!document)
    return {{"schema", Severity::error, file, 1, "the text cannot be read as XML", "write well-formed XML"}};

  XmlSchemaValidator const validator{xmlSchemaNewValidCtxt(schema.get())};
  if (!validator) throw std::bad_alloc{};
  Report report{file, {}, {}};
  xmlSchemaSetValidStructuredErrors(validator.get(), on_schema_error, &report);
  if (xmlSchemaValidateDoc(validator.get(), document.get()) < 0) {
    throw std::runtime_error("the schema " + xsd.string() + " could not be applied to " + file);
  }
  return report.findings;
}

}  // namespace delassus
