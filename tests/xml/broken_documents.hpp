// Every document that differs from a given one by one change of one element or one attribute: dropped, written twice, moved,
// renamed, given another value. Most of them break the schema, some do not: it is for others to say which.
#pragma once

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "xml/text/xml_document.hpp"

namespace delassus::test {

namespace broken_documents {

inline std::vector<xmlNode*> elements_of(xmlNode* root) {
  std::vector<xmlNode*> all{root};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (xmlNode* child = all[i]->children; child != nullptr; child = child->next) {
      if (child->type == XML_ELEMENT_NODE) all.push_back(child);
    }
  }
  return all;
}

inline xmlNode* sibling(xmlNode* node) {
  for (xmlNode* next = node->next; next != nullptr; next = next->next) {
    if (next->type == XML_ELEMENT_NODE) return next;
  }
  return nullptr;
}

inline xmlNode* first_child(xmlNode* node) {
  for (xmlNode* child = node->children; child != nullptr; child = child->next) {
    if (child->type == XML_ELEMENT_NODE) return child;
  }
  return nullptr;
}

inline void free_subtree(xmlNode* node) {
  xmlUnlinkNode(node);
  xmlFreeNode(node);
}

inline xmlNode* copy_of(xmlNode* node) {
  return xmlCopyNode(node, 1);
}

struct ElementChange {
  char const* what;
  bool (*apply)(xmlNode* element);  // false: this element has nothing to change so
};

inline constexpr ElementChange element_changes[] = {
    {"dropped",
     [](xmlNode* element) {
       if (element->parent->type != XML_ELEMENT_NODE) return false;
       free_subtree(element);
       return true;
     }},
    {"written twice",
     [](xmlNode* element) {
       return element->parent->type == XML_ELEMENT_NODE &&
              xmlAddNextSibling(element, copy_of(element)) != nullptr;
     }},
    {"written three times",
     [](xmlNode* element) {
       return element->parent->type == XML_ELEMENT_NODE &&
              xmlAddNextSibling(element, copy_of(element)) != nullptr &&
              xmlAddNextSibling(element, copy_of(element)) != nullptr;
     }},
    {"after its neighbour",
     [](xmlNode* element) {
       xmlNode* const next = sibling(element);
       if (next == nullptr) return false;
       xmlUnlinkNode(element);
       return xmlAddNextSibling(next, element) != nullptr;
     }},
    {"first",
     [](xmlNode* element) {
       xmlNode* const first =
           element->parent->type == XML_ELEMENT_NODE ? first_child(element->parent) : element;
       if (first == element) return false;
       xmlUnlinkNode(element);
       return xmlAddPrevSibling(first, element) != nullptr;
     }},
    {"last",
     [](xmlNode* element) {
       if (sibling(element) == nullptr) return false;
       xmlNode* const parent = element->parent;
       xmlUnlinkNode(element);
       return xmlAddChild(parent, element) != nullptr;
     }},
    {"one level up",
     [](xmlNode* element) {
       if (element->parent->type != XML_ELEMENT_NODE || element->parent->parent->type != XML_ELEMENT_NODE)
         return false;
       xmlNode* const parent = element->parent;
       xmlUnlinkNode(element);
       return xmlAddNextSibling(parent, element) != nullptr;
     }},
    {"replaced by its content",
     [](xmlNode* element) {
       if (element->parent->type != XML_ELEMENT_NODE || first_child(element) == nullptr) return false;
       while (element->children != nullptr) {
         xmlNode* const child = element->children;
         xmlUnlinkNode(child);
         xmlAddPrevSibling(element, child);
       }
       free_subtree(element);
       return true;
     }},
    {"without content",
     [](xmlNode* element) {
       if (element->children == nullptr) return false;
       while (element->children != nullptr) free_subtree(element->children);
       return true;
     }},
    {"with itself inside",
     [](xmlNode* element) { return xmlAddChild(element, copy_of(element)) != nullptr; }},
    {"with an unknown element inside",
     [](xmlNode* element) {
       return xmlNewChild(element, element->ns, BAD_CAST "Unknown", nullptr) != nullptr;
     }},
    {"with an element of others inside",
     [](xmlNode* element) {
       xmlNode* const child = xmlNewChild(element, nullptr, BAD_CAST "theirs", nullptr);
       xmlSetNs(child, xmlNewNs(child, BAD_CAST "urn:theirs", BAD_CAST "t"));
       return true;
     }},
    {"with text inside",
     [](xmlNode* element) { return xmlAddChild(element, xmlNewText(BAD_CAST "text")) != nullptr; }},
    {"with blanks inside",
     [](xmlNode* element) { return xmlAddChild(element, xmlNewText(BAD_CAST " \n ")) != nullptr; }},
    {"with a comment inside",
     [](xmlNode* element) { return xmlAddChild(element, xmlNewComment(BAD_CAST "c")) != nullptr; }},
    {"of another name",
     [](xmlNode* element) {
       xmlNodeSetName(element, BAD_CAST "Unknown");
       return true;
     }},
    {"in small letters",
     [](xmlNode* element) {
       std::string name = from_xml(element->name);
       if (name[0] >= 'a' && name[0] <= 'z') return false;
       name[0] = static_cast<char>(name[0] - 'A' + 'a');
       xmlNodeSetName(element, to_xml(name));
       return true;
     }},
    {"of its neighbour's name",
     [](xmlNode* element) {
       xmlNode* const next = sibling(element);
       if (next == nullptr || from_xml(next->name) == from_xml(element->name)) return false;
       xmlNodeSetName(element, to_xml(from_xml(next->name)));
       return true;
     }},
    {"in another name space",
     [](xmlNode* element) {
       xmlSetNs(element, xmlNewNs(element, BAD_CAST "urn:theirs", BAD_CAST "t"));
       return true;
     }},
    {"in no name space",
     [](xmlNode* element) {
       if (element->ns == nullptr) return false;
       xmlSetNs(element, nullptr);
       return true;
     }},
    {"with an unknown attribute",
     [](xmlNode* element) { return xmlNewProp(element, BAD_CAST "unknown", BAD_CAST "1") != nullptr; }},
    {"with an attribute of others",
     [](xmlNode* element) {
       xmlNs* const space = xmlNewNs(element, BAD_CAST "urn:theirs", BAD_CAST "t");
       return xmlNewNsProp(element, space, BAD_CAST "unknown", BAD_CAST "1") != nullptr;
     }},
    {"with the place of a schema",
     [](xmlNode* element) {
       xmlNs* const space =
           xmlNewNs(element, BAD_CAST "http://www.w3.org/2001/XMLSchema-instance", BAD_CAST "xsi");
       return xmlNewNsProp(element, space, BAD_CAST "noNamespaceSchemaLocation", BAD_CAST "x.xsd") != nullptr;
     }},
};

// No values with blanks at their ends: libxml2 refuses these where XML Schema allows them, in whole numbers without sign.
inline constexpr std::array values{"",
                                   "x",
                                   "0",
                                   "1",
                                   "-1",
                                   "+1",
                                   "1.5",
                                   "1.",
                                   ".5",
                                   "1e400",
                                   "1e",
                                   "INF",
                                   "+INF",
                                   "inf",
                                   "NaN",
                                   "0x10",
                                   "true",
                                   "True",
                                   "-129",
                                   "128",
                                   "256",
                                   "40000",
                                   "70000",
                                   "3000000000",
                                   "5e9",
                                   "5000000000",
                                   "99999999999",
                                   "1 2 -3",
                                   "1,5",
                                   "18446744073709551616",
                                   "00fF",
                                   "00f",
                                   "2.0",
                                   "2.1",
                                   "3.0",
                                   "3.1-alpha",
                                   "3.01",
                                   "1.0",
                                   "1.0-draft",
                                   "constant",
                                   "continuous",
                                   "dependent tunable",
                                   "exact",
                                   "output",
                                   "local",
                                   "inout",
                                   "structured",
                                   "any",
                                   "root",
                                   "2026-02-30T00:00:00Z",
                                   "2026-02-28T24:00:00Z",
                                   "2026-02-28T12:00:00",
                                   "2026-02-28",
                                   "a b.fmu",
                                   "a%2.fmu",
                                   "a:b:c",
                                   "http://[",
                                   "\xc3\xa4"};

}  // namespace broken_documents

// Calls `visit` with each of them, in an order that never changes. With `every` above 1 only with each such one.
inline std::size_t for_each_broken(
    std::string const& text,
    std::function<void(std::string const& what, std::string const& text)> const& visit,
    std::size_t every = 1) {
  using namespace broken_documents;
  std::size_t count = 0;
  auto const change = [&](std::size_t index, std::string const& what, auto const& apply) {
    if (count % every != 0) {
      ++count;
      return;
    }
    auto const document = read_xml_document(text);
    xmlNode* const element = elements_of(xmlDocGetRootElement(document.get()))[index];
    std::string const name = from_xml(element->name);
    if (!apply(element)) return;
    ++count;
    visit("<" + name + "> number " + std::to_string(index) + " " + what, write_xml_document(*document));
  };
  auto const document = read_xml_document(text);
  auto const elements = elements_of(xmlDocGetRootElement(document.get()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (auto const& each : element_changes) change(i, each.what, each.apply);
    for (xmlAttr* attribute = elements[i]->properties; attribute != nullptr; attribute = attribute->next) {
      std::string const name = from_xml(attribute->name);
      auto const of = [name](xmlNode* element) { return xmlHasProp(element, to_xml(name)); };
      change(i, "without " + name, [&](xmlNode* element) { return xmlRemoveProp(of(element)) == 0; });
      change(i, "with " + name + " misspelt", [&](xmlNode* element) {
        xmlNode* const node = reinterpret_cast<xmlNode*>(of(element));
        xmlNodeSetName(node, to_xml(name + "s"));
        return true;
      });
      change(i, "with " + name + " in a name space", [&](xmlNode* element) {
        xmlNs* const space = xmlNewNs(element, BAD_CAST "urn:theirs", BAD_CAST "t");
        of(element)->ns = space;
        return true;
      });
      for (char const* const value : values)
        change(i, "with " + name + "=\"" + value + "\"", [&](xmlNode* element) {
          return xmlSetProp(element, to_xml(name), BAD_CAST value) != nullptr;
        });
    }
  }
  return count;
}

}  // namespace delassus::test
