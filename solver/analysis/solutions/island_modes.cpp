#include "solver/analysis/solutions/island_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/analysis/solutions/branch_answer.hpp"
#include "solver/analysis/solutions/feasible_force.hpp"
#include "solver/analysis/solutions/slip_subdivision.hpp"
#include "solver/block/classification.hpp"
#include "solver/block/exact_solver.hpp"
#include "solver/linear/dense.hpp"
#include "solver/linear/symmetric_inverse.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

// Of the conditions of a mode, in their scales: what is less is rounding.
constexpr double met = 1e-10;
// Of the largest force: solutions nearer to one another than this are one.
constexpr double same = 1e-7;
// A force that is given as a solution has at most this scale-free residual.
constexpr double solved = 1e-9;
// Of the force that the load needs. Beyond, the rounding of A lambda is larger than a millionth of b, and a force that
// balances itself within a singular A would look like a solution.
constexpr double largest_force = 1e9;

}  // namespace

IslandModes::IslandModes(SubProblem const& sub, std::span<const std::optional<Eigen::Vector2d>> sliding,
                         AllSolutionsSettings const& settings)
    : sub_(sub), settings_(settings) {
  int rows = 0;
  for (std::size_t k = 0; k < sub.blocks.size(); ++k) {
    ProblemBlock const& block = sub.blocks[k];
    bool const joint = is_free(block.set.kind);
    (joint ? joints_ : contacts_).push_back(k);
    for (int i = 0; i < block.rows(); ++i) (joint ? joint_rows_ : contact_rows_).push_back(block.first + i);
    if (joint) continue;
    blocks_.push_back({rows, block.set});
    rows += block.rows();
    options_.push_back(options_of(block.set, sliding[k]));
    known_sliding_ = known_sliding_ || sliding[k].has_value();
  }
  eliminate_joints();
  rho_ = scale_free_rho(static_cast<double>(b_.size()), A_.trace());
  double const load = b_.size() > 0 ? b_.cwiseAbs().maxCoeff() : 0;
  motion_scale_ = load > 0 ? load : 1;
}

void IslandModes::eliminate_joints() {
  Eigen::MatrixXd const A_jj = sub_.A(joint_rows_, joint_rows_), A_cj = sub_.A(contact_rows_, joint_rows_);
  Eigen::VectorXd const b_j = sub_.b(joint_rows_);
  SymmetricInverse const inverse(A_jj);
  redundant_ = inverse.null.cols() > 0;
  contradictory_ = redundant_ && !inverse.consistent(b_j, consistent_fraction);
  joint_answer_ = inverse.inverse;
  A_ = sub_.A(contact_rows_, contact_rows_) - A_cj * joint_answer_ * A_cj.transpose();
  A_ = 0.5 * (A_ + A_.transpose()).eval();
  b_ = sub_.b(contact_rows_) - A_cj * (joint_answer_ * b_j);
}

Eigen::VectorXd IslandModes::with_joints(Eigen::VectorXd const& contact_force) const {
  Eigen::VectorXd lambda(sub_.b.size());
  lambda(contact_rows_) = contact_force;
  Eigen::VectorXd const demand = sub_.b(joint_rows_) - sub_.A(joint_rows_, contact_rows_) * contact_force;
  lambda(joint_rows_) = joint_answer_ * demand;
  return lambda;
}

bool IslandModes::within_limits() const {
  double combinations = 1;
  int curved = 0;
  for (auto const& options : options_) {
    combinations *= static_cast<double>(options.size());
    curved += std::any_of(options.begin(), options.end(), [](auto const& o) { return o.slips_in_space; });
  }
  return combinations <= settings_.combinations && curved <= std::min(settings_.contacts, 3);
}

bool IslandModes::enumerate(IslandSolutions& island) {
  island.redundant_joints = redundant_;
  if (contradictory_) return true;
  bool all_tried = true;
  std::vector<std::size_t> choice(options_.size(), 0);
  Options options(options_.size());
  for (;;) {
    for (std::size_t k = 0; k < options.size(); ++k) options[k] = options_[k][choice[k]];
    all_tried = try_combination(options, island) && all_tried;
    std::size_t last = choice.size();
    while (last > 0 && ++choice[last - 1] == options_[last - 1].size()) choice[--last] = 0;
    if (last == 0) return all_tried;
  }
}

bool IslandModes::try_combination(Options const& options, IslandSolutions& island) {
  std::vector<std::size_t> slipping;
  bool symmetric = true;
  for (std::size_t k = 0; k < options.size(); ++k) {
    if (options[k].slips_in_space) slipping.push_back(k);
    symmetric = symmetric && options[k].symmetric;
  }
  // A slip of known direction beside one of unknown: left to a search.
  if (!slipping.empty() && !symmetric) return false;
  if (slipping.empty()) {
    solve_linear(options, island);
  } else {
    solve_curved(options, slipping, island);
  }
  return true;
}

// C A T z = C (b - A t).
void IslandModes::solve_linear(Options const& options, IslandSolutions& island) {
  Eigen::Index const rows = b_.size();
  Eigen::Index unknowns = 0;
  for (BlockOption const& option : options) unknowns += option.unknowns;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(rows, unknowns), null;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(rows);
  std::vector<Eigen::Index> vanishing;
  Eigen::Index column = 0;
  for (std::size_t k = 0; k < options.size(); ++k) {
    int const size = blocks_[k].rows();
    lambda.segment(blocks_[k].first, size) = options[k].t.head(size);
    for (int i = 0; i < options[k].unknowns; ++i) {
      T.col(column++).segment(blocks_[k].first, size) = options[k].T.col(i).head(size);
      vanishing.push_back(blocks_[k].first + options[k].vanishing[static_cast<std::size_t>(i)]);
    }
  }
  if (unknowns > 0) {
    Eigen::VectorXd left(unknowns), right(unknowns);
    for (Eigen::Index i = 0; i < unknowns; ++i) {
      double const row = A_(vanishing[static_cast<std::size_t>(i)], vanishing[static_cast<std::size_t>(i)]);
      double const along = T.col(i).dot(A_ * T.col(i));
      left[i] = row > 0 ? 1 / std::sqrt(row) : 1;
      right[i] = along > 0 ? 1 / std::sqrt(along) : 1;
    }
    Eigen::MatrixXd const A_rows = A_(vanishing, Eigen::all);
    Eigen::MatrixXd const M = left.asDiagonal() * (A_rows * T) * right.asDiagonal();
    Eigen::VectorXd const demand = b_(vanishing) - A_rows * lambda, scaled = left.cwiseProduct(demand);
    PivotedLu const lu(M, scaled_singular_fraction);
    if (lu.is_invertible()) {
      lambda += T * right.cwiseProduct(lu.solve(scaled));
    } else {
      Eigen::VectorXd const z = OrthogonalDecomposition(M, scaled_singular_fraction).solve(scaled);
      if ((M * z - scaled).cwiseQuotient(left).cwiseAbs().maxCoeff() > consistent_fraction * motion_scale_)
        return;
      lambda += T * right.cwiseProduct(z);
      null = T * (right.asDiagonal() * lu.kernel());
    }
  }
  accept(options, lambda, null, false, island);
}

void IslandModes::solve_curved(Options const& options, std::vector<std::size_t> const& slipping,
                               IslandSolutions& island) {
  // Rows in which eta vanishes, and those of the slipping forces.
  bool const alone = slipping.size() == 1;
  std::vector<Eigen::Index> L, slip_rows, normal_of(slipping.size(), -1);
  Eigen::VectorXd fixed = Eigen::VectorXd::Zero(b_.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < options.size(); ++k) {
    int const size = blocks_[k].rows();
    Eigen::Index const first = blocks_[k].first;
    fixed.segment(first, size) = options[k].t.head(size);
    if (!options[k].slips_in_space) {
      for (int i = 0; i < options[k].unknowns; ++i)
        L.push_back(first + options[k].vanishing[static_cast<std::size_t>(i)]);
      continue;
    }
    // The only one keeps its normal row, for its own enumeration.
    for (int i = 0; i < (alone ? size : 2); ++i) slip_rows.push_back(first + i);
    if (size == 3 && !alone) {
      normal_of[next] = static_cast<Eigen::Index>(L.size());
      L.push_back(first + 2);
    }
    ++next;
  }
  Eigen::VectorXd const load = b_ - A_ * fixed;
  Eigen::VectorXd const b_L = load(L);
  Eigen::MatrixXd const A_LT = A_(L, slip_rows);
  SymmetricInverse const inverse(A_(L, L));
  if (inverse.null.cols() > 0 && !inverse.consistent(b_L, consistent_fraction, motion_scale_)) return;
  Eigen::MatrixXd const answer = inverse.inverse * A_LT;
  Eigen::VectorXd const rest = inverse.inverse * b_L;
  Eigen::MatrixXd const S = A_(slip_rows, slip_rows) - A_LT.transpose() * answer;
  Eigen::VectorXd const c = load(slip_rows) - A_LT.transpose() * rest;
  Eigen::MatrixXd null = Eigen::MatrixXd::Zero(b_.size(), inverse.null.cols());
  null(L, Eigen::all) = inverse.null;
  auto const take = [&](Eigen::VectorXd const& y, bool one_of_many = false) {
    Eigen::VectorXd lambda = fixed;
    lambda(slip_rows) = y;
    lambda(L) = rest - answer * y;
    accept(options, lambda, null, one_of_many, island);
  };
  if (alone) {
    ForceSet const& set = blocks_[slipping[0]].set;
    int const size = rows_of(set.kind);
    Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    A.topLeftCorner(size, size) = 0.5 * (S + S.transpose());
    b.head(size) = c;
    BlockSolutions const found = enumerate_block(set, A, b);
    for (int i = 0; i < found.count; ++i) {
      BlockSolution const& solution = found.item[static_cast<std::size_t>(i)];
      if (solution.mode == ContactMode::slip) take(solution.lambda.head(size), found.infinitely_many);
    }
    return;
  }
  auto const k = static_cast<Eigen::Index>(slipping.size());
  SlipSystem system{S,
                    c,
                    Eigen::MatrixXd::Zero(k, 2 * k),
                    Eigen::VectorXd::Zero(k),
                    std::vector<bool>(slipping.size(), false),
                    Eigen::VectorXd::Ones(k)};
  for (std::size_t i = 0; i < slipping.size(); ++i) {
    ForceSet const& set = blocks_[slipping[i]].set;
    auto const row = static_cast<Eigen::Index>(i);
    Eigen::Index const first = blocks_[slipping[i]].first;
    double const mean = 0.5 * (A_(first, first) + A_(first + 1, first + 1));
    system.scale[row] = mean > 0 ? mean : 1;
    if (normal_of[i] < 0) {
      system.rho[row] = set.limit;
      continue;
    }
    system.rho[row] = set.limit * rest[normal_of[i]];
    system.g.row(row) = -set.limit * answer.row(normal_of[i]);
    system.either_sign[i] = set.kind == ForceSetKind::double_cone3;
    // Normal forces that nothing determines: the least ones stand for them all.
    if (inverse.null.cols() > 0 && inverse.null.row(normal_of[i]).norm() > 1e-6) island.exhaustive = false;
  }
  Slips const slips = find_slips(system, settings_.cells);
  island.method = SolutionMethod::subdivision;
  island.undecided += slips.undecided;
  if (!slips.complete) island.exhaustive = false;
  for (Eigen::VectorXd const& y : slips.y) take(y);
}

double IslandModes::worst_violation(Options const& options, Eigen::VectorXd const& lambda) const {
  Eigen::VectorXd const eta = A_ * lambda - b_;
  double const largest = lambda.cwiseAbs().maxCoeff();
  double const force_scale = std::max(largest, 1e-300),
               motion_scale = std::max(motion_scale_, largest / rho_);
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < options.size(); ++k) {
    auto const force = lambda.segment(blocks_[k].first, blocks_[k].rows());
    auto const motion = eta.segment(blocks_[k].first, blocks_[k].rows());
    if (options[k].slips_in_space) {
      worst = std::max(worst, force.head<2>().dot(motion.head<2>()) / (force_scale * motion_scale));
      if (blocks_[k].set.kind == ForceSetKind::cone3) worst = std::max(worst, -force[2] / force_scale);
      continue;
    }
    worst = std::max(worst, violation(blocks_[k].set, options[k], force, motion, force_scale, motion_scale));
  }
  return worst;
}

// Where `null` has columns, lambda may be moved along them: it is one of many if one of these forces meets the
// conditions.
void IslandModes::accept(Options const& options, Eigen::VectorXd const& lambda, Eigen::MatrixXd const& null,
                         bool one_of_many, IslandSolutions& island) {
  if (!lambda.allFinite()) return;
  FeasibleForce found{lambda, one_of_many};
  if (null.cols() == 0) {
    if (lambda.size() > 0 && worst_violation(options, lambda) > met) return;
  } else {
    auto const worst = [&](Eigen::VectorXd const& force) { return worst_violation(options, force); };
    std::optional<FeasibleForce> const feasible =
        find_feasible_force(lambda, null, worst, rho_ * motion_scale_, met);
    if (!feasible) return;
    found = *feasible;
    found.one_of_many = found.one_of_many || one_of_many;
  }
  FoundSolution solution = describe_contacts(options, found.lambda);
  double const largest = found.lambda.size() > 0 ? found.lambda.cwiseAbs().maxCoeff() : 0;
  if (solution.residual > solved || largest > largest_force * rho_ * motion_scale_) return;
  solution.one_of_many = found.one_of_many;
  island.infinitely_many = island.infinitely_many || found.one_of_many;
  add_if_new(std::move(solution), island.solutions);
}

FoundSolution IslandModes::describe_contacts(Options const& options, Eigen::VectorXd const& lambda) const {
  FoundSolution solution;
  Eigen::VectorXd const eta = A_ * lambda - b_;
  solution.lambda = with_joints(lambda);
  solution.modes.assign(sub_.blocks.size(), ContactMode::stick);
  solution.normal_answer.assign(sub_.blocks.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < contacts_.size(); ++k) solution.modes[contacts_[k]] = options[k].mode;
  if (lambda.size() == 0) return solution;
  BranchAnswer const answer = branch_answer(A_, blocks_, options, lambda, eta);
  solution.stable = answer.stable;
  for (std::size_t i = 0; i < answer.pressing.size(); ++i) {
    auto const row = static_cast<Eigen::Index>(i);
    solution.normal_answer[contacts_[static_cast<std::size_t>(answer.pressing[i])]] = answer.G(row, row);
  }
  // A bilateral contact that slides in a known direction has no set of its own: what is left of its equations.
  if (known_sliding_) {
    for (std::size_t k = 0; k < options.size(); ++k) {
      for (int i = 0; i < options[k].unknowns; ++i) {
        double const left = eta[blocks_[k].first + options[k].vanishing[static_cast<std::size_t>(i)]];
        solution.residual = std::max(solution.residual, std::abs(left) / motion_scale_);
      }
    }
    return solution;
  }
  solution.residual = scale_free_residual(ContactProblem::from_dense(A_, b_, blocks_), lambda);
  return solution;
}

FoundSolution IslandModes::describe(Eigen::VectorXd const& lambda,
                                    std::vector<ContactMode> const& modes) const {
  Options options;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    ProblemBlock const& block = sub_.blocks[contacts_[k]];
    auto const force = lambda.segment(block.first, block.rows());
    BlockOption const* best = &options_[k].front();
    double nearest = std::numeric_limits<double>::infinity();
    for (BlockOption const& option : options_[k]) {
      if (option.mode != modes[contacts_[k]]) continue;
      // A slip in the plane is told by its direction.
      double const distance =
          option.unknowns == 1 && block.rows() > 1
              ? (force - option.T.col(0).head(block.rows()) * force[block.rows() - 1]).norm()
              : (option.side == 0 ? 0 : (force - option.t.head(block.rows())).norm());
      if (distance < nearest) {
        nearest = distance;
        best = &option;
      }
    }
    options.push_back(*best);
  }
  return describe_contacts(options, lambda(contact_rows_));
}

void IslandModes::add_if_new(FoundSolution solution, std::vector<FoundSolution>& solutions) const {
  for (FoundSolution const& known : solutions) {
    double const size = std::max(known.lambda.cwiseAbs().maxCoeff(), solution.lambda.cwiseAbs().maxCoeff());
    double const apart = (known.lambda - solution.lambda).cwiseAbs().maxCoeff();
    if (apart <= same * size) return;
  }
  solutions.push_back(std::move(solution));
}

}  // namespace delassus
