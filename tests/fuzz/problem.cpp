// Contact problems as text: written and read again, and where they are small, solved. The solver's own residual is that of the
// problem.
#include <Eigen/Cholesky>
#include <cmath>

#include "solver/island/contact_solver.hpp"
#include "solver/problem/residual.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tools/solve/problem_file.hpp"

using namespace delassus;

namespace {

constexpr std::size_t most_blocks = 4;

// Whether A can be that of bodies, J M^-1 J^T, symmetric and without a negative eigenvalue, in numbers whose squares and products of
// four are numbers: for others there is no promise to keep.
bool may_belong_to_bodies(ContactProblem const& problem) {
  Eigen::MatrixXd const A = problem.dense();
  auto const sensible = [](double value) {
    return value == 0 || (std::abs(value) < 1e50 && std::abs(value) > 1e-50);
  };
  for (Eigen::Index i = 0; i < A.size(); ++i) {
    if (!sensible(A.data()[i])) return false;
  }
  for (Eigen::Index i = 0; i < problem.b.size(); ++i) {
    if (!sensible(problem.b[i])) return false;
  }
  if (A != A.transpose() || (A.diagonal().array() < 0).any()) return false;
  // Relative to its diagonal, A is at least -1e-12.
  Eigen::VectorXd const scale = A.diagonal().cwiseSqrt().cwiseMax(1e-60);
  Eigen::MatrixXd scaled = scale.cwiseInverse().asDiagonal() * A * scale.cwiseInverse().asDiagonal();
  scaled.diagonal().array() += 1e-12;
  return Eigen::LLT<Eigen::MatrixXd>(scaled).info() == Eigen::Success;
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  return {{"one_contact", "1 1\n0.3 1 2 -3\n0 0 2 0 0 0 2 0 0 0 2\n"},
          {"two_contacts",
           "2 4\n0.5 1 0 3\n0.5 0 1 3\n0 0 2 0 0.1 0 2 0 0.1 0 2\n1 1 2 0 0 0 2 0 0 0 2\n"
           "0 1 0.5 0 0 0 0.5 0 0 0 0.5\n1 0 0.5 0 0 0 0.5 0 0 0 0.5\n"},
          {"named_sets",
           "4 4\nhalf_line 1\ninterval 2 1\ndisc 1 1 2\ndouble_cone2 0.5 1 2\n0 0 1 0 0 0 0 0 0 0 0\n"
           "1 1 1 0 0 0 0 0 0 0 0\n2 2 1 0 0 0 1 0 0 0 0\n3 3 1 0.2 0 0.2 1 0 0 0 0\n"},
          {"free_and_directed",
           "3 3\nfree3 1 2 3\ndirected3 0.2 0.1 1 2 3\ncone2 0.5 1 2\n0 0 1 0 0 0 1 0 0 0 1\n"
           "1 1 1 0 0 0 1 0 0 0 1\n2 2 1 0 0 0 1 0 0 0 0\n"},
          {"painleve", "1 1\ncone2 2 1 -1\n0 0 1 1.5 0 1.5 1 0 0 0 0\n"},
          {"none", "0 0\n"}};
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    ContactProblem const problem = parse_problem(fuzz::text_of(data, size), "fuzzed.dat");
    if (problem.blocks.size() > 100) return 0;
    std::string const text = problem_text(problem);
    fuzz::demand_always(problem_text(parse_problem(text, "again.dat")) == text,
                        "a problem reads back as it was written");
    asymmetry_of(problem);
    if (problem.blocks.size() > most_blocks || !may_belong_to_bodies(problem)) return 0;
    SolveSettings settings;
    settings.iteration_limit = 100;
    ContactSolver solver;
    Solution solution;
    solver.solve(problem, settings, Eigen::VectorXd::Zero(problem.b.size()), solution);
    if (solution.status == SolveStatus::converged) {
      fuzz::demand_always(solution.lambda.allFinite(), "forces that have converged are finite");
      fuzz::demand_always(scale_free_residual(problem, solution.lambda, settings.law) < 1e-6,
                          "forces that have converged solve the problem");
    }
  } catch (ProblemFileError const&) {
    // No problem.
  }
  return 0;
}
