// Derivatives through the contact solution, against extrapolated differences of the same instant, closed forms, and one
// another.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numbers>
#include <random>

#include "tests/derivative_probe.hpp"
#include "tests/scene_run.hpp"

namespace delassus {
namespace {

struct Comparison {
  double worst = 0;
  std::string where;
  long compared = 0, unreliable = 0;

  // An entry is compared where the differences themselves are known to better than what is asked for.
  void add(std::string const& scene, DerivativeProbe& probe, Known const& known,
           std::vector<double> const& rates, std::vector<DerivativeProbe::Difference> const& differences) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      double const size = std::max(std::abs(rates[i]), std::abs(differences[i].value));
      if (size == 0) {
        ++compared;
        continue;
      }
      double const gap = std::abs(rates[i] - differences[i].value);
      // A derivative of zero by rounding, or differences that are too coarse to judge.
      if (!(differences[i].error < 3e-8 * size)) {
        ++unreliable;
        double const known_to = std::max(differences[i].error, 1e-7 * size);
        EXPECT_LE(gap, 30 * known_to)
            << scene << ": d " << probe.names()[i] << " / d " << known.name << " is " << rates[i]
            << ", differences say " << differences[i].value << " +- " << differences[i].error;
        continue;
      }
      ++compared;
      EXPECT_LE(gap, 1e-7 * size) << scene << ": d " << probe.names()[i] << " / d " << known.name << " is "
                                  << rates[i] << ", differences say " << differences[i].value << " +- "
                                  << differences[i].error;
      if (gap / size > worst) {
        worst = gap / size;
        where = scene + ": d " + probe.names()[i] + " / d " + known.name;
      }
    }
  }
};

class DerivativesOfScene : public testing::TestWithParam<char const*> {};

TEST_P(DerivativesOfScene, agree_with_extrapolated_differences_along_its_run) {
  std::string const name = GetParam();
  auto const model = example_model(name);
  SceneRun run(model);
  double const stop = model->scene().experiment.stop;
  Comparison comparison;
  std::mt19937 random(7);
  for (double const part : {0.0, 0.037, 0.31, 0.77}) {
    if (part > 0) {
      run.run_to(part * stop);
    } else {
      run.slave().exit_initialization();
    }
    DerivativeProbe probe(model, run.slave().snapshot());
    std::vector<Known> knowns = probe.knowns();
    std::shuffle(knowns.begin(), knowns.end(), random);
    if (knowns.size() > 40) knowns.resize(40);
    for (Known const& known : knowns) {
      std::size_t edges = 0;
      std::vector<double> const rates = probe.rates(probe.along(known), &edges);
      if (edges > 0) continue;  // one-sided there
      comparison.add(name + " at " + std::to_string(part * stop), probe, known, rates,
                     probe.differences(known));
    }
  }
  std::cout << name << ": compared " << comparison.compared << ", not judged " << comparison.unreliable
            << ", worst " << comparison.worst << " (" << comparison.where << ")\n";
  EXPECT_GT(comparison.compared, 0);
}

INSTANTIATE_TEST_SUITE_P(of_the_library, DerivativesOfScene,
                         testing::Values("articulated_arm", "belt_blocks", "biped_foot", "block_on_slope",
                                         "bouncing_ball", "box_on_edge", "box_stack", "falling_rod",
                                         "four_bar", "gripper", "impact", "ladder", "painleve_jam",
                                         "painleve_klein", "painleve_rod", "pendulum", "planar_friction",
                                         "rolling_ball", "rolling_disc", "shaker_table", "skate",
                                         "slider_crank", "sliding_block", "song_rod", "sphere_pile",
                                         "spinning_top", "wheel_on_rail"),
                         [](auto const& info) { return std::string(info.param); });

}  // namespace
}  // namespace delassus
