// Serialisation of parameters, which compiled scenes and controllers share.
#pragma once

#include "fmu/content/portable_bytes.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

template <class Archive>
void serialize(Archive& archive, Range& range) {
  archive(range.minimum, range.maximum, range.open_minimum);
}
template <class Archive>
void serialize(Archive& archive, Parameter& x) {
  archive(x.name, x.description, x.unit, x.range, x.tunable, x.calculated, x.vector, x.role, x.body, x.first,
          x.values);
}
template <class Archive>
void serialize(Archive& archive, Experiment& x) {
  archive(x.start, x.stop, x.step);
}

}  // namespace delassus
