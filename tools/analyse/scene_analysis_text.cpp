// The analysis of a scene as a person reads it.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "tools/analyse/scene_analysis.hpp"

namespace delassus {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  return fmt::format("{:.9g}", value + 0.0);
}

// Beside the largest component, what is rounding is shown as zero.
std::string vector(Eigen::Vector3d const& value, int size) {
  double const largest = value.head(size).cwiseAbs().maxCoeff();
  std::string text = "(";
  for (int i = 0; i < size; ++i) {
    double const shown = std::abs(value[i]) <= 1e-10 * largest || std::abs(value[i]) < 1e-12 ? 0.0 : value[i];
    text += (i == 0 ? "" : ", ") + fmt::format("{:.6g}", shown);
  }
  return text + ")";
}

std::string direction(Eigen::Vector2d const& value, int tangential) {
  return vector({value[0], value[1], 0}, tangential);
}

void add_song(std::string& text, SlidingState const& song) {
  if (!song.slides) return;
  SlidingClass const& kind = song.kind;
  std::string found;
  if (kind.infinitely_many) {
    found = "infinitely many solutions";
  } else if (kind.solutions() == 0) {
    found = "no solution";
  } else {
    if (kind.contact) found = kind.contact_stable ? "contact, stable" : "contact, unstable: discard";
    if (kind.detached) found += (found.empty() ? "" : "; ") + std::string("detached, stable");
  }
  text += fmt::format(
      "  as a rigid sliding contact (Song et al. 2001, Table 1): A = {} 1/kg, B = {} m/s2: {}; {}\n",
      number(song.A), number(song.B), found, kind.rigid ? "a rigid model serves" : "prefer a compliant law");
}

// Peiret et al. 2019: mu_crit (34), mu_jam (36), jamming (39), e_jam (40), locking angle (41), cone (28).
void add_cone(std::string& text, AnalysedContact const& contact) {
  GeneralisedFrictionCone const& cone = contact.cone;
  if (contact.rows < 2) {
    text += "  without friction\n";
    return;
  }
  text += fmt::format("  mu {}; mu_crit {}, mu_jam {}, margin {}: {}\n", number(cone.mu),
                      number(cone.mu_crit), number(cone.mu_jam), number(cone.margin()),
                      cone.margin() > 0 ? "no sliding direction jams" : "some sliding directions jam");
  if (cone.e_jam.norm() > 0)
    text += fmt::format("  coupled direction e_jam {}, locking angle {:.6g} deg\n",
                        direction(cone.e_jam, cone.tangential), cone.locking_angle / degree);
  if (contact.sliding)
    text += fmt::format("  slides along {}: {}\n", direction(*contact.sliding, cone.tangential),
                        contact.jams ? "this direction JAMS: the normal force drives the contact into itself"
                                     : "this direction does not jam");
  if (cone.solid) {
    int const size = cone.tangential + 1;
    std::string rows;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j)
        rows += fmt::format("{}{:.6g}", j == 0 ? (i == 0 ? "" : "; ") : " ", cone.Q(i, j) + 0.0);
    }
    text += fmt::format("  cone du^T Q du <= 0: Q = [{}]\n", rows);
  } else {
    text += "  the contact-space matrix is singular: the cone is flat\n";
  }
}

// What a solution would do to a contact.
std::string consequence(AnalysedPart const& part) {
  if (!part.with_normal) return "";
  Eigen::Vector3d const& a = part.acceleration;
  if (part.mode == ContactMode::detached)
    return fmt::format("detaches at {:.6g} m/s2", a[part.rows - 1] + 0.0);
  if (part.rows < 2) return "stays closed";
  bool const moves = a.head(part.rows - 1).norm() > 1e-9;
  if (!moves) return part.mode == ContactMode::stick ? "holds" : "holds, at the limit of its friction";
  return fmt::format("{}, tangential acceleration {} m/s2",
                     part.mode == ContactMode::stick ? "stops the sliding" : "slides on",
                     vector(a, part.rows - 1));
}

void add_problem(std::string& text, AnalysedProblem const& problem, bool show_taken) {
  if (problem.solutions.empty() && problem.count > 0) return;
  std::string how = problem.exhaustive ? "exhaustive" : "a search: there may be more";
  if (problem.infinitely_many) how += "; a continuum, of which representatives are listed";
  text += fmt::format("  {:g} {} ({})\n", problem.count, problem.count == 1 ? "solution" : "solutions", how);
  if (problem.same_motion)
    text += "  they differ only in forces, the motion is the same: the contacts are redundant\n";
  bool const one_is_taken = std::ranges::any_of(problem.solutions, &AnalysedSolution::taken);
  if (show_taken && !problem.solutions.empty() && !one_is_taken)
    text += "  the one that the rule takes is not among those listed: of many forces it has the least norm\n";
  constexpr std::size_t most_shown = 8;
  for (std::size_t i = 0; i < problem.solutions.size(); ++i) {
    auto const& solution = problem.solutions[i];
    bool const taken = show_taken && solution.taken;
    if (i >= most_shown && !taken) continue;
    text += fmt::format("  {}{}  {}{}\n", taken ? "*" : " ", i + 1, solution.stable ? "stable" : "unstable",
                        taken ? ", the one that the rule takes" : "");
    for (auto const& part : solution.parts) {
      std::string const what = consequence(part);
      text += fmt::format("       {}: {}, force {} N{}\n", part.name,
                          contact_mode_enumeration().name_of(static_cast<int>(part.mode)),
                          vector(part.force, part.rows), what.empty() ? "" : "; " + what);
    }
  }
  if (problem.count > most_shown)
    text += fmt::format("      of {:g}; --json has {}\n", problem.count, problem.solutions.size());
}

}  // namespace

std::string analysis_text(SceneAnalysis const& analysis) {
  std::string text = fmt::format("{} at {:g} s\n", analysis.scene, analysis.time);
  if (analysis.contacts.empty() && analysis.compliant.empty())
    text += "\nNo rigid contact is near enough to carry a force at this instant.\n";
  for (auto const& name : analysis.compliant)
    text += fmt::format(
        "\nContact {}: compliant. Its force follows only from the motion, there is always exactly one; "
        "write law=\"rigid\" to analyse it as a rigid one\n",
        name);
  for (auto const& contact : analysis.contacts) {
    text +=
        fmt::format("\nContact {}: {}, gap {:.3g} m, velocity {} m/s (tangential, normal)\n", contact.name,
                    contact.bilateral ? "bilateral"
                    : contact.closed  ? "touches"
                                      : "open",
                    contact.gap, vector(contact.velocity, contact.rows));
    add_cone(text, contact);
    add_song(text, contact.song);
  }
  if (!analysis.contacts.empty()) {
    text += fmt::format(
        "\nSolutions of the problem that the simulation solves, relaxed by zeta and delta (rule {})\n",
        solution_rule_enumeration().name_of(static_cast<int>(analysis.rule)));
    add_problem(text, analysis.relaxed, true);
    text +=
        "\nSolutions as rigid bodies, only of closed contacts, where sliding ones go on sliding (Painleve's "
        "problem)\n";
    add_problem(text, analysis.rigid, false);
  }
  if (!analysis.well_posedness.islands.empty()) text += "\nWell-posedness (Blumentals et al. 2016)\n";
  for (auto const& island : analysis.well_posedness.islands) {
    std::string names, last;
    for (int const block : island.blocks) {
      std::string const& name = analysis.block_names[static_cast<std::size_t>(block)];
      if (name == last) continue;
      names += (names.empty() ? "" : ", ") + name;
      last = name;
    }
    text += "  " + names + "\n";
    for (auto const& finding : island.findings) text += "    " + finding + "\n";
    for (auto const& limit : island.limits) {
      if (limit.applies) text += fmt::format("    bound on every mu: {}", number(limit.limit));
      if (limit.applies && limit.criterion == FrictionCriterion::mixed)
        text += fmt::format(", beta_2 = {}", number(mixed_friction(island.sliding).beta_2));
      if (limit.applies) text += "\n";
      for (auto const& excess : limit.excesses) {
        int const block = island.sliding.contacts[static_cast<std::size_t>(excess.contact)].block;
        text += fmt::format("    mu of {} is {}, above the bound {} by {}\n",
                            analysis.block_names[static_cast<std::size_t>(block)], number(excess.mu),
                            number(limit.limit), number(excess.excess));
      }
    }
    if (island.redundancy.deficiency > 0) {
      std::string redundant;
      last.clear();
      for (int const block : island.redundancy.blocks) {
        std::string const& name = analysis.block_names[static_cast<std::size_t>(block)];
        if (name == last) continue;
        redundant += (redundant.empty() ? "" : ", ") + name;
        last = name;
      }
      text +=
          "    not determined one by one: the forces of " + redundant + "; those of least norm are taken\n";
    }
  }
  return text;
}

}  // namespace delassus
