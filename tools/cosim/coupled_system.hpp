// A system of coupled FMUs, ready to run: what a system structure (SSP) came to once its files were found, its
// parameters resolved, its units converted and its connections checked. The master sees this and no XML.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/package/runnable_model.hpp"

namespace delassus {

struct CosimComponent {
  std::string name;                      // plant; within a nested system robot.arm
  std::shared_ptr<RunnableModel> model;  // components of one source share it
  SignalTable signals;
  std::vector<SignalValue> settings;  // before the initialisation: the parameters of the structure, converted
  std::optional<InterfaceKind> kind = std::nullopt;  // that the structure asks for
  std::filesystem::path source = {};                 // its FMU, scene or controller, for messages
  int line = 0;                                      // in the structure, likewise
};

// What arrives at an input: factor * output + offset, or the partner of the value in `mapping` where there is one.
struct CosimConnection {
  std::size_t from = 0, from_signal = 0;  // component and its signal, an element of an output
  std::size_t to = 0, to_signal = 0;      // likewise, of an input
  double factor = 1, offset = 0;
  std::vector<std::pair<double, double>> mapping;  // of booleans, integers and enumerations: from, to
  int line = 0;                                    // in the structure, for messages
};

struct CosimSystem {
  std::string name, description;
  std::filesystem::path file;  // as the user named it
  // All that was read for it: structures, models, parameters. Not what is inside of a package, but the package.
  std::vector<std::filesystem::path> files;
  std::vector<CosimComponent> components;
  std::vector<CosimConnection> connections;
  std::optional<double> start, stop;  // s, of the default experiment
  std::optional<double> step;         // s, of our annotation in the structure
  // All of that annotation as written: algorithm, extrapolation, tolerance, minimumStep, maximumStep.
  std::map<std::string, std::string> settings;
  // A connector of the system itself and what is behind it, several entries where one goes to several. An output is
  // factor * signal + offset; an input or parameter sets the signal to factor * value + offset.
  struct Exposed {
    std::string name;
    std::size_t component = 0, signal = 0;
    double factor = 1, offset = 0;
    std::vector<std::pair<double, double>> mapping = {};
    std::string unit = {};  // of the connector
  };
  std::vector<Exposed> outputs, inputs, parameters;
};

}  // namespace delassus
