// Is the contact of a scene well-posed at an instant? What solver/ has to say of it, collected and named: each contact's
// generalised friction cone (Peiret et al. 2019), Song's classification of it as a rigid sliding one, all solutions of
// the problem that the simulation solves and of the rigid one, and the bounds, regions and ranks of Blumentals et al.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/analysis/well_posedness.hpp"
#include "solver/problem/generalised_friction_cone.hpp"
#include "solver/time/sliding_state.hpp"
#include "tools/analyse/scene_instant.hpp"

namespace delassus {

struct AnalysedContact {
  std::string name;
  int block = 0;  // of the relaxed problem
  int rows = 0;   // tangential ones and the normal one
  bool bilateral = false;
  bool closed = false;
  double gap = 0;                                               // m
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();           // m/s: tangential, then normal
  Eigen::Vector3d free_acceleration = Eigen::Vector3d::Zero();  // m/s2: without its force, the joints holding
  GeneralisedFrictionCone cone;                                 // the other contacts absent
  std::optional<Eigen::Vector2d> sliding;                       // along which it slides
  bool jams = false;                                            // in that direction
  SlidingState song;                                            // of a contact that slides
};

// What one contact or friction does in a solution.
struct AnalysedPart {
  std::string name;
  ContactMode mode = ContactMode::detached;
  int rows = 0;
  bool with_normal = false;                                // its last row
  Eigen::Vector3d force = Eigen::Vector3d::Zero();         // N
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  // m/s2: what the solution would do to the contact
};

struct AnalysedSolution {
  std::vector<AnalysedPart> parts;
  bool stable = true;
  bool one_of_many = false;
  bool taken = false;  // by the rule, of the relaxed problem
};

struct AnalysedProblem {
  std::vector<AnalysedSolution> solutions;
  double count = 0;  // may be more than are listed
  bool exhaustive = true;
  bool infinitely_many = false;
  bool same_motion = false;  // more than one is listed, and they differ only in forces
};

struct SceneAnalysis {
  std::string scene;
  double time = 0;  // s
  std::vector<AnalysedContact> contacts;
  std::vector<std::string> compliant;  // contacts whose force follows from the motion: no problem to solve
  AnalysedProblem relaxed;             // (65) with each contact's zeta and delta: what the simulation solves
  AnalysedProblem rigid;               // without relaxation; contacts that slide go on sliding
  SolutionRule rule = SolutionRule::continuous;
  WellPosedness well_posedness;
  std::vector<std::string> block_names;  // of the relaxed problem
};

SceneAnalysis analyse_scene(SceneInstant& scene);

std::string analysis_text(SceneAnalysis const& analysis);
std::string analysis_json(SceneAnalysis const& analysis);

// The cone of one contact, in space from outside and as a section along its sliding or its coupled direction.
std::string cone_svg(AnalysedContact const& contact, std::string const& scene);

}  // namespace delassus
