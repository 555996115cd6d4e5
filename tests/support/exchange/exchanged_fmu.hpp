// Packs the FMUs of exchanged_fmu.c.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>

#include "tools/support/atomic_file.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus::test {

struct ExchangedFmu {
  std::string kind = "roberts";  // roberts, chain, relay, line
  std::size_t states = 3;
  bool directional = false;
  // The states, from 0, that a derivative depends on; empty: the description does not say.
  std::function<std::vector<std::size_t>(std::size_t)> dependencies = {};
  bool output = true;
};

inline std::string exchanged_description(ExchangedFmu const& fmu) {
  std::string variables, derivatives;
  // Indices from 1: time, u, y, n, then each state and its derivative.
  auto const state_index = [](std::size_t i) { return 5 + 2 * i; };
  for (std::size_t i = 0; i < fmu.states; ++i) {
    variables += fmt::format(
        "<ScalarVariable name=\"x[{0}]\" valueReference=\"{1}\" causality=\"local\" "
        "variability=\"continuous\" "
        "initial=\"calculated\"><Real/></ScalarVariable>\n"
        "<ScalarVariable name=\"der(x[{0}])\" valueReference=\"{2}\" causality=\"local\" "
        "variability=\"continuous\" "
        "initial=\"calculated\"><Real derivative=\"{3}\"/></ScalarVariable>\n",
        i + 1, 10 + i, 1000 + i, state_index(i));
    std::string known;
    if (fmu.dependencies) {
      for (auto const state : fmu.dependencies(i)) known += fmt::format("{} ", state_index(state));
      known = fmt::format(" dependencies=\"{}\"", known);
    }
    derivatives += fmt::format("<Unknown index=\"{}\"{}/>", state_index(i) + 1, known);
  }
  return fmt::format(
      R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="{0}" guid="{0}" numberOfEventIndicators="0">
<ModelExchange modelIdentifier="exchanged" providesDirectionalDerivative="{1}"/>
<DefaultExperiment stopTime="1"/>
<ModelVariables>
<ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
<ScalarVariable name="u" valueReference="1" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y" valueReference="2" causality="{2}" variability="continuous" initial="calculated"><Real/></ScalarVariable>
<ScalarVariable name="n" valueReference="3" causality="{2}" variability="discrete" initial="calculated"><Integer/></ScalarVariable>
{3}</ModelVariables>
<ModelStructure>{4}<Derivatives>{5}</Derivatives></ModelStructure>
</fmiModelDescription>
)xml",
      fmu.kind, fmu.directional, fmu.output ? "output" : "local", variables,
      fmu.output ? "<Outputs><Unknown index=\"3\"/><Unknown index=\"4\"/></Outputs>" : "", derivatives);
}

// `library`: exchanged_fmu.c, compiled.
inline std::filesystem::path make_exchanged_fmu(ExchangedFmu const& fmu, std::filesystem::path const& folder,
                                                std::string const& library) {
  auto const file = folder / (fmu.kind + ".fmu");
  write_file(file, make_archive({{"modelDescription.xml", exchanged_description(fmu)},
                                 {"binaries/linux64/exchanged.so", read_file(library)}}));
  return file;
}

}  // namespace delassus::test
