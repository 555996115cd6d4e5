#include "model/scene/body_mass.hpp"

#include "model/scene/body_pose.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {

template <class Scalar>
MassPropertiesOf<Scalar> mass_of_body(Scene const& scene, int body, Scalar density,
                                      std::span<const Scalar> parameter) {
  MassPropertiesOf<Scalar> total;
  BodyPoseOf<Scalar> const own_frame;
  Matrix3<Scalar> about_origin = Matrix3<Scalar>::Zero();
  Body const& owner = scene.bodies[static_cast<std::size_t>(body)];
  for (int shape = owner.first_shape; shape < owner.first_shape + owner.shapes; ++shape) {
    PlacedShapeOf<Scalar> const placed = place<Scalar>(scene, {{body, -1}, shape}, -1, own_frame, parameter);
    MassPropertiesOf<Scalar> const part = mass_properties<Scalar>(placed.geometry, scene.dimension, density);
    total.mass += part.mass;
    total.center += part.mass * placed.pose.position;
    about_origin += placed.pose.R * part.inertia * placed.pose.R.transpose() +
                    inertia_of_point<Scalar>(part.mass, placed.pose.position);
  }
  if (!(total.mass > 0)) return total;
  total.center /= total.mass;
  total.inertia = about_origin - inertia_of_point<Scalar>(total.mass, total.center);
  return total;
}

// Explicit instantiations for both scalars.
template MassPropertiesOf<double> mass_of_body(Scene const&, int, double, std::span<const double>);
template MassPropertiesOf<Dual> mass_of_body(Scene const&, int, Dual, std::span<const Dual>);

}  // namespace delassus
