#include "solver/analysis/solutions/block_options.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

BlockOption nothing(ContactMode mode) {
  BlockOption option;
  option.mode = mode;
  return option;
}

// eta = 0 in all rows.
BlockOption held(int rows, ContactMode mode = ContactMode::stick) {
  BlockOption option;
  option.mode = mode;
  option.unknowns = rows;
  option.T = Eigen::Matrix3d::Identity();
  option.vanishing = {0, 1, 2};
  return option;
}

// lambda = lambda_n (tau, 1), eta_n = 0.
BlockOption pressed(int rows, Eigen::Vector2d const& tau, int press, int side) {
  BlockOption option;
  option.mode = ContactMode::slip;
  option.unknowns = 1;
  option.T.col(0).head(rows - 1) = tau.head(rows - 1);
  option.T(rows - 1, 0) = 1;
  option.vanishing = {rows - 1, 0, 0};
  option.symmetric = tau.isZero(0);
  option.press = press;
  option.side = side;
  return option;
}

BlockOption slip_in_space() {
  BlockOption option;
  option.mode = ContactMode::slip;
  option.slips_in_space = true;
  return option;
}

// A contact with friction; `both`: it presses on either side.
std::vector<BlockOption> options_of_contact(int rows, double mu, bool both) {
  std::vector<BlockOption> options;
  if (!both) options.push_back(nothing(ContactMode::detached));
  if (mu == 0) {
    options.push_back(pressed(rows, Eigen::Vector2d::Zero(), both ? 0 : 1, 0));
    return options;
  }
  options.push_back(held(rows));
  if (rows == 3) {
    options.push_back(slip_in_space());
    return options;
  }
  for (int const press : {1, -1}) {
    if (press < 0 && !both) break;
    for (int const side : {1, -1}) options.push_back(pressed(rows, {side * press * mu, 0}, press, side));
  }
  return options;
}

}  // namespace

std::vector<BlockOption> options_of(ForceSet const& set, std::optional<Eigen::Vector2d> const& sliding) {
  int const rows = rows_of(set.kind);
  double const limit = set.limit;
  bool const both = set.kind == ForceSetKind::double_cone2 || set.kind == ForceSetKind::double_cone3;
  switch (set.kind) {
    case ForceSetKind::half_line:
      return {nothing(ContactMode::detached), held(1)};
    case ForceSetKind::interval: {
      if (limit == 0) return {nothing(ContactMode::slip)};
      std::vector<BlockOption> options = {held(1)};
      for (int const side : {1, -1}) {
        options.push_back(nothing(ContactMode::slip));
        options.back().t[0] = side * limit;
        options.back().side = side;
      }
      return options;
    }
    case ForceSetKind::disc:
      if (limit == 0) return {nothing(ContactMode::slip)};
      return {held(2), slip_in_space()};
    case ForceSetKind::cone2:
    case ForceSetKind::cone3:
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3: {
      if (!sliding) return options_of_contact(rows, limit, both);
      std::vector<BlockOption> options;
      if (!both) options.push_back(nothing(ContactMode::detached));
      options.push_back(pressed(rows, -limit * *sliding, 1, 0));
      if (both) options.push_back(pressed(rows, limit * *sliding, -1, 0));
      return options;
    }
    case ForceSetKind::free1:
    case ForceSetKind::free2:
    case ForceSetKind::free3:
      return {held(rows)};
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      return {nothing(ContactMode::detached), pressed(rows, {set.direction[0], set.direction[1]}, 1, 0)};
  }
  return {};
}

double violation(ForceSet const& set, BlockOption const& option, Eigen::Ref<const Eigen::VectorXd> lambda,
                 Eigen::Ref<const Eigen::VectorXd> eta, double force_scale, double motion_scale) {
  int const rows = rows_of(set.kind), t = has_normal(set.kind) ? rows - 1 : rows;
  if (is_free(set.kind)) return 0;
  if (!has_normal(set.kind)) {
    if (option.mode == ContactMode::stick) return (lambda.norm() - set.limit) / force_scale;
    return option.side * eta[0] / motion_scale;
  }
  double const lambda_n = lambda[rows - 1];
  if (option.mode == ContactMode::detached) return -eta[rows - 1] / motion_scale;
  bool const both = set.kind == ForceSetKind::double_cone2 || set.kind == ForceSetKind::double_cone3;
  if (option.mode == ContactMode::stick) {
    if (both) return (lambda.head(t).norm() - set.limit * std::abs(lambda_n)) / force_scale;
    double const outside =
        set.kind == ForceSetKind::half_line ? 0 : lambda.head(t).norm() - set.limit * lambda_n;
    return std::max(-lambda_n, outside) / force_scale;
  }
  double worst = -option.press * lambda_n / force_scale;
  if (option.press == 0) worst = 0;
  if (option.side != 0) worst = std::max(worst, option.side * eta[0] / motion_scale);
  return worst;
}

}  // namespace delassus
