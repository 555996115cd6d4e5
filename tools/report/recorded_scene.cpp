#include "tools/report/recorded_scene.hpp"

#include <algorithm>
#include <cmath>

#include "model/scene/body_pose.hpp"

namespace delassus {
namespace {

using Columns = std::vector<std::optional<std::size_t>>;

bool all_found(Columns const& columns) {
  return !columns.empty() &&
         std::ranges::all_of(columns, [](auto const& column) { return column.has_value(); });
}

}  // namespace

RecordedScene::RecordedScene(std::shared_ptr<const SceneModel> model, std::string prefix,
                             TimeTable const& table, std::map<std::string, double> const& values)
    : model_(std::move(model)), prefix_(std::move(prefix)), table_(&table) {
  SceneInstant start(model_);
  if (!values.empty()) start.set(values);
  parameters_ = start.parameters();
  settings_ = start.settings();
  Instant const at_start = start.instant();
  q_ = q_at_start_ = start.q();
  v_ = v_at_start_ = start.v();
  inputs_at_start_.assign(at_start.input.begin(), at_start.input.end());
  u_ = inputs_at_start_;
  find_columns();
}

void RecordedScene::find_columns() {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < table_->names.size(); ++i) by_name[table_->names[i]] = i;
  int outputs = 0;
  for (OutputDefinition const& definition : model_->outputs()) {
    first_output_[definition.name] = outputs;
    outputs += definition.size;
  }
  outputs_.resize(static_cast<std::size_t>(outputs));
  inputs_.resize(u_.size());
  for (Variable const& variable : model_->table().variables()) {
    Columns* const columns = variable.storage == Storage::output  ? &outputs_
                             : variable.storage == Storage::input ? &inputs_
                                                                  : nullptr;
    if (columns == nullptr) continue;
    for (int i = 0; i < variable.size; ++i) {
      auto column = by_name.find(prefix_ + VariableTable::element_name(variable, i));
      if (column == by_name.end()) continue;
      (*columns)[static_cast<std::size_t>(variable.index + i)] = column->second;
      ++found_;
    }
  }

  auto const elements = [&](std::string const& name, int size) {
    Columns columns;
    for (int i = 0; i < size; ++i) columns.push_back(output(name, i));
    return columns;
  };
  tells_motion_ = std::ranges::all_of(scene().bodies, [](Body const& body) { return body.coordinates == 0; });
  for (Body const& body : scene().bodies) {
    BodyColumns& columns = bodies_.emplace_back();
    if (body.coordinates == 0) continue;
    bool const turns = body.coordinates > scene().dimension && body.type != BodyType::slider;
    int const directions = body.type == BodyType::slider ? 1 : scene().dimension;
    columns.position = elements(body.name + ".position", directions);
    columns.velocity = elements(body.name + ".velocity", directions);
    if (turns) {
      columns.turn = scene().dimension == 2 ? elements(body.name + ".angle", 1)
                                            : elements(body.name + ".orientation", 4);
      columns.angular_velocity = elements(body.name + ".angular_velocity", scene().rotations());
    }
    for (Columns const* const each :
         {&columns.position, &columns.velocity, &columns.turn, &columns.angular_velocity})
      tells_motion_ =
          tells_motion_ || std::ranges::any_of(*each, [](auto const& column) { return column.has_value(); });
    if (!all_found(columns.position) || (turns && !all_found(columns.turn))) lost_.push_back(body.name);
  }
}

std::optional<std::size_t> RecordedScene::output(std::string const& name, int element) const {
  auto const first = first_output_.find(name);
  if (first == first_output_.end()) return std::nullopt;
  return outputs_[static_cast<std::size_t>(first->second + element)];
}

std::optional<std::size_t> RecordedScene::input(int index) const {
  return index < 0 ? std::nullopt : inputs_[static_cast<std::size_t>(index)];
}

void RecordedScene::place_body(Body const& body, std::size_t row) {
  BodyColumns const& columns = bodies_[static_cast<std::size_t>(&body - scene().bodies.data())];
  auto const q = std::span(q_).subspan(static_cast<std::size_t>(body.first_coordinate));
  auto const v = std::span(v_).subspan(static_cast<std::size_t>(body.first));
  std::size_t const directions = columns.position.size(), turns = columns.turn.size();
  for (std::size_t i = 0; i < turns; ++i) q[directions + i] = value(columns.turn[i], row, q[directions + i]);
  bool const moves = body.moves_freely();
  if (moves) {
    for (std::size_t i = 0; i < columns.angular_velocity.size(); ++i)
      v[directions + i] = value(columns.angular_velocity[i], row, 0);
    for (std::size_t i = 0; i < directions; ++i) v[i] = value(columns.velocity[i], row, 0);
  }
  if (!all_found(columns.position)) return;
  for (std::size_t i = 0; i < directions; ++i) q[i] = value(columns.position[i], row, q[i]);
  // Outputs are of the body's origin, coordinates of its centre of mass: c = o + R r, c' = o' + omega x R r.
  if (body.center_of_mass < 0 || turns == 0 || !moves) return;
  BodyPose const pose = pose_of<double>(scene(), static_cast<int>(&body - scene().bodies.data()),
                                        {table_->time[row], q_, v_, u_, parameters_});
  Eigen::Vector3d const r = pose.R * pose.center_of_mass, drift = pose.twist.omega.cross(r);
  for (std::size_t i = 0; i < directions; ++i) {
    q[i] += r[static_cast<Eigen::Index>(i)];
    v[i] += drift[static_cast<Eigen::Index>(i)];
  }
}

Instant RecordedScene::at(std::size_t row) {
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = value(inputs_[i], row, inputs_at_start_[i]);
  for (Body const& body : scene().bodies) {
    if (body.coordinates > 0) place_body(body, row);
  }
  return {table_->time[row], q_, v_, u_, parameters_};
}

Eigen::Vector3d force_of_input(Scene const& scene, ForceInput const& force, Instant const& at) {
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Body const& body = scene.bodies[static_cast<std::size_t>(force.point.body)];
  auto const first = static_cast<std::size_t>(force.first);
  if (body.type == BodyType::slider) {
    value[body.axis] = at.input[first];
  } else {
    for (int k = 0; k < scene.dimension; ++k) value[k] = at.input[first + static_cast<std::size_t>(k)];
  }
  if (force.in_body_frame) value = pose_of<double>(scene, force.point.body, at).R * value;
  return value;
}

}  // namespace delassus
