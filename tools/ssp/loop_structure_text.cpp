#include <fmt/format.h>

#include <algorithm>

#include "model/scene/number.hpp"
#include "tools/ssp/loop_structure.hpp"
#include "tools/ssp/structure_source.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// ` name="value"`, nothing for an empty value.
std::string written(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, escape_markup(value));
}

// A value in the words of SSP 1, as its reader takes it for a variable of this type.
std::string value_element(Signal const& signal, SignalValue const& value) {
  if (auto const* const text = std::get_if<std::string>(&value.value))
    return fmt::format("<ssv:String{}/>", fmt::format(" value=\"{}\"", escape_markup(*text)));
  double const number = std::get<double>(value.value);
  for (SignalItem const& item : signal.items) {
    if (static_cast<double>(item.value) == number)
      return fmt::format("<ssv:Enumeration{}/>", written("value", item.name));
  }
  if (signal.type == "Boolean") return fmt::format("<ssv:Boolean value=\"{}\"/>", number != 0);
  if (!signal.is_float()) return fmt::format("<ssv:Integer value=\"{:.0f}\"/>", number);
  return fmt::format("<ssv:Real value=\"{}\"/>", format_number(number));
}

}  // namespace

std::string LoopStructure::write_component(std::size_t index, std::filesystem::path const& folder,
                                           LoopRun const& run) const {
  Component const& component = components_[index];
  // By names alone, as references are read: a folder may be a link.
  auto const by_name = [](std::filesystem::path const& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  std::string const source =
      component.is_example
          ? std::string(example_scheme) + component.argument
          : path_to_uri(by_name(component.file).lexically_proximate(by_name(folder)).string());
  std::string text =
      fmt::format("      <ssd:Component{}{}{}>\n        <ssd:Connectors>\n", written("name", component.name),
                  written("type", component.type), written("source", source));
  for (auto const& connector : component.connectors) {
    std::string const type =
        connector.type.empty() ? "/>" : fmt::format("><ssc:{}/></ssd:Connector>", connector.type);
    text += fmt::format("          <ssd:Connector{}{}{}\n", written("name", connector.name),
                        written("kind", connector.kind), type);
  }
  text += "        </ssd:Connectors>\n";
  // The last value of each, as a run takes it.
  std::vector<SignalValue> values;
  for (auto const& owned : run.values) {
    if (owned.first != index) continue;
    SignalValue const& value = owned.second;
    std::erase_if(values, [&](SignalValue const& each) { return each.signal == value.signal; });
    values.push_back(value);
  }
  if (!values.empty()) {
    text +=
        "        <ssd:ParameterBindings>\n          <ssd:ParameterBinding>\n            "
        "<ssd:ParameterValues>\n"
        "              <ssv:ParameterSet version=\"1.0\" name=\"settings\">\n                "
        "<ssv:Parameters>\n";
    for (SignalValue const& value : values) {
      Signal const& signal = component.signals[value.signal];
      text += fmt::format("                  <ssv:Parameter{}>{}</ssv:Parameter>\n",
                          written("name", signal.name), value_element(signal, value));
    }
    text +=
        "                </ssv:Parameters>\n              </ssv:ParameterSet>\n            "
        "</ssd:ParameterValues>\n"
        "          </ssd:ParameterBinding>\n        </ssd:ParameterBindings>\n";
  }
  return text + "      </ssd:Component>\n";
}

std::string LoopStructure::write(std::string const& name, std::filesystem::path const& folder,
                                 LoopRun const& run, std::vector<int>* lines) const {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<ssd:SystemStructureDescription "
      "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"\n"
      "  xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\"\n"
      "  xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" version=\"1.0\"{0}>\n"
      "  <ssd:System{0}>\n    <ssd:Elements>\n",
      written("name", name));
  for (std::size_t i = 0; i < components_.size(); ++i) text += write_component(i, folder, run);
  text += "    </ssd:Elements>\n    <ssd:Connections>\n";
  for (Connection const& connection : connections_) {
    if (lines != nullptr) lines->push_back(static_cast<int>(std::ranges::count(text, '\n')) + 1);
    text += fmt::format(
        "      <ssd:Connection{}{}{}{}{}/>\n", written("startElement", components_[connection.from].name),
        written("startConnector", connection.from_name),
        written("endElement", components_[connection.to].name), written("endConnector", connection.to_name),
        connection.as_it_is ? " suppressUnitConversion=\"true\"" : "");
  }
  text += "    </ssd:Connections>\n  </ssd:System>\n";
  if (run.start || run.stop || !run.settings.empty()) {
    auto const time = [](std::optional<double> value) {
      return value ? format_number(*value) : std::string();
    };
    text += fmt::format("  <ssd:DefaultExperiment{}{}", written("startTime", time(run.start)),
                        written("stopTime", time(run.stop)));
    if (run.settings.empty()) {
      text += "/>\n";
    } else {
      text += ">\n    <ssd:Annotations>\n      <ssc:Annotation type=\"org.delassus.cosim\"><run";
      for (auto const& [setting, value] : run.settings) text += written(setting, value);
      text += "/></ssc:Annotation>\n    </ssd:Annotations>\n  </ssd:DefaultExperiment>\n";
    }
  }
  return text + "</ssd:SystemStructureDescription>\n";
}

}  // namespace delassus
