// Contact problems with a known solution, and a judge of solutions that shares no line with the solver: it reads the file by
// itself, multiplies a dense matrix in long double, and asks of each contact what Coulomb's law asks, one condition after the
// other. tests/data/README.md says where the problems come from.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "solver/island/contact_solver.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tools/solve/problem_file.hpp"

namespace delassus {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

struct KnownProblem {
  std::string name, law;
  bool unique = false;  // no other force solves it
  std::string text;     // as tools/solve/problem_file.hpp reads it
  std::vector<double> lambda;
};

void PrintTo(KnownProblem const& problem, std::ostream* stream) {
  *stream << problem.name;
}

std::string read_packed(std::filesystem::path const& file) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> const stream{gzopen(file.c_str(), "rb"), gzclose};
  if (!stream) throw std::runtime_error(file.string() + " cannot be read");
  std::string text;
  char buffer[1 << 16];
  for (int count = 0; (count = gzread(stream.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

std::vector<KnownProblem> read_known(std::string const& file) {
  std::istringstream stream(read_packed(std::filesystem::path(DELASSUS_OWN_DATA) / "problems" / file));
  std::vector<KnownProblem> all;
  std::string word, unique;
  for (KnownProblem one; stream >> word >> one.name >> one.law >> unique; all.push_back(one)) {
    one.unique = unique == "unique";
    std::string line;
    std::getline(stream, line);
    std::size_t contacts = 0, blocks = 0;
    std::getline(stream, one.text);
    std::istringstream(one.text) >> contacts >> blocks;
    one.text += "\n";
    for (std::size_t i = 0; i < contacts + blocks; ++i) {
      std::getline(stream, line);
      one.text += line + "\n";
    }
    one.lambda.resize(3 * contacts);
    for (double& x : one.lambda) stream >> x;
  }
  return all;
}

std::vector<KnownProblem> const& known() {
  static auto const all = [] {
    auto both = read_known("constructed.txt");
    auto const recorded = read_known("recorded.txt.gz");
    both.insert(both.end(), recorded.begin(), recorded.end());
    return both;
  }();
  return all;
}

// ---- The judge

struct Dense {
  std::size_t rows = 0;
  Reals A, b, mu;
  Real at(std::size_t i, std::size_t j) const { return A[i * rows + j]; }
};

Dense read_dense(std::string const& text) {
  std::istringstream stream(text);
  std::size_t contacts = 0, blocks = 0;
  stream >> contacts >> blocks;
  Dense dense{3 * contacts, Reals(9 * contacts * contacts), Reals(3 * contacts), Reals(contacts)};
  double x = 0;
  for (std::size_t k = 0; k < contacts; ++k) {
    stream >> x;
    dense.mu[k] = x;
    for (std::size_t i = 0; i < 3; ++i) {
      stream >> x;
      dense.b[3 * k + i] = x;
    }
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t k = 0, l = 0;
    stream >> k >> l;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        stream >> x;
        dense.A[(3 * k + i) * dense.rows + 3 * l + j] = x;
      }
    }
  }
  EXPECT_TRUE(stream);
  return dense;
}

Real norm(Reals const& x) {
  Real sum = 0;
  for (Real const each : x) sum += each * each;
  return std::sqrt(sum);
}

// The largest distance from fulfilling a condition, in units of the largest force.
//   Coulomb: lambda in the cone; eta_n >= 0; lambda_n = 0 or eta_n = 0; |eta_t| lambda_t = -mu lambda_n eta_t, where it sticks
//   because eta_t = 0
//   Anitescu and Tasora (78): lambda in the cone, eta in the dual cone, at right angles
Real distance(Dense const& problem, std::string const& law, std::vector<double> const& lambda) {
  auto const rows = problem.rows;
  Reals eta(rows), force(lambda.begin(), lambda.end());
  Real trace = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    trace += problem.at(i, i);
    for (std::size_t j = 0; j < rows; ++j) eta[i] += problem.at(i, j) * force[j];
    eta[i] -= problem.b[i];
  }
  Real const rho = static_cast<Real>(rows) / trace;
  Real const scale = std::max({norm(force), rho * norm(eta), rho * norm(problem.b)});
  Real worst = 0;
  for (std::size_t k = 0; 3 * k < rows; ++k) {
    Real const *const f = &force[3 * k], *const e = &eta[3 * k], mu = problem.mu[k];
    Real const tangential = std::hypot(f[0], f[1]), slip = std::hypot(e[0], e[1]);
    std::vector<Real> conditions{tangential - mu * f[2], -f[2]};
    if (law == "coulomb") {
      conditions.push_back(-rho * e[2]);
      conditions.push_back(std::abs(std::min(f[2], rho * e[2])));
      if (f[2] > 0)
        conditions.push_back(rho *
                             std::hypot(slip * f[0] / (mu * f[2]) + e[0], slip * f[1] / (mu * f[2]) + e[1]));
    } else {
      conditions.push_back(rho * (mu * slip - e[2]));
      conditions.push_back(rho * std::abs(f[0] * e[0] + f[1] * e[1] + f[2] * e[2]) / scale);
    }
    for (Real const condition : conditions) worst = std::max(worst, condition);
  }
  return worst / scale;
}

// The law (80) of Nakaoka and others has a closed form: r = A^-1 b, by elimination.
std::vector<double> clamped(Dense problem) {
  auto const rows = problem.rows;
  auto& A = problem.A;
  Reals r = problem.b;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = i + 1; k < rows; ++k) {  // A is positive definite: no pivoting
      Real const factor = A[k * rows + i] / A[i * rows + i];
      for (std::size_t j = i; j < rows; ++j) A[k * rows + j] -= factor * A[i * rows + j];
      r[k] -= factor * r[i];
    }
  }
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = i + 1; j < rows; ++j) r[i] -= A[i * rows + j] * r[j];
    r[i] /= A[i * rows + i];
  }
  std::vector<double> lambda(rows);
  for (std::size_t k = 0; 3 * k < rows; ++k) {
    Real const normal = std::max<Real>(r[3 * k + 2], 0), tangential = std::hypot(r[3 * k], r[3 * k + 1]);
    Real const most = problem.mu[k] * normal, factor = tangential > most ? most / tangential : 1;
    lambda[3 * k] = static_cast<double>(factor * r[3 * k]);
    lambda[3 * k + 1] = static_cast<double>(factor * r[3 * k + 1]);
    lambda[3 * k + 2] = static_cast<double>(normal);
  }
  return lambda;
}

double farthest(std::vector<double> const& one, std::vector<double> const& other) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    most = std::max(most, std::abs(one[i] - other[i]));
    largest = std::max(largest, std::abs(one[i]));
  }
  return most / largest;
}

// ---- The tests

ContactLaw law_of(KnownProblem const& problem) {
  return problem.law == "coulomb"           ? ContactLaw::coulomb
         : problem.law == "anitescu-tasora" ? ContactLaw::anitescu_tasora
                                            : ContactLaw::nakaoka;
}

class KnownProblems : public testing::TestWithParam<KnownProblem> {};

TEST_P(KnownProblems, HaveASolutionThatFulfilsTheLawOfEachContact) {
  auto const& problem = GetParam();
  auto const dense = read_dense(problem.text);
  ASSERT_EQ(dense.rows, problem.lambda.size());
  if (problem.law == "nakaoka") {
    EXPECT_LE(farthest(problem.lambda, clamped(dense)), 1e-13);
    return;
  }
  bool const constructed = problem.text.size() < 40'000;  // recorded ones were solved to 1e-12
  EXPECT_LE(distance(dense, problem.law, problem.lambda), constructed ? 1e-15L : 1e-11L);
  // The judge sees a force that is wrong by a millionth.
  for (std::size_t i = 0; i < 3; ++i) {
    auto const normal = [&](std::size_t k) { return std::abs(problem.lambda[3 * k + 2]); };
    std::size_t loaded = 0;
    for (std::size_t k = 1; 3 * k < dense.rows; ++k) loaded = normal(k) > normal(loaded) ? k : loaded;
    auto wrong = problem.lambda;
    wrong[3 * loaded + i] += 1e-6 * (normal(loaded) + 1);
    EXPECT_GT(distance(dense, problem.law, wrong), 1e-10L) << i;
  }
}

TEST_P(KnownProblems, AreSolvedToTenDigitsInTheEyesOfAnother) {
  auto const& known = GetParam();
  ContactProblem const problem = parse_problem(known.text, known.name);
  ContactSolver solver;
  SolveSettings settings;
  settings.tolerance = settings.acceptable = 1e-12;
  settings.law = law_of(known);
  Eigen::VectorXd const zero = Eigen::VectorXd::Zero(problem.b.size());
  Solution solution, again;
  solver.solve(problem, settings, zero, solution);
  std::vector<double> const lambda(solution.lambda.begin(), solution.lambda.end());
  EXPECT_EQ(solution.status, SolveStatus::converged);
  if (known.law != "nakaoka") {
    EXPECT_LE(distance(read_dense(known.text), known.law, lambda), 1e-10L);
  }
  if (known.unique) {
    EXPECT_LE(farthest(known.lambda, lambda), 1e-10);
  }
  if (known.law == "nakaoka") return;            // allocates
  solver.solve(problem, settings, zero, again);  // its memory is there now
  long const before = test::allocation_count;
  solver.solve(problem, settings, zero, again);
  EXPECT_EQ(test::allocation_count - before, 0);
  EXPECT_EQ(again.lambda, solution.lambda);
}

INSTANTIATE_TEST_SUITE_P(Of, KnownProblems, testing::ValuesIn(known()), [](auto const& info) {
  std::string name;
  bool start = true;
  for (char const c : info.param.name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      start = true;
      name += '_';
      continue;
    }
    name += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return name;
});

}  // namespace
}  // namespace delassus
