// The solvers of Siconos for contact problems of spatial cones, behind one class. Siconos solves
// M r + q = u with the normal component first; A lambda - b = eta is that with q = -b and the rows of each
// contact turned round.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus::test {

// How Siconos keeps M, and for sparse matrices how it factorizes them: by CSparse or by MUMPS. Which one is the
// fastest depends on the solver and on the problem.
enum class SiconosStorage { dense, blocks, sparse, sparse_multifrontal };

std::string_view text(SiconosStorage storage);

struct SiconosConfiguration {
  std::string name;
  int solver = 0;                // SICONOS_FRICTION_3D_...
  int inner = 0;                 // the solver that it calls, where it is not its default
  bool common = true;            // among those that one would try first
  int formulation = -1;          // of Newton's method, where it is not the default
  int rescaling = -1;            // of the penalty of ADMM: its strategy, where it is not the default
  int iteration_limit = 100000;  // the limit in time ends what does not get there
  std::vector<SiconosStorage> storages;
};

std::vector<SiconosConfiguration> const& siconos_configurations();

class SiconosSolver {
 public:
  // All blocks of the problem, which is referred to, are spatial cones.
  SiconosSolver(ContactProblem const& problem, SiconosConfiguration const& configuration,
                SiconosStorage storage, double tolerance);
  ~SiconosSolver();

  // Puts the data, the options and a force of zero back: some solvers change what they are given.
  void restore();
  // From the force of zero. Returns 0 where Siconos calls it solved.
  int solve();
  Eigen::VectorXd lambda() const;
  int iterations() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace delassus::test
