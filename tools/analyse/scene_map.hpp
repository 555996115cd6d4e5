// A quantity of the analysis over parameters or coordinates of a scene: on a grid, and its minima.
//
// A coordinate that can be set (a parameter, an input) is set, and the scene is looked at as it then starts. One that
// can only be read (an output, such as elbow.angle or tip_ground.position[1]) is reached by moving the configuration
// along what the joints and the contact, closed, allow: all else stays as near as it can.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "solver/analysis/configuration_search.hpp"
#include "tools/analyse/scene_instant.hpp"
#include "tools/plot/value_grid.hpp"

namespace delassus {

struct MapQuantity {
  std::string_view name, unit, description;
  bool counts = false;                                          // whole numbers
  double (*value)(SceneInstant& scene, BlockIdentity contact);  // NaN where the contact is not there
};
std::vector<MapQuantity> const& map_quantities();
MapQuantity const& find_quantity(std::string const& name);  // throws CommandError

struct MapRange {
  std::string name;
  double from = 0, to = 1;
  int points = 0;
  bool is_angle = false;  // shown in degrees

  double at(int i) const { return points == 1 ? from : from + (to - from) * i / (points - 1); }
};
// `rod.initial.angle=5deg:85deg:60`. Throws CommandError and UnknownSignal.
MapRange parse_range(SceneInstant& scene, std::string const& text);

// The contact that is named; empty: the first one. Throws CommandError where there is none.
BlockIdentity find_contact(SceneInstant& scene, std::string const& name);

class SceneMap {
 public:
  SceneMap(SceneInstant& scene, BlockIdentity contact, MapQuantity const& quantity,
           std::vector<MapRange> ranges);

  // NaN where the coordinates cannot be reached, or the contact is not there.
  double at(std::vector<double> const& coordinates);
  // One row after the other; `progress` gets the share that is done, and ends the work by returning false.
  ValueGrid grid(std::function<bool(double)> const& progress);

 private:
  bool reach(std::vector<double> const& coordinates);

  SceneInstant* scene_;
  BlockIdentity contact_;
  MapQuantity const* quantity_;
  std::vector<MapRange> ranges_;
  bool moves_ = false;  // some coordinate can only be read
  std::vector<double> q_;
};

struct MapMinimum {
  std::vector<double> coordinates;
  double value = std::numeric_limits<double>::quiet_NaN();
};
// The local minima inside the grid, refined, by rising value.
std::vector<MapMinimum> refine_minima(SceneMap& map, std::vector<MapRange> const& ranges,
                                      ValueGrid const& grid);

}  // namespace delassus
