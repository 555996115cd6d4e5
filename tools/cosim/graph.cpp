#include "tools/cosim/graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <optional>
#include <set>

#include "xml/fmi/standard.hpp"

namespace delassus {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

// Strongly connected components (Tarjan, 1972), each sorted, in an order in which edges point forwards; of two that
// may come next, the one with the smallest member does.
std::vector<std::vector<std::size_t>> strong_groups(std::size_t count, Edges const& edges) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  if (count == 0) return {};
  Graph graph(count);
  for (auto const& [from, to] : edges) boost::add_edge(from, to, graph);
  std::vector<std::size_t> group_of(count, 0);
  auto const groups = static_cast<std::size_t>(boost::strong_components(
      graph, boost::make_iterator_property_map(group_of.begin(), get(boost::vertex_index, graph))));
  std::vector<std::vector<std::size_t>> members(groups);
  for (std::size_t i = 0; i < count; ++i) members[group_of[i]].push_back(i);

  std::vector<std::size_t> waits_for(groups, 0);
  for (auto const& [from, to] : edges) waits_for[group_of[to]] += group_of[from] != group_of[to];
  auto const smallest_first = [&](std::size_t a, std::size_t b) { return members[a] < members[b]; };
  std::set<std::size_t, decltype(smallest_first)> ready(smallest_first);
  for (std::size_t group = 0; group < groups; ++group) {
    if (waits_for[group] == 0) ready.insert(group);
  }
  std::vector<std::vector<std::size_t>> ordered;
  while (!ready.empty()) {
    std::size_t const group = *ready.begin();
    ready.erase(ready.begin());
    ordered.push_back(members[group]);
    for (auto const& [from, to] : edges) {
      if (group_of[from] == group && group_of[to] != group && --waits_for[group_of[to]] == 0)
        ready.insert(group_of[to]);
    }
  }
  return ordered;
}

std::string signal_name(CosimSystem const& system, std::size_t component, std::size_t signal) {
  return system.components[component].name + "." + system.components[component].signals[signal].name;
}

// Connection b depends on connection a where a arrives at an input with direct feedthrough to the source of b.
Edges connection_edges(CosimSystem const& system, DependencyMoment moment) {
  std::vector<DirectFeedthrough> feedthrough;
  for (auto const& component : system.components) feedthrough.emplace_back(component, moment);
  std::vector<std::vector<std::size_t>> leaving(system.components.size());
  for (std::size_t i = 0; i < system.connections.size(); ++i)
    leaving[system.connections[i].from].push_back(i);
  Edges edges;
  for (std::size_t a = 0; a < system.connections.size(); ++a) {
    auto const& arriving = system.connections[a];
    for (auto const b : leaving[arriving.to]) {
      if (feedthrough[arriving.to](system.connections[b].from_signal, arriving.to_signal))
        edges.emplace_back(a, b);
    }
  }
  return edges;
}

// A shortest circle through the first member.
std::string path_of(CosimSystem const& system, std::vector<std::size_t> const& members, Edges const& edges) {
  std::size_t const begin = members.front();
  std::map<std::size_t, std::size_t> reached_from;
  std::vector<std::size_t> wave{begin};
  while (!wave.empty() && !reached_from.contains(begin)) {
    std::vector<std::size_t> next;
    for (auto const at : wave) {
      for (auto const& [from, to] : edges) {
        if (from != at || !std::ranges::binary_search(members, to) || reached_from.contains(to)) continue;
        reached_from[to] = at;
        next.push_back(to);
      }
    }
    wave = std::move(next);
  }
  std::vector<std::size_t> circle{begin};
  for (std::size_t at = reached_from.at(begin); at != begin; at = reached_from.at(at)) circle.push_back(at);
  std::ranges::reverse(circle.begin() + 1, circle.end());
  std::string path;
  for (auto const index : circle) {
    auto const& connection = system.connections[index];
    path += signal_name(system, connection.from, connection.from_signal) + " -> " +
            signal_name(system, connection.to, connection.to_signal) + " -> ";
  }
  auto const& first = system.connections[begin];
  return path + signal_name(system, first.from, first.from_signal);
}

}  // namespace

DirectFeedthrough::DirectFeedthrough(CosimComponent const& component, DependencyMoment moment)
    : signals_(&component.signals) {
  ModelDescription const& description = component.model->description();
  bool const fmi2 = description.version == 2;
  std::map<std::uint64_t, std::size_t> by_reference;
  if (!fmi2) {
    for (std::size_t i = 0; i < description.variables.size(); ++i)
      by_reference.emplace(description.variables[i].value_reference.value_or(0), i);
  }
  auto const variable_of = [&](std::uint64_t reference) -> std::optional<std::size_t> {
    if (fmi2) {
      if (reference == 0 || reference > description.variables.size()) return std::nullopt;
      return static_cast<std::size_t>(reference - 1);
    }
    auto const found = by_reference.find(reference);
    return found == by_reference.end() ? std::nullopt : std::optional(found->second);
  };
  unknowns_.resize(description.variables.size());
  if (moment == DependencyMoment::initialisation) {
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      unknowns_[i].known = description.variables[i].effective_initial() == "exact";
  }
  auto const& list = moment == DependencyMoment::initialisation ? initial_unknowns_list : outputs_list;
  for (auto const& described : description.model_structure) {
    if (described.list != (fmi2 ? list.fmi2 : list.fmi3)) continue;
    auto const variable = variable_of(described.reference);
    if (!variable || !described.dependencies) continue;
    Unknown& unknown = unknowns_[*variable];
    unknown.known = true;
    for (auto const reference : *described.dependencies) {
      if (auto const known = variable_of(reference)) unknown.variables.push_back(*known);
    }
    std::ranges::sort(unknown.variables);
  }
}

bool DirectFeedthrough::operator()(std::size_t output_signal, std::size_t input_signal) const {
  Unknown const& unknown = unknowns_[(*signals_)[output_signal].variable];
  return !unknown.known || std::ranges::binary_search(unknown.variables, (*signals_)[input_signal].variable);
}

std::vector<CosimSignalGroup> order_signals(CosimSystem const& system, DependencyMoment moment) {
  Edges const edges = connection_edges(system, moment);
  std::vector<CosimSignalGroup> groups;
  for (auto& members : strong_groups(system.connections.size(), edges)) {
    CosimSignalGroup group;
    group.is_loop = members.size() > 1 ||
                    std::ranges::find(edges, std::pair(members.front(), members.front())) != edges.end();
    if (group.is_loop) group.path = path_of(system, members, edges);
    group.connections = std::move(members);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<CosimComponentGroup> order_components(CosimSystem const& system,
                                                  std::vector<std::size_t> const& wanted) {
  std::size_t const count = system.components.size();
  Edges all, at_once, bound;
  for (auto const& connection : system.connections) all.emplace_back(connection.from, connection.to);
  std::map<std::size_t, std::string> path_of_component;
  for (auto const& [a, b] : connection_edges(system, DependencyMoment::communication_point))
    at_once.emplace_back(system.connections[a].from, system.connections[a].to);
  for (auto const& group : order_signals(system, DependencyMoment::communication_point)) {
    if (!group.is_loop) continue;
    std::size_t const first = system.connections[group.connections.front()].to;
    for (auto const index : group.connections) {
      std::size_t const member = system.connections[index].to;
      bound.emplace_back(first, member);
      bound.emplace_back(member, first);
      path_of_component.emplace(member, group.path);
    }
  }

  // Position of each component: along all connections, then within a cycle along those with direct feedthrough.
  std::vector<std::size_t> position(count);
  if (!wanted.empty()) {
    for (std::size_t i = 0; i < count; ++i) position[wanted[i]] = i;
  } else {
    std::size_t next = 0;
    for (auto const& circle : strong_groups(count, all)) {
      Edges inside;
      std::map<std::size_t, std::size_t> local;
      for (std::size_t i = 0; i < circle.size(); ++i) local[circle[i]] = i;
      for (auto const& [from, to] : at_once) {
        if (local.contains(from) && local.contains(to)) inside.emplace_back(local.at(from), local.at(to));
      }
      for (auto const& part : strong_groups(circle.size(), inside)) {
        for (auto const member : part) position[circle[member]] = next++;
      }
    }
  }

  std::vector<CosimComponentGroup> groups;
  for (auto& members : strong_groups(count, bound)) {
    std::ranges::sort(members, {}, [&](std::size_t member) { return position[member]; });
    auto const path = path_of_component.find(members.front());
    bool const is_loop = path != path_of_component.end();
    groups.push_back({std::move(members), is_loop, is_loop ? path->second : ""});
  }
  std::ranges::sort(groups, {},
                    [&](CosimComponentGroup const& group) { return position[group.components.front()]; });
  return groups;
}

}  // namespace delassus
