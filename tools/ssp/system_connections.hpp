// The connections of a structure, followed through the connectors of its systems from component to component, with
// units, transformations and types on the way.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/ssp/system_instance.hpp"
#include "xml/ssp/unit_conversion.hpp"

namespace delassus {

struct NamedUnit {
  std::string name;                    // empty: none
  std::optional<UnitMeaning> meaning;  // none: not known
};

// What has happened to a value since it left, and what it is now.
struct CarriedValue {
  Affine affine = {};
  std::vector<std::pair<double, double>> mapping = {};
  NamedUnit unit = {};
  std::vector<SignalItem> items = {};
  bool transformed = false;  // a connection on its way says what its numbers become
};

class ConnectionGraph {
 public:
  ConnectionGraph(SystemInstance const& root, CosimSystem const& system, FindingList& findings);

  struct Place {
    SystemInstance const* instance = nullptr;
    std::string connector;
    auto operator<=>(Place const&) const = default;
  };
  // A connector that a value reaches; at a component it is in the unit of the variable.
  struct Arrival {
    Place place;
    CarriedValue value;
    std::string file;  // of the last connection
    int line = 0;
  };
  void follow(Place const& from, CarriedValue const& value,
              std::function<void(Arrival const&)> const& visit) const;

  // A value as it leaves a component's variable for its connector.
  CarriedValue leaving(SystemInstance const& component, std::string const& connector) const;
  NamedUnit unit_at(Place const& place) const;
  bool has_way_out(Place const& place) const { return ways_.contains(place); }

  // Makes a value one in another unit. Findings go to the rule given.
  static void convert(CarriedValue& value, NamedUnit const& unit, std::string const& who,
                      std::string const& file, int line, std::string_view rule, FindingList& findings);

 private:
  struct Way {
    Place to;
    StructureConnection const* connection = nullptr;
    std::string file;
  };
  void add_system(SystemInstance const& system);
  void add_connection(SystemInstance const& system, StructureConnection const& connection);
  void cut_rings();
  CarriedValue pass(CarriedValue value, Way const& way) const;
  void apply_table(CarriedValue& value, Transformation const& transformation, Way const& way) const;
  std::vector<SignalItem> items_at(Place const& place) const;
  NamedUnit variable_unit(Place const& place) const;

  CosimSystem const& system_;
  FindingList& findings_;
  std::map<Place, std::vector<Way>> ways_;
  std::map<Place, std::pair<Place, Way>> origins_;  // of a place where a value arrives
};

// Fills connections, outputs, inputs and parameters of `system`.
void connect_components(SystemInstance const& root, ConnectionGraph const& graph, CosimSystem& system,
                        FindingList& findings);

}  // namespace delassus
