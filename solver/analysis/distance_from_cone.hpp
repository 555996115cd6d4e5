// How far a vector is from a cone that is given by its generators: |f - E x| at the x >= 0 that makes it least. Zero says
// that f is a sum of the columns of E with weights that are not negative (Farkas' alternative decides which loads can be
// carried, which demands can be met).
#pragma once

#include <Eigen/Core>

namespace delassus {

// Lawson and Hanson 1974, chapter 23: columns enter one by one, those whose weight would become negative leave. Ends after
// finitely many steps, exact but for rounding. For reports: allocates.
double distance_from_cone(Eigen::Ref<const Eigen::MatrixXd> E, Eigen::Ref<const Eigen::VectorXd> f);

}  // namespace delassus
