#include "fmu/content/controller_model.hpp"

namespace delassus {

ControllerModel::ControllerModel(Controller controller)
    : Model(VariableTable(controller), write_controller_archive(controller)),
      controller_(std::move(controller)),
      law_(make_control_law(controller_)) {}

std::string_view ControllerModel::archive_name() const {
  return controller_archive_name;
}

}  // namespace delassus
