// Turns the variable table into the description of an FMU. For FMI 2 an array becomes scalars, for FMI 3 it
// stays one variable.
#pragma once

#include <string>

#include "fmu/table/variable_table.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

// Parts of a description that the variable table does not have. Empty texts are left out; the token must not
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
