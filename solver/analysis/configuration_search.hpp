// The smallest value of a quantity over the configurations that the constraints allow, such as mu_jam of the arm of
// Peiret et al. 2019, Fig. 6, over all postures with its tip on the plane.
//
// The allowed configurations are a manifold: Psi(q) = 0 in the rows of the blocks that are held (joints, and contacts
// that are to stay closed). Their tangents are the velocities v with J v = 0. A step along a tangent
// (System::advance_configuration) leaves the manifold a little, and Newton's method J dv = -Psi, of least norm, leads
// back. So nothing has to be known about the coordinates of the scene.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/equations/system.hpp"

namespace delassus {

class ConfigurationManifold {
 public:
  // Blocks of these identities are held closed. The spans of `at` must outlive this; its v is not used.
  ConfigurationManifold(System const& system, Instant const& at, std::vector<BlockIdentity> held);

  int dimension(std::span<const double> q);  // of the tangents at q

  // Onto the manifold; false where Newton's method does not lead there.
  bool close(std::span<double> q);

  // Along the tangent with these coordinates, then onto the manifold. The tangents have an orthonormal basis, made at
  // `from`: lengths are in metres and radians, whichever.
  bool move(std::span<const double> from, std::span<const double> tangent, std::span<double> to);

 private:
  struct Rows {
    Eigen::MatrixXd J;
    Eigen::VectorXd Psi;
  };
  Rows rows_at(std::span<const double> q);
  Eigen::MatrixXd tangents_at(std::span<const double> q);
  void advance(std::span<double> q, Eigen::Ref<const Eigen::VectorXd> v) const;

  System const* system_;
  Instant at_;
  std::vector<double> rest_;  // v = 0
  std::vector<BlockIdentity> held_;
  Terms terms_;
};

struct ConfigurationMinimum {
  std::vector<double> q;
  double value = 0;
};

struct ConfigurationSearch {
  int starts = 60;     // configurations from which a minimum is sought
  double length = 10;  // of the random walk to each of them, m or rad
  std::uint64_t seed = 1;
};

// The local minima of `quantity`, which may be infinite, by rising value; minima whose values agree to 1e-8 count as
// one, because what turns the whole system changes no value. A search from many configurations: it says what it found, not
// that there is nothing else. Deterministic.
std::vector<ConfigurationMinimum> local_minima(ConfigurationManifold& manifold, std::span<const double> q,
                                               std::function<double(std::span<const double>)> const& quantity,
                                               ConfigurationSearch const& search = {});

}  // namespace delassus
