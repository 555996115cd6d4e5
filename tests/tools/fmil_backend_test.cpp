// FMI Library as the way into an FMU, beside our own loader: the same bits for every scene in both versions. Skipped where
// the program was built without it, but for what is said then.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>

#include "tests/support/program_run.hpp"
#include "tests/support/scene_run.hpp"
#include "tools/import/fmil_import.hpp"
#include "tools/package/package_files.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

#define SKIP_WITHOUT_FMIL() \
  if (!has_fmil()) GTEST_SKIP() << "built without FMI Library; configure with -DFMIL_ROOT=FOLDER"

class Packed {
 public:
  Packed(std::string const& scene, int version)
      : model_(example_model(scene)), file_(folder_.path() / (scene + ".fmu")) {
    write_file(file_, make_archive(package_files(*model_, version, "")));
  }
  ImportedFmu imported_by(ImportBackend backend) const { return ImportedFmu(file_, backend); }
  Scene const& scene() const { return model_->scene(); }

 private:
  std::shared_ptr<const SceneModel> model_;
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

SimulationPlan few_steps(Scene const& scene) {
  SimulationPlan plan;
  plan.step = scene.experiment.step;
  plan.stop = std::min(scene.experiment.stop, 20 * plan.step);
  return plan;
}

void expect_same_bits(SimulationResult const& own, SimulationResult const& fmil) {
  ASSERT_FALSE(own.failure) << *own.failure;
  ASSERT_FALSE(fmil.failure) << *fmil.failure;
  ASSERT_EQ(own.table.names, fmil.table.names);
  ASSERT_EQ(own.table.rows(), fmil.table.rows());
  ASSERT_GT(own.table.rows(), 1U);
  for (std::size_t c = 0; c < own.table.names.size(); ++c) {
    for (std::size_t r = 0; r < own.table.rows(); ++r) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(own.table.columns[c][r]),
                std::bit_cast<std::uint64_t>(fmil.table.columns[c][r]))
          << own.table.names[c] << " at " << own.table.time[r] << " s: " << own.table.columns[c][r] << " and "
          << fmil.table.columns[c][r];
    }
  }
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class FmilBackend : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(FmilBackend, steps_to_the_bits_of_our_own_loader) {
  SKIP_WITHOUT_FMIL();
  auto const& [scene, version] = GetParam();
  Packed const packed(scene, version);
  std::vector<SimulationResult> results;
  for (ImportBackend const backend : {ImportBackend::own, ImportBackend::fmil}) {
    ImportedFmu fmu = packed.imported_by(backend);
    auto const instance = fmu.instantiate({.name = "one"});
    results.push_back(run_simulation(*instance, few_steps(packed.scene()), {}));
  }
  expect_same_bits(results[0], results[1]);
}

INSTANTIATE_TEST_SUITE_P(of_the_library, FmilBackend,
                         testing::Combine(testing::ValuesIn(scene_names()), testing::Values(2, 3)),
                         [](auto const& info) {
                           return std::get<0>(info.param) + "_fmi" + std::to_string(std::get<1>(info.param));
                         });

class FmilFaces : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(of_both_versions, FmilFaces, testing::Values(2, 3),
                         [](auto const& info) { return "fmi" + std::to_string(info.param); });

TEST_P(FmilFaces, a_saved_state_goes_on_to_the_same_bits_and_through_bytes_into_another_instance) {
  SKIP_WITHOUT_FMIL();
  Packed const packed("box_on_edge", GetParam());
  ImportedFmu fmu = packed.imported_by(ImportBackend::fmil);
  auto const instance = fmu.instantiate({.name = "one"}), other = fmu.instantiate({.name = "two"});
  for (auto const& each : {instance.get(), other.get()}) {
    each->enter_initialization({});
    each->exit_initialization();
  }
  double const h = packed.scene().experiment.step;
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < instance->signals().signals().size(); ++i) {
    if (instance->signals()[i].causality == "output" && instance->signals()[i].is_float())
      outputs.push_back(i);
  }
  ASSERT_FALSE(outputs.empty());
  auto const values = [&](SimulatedInstance& of) {
    std::vector<double> all(outputs.size());
    of.get(outputs, all);
    return all;
  };
  auto const steps = [&](SimulatedInstance& of, int from, int to) {
    for (int k = from; k < to; ++k) of.do_step(k * h, h);
  };
  steps(*instance, 0, 10);
  {
    SavedState const saved = instance->save_state();
    auto const bytes = instance->serialize(saved);
    steps(*instance, 10, 20);
    auto const first = values(*instance);
    instance->restore_state(saved);
    steps(*instance, 10, 20);
    EXPECT_EQ(values(*instance), first);
    other->restore_state(other->deserialize(bytes));
    steps(*other, 10, 20);
    EXPECT_EQ(values(*other), first);
  }
  instance->reset();
  instance->enter_initialization({});
  instance->exit_initialization();
  steps(*instance, 0, 3);
  ImportedFmu own = packed.imported_by(ImportBackend::own);
  auto const plain = own.instantiate({.name = "one"});
  plain->enter_initialization({});
  plain->exit_initialization();
  steps(*plain, 0, 3);
  EXPECT_EQ(values(*instance), values(*plain));
}

TEST_P(FmilFaces, values_set_and_derivatives_asked_for_arrive) {
  SKIP_WITHOUT_FMIL();
  Packed const packed("planar_friction", GetParam());
  std::vector<std::vector<double>> answers;
  for (ImportBackend const backend : {ImportBackend::own, ImportBackend::fmil}) {
    ImportedFmu fmu = packed.imported_by(backend);
    auto const instance = fmu.instantiate({.name = "one"});
    SignalTable const& signals = instance->signals();
    auto const index = [&](std::string const& name) { return signals.find(name).value(); };
    std::vector<SignalValue> const pushes = {{index("push[1]"), 0.3}, {index("push[2]"), -0.2}};
    RunSettings settings;
    settings.tolerance = 1e-8;
    instance->enter_initialization(settings);
    instance->set(pushes);
    instance->exit_initialization();
    std::vector<double> answer(2);
    std::vector<std::size_t> const forces = {index("table.force[1]"), index("table.force[2]")};
    instance->get(forces, answer);
    EXPECT_NE(answer[0], 0);
    // An array counts with all of its elements in FMI 3; in FMI 2 the elements are variables.
    bool const arrays = GetParam() == 3;
    std::vector<std::uint32_t> of = {signals[forces[0]].value_reference},
                               by = {signals[index("push[1]")].value_reference};
    std::vector<double> const seed = arrays ? std::vector<double>{1, 0} : std::vector<double>{1};
    std::vector<double> rate(arrays ? 2 : 1);
    instance->directional_derivative(of, by, seed, rate);
    EXPECT_NE(rate[0], 0);
    answer.insert(answer.end(), rate.begin(), rate.end());
    answers.push_back(answer);
  }
  EXPECT_EQ(answers[0], answers[1]);
}

TEST_P(FmilFaces, model_exchange_goes_through_it_too) {
  SKIP_WITHOUT_FMIL();
  Packed const packed("impact", GetParam());
  std::vector<SimulationResult> results;
  for (ImportBackend const backend : {ImportBackend::own, ImportBackend::fmil}) {
    ImportedFmu fmu = packed.imported_by(backend);
    auto const instance =
        make_integrated_instance(fmu.instantiate({.name = "one", .kind = InterfaceKind::model_exchange}));
    results.push_back(run_simulation(*instance, few_steps(packed.scene()), {}));
  }
  expect_same_bits(results[0], results[1]);
}

TEST_P(FmilFaces, a_refused_call_fails_with_the_words_of_the_fmu) {
  SKIP_WITHOUT_FMIL();
  Packed const packed("impact", GetParam());
  ImportedFmu fmu = packed.imported_by(ImportBackend::fmil);
  auto const instance = fmu.instantiate({.name = "one", .logging_on = true});
  SignalValue const bad{instance->signals().find("ball.mass").value(), -1.0};
  try {
    instance->set({&bad, 1});
    ADD_FAILURE() << "a mass of -1 was taken";
  } catch (InstanceError const& error) {
    EXPECT_CONTAINS(std::string(error.what()), "ball.mass");
    EXPECT_CONTAINS(std::string(error.what()), "-1");
  }
}

using FmilProgram = test::Program;

TEST_F(FmilProgram, simulates_through_it_or_says_how_to_get_it) {
  auto const through = run("simulate impact --fmi 2 --backend fmil --stop 0.01 -o fmil.csv");
  if (!has_fmil()) {
    EXPECT_EQ(through.code, 2);
    EXPECT_CONTAINS(through.errors, "built without FMI Library");
    EXPECT_CONTAINS(through.errors, "FMIL_ROOT");
    EXPECT_FALSE(exists("fmil.csv"));
    return;
  }
  EXPECT_EQ(through.code, 0) << through.errors;
  EXPECT_EQ(run("simulate impact --fmi 2 --backend own --stop 0.01 -o own.csv").code, 0);
  EXPECT_EQ(read_file(path("fmil.csv")), read_file(path("own.csv")));
  auto const direct = run("simulate impact --backend fmil");
  EXPECT_EQ(direct.code, 2);
  EXPECT_CONTAINS(direct.errors, "--backend is for FMUs");
}

}  // namespace
}  // namespace delassus
