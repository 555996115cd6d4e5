// Instances of FMI 3 FMUs, over functions that are reached in one way or another.
#pragma once

#include <functional>
#include <memory>

#include "tools/import/fmi3_library.hpp"
#include "tools/import/fmu.hpp"

namespace delassus {

// The functions of the standard, bound to a library or to something that stands for it, and how an instance is made.
// `instantiate` returns the first argument of every other function, or null where the FMU refuses.
struct Fmi3Access {
  struct Arguments {
    InstanceRequest const& request;
    std::string token;
    char const* resources = nullptr;  // a path that ends in a separator; null where the FMU has none
    void* environment = nullptr;
    fmi3LogMessageCallback log = nullptr;
    fmi3IntermediateUpdateCallback update = nullptr;
  };
  Fmi3Library functions;
  std::function<void*(Arguments const&)> instantiate;
};

// Straight to the FMU's library.
Fmi3Access fmi3_access(SharedLibrary const& library);

std::unique_ptr<SimulatedInstance> make_fmi3_instance(InstanceContext const& context,
                                                      InstanceRequest const& request,
                                                      Fmi3Access const& access);

}  // namespace delassus
