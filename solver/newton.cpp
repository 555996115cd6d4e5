#include "solver/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/residual.hpp"

namespace delassus {
namespace {

// A pivot of the rows, which are scaled to one, below this may be a sign of singular equations: then
// LeastNorm looks closer.
constexpr double certain_pivot = 1e-9;

// A residual below this has nothing left but rounding that the data's conditioning has multiplied.
constexpr double last_bits = 1e-12;

// What is less than this beside the island's forces may be zero.
constexpr double edge = 1e-8;

// Full steps without a better residual before damping begins.
constexpr int patience = 6;

bool is_interval_or_disc(ForceSetKind kind) {
  return kind == ForceSetKind::interval || kind == ForceSetKind::disc;
}
bool is_double_cone(ForceSetKind kind) {
  return kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}
bool is_directed(ForceSetKind kind) {
  return kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3;
}

// Tangential rows come first.
int tangential_rows(ProblemBlock const& block) {
  return has_normal(block.set.kind) ? block.rows() - 1 : block.rows();
}

struct Tangent {
  double x = 0, y = 0;
  double norm() const { return std::hypot(x, y); }
};

}  // namespace

double Newton::evaluate(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
  auto eta = eta_.view();
  eta.noalias() = island.A() * lambda;
  eta -= island.b();
  return residual_of_dense(island.blocks(), island.trace(), island.b(), lambda, eta);
}

void Newton::choose_modes(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
  auto const eta = eta_.view();
  for (std::size_t k = 0; k < island.blocks().size(); ++k) {
    ProblemBlock const& block = island.blocks()[k];
    ForceSetKind const kind = block.set.kind;
    modes_[k] = ContactMode::stick;
    if (is_free(kind)) continue;
    auto const at = [&](int row, double rho) {
      return lambda[block.first + row] - rho * eta[block.first + row];
    };
    double radius = block.set.limit;
    if (has_normal(kind)) {
      double const y_n = at(block.rows() - 1, rho_[k].n);
      if (!(y_n > 0) && !is_double_cone(kind)) {
        modes_[k] = ContactMode::detached;
        continue;
      }
      radius *= std::abs(y_n);
    }
    if (is_directed(kind) || kind == ForceSetKind::half_line) continue;
    int const tangential = tangential_rows(block);
    Tangent const y{at(0, rho_[k].t), tangential > 1 ? at(1, rho_[k].t) : 0};
    // Without friction there is nothing that could stick.
    if (!(y.norm() <= radius && radius > 0)) modes_[k] = ContactMode::slip;
  }
}

// eta = 0 in this row, scaled.
void Newton::demand_rest(IslandProblem const& island, Eigen::Index row, double rho) {
  G_.view().row(row) = rho * island.A().row(row);
  right_.view()[row] = rho * island.b()[row];
}

void Newton::assemble_slip(IslandProblem const& island, std::size_t k,
                           Eigen::Ref<const Eigen::VectorXd> lambda) {
  ProblemBlock const& block = island.blocks()[k];
  auto G = G_.view();
  auto right = right_.view();
  auto const eta = eta_.view();
  auto const A = island.A();
  double const rho = rho_[k].t;
  int const tangential = tangential_rows(block);
  Eigen::Index const first = block.first, normal = first + tangential;
  bool const bounded = is_interval_or_disc(block.set.kind);
  Tangent y{lambda[first] - rho * eta[first], tangential > 1 ? lambda[first + 1] - rho * eta[first + 1] : 0};
  double const norm = y.norm();
  Tangent const e{norm > 0 ? y.x / norm : 0, norm > 0 ? y.y / norm : 0};
  double const component[2] = {e.x, e.y};
  double radius = block.set.limit, side = 1;
  if (!bounded) {
    double const y_n = lambda[normal] - rho_[k].n * eta[normal];
    if (is_double_cone(block.set.kind) && y_n < 0) side = -1;
    radius *= std::abs(y_n);
    demand_rest(island, normal, rho_[k].n);
  }
  double const share = norm > 0 ? std::min(radius / norm, 1.0) : 0;
  for (int i = 0; i < tangential; ++i) {
    G.row(first + i).setZero();
    right[first + i] = bounded ? block.set.limit * component[i] : 0;
    for (int j = 0; tangential > 1 && j < tangential; ++j) {
      double const P = (i == j ? 1.0 : 0.0) - component[i] * component[j];
      G.row(first + i) += share * P * rho * A.row(first + j);
      right[first + i] += share * P * rho * island.b()[first + j];
    }
    for (int j = 0; tangential > 1 && j < tangential; ++j)
      G(first + i, first + j) -= share * ((i == j ? 1.0 : 0.0) - component[i] * component[j]);
    G(first + i, first + i) += 1;
    if (!bounded) G(first + i, normal) -= block.set.limit * side * component[i];
  }
}

void Newton::assemble(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
  auto G = G_.view();
  auto right = right_.view();
  for (std::size_t k = 0; k < island.blocks().size(); ++k) {
    ProblemBlock const& block = island.blocks()[k];
    int const tangential = tangential_rows(block);
    Eigen::Index const first = block.first, normal = first + block.rows() - 1;
    if (modes_[k] == ContactMode::detached || is_directed(block.set.kind)) {
      for (Eigen::Index row = first; row <= normal; ++row) {
        G.row(row).setZero();
        G(row, row) = 1;
        right[row] = 0;
      }
    }
    if (modes_[k] == ContactMode::detached) continue;
    if (is_directed(block.set.kind)) {
      for (int i = 0; i < tangential; ++i)
        G(first + i, normal) = -block.set.direction[static_cast<std::size_t>(i)];
      demand_rest(island, normal, rho_[k].n);
    } else if (modes_[k] == ContactMode::slip) {
      assemble_slip(island, k, lambda);
    } else {
      for (int i = 0; i < tangential; ++i) demand_rest(island, first + i, rho_[k].t);
      if (has_normal(block.set.kind)) demand_rest(island, normal, rho_[k].n);
    }
  }
}

// The new lambda, in next_; returns how much the rank falls short.
int Newton::step(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
  assemble(island, lambda);
  auto G = G_.view();
  auto right = right_.view();
  auto next = next_.view();
  next = right;
  if (solve_nonsingular(G, next, certain_pivot)) return 0;
  assemble(island, lambda);
  return static_cast<int>(island.rows()) - least_norm_.solve(G, right, next);
}

NewtonResult Newton::damped(IslandProblem const& island, double tolerance, int limit, NewtonResult result,
                            Eigen::Ref<Eigen::VectorXd> lambda) {
  auto best = best_.view();
  auto next = next_.view();
  for (; result.iterations < limit; ++result.iterations) {
    evaluate(island, best);
    choose_modes(island, best);
    result.deficiency = step(island, best);
    double residual = std::numeric_limits<double>::infinity();
    for (double fraction = 1; fraction > 0.01; fraction /= 2) {
      lambda = best + fraction * (next - best);
      residual = evaluate(island, lambda);
      if (residual < (1 - 0.1 * fraction) * result.residual) break;
    }
    if (!(residual < 0.9999 * result.residual)) break;
    best = lambda;
    result.residual = residual;
    if (residual <= tolerance) break;
  }
  lambda = best;
  return result;
}

NewtonResult Newton::solve(IslandProblem const& island, double tolerance, int limit,
                           WhenSingular when_singular, Eigen::Ref<Eigen::VectorXd> lambda) {
  Eigen::Index const rows = island.rows();
  eta_.resize(rows);
  auto best = best_.resize(rows);
  auto next = next_.resize(rows);
  right_.resize(rows);
  G_.resize(rows, rows);
  modes_.resize(island.blocks().size());
  rho_.resize(island.blocks().size());
  for (std::size_t k = 0; k < island.blocks().size(); ++k) {
    ProblemBlock const& block = island.blocks()[k];
    auto const diagonal = island.A().diagonal().segment(block.first, block.rows());
    int const tangential = tangential_rows(block);
    // A row that nothing moves has no scale of its own.
    auto const usual = [&](double compliance) {
      double const mean = diagonal.sum() / block.rows();
      double const rho = 1 / (compliance > 1e-12 * mean ? compliance : mean);
      return std::isfinite(rho) && rho > 0 ? rho : 1.0;
    };
    rho_[k] = {usual(tangential > 0 ? diagonal.head(tangential).sum() / tangential : 0),
               usual(diagonal[block.rows() - 1])};
  }

  NewtonResult result;
  result.residual = evaluate(island, lambda);
  best = lambda;
  if (!std::isfinite(result.residual)) {
    lambda.setZero();
    best.setZero();
    result.residual = evaluate(island, lambda);
  }
  int without_progress = 0;
  while (result.iterations < limit) {
    choose_modes(island, lambda);
    int const deficiency = step(island, lambda);
    ++result.iterations;
    result.deficiency = deficiency;
    if (deficiency > 0 && when_singular == WhenSingular::stop) break;
    result.stationary = (next - lambda).norm() <= 1e-13 * next.norm();
    lambda = next;
    double const residual = evaluate(island, lambda);
    bool const good = residual <= tolerance;
    if (good || residual < result.residual) {
      without_progress = 0;
      result.residual = residual;
      best = lambda;
    } else {
      ++without_progress;
      if (result.stationary && residual <= 2 * result.residual) {
        result.residual = residual;  // the best that these modes have, at its place
        best = lambda;
      }
    }
    // A step without progress so near to rounding: these were the last bits.
    if (without_progress > 0 && result.residual <= last_bits) result.stationary = true;
    if (good || result.stationary || without_progress > patience || !std::isfinite(residual)) break;
  }
  lambda = best;
  if (without_progress > patience)
    result = damped(island, tolerance, std::min(limit, result.iterations + 10), result, lambda);
  evaluate(island, lambda);
  choose_modes(island, lambda);
  return result;
}

bool Newton::on_edge(IslandProblem const& island, Eigen::Ref<const Eigen::VectorXd> lambda) {
  evaluate(island, lambda);
  auto const eta = eta_.view();
  double scale = lambda.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < island.blocks().size(); ++k) {
    ProblemBlock const& block = island.blocks()[k];
    double const rho = std::min(rho_[k].t, rho_[k].n);
    scale = std::max(scale, rho * island.b().segment(block.first, block.rows()).cwiseAbs().maxCoeff());
  }
  double const small = edge * scale;
  for (std::size_t k = 0; k < island.blocks().size(); ++k) {
    ProblemBlock const& block = island.blocks()[k];
    ForceSetKind const kind = block.set.kind;
    if (is_free(kind)) continue;
    int const tangential = tangential_rows(block);
    Eigen::Index const normal = block.first + block.rows() - 1;
    double radius = block.set.limit;
    if (has_normal(kind)) {
      if (std::abs(lambda[normal]) <= small && std::abs(rho_[k].n * eta[normal]) <= small) return true;
      radius *= std::abs(lambda[normal]);
    }
    if (tangential == 0 || is_directed(kind) || radius == 0) continue;
    auto const force = lambda.segment(block.first, tangential);
    auto const motion = eta.segment(block.first, tangential);
    if (force.norm() >= (1 - edge) * radius && rho_[k].t * motion.norm() <= small) return true;
  }
  return false;
}

NewtonResult Newton::solve_in_modes(IslandProblem const& island, double tolerance, int limit,
                                    Eigen::Ref<Eigen::VectorXd> lambda) {
  auto best = best_.view();
  auto next = next_.view();
  NewtonResult result;
  result.residual = std::numeric_limits<double>::infinity();
  evaluate(island, lambda);
  best = lambda;
  while (result.iterations < limit) {
    result.deficiency = step(island, lambda);
    ++result.iterations;
    result.stationary = (next - lambda).norm() <= 1e-13 * next.norm();
    lambda = next;
    double const residual = evaluate(island, lambda);
    bool const falls = residual < 0.5 * result.residual;
    if (residual <= result.residual) {
      result.residual = residual;
      best = lambda;
    }
    if (residual <= tolerance || result.stationary || !falls) break;
  }
  lambda = best;
  return result;
}

}  // namespace delassus
