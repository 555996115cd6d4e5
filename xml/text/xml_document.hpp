// A text as a tree of libxml2, to be changed and written again: what is not changed stays as written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xml/text/libxml.hpp"

namespace delassus {

// Refuses hostile text. Throws std::runtime_error where it is no XML.
XmlDocument read_xml_document(std::string const& text);
std::string write_xml_document(xmlDoc& document);

// Without a name space.
std::optional<std::string> xml_attribute(xmlNode* node, char const* name);
void set_xml_attribute(xmlNode* node, char const* name, std::string const& value);

// By local names; nullptr: there is none.
xmlNode* xml_child(xmlNode const* node, std::string_view name);

}  // namespace delassus
