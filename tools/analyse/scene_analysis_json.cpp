// The analysis of a scene as a script reads it.
#include <numbers>
#include <utility>

#include "tools/analyse/scene_analysis.hpp"
#include "tools/support/json_text.hpp"

namespace delassus {
namespace {

template <class Vector>
std::string vector(Vector const& value, int size) {
  std::string text = "[";
  for (int i = 0; i < size; ++i) text += (i == 0 ? "" : ", ") + json_number(value[i]);
  return text + "]";
}

std::string matrix(Eigen::Matrix3d const& value, int size) {
  std::string text = "[";
  for (int i = 0; i < size; ++i) text += (i == 0 ? "" : ", ") + vector(value.row(i), size);
  return text + "]";
}

std::string contact_json(AnalysedContact const& contact) {
  GeneralisedFrictionCone const& cone = contact.cone;
  std::string json = fmt::format(
      "    {{\"name\": {}, \"bilateral\": {}, \"closed\": {}, \"gap\": {}, \"velocity\": {}, "
      "\"free_acceleration\": {}",
      json_text(contact.name), contact.bilateral, contact.closed, json_number(contact.gap),
      vector(contact.velocity, contact.rows), vector(contact.free_acceleration, contact.rows));
  if (contact.rows > 1) {
    json += fmt::format(
        ",\n     \"mu\": {}, \"mu_crit\": {}, \"mu_jam\": {}, \"margin\": {}, \"e_jam\": {}, "
        "\"locking_angle\": {},\n     \"A\": {}, \"Q\": {},\n     \"sliding\": "
        "{}, \"jams\": {}",
        json_number(cone.mu), json_number(cone.mu_crit), json_number(cone.mu_jam), json_number(cone.margin()),
        vector(cone.e_jam, cone.tangential), json_number(cone.locking_angle), matrix(cone.A, contact.rows),
        cone.solid ? matrix(cone.Q, contact.rows) : "null",
        contact.sliding ? vector(*contact.sliding, cone.tangential) : "null", contact.jams);
  }
  if (contact.song.slides) {
    SlidingClass const& kind = contact.song.kind;
    json += fmt::format(
        ",\n     \"as_rigid_sliding\": {{\"A\": {}, \"B\": {}, \"solutions\": {}, \"detached\": {}, "
        "\"contact\": {}, \"contact_stable\": {}, \"model\": {}}}",
        json_number(contact.song.A), json_number(contact.song.B),
        kind.infinitely_many ? "null" : std::to_string(kind.solutions()), kind.detached, kind.contact,
        kind.contact_stable, json_text(kind.rigid ? "rigid" : "compliant"));
  }
  return json + "}";
}

std::string problem_json(AnalysedProblem const& problem, bool with_taken) {
  std::string json = fmt::format(
      "{{\"count\": {}, \"exhaustive\": {}, \"infinitely_many\": {}, \"same_motion\": {}, \"solutions\": [",
      json_number(problem.count), problem.exhaustive, problem.infinitely_many, problem.same_motion);
  std::string_view next = "\n";
  for (auto const& solution : problem.solutions) {
    json += fmt::format("{}    {{\"stable\": {}, \"one_of_many\": {}, {}\"parts\": [",
                        std::exchange(next, ",\n"), solution.stable, solution.one_of_many,
                        with_taken ? fmt::format("\"taken\": {}, ", solution.taken) : "");
    std::string_view comma = "";
    for (auto const& part : solution.parts)
      json += fmt::format("{}{{\"name\": {}, \"mode\": {}, \"force\": {}, \"acceleration\": {}}}",
                          std::exchange(comma, ", "), json_text(part.name),
                          json_text(contact_mode_enumeration().name_of(static_cast<int>(part.mode))),
                          vector(part.force, part.rows), vector(part.acceleration, part.rows));
    json += "]}";
  }
  return json + "]}";
}

std::string names_json(std::vector<int> const& blocks, SceneAnalysis const& analysis) {
  std::string json = "[";
  std::string_view next = "";
  for (int const block : blocks)
    json += fmt::format("{}{}", std::exchange(next, ", "),
                        json_text(analysis.block_names[static_cast<std::size_t>(block)]));
  return json + "]";
}

std::string island_json(IslandWellPosedness const& island, SceneAnalysis const& analysis) {
  std::string json = fmt::format("    {{\"blocks\": {}, \"unique\": {}, \"exists\": {}, \"limits\": [",
                                 names_json(island.blocks, analysis), json_text(text(island.region.unique)),
                                 json_text(text(island.region.exists)));
  std::string_view next = "";
  for (auto const& limit : island.limits) {
    std::vector<int> excesses;
    for (auto const& excess : limit.excesses)
      excesses.push_back(island.sliding.contacts[static_cast<std::size_t>(excess.contact)].block);
    json += fmt::format(
        "{}{{\"criterion\": {}, \"limit\": {}, \"applies\": {}, \"guaranteed\": {}, \"exceeded_by\": {}}}",
        std::exchange(next, ", "), json_text(text(limit.criterion)), json_number(limit.limit), limit.applies,
        limit.guaranteed, names_json(excesses, analysis));
  }
  bool const mixed =
      island.analysed && island.sliding.bilateral() > 0 && island.sliding.bilateral() < island.sliding.size();
  json += fmt::format(
      "], \"beta_2\": {}, \"rank\": {{\"velocities\": {}, \"rows\": {}, \"mass\": {}, \"all\": {}}}, "
      "\"redundant_rows\": {}, \"redundant\": {}, \"findings\": [",
      mixed && !island.limits.empty() ? json_number(mixed_friction(island.sliding).beta_2) : "null",
      island.rank.velocities, island.rank.rows_b + island.rank.rows_u, island.rank.mass, island.rank.all,
      island.redundancy.deficiency, names_json(island.redundancy.blocks, analysis));
  next = "";
  for (auto const& finding : island.findings)
    json += fmt::format("{}{}", std::exchange(next, ", "), json_text(finding));
  return json + "]}";
}

}  // namespace

std::string analysis_json(SceneAnalysis const& analysis) {
  std::string json =
      fmt::format("{{\n  \"scene\": {}, \"time\": {}, \"rule\": {},\n  \"contacts\": [",
                  json_text(analysis.scene), json_number(analysis.time),
                  json_text(solution_rule_enumeration().name_of(static_cast<int>(analysis.rule))));
  std::string_view next = "\n";
  for (auto const& contact : analysis.contacts)
    json += std::string(std::exchange(next, ",\n")) + contact_json(contact);
  json += "],\n  \"compliant\": [";
  next = "";
  for (auto const& name : analysis.compliant)
    json += std::string(std::exchange(next, ", ")) + json_text(name);
  json += "],\n  \"relaxed\": " + problem_json(analysis.relaxed, true) +
          ",\n  \"rigid\": " + problem_json(analysis.rigid, false);
  json += fmt::format(",\n  \"well_posedness\": {{\"unique\": {}, \"exists\": {}, \"islands\": [",
                      json_text(text(analysis.well_posedness.unique)),
                      json_text(text(analysis.well_posedness.exists)));
  next = "\n";
  for (auto const& island : analysis.well_posedness.islands)
    json += std::string(std::exchange(next, ",\n")) + island_json(island, analysis);
  return json + "]}\n}\n";
}

}  // namespace delassus
