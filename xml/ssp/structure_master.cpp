#include "xml/ssp/structure_master.hpp"

#include <new>
#include <optional>
#include <string_view>

#include "xml/text/schema_value.hpp"
#include "xml/text/xml_document.hpp"

namespace delassus {
namespace {

constexpr std::string_view annotation_type = "org.openmodelica";
constexpr char oms_space[] =
    "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd";
constexpr std::string_view ssp_space = "http://ssp-standard.org/SSP1/";

struct UsualPrefix {
  std::string_view name;  // of the name space, behind what all have in common
  char const* prefix;
};
constexpr UsualPrefix usual_prefixes[] = {{"SystemStructureDescription", "ssd"},
                                          {"SystemStructureCommon", "ssc"},
                                          {"SystemStructureParameterValues", "ssv"},
                                          {"SystemStructureParameterMapping", "ssm"},
                                          {"SystemStructureSignalDictionary", "ssb"}};

char const* usual_prefix(xmlNs const& space) {
  auto const name = from_xml(space.href);
  if (!name.starts_with(ssp_space)) return nullptr;
  for (auto const& each : usual_prefixes) {
    if (std::string_view(name).substr(ssp_space.size()) == each.name) return each.prefix;
  }
  return nullptr;
}

// Whether no declaration in the tree gives the prefix to another name space.
bool is_free(xmlNode const* node, std::string_view prefix, xmlNs const& wanted) {
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    for (xmlNs const* space = node->nsDef; space != nullptr; space = space->next) {
      if (from_xml(space->prefix) == prefix && from_xml(space->href) != from_xml(wanted.href)) return false;
    }
    if (!is_free(node->children, prefix, wanted)) return false;
  }
  return true;
}

// An element refers to the declaration of its name space: a new prefix there is one everywhere.
void use_usual_prefixes(xmlNode const* root, xmlNode* node) {
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    for (xmlNs* space = node->nsDef; space != nullptr; space = space->next) {
      char const* const prefix = usual_prefix(*space);
      if (prefix == nullptr || from_xml(space->prefix) == prefix) continue;
      if (xmlSearchNs(node->doc, node, BAD_CAST prefix) != nullptr || !is_free(root, prefix, *space))
        continue;
      xmlChar* const copy = xmlStrdup(BAD_CAST prefix);
      if (copy == nullptr) throw std::bad_alloc{};
      xmlFree(const_cast<xmlChar*>(space->prefix));
      space->prefix = copy;
    }
    // Where both are declared, the element takes the one with the prefix.
    if (char const* const prefix = node->ns == nullptr ? nullptr : usual_prefix(*node->ns)) {
      xmlNs* const usual = xmlSearchNs(node->doc, node, BAD_CAST prefix);
      if (usual != nullptr && from_xml(usual->href) == from_xml(node->ns->href)) node->ns = usual;
    }
    use_usual_prefixes(root, node->children);
  }
}

xmlNs* space_for(xmlNode* node, std::string const& href, char const* prefix) {
  xmlNs* space = xmlSearchNsByHref(node->doc, node, to_xml(href));
  if (space == nullptr) space = xmlNewNs(xmlDocGetRootElement(node->doc), to_xml(href), BAD_CAST prefix);
  if (space == nullptr) throw std::bad_alloc{};
  return space;
}

xmlNode* new_child(xmlNode* parent, xmlNs* space, char const* name) {
  xmlNode* const child = xmlNewChild(parent, space, BAD_CAST name, nullptr);
  if (child == nullptr) throw std::bad_alloc{};
  return child;
}

}  // namespace

std::string announce_master(std::string const& text, FixedStepMaster const& master) {
  XmlDocument const document = read_xml_document(text);
  xmlNode* const root = xmlDocGetRootElement(document.get());
  xmlNode* const system = xml_child(root, "System");
  if (system == nullptr) return text;
  xmlNode* annotations = xml_child(system, "Annotations");
  for (xmlNode* each = annotations == nullptr ? nullptr : annotations->children; each != nullptr;
       each = each->next) {
    if (each->type == XML_ELEMENT_NODE && xml_attribute(each, "type") == std::string(annotation_type))
      return text;
  }
  use_usual_prefixes(root, root);
  // The last child of a system, by its schema.
  if (annotations == nullptr) annotations = new_child(system, system->ns, "Annotations");
  xmlNode* const annotation = new_child(
      annotations, space_for(system, std::string(ssp_space) + "SystemStructureCommon", "ssc"), "Annotation");
  set_xml_attribute(annotation, "type", std::string(annotation_type));
  xmlNode* const first = annotations->children;
  if (first != annotation) {
    xmlUnlinkNode(annotation);
    xmlAddPrevSibling(first, annotation);
  }
  xmlNode* const content = xmlNewChild(annotation, nullptr, BAD_CAST "Annotations", nullptr);
  if (content == nullptr) throw std::bad_alloc{};
  xmlNs* const oms = xmlNewNs(content, BAD_CAST oms_space, BAD_CAST "oms");
  if (oms == nullptr) throw std::bad_alloc{};
  xmlSetNs(content, oms);
  xmlNode* const information = new_child(content, oms, "SimulationInformation");
  xmlNode* const step = new_child(information, oms, "FixedStepMaster");
  set_xml_attribute(step, "description", "oms-ma");
  set_xml_attribute(step, "stepSize", number_text(master.step));
  set_xml_attribute(step, "relativeTolerance", number_text(master.tolerance));
  return write_xml_document(*document);
}

}  // namespace delassus
