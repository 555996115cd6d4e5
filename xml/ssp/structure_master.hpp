// The step of a system as OMSimulator reads it. The standard leaves it to annotations, and OMSimulator opens no structure
// without its own: it would not know whether to couple or to integrate.
#pragma once

#include <string>

namespace delassus {

struct FixedStepMaster {
  double step = 0;       // s, between communications
  double tolerance = 0;  // that the FMUs are told
};

// Adds the annotation org.openmodelica to the system, before all others, because OMSimulator looks at the first one only.
// It compares names with their prefixes, too: ssd and ssc become those of the name spaces of the standard. A structure
// that has such an annotation stays as it is. `text` must be one that read_system_structure accepts.
std::string announce_master(std::string const& text, FixedStepMaster const& master);

}  // namespace delassus
