#include "solver/island/contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/block/classification.hpp"
#include "solver/block/exact_solver.hpp"
#include "solver/problem/form_matrix.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

constexpr int dense_island = 1500;  // rows; beyond, a dense matrix takes seconds and much memory
// Rows of an island of joints only whose force of least norm comes from a dense decomposition, which is exact where
// many steps with a small compliance only come near.
constexpr int dense_joints = 240;
// Of the first pivot of A. A row that is nearer to being dependent is left to the filter of joint_forces.hpp, which is
// exact to rounding at ten thousand times its eps.
constexpr double clear_pivot = 1e-6;
constexpr int before_doubt = 300;  // iterations before joints are checked for contradictions

// No less than the rounding of the sum over many rows.
double attainable(double tolerance, int rows) {
  return std::max(tolerance, 1e-13 * std::clamp(std::sqrt(static_cast<double>(rows)) / 2, 1.0, 5.0));
}

}  // namespace

void ContactSolver::leave_out(StageSet const& stages) {
  left_out_ = stages;
  island_solver_.leave_out(stages);
  working_set_.leave_out(stages);
}

void ContactSolver::solve(ContactProblem const& problem, SolveSettings const& settings,
                          Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  settings_ = settings;
  solution.status = SolveStatus::converged;
  solution.iterations = 0;
  solution.residual = 0;
  solution.part = SolvePart::none;
  solution.history.clear();
  solution.squeezed.clear();
  solution.squeeze_excess = 0;
  solution.modes.resize(problem.blocks.size());
  solution.solutions.resize(problem.blocks.size());
  solution.lambda.resize(problem.b.size());
  islands_.find(problem);
  // In Siconos' measure rho is the same for all islands, and a residual that is small beside the whole problem may stay.
  floor_ =
      settings.measure == ResidualMeasure::unit && islands_.size() > 1
          ? problem.b.norm() / std::sqrt(static_cast<double>(std::max<Eigen::Index>(problem.b.size(), 1)))
          : 0;
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    auto const island = islands_[i];
    Outcome const outcome =
        settings.law == ContactLaw::nakaoka ? project_bilateral_force(problem, island, solution)
        : island.size() == 1                ? solve_one_block(problem, island, settings, previous, solution)
        : settings.law == ContactLaw::coulomb && nothing_presses(problem, island, previous)
            ? leave_open(problem, island, static_cast<int>(i), settings, solution)
            : solve_island(problem, island, static_cast<int>(i), settings, previous, solution);
    solution.residual = std::max(solution.residual, outcome.residual);
    if (outcome.iterations > solution.iterations || i == 0) solution.part = outcome.part;
    solution.iterations = std::max(solution.iterations, outcome.iterations);
    solution.status = std::max(solution.status, outcome.status);
  }
}

ContactSolver::Outcome ContactSolver::solve_one_block(ContactProblem const& problem,
                                                      std::span<const int> island,
                                                      SolveSettings const& settings,
                                                      Eigen::Ref<const Eigen::VectorXd> previous,
                                                      Solution& solution) {
  auto const k = static_cast<std::size_t>(island[0]);
  ProblemBlock const& block = problem.blocks[k];
  Eigen::Vector3d const b = three_rows(problem.b.data() + block.first, block.rows());
  Eigen::Vector3d const last = three_rows(previous.data() + block.first, block.rows());
  Eigen::Matrix3d const A = problem.formed() ? problem.A.diagonal(k) : form_diagonal(problem.W, k);
  BlockChoice const choice = solve_block(block.set, settings.law, settings.rule, A, b, last);
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  bool finite = true;
  for (int i = 0; i < block.rows(); ++i) finite = finite && std::isfinite(choice.lambda[i]);
  for (int i = 0; i < block.rows(); ++i)
    solution.lambda[block.first + i] = lambda[i] = finite ? choice.lambda[i] : 0;
  solution.modes[k] = choice.mode;
  solution.solutions[k] = finite ? choice.solutions : 0;
  Eigen::Vector3d eta = -b;
  for (int j = 0; j < block.rows(); ++j) eta += A.col(j) * lambda[j];
  double const rho = settings.measure == ResidualMeasure::unit ? 1 : scale_free_rho(block.rows(), A.trace());
  double const residual =
      residual_of_sets({&block.set, 1}, rho, settings.law, {&b, 1}, {&lambda, 1}, {&eta, 1});
  // A residual that is no number comes of data that is none.
  bool const solved = solution.solutions[k] > 0 && std::isfinite(residual);
  return {residual, 1, solved ? SolveStatus::converged : SolveStatus::inconsistent, SolvePart::one_block};
}

bool ContactSolver::nothing_presses(ContactProblem const& problem, std::span<const int> island,
                                    Eigen::Ref<const Eigen::VectorXd> previous) const {
  for (int const k : island) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    int const normal = block.first + block.rows() - 1;
    if (!is_unilateral(block.set.kind) || !(problem.b[normal] <= 0)) return false;
    double sum = 0;  // zero where b is finite
    for (int row = block.first; row <= normal; ++row) {
      if (previous[row] != 0) return false;
      sum += 0 * problem.b[row];
    }
    if (sum != 0) return false;
  }
  // Whether A is finite. Those of W are all in the diagonal.
  double sum = 0;
  for (int const k : island) {
    auto const row = static_cast<std::size_t>(k);
    if (problem.formed()) {
      for (BlockMatrix::Entry const& entry : problem.A.row(row)) sum += 0 * entry.value.sum();
    } else {
      sum += 0 * form_diagonal(problem.W, row).sum();
    }
  }
  return sum == 0;
}

ContactSolver::Outcome ContactSolver::leave_open(ContactProblem const& problem, std::span<const int> island,
                                                 int number, SolveSettings const& settings,
                                                 Solution& solution) {
  for (int const i : island) {
    auto const k = static_cast<std::size_t>(i);
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Vector3d eta = Eigen::Vector3d::Zero();
    for (int row = 0; row < block.rows(); ++row) {
      solution.lambda[block.first + row] = 0;
      eta[row] = -problem.b[block.first + row];
    }
    BlockClass const found =
        problem.formed()
            ? classify_block(block.set, problem.A.diagonal(k), Eigen::Vector3d::Zero(), eta, 0, true)
            : classify_block(block.set, form_diagonal(problem.W, k), Eigen::Vector3d::Zero(), eta, 0, true);
    solution.modes[k] = found.mode;
    solution.solutions[k] = found.solutions;
  }
  if (settings.keep_history) solution.history.push_back({number, SolvePart::none, 0, 0});
  return {};
}

ContactSolver::Outcome ContactSolver::project_bilateral_force(ContactProblem const& problem,
                                                              std::span<const int> island,
                                                              Solution& solution) {
  std::vector<ProblemBlock> blocks;
  std::vector<Eigen::Index> rows;
  for (int const k : island) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    blocks.push_back({static_cast<int>(rows.size()), block.set});
    for (int row = 0; row < block.rows(); ++row) rows.push_back(block.first + row);
  }
  // As long as it takes: the law has no other definition.
  island_.gather_blocks(problem, island);
  Eigen::MatrixXd const A = island_.dense();
  Eigen::VectorXd const b = problem.b(rows);
  Eigen::MatrixXd matrix = A;
  Eigen::VectorXd right = b, r(b.size()), lambda(b.size());
  least_norm_.solve(matrix, right, r, 1e-14);
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Vector3d part = Eigen::Vector3d::Zero();
    for (int row = 0; row < block.rows(); ++row) part[row] = r[blocks[i].first + row];
    // With A = I the one-block law (80) is the projection of r itself.
    BlockChoice const choice = solve_block(block.set, ContactLaw::nakaoka, SolutionRule::continuous,
                                           Eigen::Matrix3d::Identity(), part, part);
    for (int row = 0; row < block.rows(); ++row)
      lambda[blocks[i].first + row] = solution.lambda[block.first + row] = choice.lambda[row];
    solution.modes[k] = choice.mode;
    solution.solutions[k] = choice.solutions;
  }
  ContactProblem const part = ContactProblem::from_dense(A, b, blocks);
  return {scale_free_residual(part, lambda, ContactLaw::nakaoka), 0, SolveStatus::converged,
          SolvePart::one_block};
}

void ContactSolver::scatter(ContactProblem const& problem, std::span<const int> island,
                            Solution& solution) const {
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(island[i])];
    double* const rows = solution.lambda.data() + block.first;
    int const count = block.rows();
    rows[0] = lambda_[i][0];
    if (count > 1) rows[1] = lambda_[i][1];
    if (count > 2) rows[2] = lambda_[i][2];
  }
}

void ContactSolver::gather(ContactProblem const& problem, std::span<const int> island, Form form) {
  switch (form) {
    case Form::by_size:
      island_.gather(problem, island);
      break;
    case Form::blocks:
      island_.gather_blocks(problem, island);
      break;
    case Form::factored:
      island_.gather_factored(problem, island);
      break;
  }
  island_.set_measure(settings_.measure, settings_.law);
  island_.set_floor(floor_ * std::sqrt(static_cast<double>(island_.rows())));
}

ContactSolver::Outcome ContactSolver::solve_island(ContactProblem const& problem, std::span<const int> island,
                                                   int number, SolveSettings const& settings,
                                                   Eigen::Ref<const Eigen::VectorXd> previous,
                                                   Solution& solution) {
  bool joints = !problem.W.empty() && (settings.least_norm || settings.method == SolveMethod::automatic);
  for (int const k : island) joints = joints && is_free(problem.blocks[static_cast<std::size_t>(k)].set.kind);
  gather(problem, island, joints ? Form::factored : Form::by_size);
  lambda_.resize(island.size());
  double sum = 0;
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(island[i])];
    lambda_[i] = three_rows(previous.data() + block.first, block.rows());
    sum += lambda_[i].squaredNorm();
  }
  if (!island_.finite() || !std::isfinite(sum))
    std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
  if (!island_.finite()) {
    scatter(problem, island, solution);
    for (int const k : island) {
      solution.modes[static_cast<std::size_t>(k)] = ContactMode::detached;
      solution.solutions[static_cast<std::size_t>(k)] = 0;
    }
    return {std::numeric_limits<double>::infinity(), 0, SolveStatus::inconsistent, SolvePart::none};
  }
  double const tolerance = attainable(settings.tolerance, island_.rows());
  std::vector<SolveRecord>* const history = settings.keep_history ? &solution.history : nullptr;
  if (joints) return solve_joints(problem, island, solution);
  if (island_.all_free() && settings.least_norm && island_.rows() <= dense_joints) {
    bool const contradiction = find_contradictions(problem, island);
    return end_with_joint_forces(problem, island, contradiction, solution);
  }
  // Joints are checked for contradictions before much work is spent on them.
  SolveSettings first = settings;
  if (island_.has_free()) first.iteration_limit = std::min(settings.iteration_limit, before_doubt);
  previous_ = lambda_;
  squeeze_.begin(problem, island);
  IslandTask task{island_, first, tolerance, previous_, history, number};
  if (settings.method == SolveMethod::automatic && !settings.keep_history) task.squeeze = &squeeze_;
  bool const by_working_set =
      (WorkingSet::applies(island_, first) || WorkingSet::applies_from(lambda_, island_, first, eta_)) &&
      !left_out_.contains(StageName::working_set);
  IslandSolver::Result result = by_working_set
                                    ? working_set_.solve(problem, island, task, island_solver_, lambda_, eta_)
                                    : island_solver_.solve(task, lambda_, eta_);
  auto const acceptable = [&] {
    return result.residual <= std::max(settings.acceptable, settings.tolerance);
  };
  bool contradiction = false;
  if (island_.has_free() && result.status != SolveStatus::converged && !acceptable()) {
    contradiction = find_contradictions(problem, island);
    if (contradiction) {
      task.squeeze = nullptr;  // which would find the same once more
      std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
    } else if (island_.all_free() && !joint_lambda_.empty()) {
      lambda_ = joint_lambda_;
    }
    first.iteration_limit = settings.iteration_limit - result.iterations;
    int const before = result.iterations;
    previous_ = lambda_;
    if (first.iteration_limit > 0) result = island_solver_.solve(task, lambda_, eta_);
    result.iterations += before;
    if (contradiction) {
      gather(problem, island, Form::by_size);
      island_.eta(lambda_, eta_);
      result.residual = island_.residual(lambda_, eta_);
    }
  }
  bool const squeezed =
      !contradiction && (result.status == SolveStatus::inconsistent ||
                         (by_working_set && task.squeeze && result.status != SolveStatus::converged &&
                          !acceptable() && squeeze_.find(lambda_)));
  // What is left below this are redundant rows that disagree by rounding, or blocks on the edge of two modes.
  if (!contradiction && acceptable()) result.status = SolveStatus::converged;
  scatter(problem, island, solution);
  SolveStatus status = contradiction ? SolveStatus::inconsistent : result.status;
  if (settings.law == ContactLaw::coulomb) {
    classify(island, status == SolveStatus::converged, solution);
  } else {
    for (std::size_t i = 0; i < island.size(); ++i) {
      auto const k = static_cast<std::size_t>(island[i]);
      solution.modes[k] = island_solver_.sweeps().modes()[i];
      solution.solutions[k] = island_solver_.sweeps().solutions()[i];
    }
  }
  if (contradiction) {
    for (int const k : contradictory_) solution.solutions[static_cast<std::size_t>(k)] = 0;
  }
  if (squeezed && squeeze_.excess() >= solution.squeeze_excess) {
    solution.squeezed = squeeze_.blocks();
    solution.squeeze_excess = squeeze_.excess();
  }
  if (squeezed) status = SolveStatus::inconsistent;
  for (int const k : island) {
    if (solution.solutions[static_cast<std::size_t>(k)] == 0) status = SolveStatus::inconsistent;
  }
  return {result.residual, result.iterations, status, result.part};
}

ContactSolver::Outcome ContactSolver::solve_joints(ContactProblem const& problem, std::span<const int> island,
                                                   Solution& solution) {
  // Where rows are dependent or not without a doubt, a dense decomposition has the force of least norm also where they
  // disagree, and the same rank a little beside the present state: derivatives need that.
  if (island_.rows() <= cascade.sizes.dense_least_norm) {
    bool const contradiction = find_contradictions(problem, island);
    if (least_norm_.smallest_pivot() > clear_pivot)
      return end_with_joint_forces(problem, island, contradiction, solution);
    gather(problem, island, Form::factored);
  }
  joint_forces_.solve(island_, joint_lambda_, joint_eta_);
  double const rho = scale_free_rho(island_.rows(), island_.trace());
  double b_squared = 0;
  for (Eigen::Vector3d const& part : island_.b()) b_squared += part.squaredNorm();
  find_remainders(island, rho, std::max(rho * std::sqrt(b_squared), norm_of(joint_lambda_)));
  // Near a singular configuration it is what the joints hardly hold, and no contradiction.
  if (!contradictory_.empty() && !joint_forces_.contradicts(island_, joint_eta_)) contradictory_.clear();
  return end_with_joint_forces(problem, island, !contradictory_.empty(), solution);
}

ContactSolver::Outcome ContactSolver::end_with_joint_forces(ContactProblem const& problem,
                                                            std::span<const int> island, bool contradiction,
                                                            Solution& solution) {
  lambda_ = joint_lambda_;
  scatter(problem, island, solution);
  for (int const k : island) {
    solution.modes[static_cast<std::size_t>(k)] = ContactMode::stick;
    solution.solutions[static_cast<std::size_t>(k)] = 1;
  }
  for (int const k : contradictory_) solution.solutions[static_cast<std::size_t>(k)] = 0;
  return {island_.residual(joint_lambda_, joint_eta_), 1,
          contradiction ? SolveStatus::inconsistent : SolveStatus::converged, SolvePart::newton};
}

// Free blocks that no force satisfies together: the least-squares solution of their rows leaves a remainder,
// which is then taken from island_.
bool ContactSolver::find_contradictions(ContactProblem const& problem, std::span<const int> island) {
  Eigen::Index rows = 0;
  for (ForceSet const& set : island_.sets()) rows += is_free(set.kind) ? rows_of(set.kind) : 0;
  joint_lambda_.clear();
  if (rows == 0 || island_.rows() > dense_island) return false;
  if (island_.factored()) gather(problem, island, Form::blocks);
  // Blocks take three columns each; those of rows that they do not have are zero.
  auto const columns = static_cast<Eigen::Index>(3 * island_.size());
  auto matrix = matrix_.resize(rows, columns);
  auto right = right_.resize(rows), lambda = candidate_.resize(columns);
  double const rho = scale_free_rho(island_.rows(), island_.trace());
  matrix.setZero();
  Eigen::Index row = 0;
  double b_squared = 0;
  for (std::size_t k = 0; k < island_.size(); ++k) {
    b_squared += island_.b()[k].squaredNorm();
    if (!is_free(island_.set(k).kind)) continue;
    int const own = rows_of(island_.set(k).kind);
    for (std::size_t entry = island_.first()[k]; entry < island_.first()[k + 1]; ++entry)
      matrix.block(row, 3 * island_.columns()[entry], own, 3) = rho * island_.value(entry).topRows(own);
    right.segment(row, own) = rho * island_.b()[k].head(own);
    row += own;
  }
  least_norm_.solve(matrix, right, lambda);
  double const size = std::max(rho * std::sqrt(b_squared), lambda.norm());
  joint_lambda_.resize(island_.size());
  for (std::size_t k = 0; k < island_.size(); ++k)
    joint_lambda_[k] = lambda.segment<3>(3 * static_cast<Eigen::Index>(k));
  island_.eta(joint_lambda_, joint_eta_);
  find_remainders(island, rho, size);
  if (contradictory_.empty()) return false;
  for (std::size_t k = 0; k < island_.size(); ++k) {
    if (is_free(island_.set(k).kind)) island_.replace_b(k, island_.b()[k] + joint_eta_[k]);
  }
  return true;
}

void ContactSolver::find_remainders(std::span<const int> island, double rho, double size) {
  contradictory_.clear();
  for (std::size_t k = 0; k < island_.size(); ++k) {
    if (is_free(island_.set(k).kind) &&
        rho * joint_eta_[k].cwiseAbs().maxCoeff() > consistent_fraction * size)
      contradictory_.push_back(island[k]);
  }
}

void ContactSolver::classify(std::span<const int> island, bool converged, Solution& solution) {
  double size = 0;
  for (Eigen::Vector3d const& part : lambda_) size = std::max(size, part.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    BlockClass const found =
        classify_block(island_.set(i), island_.diagonal(i), lambda_[i], eta_[i], size, converged);
    solution.modes[k] = found.mode;
    solution.solutions[k] = found.solutions;
  }
}

}  // namespace delassus
