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
  long compared = 0, unreliable = 0, kinks = 0, rough = 0, left_out = 0;

  // An entry is compared where the differences themselves are known to better than what is asked for. Where they are not
  // the same to both sides (a gap that is the smallest of several equal ones), the side of the direction counts.
  void add(std::string const& scene, DerivativeProbe& probe, Known const& known,
           std::vector<double> const& rates, std::vector<DerivativeProbe::Difference> const& differences) {
    double largest = 0;
    for (double const rate : rates) largest = std::max(largest, std::abs(rate));
    std::vector<DerivativeProbe::Difference> one_sided;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      auto const agrees = [&](DerivativeProbe::Difference const& difference, double allowed) {
        double const size = std::max({std::abs(rates[i]), std::abs(difference.value), 1e-9 * largest});
        return std::abs(rates[i] - difference.value) <= std::max(allowed * size, 10 * difference.error);
      };
      double const size = std::max({std::abs(rates[i]), std::abs(differences[i].value), 1e-9 * largest});
      double const gap = std::abs(rates[i] - differences[i].value);
      // Zero, but for what the solver leaves: its tolerance over the widest step.
      if (size <= 1e-11 * probe.largest() / probe.widest() || size == 0) {
        ++(size == 0 ? compared : unreliable);
        continue;
      }
      if (!agrees(differences[i], 1e-7)) {
        if (one_sided.empty()) one_sided = probe.differences(known, 1);
        // The force itself is not smooth here: redundant contacts that rounding shares out.
        double const apart = std::abs(one_sided[i].value - differences[i].value);
        bool const coarse = differences[i].error > 1e-3 * size;
        bool const shared_out = probe.redundant() && probe.names()[i].find("force") != std::string::npos &&
                                std::abs(rates[i] - differences[i].value) < 0.02 * size;
        if ((coarse || shared_out || apart > 10 * (one_sided[i].error + differences[i].error)) &&
            !agrees(one_sided[i], 1e-6)) {
          ++rough;
          continue;
        }
        ++kinks;
        EXPECT_TRUE(agrees(one_sided[i], 1e-6))
            << scene << ": d " << probe.names()[i] << " / d " << known.name << " is " << rates[i]
            << ", differences say " << differences[i].value << " +- " << differences[i].error
            << ", one-sided " << one_sided[i].value << " +- " << one_sided[i].error;
        continue;
      }
      if (!(differences[i].error < 3e-8 * size)) {
        ++unreliable;
        continue;
      }
      ++compared;
      if (size > 0 && gap / size > worst) {
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
    // The frame of a joint jumps where its axis leaves the x-y plane.
    std::erase_if(knowns, [](Known const& known) { return known.name.find(".axis") != std::string::npos; });
    std::shuffle(knowns.begin(), knowns.end(), random);
    std::size_t const most = probe.v().size() > 200 ? 6 : 40;
    if (knowns.size() > most) knowns.resize(most);
    for (Known const& known : knowns) {
      std::size_t edges = 0;
      std::vector<double> const rates = probe.rates(probe.along(known), &edges);
      // One-sided there, or none: one corner of a redundant contact that is changed alone.
      if (edges > 0 || probe.contradicts()) {
        ++comparison.left_out;
        continue;
      }
      comparison.add(name + " at " + std::to_string(part * stop), probe, known, rates,
                     probe.differences(known));
    }
  }
  std::cout << name << ": compared " << comparison.compared << ", not judged " << comparison.unreliable
            << ", kinks " << comparison.kinks << ", rough " << comparison.rough << ", directions left out "
            << comparison.left_out << ", worst " << comparison.worst << " (" << comparison.where << ")\n";
  EXPECT_GT(comparison.compared, 0);
  EXPECT_LT(comparison.rough, 20);
}

// Without the pile of spheres and the gripper: there the forces of redundant contacts, as the solver shares them out,
// do not follow their exact derivative (solver/README.md).
INSTANTIATE_TEST_SUITE_P(of_the_library, DerivativesOfScene,
                         testing::Values("articulated_arm", "belt_blocks", "biped_foot", "block_on_slope",
                                         "bouncing_ball", "box_on_edge", "box_stack", "falling_rod",
                                         "four_bar", "impact", "ladder", "painleve_jam",
                                         "painleve_klein", "painleve_rod", "pendulum", "planar_friction",
                                         "rolling_ball", "rolling_disc", "shaker_table", "skate",
                                         "slider_crank", "sliding_block", "song_rod", "spinning_top",
                                         "wheel_on_rail"),
                         [](auto const& info) { return std::string(info.param); });

}  // namespace
}  // namespace delassus
