// A system of coupled FMUs, ready to run: what a system structure (SSP) came to once its files were found, its
// parameters resolved, its units converted and its connections checked. The master sees this and no XML.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/runnable_model.hpp"

namespace delassus {

struct CosimComponent {
  std::string name;                      // plant; within a nested system robot.arm
  std::shared_ptr<RunnableModel> model;  // components of one source share it
  SignalTable signals;
  std::vector<SignalValue> settings;  // before the initialisation: the parameters of the structure, converted
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
  std::vector<CosimComponent> components;
  std::vector<CosimConnection> connections;
  std::optional<double> start, stop;  // s, of the default experiment
  std::optional<double> step;         // s, of our annotation in the structure
  struct Exposed {                    // an output of the system itself
    std::string name;
    std::size_t component = 0, signal = 0;
    double factor = 1, offset = 0;
  };
  std::vector<Exposed> outputs;
};

}  // namespace delassus
