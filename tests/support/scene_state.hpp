// The terms and the contact problem of a scene of the library at its start, or at another state.
#pragma once

#include <functional>
#include <vector>

#include "solver/problem/delassus_operator.hpp"
#include "solver/problem/form_matrix.hpp"
#include "tests/support/scene_run.hpp"

namespace delassus {

struct SceneState {
  std::shared_ptr<const SceneModel> model;
  std::vector<double> parameters, q, v;
  Terms terms;
  ContactProblem problem;
};

// `change` may alter the parameters, `move` the state that follows from them.
inline SceneState scene_state(
    std::string const& name, std::function<void(Scene const&, std::vector<double>&)> const& change = {},
    std::function<void(std::vector<double>&, std::vector<double>&)> const& move = {}) {
  SceneState state;
  state.model = example_model(name);
  Scene const& scene = state.model->scene();
  auto const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  state.parameters.assign(parameters.begin(), parameters.end());
  if (change) change(scene, state.parameters);
  state.q.resize(static_cast<std::size_t>(scene.configuration_size));
  state.v.resize(static_cast<std::size_t>(scene.velocity_size));
  state.model->system().initial_state(state.parameters, inputs, state.q, state.v);
  if (move) move(state.q, state.v);
  state.terms = state.model->system().make_terms();
  state.model->system().evaluate({0, state.q, state.v, inputs, state.parameters}, state.terms);
  DelassusOperator(state.model->system()).assemble(state.terms, {}, state.problem);
  form_matrix(state.problem);
  return state;
}

}  // namespace delassus
