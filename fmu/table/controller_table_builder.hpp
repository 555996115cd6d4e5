// Fills the variable table of a controller in the order: time, parameters, inputs, outputs. Inner header of
// variable_table.cpp.
#pragma once

#include "fmu/table/variable_table.hpp"

namespace delassus {

class ControllerTableBuilder {
 public:
  ControllerTableBuilder(VariableTable& table, Controller const& controller)
      : table_(table), controller_(controller) {}
  void build();

 private:
  std::uint32_t add(Variable variable);  // returns its value reference

  VariableTable& table_;
  Controller const& controller_;
  std::uint32_t next_reference_ = 0;
};

}  // namespace delassus
