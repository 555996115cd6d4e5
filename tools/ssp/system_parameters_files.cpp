#include <fmt/format.h>

#include "tools/ssp/system_parameters.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

constexpr std::string_view set_type = "application/x-ssp-parameter-set";
constexpr std::string_view mapping_type = "application/x-ssp-parameter-mapping";

// The text of a file beside the structure, or inside of the component that an element is.
std::pair<std::string, std::string> load_text(SystemInstance const& instance, StructureSource const& scope,
                                              std::string const& uri, bool in_component, int line) {
  if (!in_component) {
    auto const file = scope.resolve(uri, line);
    auto const shown = scope.is_package() ? scope.file().string() + "/" + uri : file.string();
    return {read_file(file, description_limits.bytes), shown};
  }
  if (instance.source_file.empty())
    throw StructureError(
        instance.file(), line,
        fmt::format("\"{}\" is to be inside of a component, and \"{}\" is none that is an FMU", uri,
                    instance.name));
  Archive const archive(instance.source_file);
  if (!archive.problems().empty() || !archive.contains(uri))
    throw StructureError(instance.file(), line,
                         fmt::format("there is no \"{}\" inside of {}", uri, *instance.element->source));
  return {archive.read(uri), *instance.element->source + "/" + uri};
}

}  // namespace

ParameterSet load_parameter_set(SystemInstance const& instance, StructureSource const& scope,
                                ParameterBinding const& binding) {
  if (binding.type != set_type)
    throw StructureError(
        scope.structure().file, binding.line,
        fmt::format("parameters of type {} are not supported; write an .ssv file", binding.type));
  if (!binding.source) return binding.values.value_or(ParameterSet{});
  auto const [text, shown] = load_text(instance, scope, *binding.source, binding.in_component, binding.line);
  return read_parameter_set(text, shown);
}

ParameterMapping load_parameter_mapping(SystemInstance const& instance, StructureSource const& scope,
                                        ParameterBinding::Mapping const& mapping) {
  if (mapping.type != mapping_type)
    throw StructureError(
        scope.structure().file, mapping.line,
        fmt::format("mappings of type {} are not supported; write an .ssm file", mapping.type));
  if (!mapping.source) return mapping.entries.value_or(ParameterMapping{});
  auto const [text, shown] = load_text(instance, scope, *mapping.source, mapping.in_component, mapping.line);
  return read_parameter_mapping(text, shown);
}

}  // namespace delassus
