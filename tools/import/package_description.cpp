#include "tools/import/package_description.hpp"

#include "tools/support/build_info.hpp"
#include "tools/support/source_date.hpp"
#include "xml/fmi/table_description.hpp"

namespace delassus {

ModelDescription package_description(Model const& model, int fmi_version) {
  DescriptionInfo info;
  info.token = model.token(fmi_version);
  info.generation_date_and_time = generation_date();
  info.generation_tool = std::string("Delassus ") + program_version;
  info.license = "BSD-2-Clause";
  return describe(model.table(), fmi_version, info);
}

}  // namespace delassus
