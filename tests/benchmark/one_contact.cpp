// What one block costs: solve_block and enumerate_block over prebuilt mixes of one third each take-off, stick
// and slip, with the matrices of rigid bodies and with eigenvalues over five decades. Where Siconos is there,
// its solvers for one contact run on the same problems, and the counter `wrong` says how many of the answers
// have a scale-free residual above 1e-8.
//
// `benchmark_block_solver --check 10000000` times nothing: it solves so many problems of each mix, of which
// the timed ones are the first, and counts the wrong answers. It shows the first of them, and then fails.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <string_view>
#include <vector>

#include "solver/block/exact_solver.hpp"
#include "solver/problem/residual.hpp"
#include "tests/support/random_block.hpp"

#ifdef DELASSUS_WITH_SICONOS
#include <fcntl.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/fc3d_Solvers.h>
#include <siconos/numerics/fc3d_onecontact_nonsmooth_Newton_solvers.h>
#include <siconos/numerics/fc3d_unitary_enumerative.h>
#endif

namespace delassus {
namespace {

using test::RandomBlock;

enum Mix { rigid_bodies, five_decades };

// The problems of a mix, one after the other.
class MixOfBlocks {
 public:
  explicit MixOfBlocks(Mix mix) : mix_(mix), random_(mix == rigid_bodies ? 1 : 2) {}

  RandomBlock next() {
    ForceSet const set{ForceSetKind::cone3, random_.uniform(0.1, 1.0)};
    Eigen::Matrix3d const A = mix_ == rigid_bodies ? random_.rigid_body_matrix()
                                                   : Eigen::Matrix3d(random_.matrix_over_decades(3, 5));
    return random_.with_mode(set, A, static_cast<ContactMode>(1 + made_++ % 3));
  }

 private:
  Mix mix_;
  test::RandomBlocks random_;
  long made_ = 0;
};

std::vector<RandomBlock> const& mix_of(Mix mix) {
  static auto const build = [](Mix kind) {
    MixOfBlocks source(kind);
    std::vector<RandomBlock> blocks;
    for (int i = 0; i < 99999; ++i) blocks.push_back(source.next());
    return blocks;
  };
  static std::vector<RandomBlock> const mixes[] = {build(rigid_bodies), build(five_decades)};
  return mixes[mix];
}

using Solver = std::function<Eigen::Vector3d(RandomBlock const&)>;

double residual_of(RandomBlock const& block, Eigen::Vector3d const& lambda) {
  return scale_free_residual(ContactProblem::from_dense(block.A, block.b, {{0, block.set}}), lambda);
}

// NaN is wrong, too.
bool is_wrong(double residual) {
  return !(residual <= 1e-8);
}

// Answers that are no solution, outside the timed loop.
double count_wrong(std::vector<RandomBlock> const& blocks, Solver const& solver) {
  int wrong = 0;
  for (RandomBlock const& block : blocks) wrong += is_wrong(residual_of(block, solver(block)));
  return wrong;
}

template <class Function>
void time_over(benchmark::State& state, Function const& solver) {
  auto const& blocks = mix_of(static_cast<Mix>(state.range(0)));
  for (auto _ : state) {
    for (RandomBlock const& block : blocks) benchmark::DoNotOptimize(solver(block));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks.size()));
  state.counters["each"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(blocks.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

constexpr auto solve_one = [](RandomBlock const& block) {
  return solve_block(block.set, ContactLaw::coulomb, SolutionRule::continuous, block.A, block.b, block.lambda)
      .lambda;
};

void solve_block_of_mix(benchmark::State& state) {
  time_over(state, solve_one);
  state.counters["wrong"] = count_wrong(mix_of(static_cast<Mix>(state.range(0))), solve_one);
}
BENCHMARK(solve_block_of_mix)->Arg(rigid_bodies)->Arg(five_decades)->Unit(benchmark::kMillisecond);

void enumerate_block_of_mix(benchmark::State& state) {
  time_over(state,
            [](RandomBlock const& block) { return enumerate_block(block.set, block.A, block.b).count; });
}
BENCHMARK(enumerate_block_of_mix)->Arg(rigid_bodies)->Arg(five_decades)->Unit(benchmark::kMillisecond);

void solve_block_anitescu_tasora(benchmark::State& state) {
  time_over(state, [](RandomBlock const& block) {
    return solve_block(block.set, ContactLaw::anitescu_tasora, SolutionRule::continuous, block.A, block.b,
                       block.lambda)
        .lambda;
  });
}
BENCHMARK(solve_block_anitescu_tasora)->Arg(rigid_bodies)->Arg(five_decades)->Unit(benchmark::kMillisecond);

#ifdef DELASSUS_WITH_SICONOS
// Siconos solves M r + q = u with the normal component first; A lambda - b = eta is that with q = -b.
class SiconosContact {
 public:
  using Function = int (*)(FrictionContactProblem*, double*, SolverOptions*);

  SiconosContact(Function solve, int solver, std::vector<RandomBlock> const& blocks)
      : solve_(solve), options_(solver_options_create(solver)), first_(blocks.data()) {
    // Newton's methods compare half a squared residual with it: this is what it takes to get below 1e-8. The
    // quartics use it at their ends only. The iteration caps are those of Siconos.
    options_->dparam[SICONOS_DPARAM_TOL] = solve == fc3d_unitary_enumerative_solve ? 1e-14 : 1e-18;
    problem_.dimension = 3;
    problem_.numberOfContacts = 1;
    problem_.M = NM_create_from_data(NM_DENSE, 3, 3, matrix_);
    problem_.q = vector_;
    problem_.mu = &mu_;
    if (solve == fc3d_onecontact_nonsmooth_Newton_solvers_solve) prepare(blocks);
  }
  SiconosContact(SiconosContact const&) = delete;
  SiconosContact& operator=(SiconosContact const&) = delete;
  ~SiconosContact() {
    // The matrix's data is ours, so only its shell may go.
    problem_.M->matrix0 = nullptr;
    NM_free(problem_.M);
    solver_options_delete(options_);
  }

  // Of the blocks that were given.
  Eigen::Vector3d operator()(RandomBlock const& block) {
    load(block);
    if (!work_.empty()) {
      auto const& work = work_[static_cast<std::size_t>(&block - first_)];
      std::copy(work.begin(), work.end(), options_->dWork);
    }
    solve_(&problem_, reaction_, options_);
    return {reaction_[1], reaction_[2], reaction_[0]};
  }

 private:
  void load(RandomBlock const& block) {
    static constexpr int ours[3] = {2, 0, 1};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix_[i + 3 * j] = block.A(ours[i], ours[j]);
      vector_[i] = -block.b[ours[i]];
      reaction_[i] = 0;
    }
    mu_ = block.set.limit;
  }

  // Newton's method scales its equations by numbers that its initialisation makes from the matrix. Siconos'
  // Gauss-Seidel does that once for each contact before it sweeps, so it is not timed.
  void prepare(std::vector<RandomBlock> const& blocks) {
    for (RandomBlock const& block : blocks) {
      load(block);
      fc3d_onecontact_nonsmooth_Newton_solvers_initialize(&problem_, &problem_, options_);
      work_.emplace_back(options_->dWork, options_->dWork + options_->dWorkSize);
    }
  }

  Function solve_;
  SolverOptions* options_;
  FrictionContactProblem problem_{};
  double matrix_[9] = {}, vector_[3] = {}, reaction_[3] = {}, mu_ = 0;
  RandomBlock const* first_;
  std::vector<std::vector<double>> work_;  // of each block
};

// Siconos prints every problem that a quartic does not solve.
class QuietOutput {
 public:
  QuietOutput() {
    std::fflush(stdout);
    output_ = ::dup(STDOUT_FILENO);
    int const nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::close(nowhere);
  }
  QuietOutput(QuietOutput const&) = delete;
  QuietOutput& operator=(QuietOutput const&) = delete;
  ~QuietOutput() {
    std::fflush(stdout);
    ::dup2(output_, STDOUT_FILENO);
    ::close(output_);
  }

 private:
  int output_;
};

void siconos(benchmark::State& state, SiconosContact::Function solve, int solver) {
  QuietOutput const quiet;
  SiconosContact contact(solve, solver, mix_of(static_cast<Mix>(state.range(0))));
  time_over(state, [&contact](RandomBlock const& block) { return contact(block); });
  state.counters["wrong"] = count_wrong(mix_of(static_cast<Mix>(state.range(0))), std::ref(contact));
}

// Siconos' enumerative solver looks at the solver's number to choose the quartic.
BENCHMARK_CAPTURE(siconos, quartic, fc3d_unitary_enumerative_solve, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)
    ->Arg(rigid_bodies)
    ->Arg(five_decades)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(siconos, quartic_nu, fc3d_unitary_enumerative_solve,
                  SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU)
    ->Arg(rigid_bodies)
    ->Arg(five_decades)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(siconos, newton_hybrid, fc3d_onecontact_nonsmooth_Newton_solvers_solve,
                  SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID)
    ->Arg(rigid_bodies)
    ->Arg(five_decades)
    ->Unit(benchmark::kMillisecond);
#endif

// Returns how many are wrong.
long check(Mix mix, std::string_view name, long count) {
  bool const shows_progress = ::isatty(STDERR_FILENO) != 0;
  MixOfBlocks source(mix);
  long wrong = 0;
  double worst = 0;
  for (long i = 0; i < count; ++i) {
    if (shows_progress && i % 100000 == 0)
      std::cerr << '\r' << name << ": " << i << " of " << count << std::flush;
    RandomBlock const block = source.next();
    Eigen::Vector3d const lambda = solve_one(block);
    double const residual = residual_of(block, lambda);
    if (is_wrong(residual) && ++wrong == 1) {
      if (shows_progress) std::cerr << "\r\033[K";
      std::cout.precision(std::numeric_limits<double>::max_digits10);
      std::cout << name << ": problem " << i << " has the residual " << residual << "\nmu " << block.set.limit
                << "\nA\n"
                << block.A << "\nb " << block.b.transpose() << "\nlambda " << lambda.transpose() << '\n';
    }
    worst = std::max(worst, residual);
  }
  if (shows_progress) std::cerr << "\r\033[K";
  std::cout.precision(3);
  std::cout << name << ": " << wrong << " of " << count << " wrong, worst residual " << worst << std::endl;
  return wrong;
}

int check_both(std::string_view text) {
  long count = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1) {
    std::cerr << "--check " << text << ": the number of problems is a whole number above zero\n";
    return 2;
  }
  long const wrong = check(rigid_bodies, "rigid bodies", count) +
                     check(five_decades, "eigenvalues over five decades", count);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace delassus

int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == "--check") return delassus::check_both(arguments[2]);
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
