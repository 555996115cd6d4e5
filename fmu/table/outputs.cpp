#include "fmu/table/outputs.hpp"

#include "fmu/table/output_list.hpp"

namespace delassus {

std::vector<OutputDefinition> outputs_of(Scene const& scene) {
  return OutputList(scene).take();
}

}  // namespace delassus
