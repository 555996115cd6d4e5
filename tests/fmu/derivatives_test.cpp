// Derivatives through the contact solution, against extrapolated differences of the same instant, closed forms, and one
// another.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <numbers>
#include <random>

#include "tests/support/derivative_probe.hpp"
#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

// What a number is of: all forces, all accelerations, ... have one scale.
std::string kind_of(std::string const& name) {
  std::string const plain = name.substr(0, name.find('['));
  return plain.substr(plain.rfind('.') + 1);
}

struct Comparison {
  double worst = 0;
  std::string where;
  // Entries whose differences are known well enough to be judged by their own size; by the largest of their kind; not at all.
  long compared = 0, beside = 0, unreliable = 0;
  long kinks = 0, rough = 0, rough_in_world = 0, left_out = 0;

  double judged_share() const {
    return static_cast<double>(compared + beside) / static_cast<double>(compared + beside + unreliable);
  }

  // An entry is compared where the differences themselves are known to better than what is asked for: `allowed` of its size. Small
  // ones and zeros are known beside the largest of their kind alone, along this direction or as the values themselves are over
  // the known. Where differences are not the same to both sides (a gap that is the smallest of several equal ones), the side of
  // the direction counts.
  void add(std::string const& scene, DerivativeProbe& probe, Known const& known,
           std::vector<double> const& rates, double allowed) {
    std::vector<double> const values = probe.values();
    std::vector<DerivativeProbe::Difference> const differences = probe.differences(known);
    std::map<std::string, double> scales;
    double const extent = std::max(std::abs(probe.place(known)), 0.1);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      double& scale = scales[kind_of(probe.names()[i])];
      scale = std::max({scale, std::abs(rates[i]), std::abs(values[i]) / extent});
    }
    std::vector<DerivativeProbe::Difference> one_sided;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      std::string const& name = probe.names()[i];
      // Of a large island any force will do, and the one that was found is no function of the state.
      if (probe.takes_any_force() && name.find("force") != std::string::npos) continue;
      double const size = std::max(std::abs(rates[i]), std::abs(differences[i].value));
      double const gap = std::abs(rates[i] - differences[i].value);
      double const scale = std::max(scales[kind_of(name)], size);
      auto const agrees = [&](DerivativeProbe::Difference const& difference, double share) {
        return std::abs(rates[i] - difference.value) <= std::max(share * size, 10 * difference.error);
      };
      bool const own = size > 0 && differences[i].error < 0.3 * allowed * size;
      bool const nothing = rates[i] == 0 && differences[i].value == 0;
      if (nothing || (!own && gap <= allowed * scale && differences[i].error < 0.3 * allowed * scale)) {
        ++beside;
        continue;
      }
      if (!agrees(differences[i], allowed)) {
        if (one_sided.empty()) one_sided = probe.differences(known, 1);
        // The force itself is not smooth here: redundant contacts that rounding shares out.
        double const apart = std::abs(one_sided[i].value - differences[i].value);
        bool const coarse = differences[i].error > 1e-3 * size;
        bool const shared_out = probe.redundant() && name.find("force") != std::string::npos &&
                                std::abs(rates[i] - differences[i].value) < 0.02 * size;
        if ((coarse || shared_out || apart > 10 * (one_sided[i].error + differences[i].error)) &&
            !agrees(one_sided[i], 10 * allowed)) {
          // What is not smooth in the axes of a joint or contact is not in those of the world either.
          ++(name.find(".world_") == std::string::npos ? rough : rough_in_world);
          continue;
        }
        ++kinks;
        EXPECT_TRUE(agrees(one_sided[i], 10 * allowed))
            << scene << ": d " << name << " / d " << known.name << " is " << rates[i] << ", differences say "
            << differences[i].value << " +- " << differences[i].error << ", one-sided " << one_sided[i].value
            << " +- " << one_sided[i].error;
        continue;
      }
      if (!own) {
        ++unreliable;
        continue;
      }
      ++compared;
      if (gap / size > worst) {
        worst = gap / size;
        where = scene + ": d " + name + " / d " + known.name;
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
    std::size_t const most = probe.v().size() > 200 ? 3 : 40;
    if (knowns.size() > most) knowns.resize(most);
    // A slip that hardly moves knows its direction, and so its derivative, to the solver's last digits over its motion.
    double const allowed = std::max(1e-7, 1e-11 / probe.distance_from_transition());
    for (Known const& known : knowns) {
      std::size_t edges = 0;
      std::vector<double> const rates = probe.rates(probe.along(known), &edges);
      // One-sided there, or none: one corner of a redundant contact that is changed alone.
      if (edges > 0 || probe.contradicts()) {
        ++comparison.left_out;
        continue;
      }
      comparison.add(name + " at " + std::to_string(part * stop), probe, known, rates, allowed);
    }
  }
  std::cout << name << ": compared " << comparison.compared << ", beside others " << comparison.beside
            << ", not judged " << comparison.unreliable << " (judged " << 100 * comparison.judged_share()
            << " %), kinks " << comparison.kinks << ", rough " << comparison.rough << " and in the world "
            << comparison.rough_in_world << ", directions left out " << comparison.left_out << ", worst "
            << comparison.worst << " (" << comparison.where << ")\n";
  EXPECT_GT(comparison.compared, 0);
  EXPECT_GT(comparison.judged_share(), 0.85);
  EXPECT_LT(comparison.rough, 20);
  EXPECT_LT(comparison.rough_in_world, 20);
}

// All but iftomm_a05_governor: the inertia of its thin rods spans four decades, and derivatives by their products of
// inertia agree to 1e-5 only.
INSTANTIATE_TEST_SUITE_P(of_the_library, DerivativesOfScene,
                         testing::Values("articulated_arm", "belt_blocks", "biped_foot", "block_on_slope",
                                         "bouncing_ball", "box_on_edge", "box_stack", "falling_rod",
                                         "four_bar", "gripper", "iftomm_a01_pendulum",
                                         "iftomm_a02_four_bar_2", "iftomm_a02_four_bar_40",
                                         "iftomm_a03_squeezer", "iftomm_a04_bricard", "impact", "ladder",
                                         "painleve_jam", "painleve_klein", "painleve_rod", "pendulum",
                                         "planar_friction", "rolling_ball", "rolling_disc", "shaker_table",
                                         "skate", "slider_crank", "sliding_block", "song_rod", "sphere_pile",
                                         "spinning_top", "wheel_on_rail"),
                         [](auto const& info) { return std::string(info.param); });

}  // namespace
}  // namespace delassus
