// The analysis of a scene as a script reads it.
#include <nlohmann/json.hpp>

#include "tools/analyse/scene_analysis.hpp"
#include "tools/support/json.hpp"

namespace delassus {
namespace {

template <class Vector>
Json vector_json(Vector const& value, int size) {
  Json list = Json::array();
  for (int i = 0; i < size; ++i) list.push_back(value[i]);
  return list;
}

Json matrix_json(Eigen::Matrix3d const& value, int size) {
  Json rows = Json::array();
  for (int i = 0; i < size; ++i) rows.push_back(vector_json(value.row(i), size));
  return rows;
}

Json cone_json(AnalysedContact const& contact) {
  GeneralisedFrictionCone const& cone = contact.cone;
  return {{"mu", cone.mu},
          {"mu_crit", cone.mu_crit},
          {"mu_jam", cone.mu_jam},
          {"margin", cone.margin()},
          {"e_jam", vector_json(cone.e_jam, cone.tangential)},
          {"locking_angle", cone.locking_angle},
          {"A", matrix_json(cone.A, contact.rows)},
          {"Q", cone.solid ? matrix_json(cone.Q, contact.rows) : Json()},
          {"sliding", contact.sliding ? vector_json(*contact.sliding, cone.tangential) : Json()},
          {"jams", contact.jams}};
}

Json song_json(AnalysedContact const& contact) {
  SlidingClass const& kind = contact.song.kind;
  return {{"A", contact.song.A},
          {"B", contact.song.B},
          {"solutions", kind.infinitely_many ? Json() : Json(kind.solutions())},
          {"detached", kind.detached},
          {"contact", kind.contact},
          {"contact_stable", kind.contact_stable},
          {"model", kind.rigid ? "rigid" : "compliant"}};
}

Json contact_json(AnalysedContact const& contact) {
  Json json{{"name", contact.name},
            {"bilateral", contact.bilateral},
            {"closed", contact.closed},
            {"gap", contact.gap},
            {"velocity", vector_json(contact.velocity, contact.rows)},
            {"free_acceleration", vector_json(contact.free_acceleration, contact.rows)}};
  if (contact.rows > 1) json.update(cone_json(contact));
  if (contact.song.slides) json["as_rigid_sliding"] = song_json(contact);
  return json;
}

Json problem_json(AnalysedProblem const& problem, bool with_taken) {
  Json solutions = Json::array();
  for (auto const& solution : problem.solutions) {
    Json json{{"stable", solution.stable}, {"one_of_many", solution.one_of_many}};
    if (with_taken) json["taken"] = solution.taken;
    Json& parts = json["parts"] = Json::array();
    for (auto const& part : solution.parts)
      parts.push_back({{"name", part.name},
                       {"mode", contact_mode_enumeration().name_of(static_cast<int>(part.mode))},
                       {"force", vector_json(part.force, part.rows)},
                       {"acceleration", vector_json(part.acceleration, part.rows)}});
    solutions.push_back(std::move(json));
  }
  return {{"count", problem.count},
          {"exhaustive", problem.exhaustive},
          {"infinitely_many", problem.infinitely_many},
          {"same_motion", problem.same_motion},
          {"solutions", std::move(solutions)}};
}

Json names_json(std::vector<int> const& blocks, SceneAnalysis const& analysis) {
  Json names = Json::array();
  for (int const block : blocks) names.push_back(analysis.block_names[static_cast<std::size_t>(block)]);
  return names;
}

Json island_json(IslandWellPosedness const& island, SceneAnalysis const& analysis) {
  Json limits = Json::array();
  for (auto const& limit : island.limits) {
    std::vector<int> excesses;
    for (auto const& excess : limit.excesses)
      excesses.push_back(island.sliding.contacts[static_cast<std::size_t>(excess.contact)].block);
    limits.push_back({{"criterion", text(limit.criterion)},
                      {"limit", limit.limit},
                      {"applies", limit.applies},
                      {"guaranteed", limit.guaranteed},
                      {"exceeded_by", names_json(excesses, analysis)}});
  }
  bool const mixed =
      island.analysed && island.sliding.bilateral() > 0 && island.sliding.bilateral() < island.sliding.size();
  return {{"blocks", names_json(island.blocks, analysis)},
          {"unique", text(island.region.unique)},
          {"exists", text(island.region.exists)},
          {"limits", std::move(limits)},
          {"beta_2", mixed && !island.limits.empty() ? Json(mixed_friction(island.sliding).beta_2) : Json()},
          {"rank",
           {{"velocities", island.rank.velocities},
            {"rows", island.rank.rows_b + island.rank.rows_u},
            {"mass", island.rank.mass},
            {"all", island.rank.all}}},
          {"redundant_rows", island.redundancy.deficiency},
          {"redundant", names_json(island.redundancy.blocks, analysis)},
          {"findings", island.findings}};
}

}  // namespace

std::string analysis_json(SceneAnalysis const& analysis) {
  Json contacts = Json::array(), islands = Json::array();
  for (auto const& contact : analysis.contacts) contacts.push_back(contact_json(contact));
  for (auto const& island : analysis.well_posedness.islands) islands.push_back(island_json(island, analysis));
  return write_json({{"scene", analysis.scene},
                     {"time", analysis.time},
                     {"rule", solution_rule_enumeration().name_of(static_cast<int>(analysis.rule))},
                     {"contacts", std::move(contacts)},
                     {"compliant", analysis.compliant},
                     {"relaxed", problem_json(analysis.relaxed, true)},
                     {"rigid", problem_json(analysis.rigid, false)},
                     {"well_posedness",
                      {{"unique", text(analysis.well_posedness.unique)},
                       {"exists", text(analysis.well_posedness.exists)},
                       {"islands", std::move(islands)}}}});
}

}  // namespace delassus
