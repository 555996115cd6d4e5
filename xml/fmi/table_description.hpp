// From the variable table to the description of an FMU: for FMI 2 every array becomes scalars, for FMI 3 it
// stays one variable.
#pragma once

#include <string>

#include "fmu/table/variable_table.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

// What a description says and the variable table does not know. Empty texts are left out, the token may not
// be empty.
struct DescriptionInfo {
  std::string token;                     // guid, instantiationToken
  std::string generation_date_and_time;  // YYYY-MM-DDThh:mm:ssZ
  std::string generation_tool;
  std::string version;
  std::string author;
  std::string license;
  std::string copyright;
};

// `fmi_version` is 2 or 3. Throws std::invalid_argument for another one and for an empty token.
ModelDescription describe(VariableTable const& table, int fmi_version, DescriptionInfo const& info);

}  // namespace delassus
