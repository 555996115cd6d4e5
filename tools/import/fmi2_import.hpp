// Instances of FMI 2 FMUs, over functions that are reached in one way or another.
#pragma once

#include <functional>
#include <memory>

#include "tools/import/fmi2_library.hpp"
#include "tools/import/fmu.hpp"

namespace delassus {

// The functions of the standard, bound to a library or to something that stands for it, and how an instance is made.
// `instantiate` returns the first argument of every other function, or null where the FMU refuses.
struct Fmi2Access {
  struct Arguments {
    InstanceRequest const& request;
    std::string token, resources;                      // resources: as a URI
    fmi2CallbackFunctions const* callbacks = nullptr;  // lives as long as the process
  };
  Fmi2Library functions;
  std::function<void*(Arguments const&)> instantiate;
};

// Straight to the FMU's library.
Fmi2Access fmi2_access(SharedLibrary const& library);

std::unique_ptr<SimulatedInstance> make_fmi2_instance(InstanceContext const& context,
                                                      InstanceRequest const& request,
                                                      Fmi2Access const& access);

}  // namespace delassus
