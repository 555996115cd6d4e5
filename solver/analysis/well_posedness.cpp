#include "solver/analysis/well_posedness.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "solver/problem/form_matrix.hpp"
#include "solver/problem/islands.hpp"

namespace delassus {
namespace {

std::string about_sliding(SlidingRegion const& region) {
  if (!region.independent)
    return "the normals of the contacts depend on one another: their forces are not unique even without "
           "friction, and "
           "whether friction leaves the motion unique was not decided";
  if (region.exists == Certainty::no) return "sliding friction leaves some loads without a solution";
  switch (region.unique) {
    case Certainty::yes:
      return "sliding contacts have one solution, whatever acts on the bodies";
    case Certainty::no:
      return region.exists == Certainty::yes
                 ? "sliding friction leaves no load without a solution, but some with several"
                 : "sliding friction leaves some loads with several solutions or none";
    case Certainty::unknown:
      return "whether the contacts have one solution once they slide was not decided";
  }
  return "?";
}

std::vector<std::string> findings_of(IslandWellPosedness const& island) {
  std::vector<std::string> result;
  if (island.sliding.size() > 0) result.push_back(about_sliding(island.region));
  for (FrictionLimit const& limit : island.limits)
    result.push_back(std::string(text(limit.criterion)) + ": " + limit.statement);
  int const rows = island.rank.rows_b + island.rank.rows_u;
  if (rows > 0) result.push_back("without friction: " + explain(island.rank));
  // A convex problem over a bounded set: forces exist, and A lambda is the same for all of them.
  if (rows == 0)
    result.push_back("friction of known bound alone: forces exist and the motion is unique, whatever acts");
  if (island.redundancy.deficiency > rows - island.rank.all)
    result.push_back("while friction sticks as well, " + std::to_string(island.redundancy.deficiency) +
                     " of " + "the rows are redundant, among " +
                     std::to_string(island.redundancy.blocks.size()) +
                     " constraints: the motion does not determine their forces");
  return result;
}

// A bound may be sure where the exact condition has too many cases. For one contact it is exact itself.
void conclude_from_limits(IslandWellPosedness& island) {
  for (FrictionLimit const& limit : island.limits) {
    if (limit.guaranteed)
      island.region.unique = island.region.exists = Certainty::yes;
    else if (limit.applies && island.sliding.size() == 1 && island.region.unique == Certainty::unknown)
      island.region.unique = island.region.exists = Certainty::no;
  }
}

// Only the given blocks.
ContactProblem restricted(ContactProblem const& problem, std::span<const int> blocks) {
  ContactProblem result;
  std::vector<Eigen::Index> rows;
  result.W.clear(problem.W.masses(), problem.W.columns());
  for (int const k : blocks) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    result.blocks.push_back({static_cast<int>(rows.size()), block.set});
    for (int row = 0; row < block.rows(); ++row) rows.push_back(block.first + row);
    result.W.begin_block();
    for (FactorTerms::Term const& term : problem.W.of_block(static_cast<std::size_t>(k))) {
      double const* const from = problem.W.numbers(term);
      std::copy_n(from, term.columns * term.rows,
                  result.W.add(term.mass, term.first_column, term.columns, term.rows));
    }
  }
  result.W.list_by_mass();
  result.b = problem.b(rows);
  return result;
}

// What there is to say of one island, with its blocks numbered as in the whole.
void analyse(Terms const& terms, ContactProblem const& problem, WellPosednessSettings const& settings,
             IslandWellPosedness& island) {
  ContactProblem local = restricted(problem, island.blocks);
  island.analysed = local.b.size() <= settings.row_limit;
  if (!island.analysed) {
    island.findings = {"not analysed: its " + std::to_string(local.b.size()) +
                       " rows are more than the limit of " + std::to_string(settings.row_limit)};
    return;
  }
  form_matrix(local);
  std::vector<double> velocity;
  for (int const k : island.blocks) {
    ConstraintBlock const& block = terms.blocks[static_cast<std::size_t>(k)];
    for (int row = 0; row < block.rows(); ++row)
      velocity.push_back(terms.velocity[static_cast<std::size_t>(block.first_row + row)]);
  }
  std::vector<int> all(island.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  auto const in_the_whole = [&](int& block) { block = island.blocks[static_cast<std::size_t>(block)]; };
  island.sliding = sliding_contacts(local, velocity, all, settings.slip);
  for (SlidingContact& contact : island.sliding.contacts) in_the_whole(contact.block);
  for (int& block : island.sliding.not_covered) in_the_whole(block);
  island.limits = friction_limits(island.sliding);
  island.region = sliding_region(island.sliding);
  conclude_from_limits(island);
  island.frictionless = frictionless_problem(terms, island.blocks);
  island.rank = constraint_rank(island.frictionless);
  island.redundancy = find_redundancy(local);
  for (int& block : island.redundancy.blocks) in_the_whole(block);
  island.findings = findings_of(island);
}

}  // namespace

bool is_closed(double gap, double separation_speed, WellPosednessSettings const& settings) {
  if (gap > settings.gap) return false;
  return gap < -settings.gap || separation_speed <= settings.separation;
}

WellPosedness analyse_well_posedness(Terms const& terms, ContactProblem const& problem,
                                     WellPosednessSettings const& settings) {
  WellPosedness result;
  std::vector<int> closed;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    auto const normal = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    bool const open =
        is_unilateral(block.set.kind) && !is_closed(terms.Psi[normal], terms.velocity[normal], settings);
    (open ? result.open : closed).push_back(static_cast<int>(k));
  }
  // Islands of the closed blocks only: an open contact joins nothing.
  Islands islands;
  islands.find(restricted(problem, closed));
  for (std::size_t i = 0; i < islands.size(); ++i) {
    IslandWellPosedness island;
    for (int const k : islands[i]) island.blocks.push_back(closed[static_cast<std::size_t>(k)]);
    analyse(terms, problem, settings, island);
    result.unique = both(result.unique, island.region.unique);
    result.exists = both(result.exists, island.region.exists);
    if (island.analysed && !island.rank.solvable) result.exists = result.unique = Certainty::no;
    result.islands.push_back(std::move(island));
  }
  return result;
}

}  // namespace delassus
