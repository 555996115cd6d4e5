// The model of a sampled controller: its description and its law.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fmu/content/model.hpp"
#include "model/control/control_law.hpp"
#include "model/control/controller.hpp"

namespace delassus {

class ControllerModel final : public Model {
 public:
  explicit ControllerModel(Controller controller);

  Controller const& controller() const { return controller_; }
  ControlLaw const& law() const { return *law_; }

  std::string_view archive_name() const override;

 private:
  Controller controller_;
  std::unique_ptr<const ControlLaw> law_;
};

// The compiled controller as bytes.
inline constexpr std::string_view controller_archive_name = "controller.delassus";
std::string write_controller_archive(Controller const& controller);
Controller read_controller_archive(std::string_view bytes);  // throws std::runtime_error with the reason

}  // namespace delassus
