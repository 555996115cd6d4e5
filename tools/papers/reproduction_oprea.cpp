// R. A. Oprea: Constraint Forces Computation for Diagonal Mass Matrix Systems Using Generalized Inverses; two blocks
// on a belt (Figs. 4, 5).
#include "solver/analysis/generalised_inverse.hpp"
#include "tools/papers/constants.hpp"
#include "tools/papers/reproduction_run.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/contour_map.hpp"

namespace delassus {
namespace {

using paper_constants::slip_mode;
using paper_constants::stick_mode;

std::map<std::string, double> with_delta(double delta, double tolerance) {
  return {{"friction_1.delta", delta},
          {"friction_2.delta", delta},
          {"friction_3.delta", delta},
          {"solver.tolerance", tolerance}};
}

// The numbers of one run, by name.
std::map<std::string, double> run_belt(RunnableModel& model, double delta) {
  NamedRun fmu(model, with_delta(delta, 1e-13));
  std::map<std::string, double> values;
  auto const forces = [&](std::string const& when) {
    for (int k = 1; k <= 3; ++k)
      values[fmt::format("T{} {}", k, when)] = fmu.get(fmt::format("friction_{}.force", k));
  };
  values["all stick"] =
      fmu.time_when([](NamedRun& r) { return r.get("friction_2.mode") == stick_mode; }, .5, 10);
  fmu.run_to(1);
  forces("at 1 s");
  values["T1 clipped"] =
      fmu.time_when([](NamedRun& r) { return r.get("friction_1.force") >= 4 - 1e-9; }, 1.9, 9);
  fmu.run_to(2);
  forces("at 2 s");
  values["third slips"] =
      fmu.time_when([](NamedRun& r) { return r.get("friction_3.mode") == slip_mode; }, 2.5, 10);
  fmu.run_to(3);
  values["second slips"] =
      fmu.time_when([](NamedRun& r) { return r.get("friction_2.mode") == slip_mode; }, 3.5, 10);
  fmu.run_to(3.8);
  values["third turns"] =
      fmu.time_when([](NamedRun& r) { return r.get("block_1.velocity") > r.get("block_2.velocity"); }, 4, 10);
  fmu.run_to(5);
  forces("at 5 s");
  values["v1 at 5 s"] = fmu.get("block_1.velocity");
  values["v2 at 5 s"] = fmu.get("block_2.velocity");
  return values;
}

ReproducedItem belt(ReproductionRun& run) {
  ReproducedItem item{"Figs. 4, 5", "Two blocks on a belt", {}, {}, {}};
  item.text = {
      "Blocks of 4 and 7 kg in a row of springs of 14 N/m on a belt at 0.3 m/s, with friction of both with "
      "the belt and with each "
      "other; the kinetic friction falls as T_max/(1 + 3|v|). Where all three stick, their forces are "
      "redundant, and the static force is "
      "the one of least norm. The FMU of the scene belt_blocks; the rigid numbers by extrapolation from "
      "delta = 40 and 20 \u00b5s. The "
      "paper plots and prints no numbers besides its Table 1, which the scene has.",
      "What the paper's clipping does: at 1.673 s T\u2081 reaches its limit of 4 N while nothing moves yet; "
      "the others then carry the rest. Here that "
      "is the box-constrained problem of least norm, solved exactly."};
  run.begin("Oprea: belt, delta = 40 us");
  auto const coarse = run_belt(run.fmu("belt_blocks"), 4e-5);
  run.begin("Oprea: belt, delta = 20 us");
  auto const fine = run_belt(run.fmu("belt_blocks"), 2e-5);
  // The force that ends a stick is not late by delta.
  auto const limit = [&](std::string const& name) {
    return name == "third slips" ? fine.at(name) : 2 * fine.at(name) - coarse.at(name);
  };
  struct Row {
    std::string key, name, unit;
    double apart;
  };
  for (Row const& row :
       {Row{"all stick", "all three stick from", "s", .449130168788},
        Row{"T1 clipped", "T\u2081 is at its limit from", "s", 1.673067397710},
        Row{"third slips", "first and third slip from", "s", 2.387353111996},
        Row{"second slips", "second slips from", "s", 3.454174694017},
        Row{"third turns", "the slip of the third turns round", "s", 3.917440724190},
        Row{"T1 at 1 s", "T\u2081 at 1 s", "N", 2.115411286411},
        Row{"T2 at 1 s", "T\u2082 at 1 s", "N", 1.057705643206},
        Row{"T3 at 1 s", "T\u2083 at 1 s", "N", 1.057705643206}, Row{"T1 at 2 s", "T\u2081 at 2 s", "N", 4},
        Row{"T2 at 2 s", "T\u2082 at 2 s", "N", 3.373116929617},
        Row{"T3 at 2 s", "T\u2083 at 2 s", "N", 3.373116929617},
        Row{"v1 at 5 s", "v\u2081 at 5 s", "m/s", .260083718574},
        Row{"v2 at 5 s", "v\u2082 at 5 s", "m/s", -.176974420797},
        Row{"T1 at 5 s", "T\u2081 at 5 s", "N", 3.572229630278},
        Row{"T2 at 5 s", "T\u2082 at 5 s", "N", 2.879564364824},
        Row{"T3 at 5 s", "T\u2083 at 5 s", "N", -2.163402277568}}) {
    ReproducedValue value = compared(row.name + " (FMU)", row.unit, {}, row.apart, limit(row.key), 0);
    value.bound = 1e-6;
    item.values.push_back(value);
  }
  run.begin("Oprea: belt, histories");
  NamedRun fmu(run.fmu("belt_blocks"), with_delta(2e-4, 1e-9));
  std::vector<std::string> const names{"block_1.velocity", "block_2.velocity", "friction_1.force",
                                       "friction_2.force", "friction_3.force"};
  TimeTable const history = fmu.record(names, 10, 2000);
  ReproducedValue belt_speed = compared("velocity of both blocks while they stick, at 1 s (FMU)", "m/s",
                                        printed("0.3"), .3, history.columns[0][200], 1e-5);
  item.values.push_back(belt_speed);
  Chart velocity;
  velocity.title = "Two blocks on a belt: velocities";
  velocity.subtitles = {"FMU belt_blocks, belt at 0.3 m/s"};
  velocity.x = {"time", "s"};
  velocity.y = {"velocity", "m/s"};
  velocity.series = {{"block 1", history.time, history.columns[0]},
                     {"block 2", history.time, history.columns[1]}};
  item.figures.push_back({"oprea_fig_4",
                          "As Fig. 4: the blocks stick to the belt where their velocity is 0.3 m/s, and to "
                          "each other where the lines lie on one another.",
                          write_svg(velocity), write_csv(velocity)});
  Chart forces;
  forces.title = "Two blocks on a belt: friction forces";
  forces.subtitles = {"limits: 4, 7 and 5 N; least norm where all three stick"};
  forces.x = {"time", "s"};
  forces.y = {"friction force", "N"};
  forces.series = {{"T\u2081, block 1 and belt", history.time, history.columns[2]},
                   {"T\u2082, block 2 and belt", history.time, history.columns[3]},
                   {"T\u2083, both blocks", history.time, history.columns[4]}};
  item.figures.push_back({"oprea_fig_5",
                          "As Fig. 5: steps where a slip ends in a stick, and where the slip turns round.",
                          write_svg(forces), write_csv(forces)});
  return item;
}

// The paper's scheme clips all forces beyond their limits at once and never looks back.
ReproducedItem clipping(ReproductionRun& run) {
  run.begin("Oprea: clipping");
  ReproducedItem item{
      "Section 3.1, Fig. 2", "Static friction: clipping against the exact problem", {}, {}, {}};
  item.text = {
      "Both blocks at rest on the belt at rest, under loads h\u2081, h\u2082: the flow chart of Fig. 2 "
      "limits every force that exceeds its limit and "
      "computes the others anew. A force that was limited may have had to hold once others were. The "
      "box-constrained problem (least norm among its "
      "solutions) obeys the law in every contact, whatever the load."};
  Eigen::Matrix2d const M = Eigen::Vector2d(4, 7).asDiagonal();
  Eigen::Matrix<double, 2, 3> W;
  W << 1, 0, 1, 0, 1, -1;
  Eigen::Vector3d const limits(4, 7, 5);
  ContourMap map;
  map.title = "Loads for which clipping all limits at once is wrong";
  map.subtitles = {"two blocks, limits 4, 7 and 5 N; 60 x 60 loads"};
  map.x = {"h\u2081", "N"};
  map.y = {"h\u2082", "N"};
  map.value = {"case", ""};
  map.counts = true;
  map.names = {"clipping is wrong", "no force at its limit", "some at their limits, clipping is right"};
  for (int i = 0; i < 60; ++i) map.grid.x.push_back(-14.75 + .5 * i);
  map.grid.y = map.grid.x;
  map.grid.values.resize(3600);
  std::size_t wrong = 0, unsolved = 0;
  for (std::size_t j = 0; j < 60; ++j) {
    for (std::size_t i = 0; i < 60; ++i) {
      ContactProblem const problem =
          static_friction_problem(M, W, Eigen::Vector2d(map.grid.x[i], map.grid.y[j]), limits);
      StaticForces const exact = static_forces(problem), clipped = clipped_static_forces(problem);
      unsolved += exact.solved ? 0 : 1;
      wrong += clipped.solved ? 0 : 1;
      bool const free = (exact.T.array().abs() < limits.array() - 1e-9).all();
      map.grid.at(i, j) = !clipped.solved ? 0 : free ? 1 : 2;
    }
  }
  item.figures.push_back(
      {"oprea_clipping",
       "Beyond the print: where the scheme of Fig. 2 gives forces that do not obey the law.", write_svg(map),
       write_csv(map)});
  item.values.push_back(
      compared("loads that the exact problem leaves unsolved", "", {}, 0, static_cast<double>(unsolved), 0));
  ReproducedValue share =
      compared("share of loads that clipping gets wrong", "", printed("0", 0, 1e-9), .05,
               static_cast<double>(wrong) / 3600, 0, "the print takes its scheme for right in every case");
  share.bound = .02;
  item.values.push_back(share);
  return item;
}

}  // namespace

ReproducedPaper reproduce_oprea(ReproductionRun& run) {
  ReproducedPaper paper;
  paper.key = "oprea";
  paper.title = "Oprea: redundant static friction";
  paper.citation =
      "R. A. Oprea, Constraint Forces Computation for Diagonal Mass Matrix Systems Using Generalized "
      "Inverses, University Politehnica of "
      "Bucharest";
  paper.misprints = {
      "The elastic forces are printed with the opposite sign; h = (\u2212k(2q\u2081 \u2212 q\u2082), "
      "k(q\u2081 \u2212 q\u2082)).",
      "(17) holds where all blocks are held; in general T_s = \u2212(W_s\u1d40M\u207b\u00b9W_s)\u207a "
      "W_s\u1d40M\u207b\u00b9h\u0303.",
      "Clipping all violated limits at once is not always right; the exact answer is the box-constrained "
      "problem."};
  paper.items = {belt(run), clipping(run)};
  return paper;
}

}  // namespace delassus
