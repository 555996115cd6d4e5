#include "tests/benchmark/siconos_solver.hpp"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsSparseMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/fc3d_Solvers.h>

#include <algorithm>
#include <cstdlib>

namespace delassus::test {
namespace {

constexpr int ours[3] = {2, 0, 1};  // the row of ours that is row i of theirs

template <class T>
T* allocate(std::size_t count) {
  return static_cast<T*>(std::calloc(count, sizeof(T)));  // Siconos frees it
}

NumericsMatrix* dense_matrix(ContactProblem const& problem) {
  auto const size = static_cast<int>(3 * problem.blocks.size());
  NumericsMatrix* matrix = NM_create(NM_DENSE, size, size);
  std::fill_n(matrix->matrix0, size * size, 0.0);
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    for (auto const& entry : problem.A.row(k)) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          matrix->matrix0[3 * static_cast<int>(k) + i + size * (3 * entry.column + j)] =
              entry.value(ours[i], ours[j]);
      }
    }
  }
  return matrix;
}

// Siconos wants the blocks of a row in the order of their columns.
std::vector<BlockMatrix::Entry const*> sorted_row(BlockMatrix const& A, std::size_t k) {
  std::vector<BlockMatrix::Entry const*> row;
  for (auto const& entry : A.row(k)) row.push_back(&entry);
  std::sort(row.begin(), row.end(), [](auto a, auto b) { return a->column < b->column; });
  return row;
}

NumericsMatrix* block_matrix(ContactProblem const& problem) {
  std::size_t const contacts = problem.blocks.size(), count = problem.A.entries();
  auto const size = static_cast<int>(3 * contacts);
  NumericsMatrix* matrix = NM_create(NM_SPARSE_BLOCK, size, size);
  SparseBlockStructuredMatrix& blocks = *matrix->matrix1;
  blocks.nbblocks = static_cast<unsigned>(count);
  blocks.blocknumber0 = blocks.blocknumber1 = static_cast<unsigned>(contacts);
  blocks.block = allocate<double*>(count);
  blocks.blocksize0 = allocate<unsigned>(contacts);
  blocks.blocksize1 = allocate<unsigned>(contacts);
  blocks.filled1 = contacts + 1;
  blocks.filled2 = count;
  blocks.index1_data = allocate<std::size_t>(contacts + 1);
  blocks.index2_data = allocate<std::size_t>(count);
  std::size_t place = 0;
  for (std::size_t k = 0; k < contacts; ++k) {
    blocks.blocksize0[k] = blocks.blocksize1[k] = static_cast<unsigned>(3 * (k + 1));
    for (auto const* entry : sorted_row(problem.A, k)) {
      double* const values = blocks.block[place] = allocate<double>(9);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) values[i + 3 * j] = entry->value(ours[i], ours[j]);
      }
      blocks.index2_data[place++] = static_cast<std::size_t>(entry->column);
    }
    blocks.index1_data[k + 1] = place;
  }
  return matrix;
}

NumericsMatrix* sparse_matrix(ContactProblem const& problem) {
  auto const size = static_cast<int>(3 * problem.blocks.size());
  NumericsMatrix* matrix = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(matrix, static_cast<CS_INT>(9 * problem.A.entries()));
  matrix->matrix2->origin = NSM_TRIPLET;
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    for (auto const* entry : sorted_row(problem.A, k)) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          NM_entry(matrix, 3 * static_cast<int>(k) + i, 3 * entry->column + j,
                   entry->value(ours[i], ours[j]));
      }
    }
  }
  NM_csc(matrix);
  return matrix;
}

NumericsMatrix* make_matrix(ContactProblem const& problem, SiconosStorage storage) {
  switch (storage) {
    case SiconosStorage::dense:
      return dense_matrix(problem);
    case SiconosStorage::blocks:
      return block_matrix(problem);
    case SiconosStorage::sparse:
    case SiconosStorage::sparse_multifrontal:
      return sparse_matrix(problem);
  }
  return nullptr;
}

// The parameters of a solver and of those that it calls.
struct SavedOptions {
  explicit SavedOptions(SolverOptions const& options)
      : integers(options.iparam, options.iparam + options.iSize),
        numbers(options.dparam, options.dparam + options.dSize) {
    for (std::size_t i = 0; i < options.numberOfInternalSolvers; ++i)
      inner.emplace_back(*options.internalSolvers[i]);
  }
  void restore(SolverOptions& options) const {
    std::copy(integers.begin(), integers.end(), options.iparam);
    std::copy(numbers.begin(), numbers.end(), options.dparam);
    for (std::size_t i = 0; i < inner.size(); ++i) inner[i].restore(*options.internalSolvers[i]);
  }
  std::vector<int> integers;
  std::vector<double> numbers;
  std::vector<SavedOptions> inner;
};

// Newton's methods of Siconos, also within its proximal loop, can factorize sparse matrices in two ways.
void set_factorization(SolverOptions& options, SiconosStorage storage) {
  for (int const solver :
       {SICONOS_FRICTION_3D_NSN_AC, SICONOS_FRICTION_3D_NSN_NM, SICONOS_FRICTION_3D_NSN_FB}) {
    if (options.solverId == solver)
      options.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = storage == SiconosStorage::sparse_multifrontal
                                                                  ? SICONOS_FRICTION_3D_NSN_USE_MUMPS
                                                                  : SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
  }
  for (std::size_t i = 0; i < options.numberOfInternalSolvers; ++i)
    set_factorization(*options.internalSolvers[i], storage);
}

SolverOptions* make_options(SiconosConfiguration const& configuration, SiconosStorage storage,
                            double tolerance) {
  SolverOptions* const options = solver_options_create(configuration.solver);
  if (configuration.inner != 0) solver_options_update_internal(options, 0, configuration.inner);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = configuration.iteration_limit;
  if (configuration.solver == SICONOS_FRICTION_3D_NSGS) {
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  }
  set_factorization(*options, storage);
  if (configuration.formulation >= 0)
    options->iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] = configuration.formulation;
  if (configuration.rescaling >= 0) {
    options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] = configuration.rescaling;
    options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] =
        SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
  }
  return options;
}

}  // namespace

std::string_view text(SiconosStorage storage) {
  switch (storage) {
    case SiconosStorage::dense:
      return "dense";
    case SiconosStorage::blocks:
      return "blocks";
    case SiconosStorage::sparse:
      return "sparse";
    case SiconosStorage::sparse_multifrontal:
      return "multifrontal";
  }
  return "?";
}

std::vector<SiconosConfiguration> const& siconos_configurations() {
  using enum SiconosStorage;
  auto const gauss_seidel = [](std::string name, int inner, bool common = true) {
    return SiconosConfiguration{.name = std::move(name),
                                .solver = SICONOS_FRICTION_3D_NSGS,
                                .inner = inner,
                                .common = common,
                                .storages = {dense, blocks}};
  };
  auto const newton = [](std::string name, int solver, int formulation = -1) {
    return SiconosConfiguration{.name = std::move(name),
                                .solver = solver,
                                .formulation = formulation,
                                .iteration_limit = 1000,
                                .storages = {dense, sparse, sparse_multifrontal}};
  };
  auto const other = [](std::string name, int solver, bool common = false, int rescaling = -1) {
    return SiconosConfiguration{.name = std::move(name),
                                .solver = solver,
                                .common = common,
                                .rescaling = rescaling,
                                .storages = {dense, sparse, sparse_multifrontal}};
  };
  static std::vector<SiconosConfiguration> const all = {
      gauss_seidel("NSGS quartic", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC),
      gauss_seidel("NSGS quartic_nu", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU),
      gauss_seidel("NSGS NSN", SICONOS_FRICTION_3D_ONECONTACT_NSN),
      gauss_seidel("NSGS NSN_GP", SICONOS_FRICTION_3D_ONECONTACT_NSN_GP),
      gauss_seidel("NSGS NSN_GP_HYBRID", SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID),
      newton("NSN_AC", SICONOS_FRICTION_3D_NSN_AC),
      newton("NSN_AC_TEST", SICONOS_FRICTION_3D_NSN_AC_TEST),
      newton("NSN_JM", SICONOS_FRICTION_3D_NSN_AC, SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED),
      newton("NSN_NM", SICONOS_FRICTION_3D_NSN_NM),
      newton("NSN_FB", SICONOS_FRICTION_3D_NSN_FB),
      other("PROX", SICONOS_FRICTION_3D_PROX, true),
      other("ADMM", SICONOS_FRICTION_3D_ADMM, true),
      other("ADMM balanced", SICONOS_FRICTION_3D_ADMM, false,
            SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING),
      gauss_seidel("NSGS projection", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
                   false),
      other("TFP", SICONOS_FRICTION_3D_TFP),
      other("ACLMFP", SICONOS_FRICTION_3D_ACLMFP),
      other("DSFP", SICONOS_FRICTION_3D_DSFP),
      other("FPP", SICONOS_FRICTION_3D_FPP),
      other("EG", SICONOS_FRICTION_3D_EG),
      other("VI_FPP", SICONOS_FRICTION_3D_VI_FPP),
      other("VI_EG", SICONOS_FRICTION_3D_VI_EG),
      other("HP", SICONOS_FRICTION_3D_HP),
  };
  return all;
}

struct SiconosSolver::Implementation {
  ContactProblem const* source = nullptr;
  FrictionContactProblem problem{};
  std::vector<double> q, mu, reaction, velocity, original_q, original_values;
  SolverOptions* options = nullptr;
  std::unique_ptr<SavedOptions> original_options;

  // Every number of a matrix that is not sparse.
  template <class Function>
  void for_each_part(Function const& function) {
    if (problem.M->storageType == NM_DENSE) {
      function(problem.M->matrix0, q.size() * q.size());
    } else if (problem.M->storageType == NM_SPARSE_BLOCK) {
      for (unsigned k = 0; k < problem.M->matrix1->nbblocks; ++k) function(problem.M->matrix1->block[k], 9u);
    }
  }
};

SiconosSolver::SiconosSolver(ContactProblem const& problem, SiconosConfiguration const& configuration,
                             SiconosStorage storage, double tolerance)
    : implementation_(std::make_unique<Implementation>()) {
  numerics_set_verbose(0);
  Implementation& own = *implementation_;
  own.source = &problem;
  std::size_t const contacts = problem.blocks.size();
  for (std::size_t k = 0; k < contacts; ++k) {
    own.mu.push_back(problem.blocks[k].set.limit);
    for (int const row : ours) own.original_q.push_back(-problem.b[problem.blocks[k].first + row]);
  }
  own.q = own.original_q;
  own.reaction.assign(3 * contacts, 0.0);
  own.velocity.assign(3 * contacts, 0.0);
  own.problem.dimension = 3;
  own.problem.numberOfContacts = static_cast<int>(contacts);
  own.problem.M = make_matrix(problem, storage);
  own.problem.q = own.q.data();
  own.problem.mu = own.mu.data();
  own.options = make_options(configuration, storage, tolerance);
  own.original_options = std::make_unique<SavedOptions>(*own.options);
  own.for_each_part([&](double const* values, std::size_t count) {
    own.original_values.insert(own.original_values.end(), values, values + count);
  });
}

SiconosSolver::~SiconosSolver() {
  NM_free(implementation_->problem.M);
  solver_options_delete(implementation_->options);
}

void SiconosSolver::restore() {
  Implementation& own = *implementation_;
  std::copy(own.original_q.begin(), own.original_q.end(), own.q.begin());
  std::fill(own.reaction.begin(), own.reaction.end(), 0.0);
  std::fill(own.velocity.begin(), own.velocity.end(), 0.0);
  own.original_options->restore(*own.options);
  if (own.problem.M->storageType == NM_SPARSE) {  // with conversions of its own inside
    NM_free(own.problem.M);
    own.problem.M = sparse_matrix(*own.source);
    return;
  }
  // The local solvers of quartics free a dense matrix that is not theirs.
  if (own.problem.M->storageType == NM_DENSE && own.problem.M->matrix0 == nullptr)
    own.problem.M->matrix0 = allocate<double>(own.original_values.size());
  auto from = own.original_values.begin();
  own.for_each_part([&](double* values, std::size_t count) {
    auto const to = from + static_cast<std::ptrdiff_t>(count);
    std::copy(from, to, values);
    from = to;
  });
}

int SiconosSolver::solve() {
  Implementation& own = *implementation_;
  return fc3d_driver(&own.problem, own.reaction.data(), own.velocity.data(), own.options);
}

Eigen::VectorXd SiconosSolver::lambda() const {
  std::vector<double> const& reaction = implementation_->reaction;
  Eigen::VectorXd lambda(static_cast<Eigen::Index>(reaction.size()));
  for (Eigen::Index k = 0; k < lambda.size(); k += 3) {
    for (int i = 0; i < 3; ++i) lambda[k + ours[i]] = reaction[static_cast<std::size_t>(k + i)];
  }
  return lambda;
}

int SiconosSolver::iterations() const {
  return implementation_->options->iparam[SICONOS_IPARAM_ITER_DONE];
}

}  // namespace delassus::test
