// What a host can do wrong: each gets the status that the standard demands, a message that names the thing,
// and leaves the instance as it was.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/fmi_faces.hpp"

namespace delassus::test {
namespace {

template <class Face>
class FmiMisuse : public testing::Test {
 protected:
  Resources resources{"painleve_rod"};
  std::vector<Logged> log;
  Face face{log};
  std::string token = resources.model->token(Face::version);
  std::string location = Face::location(resources.path());

  bool instantiate() { return face.instantiate(token.c_str(), location.c_str()); }
  void start(double const* stop = nullptr) {
    ASSERT_TRUE(instantiate());
    ASSERT_EQ(face.enter(0, stop), ok);
    ASSERT_EQ(face.exit(), ok);
    ASSERT_EQ(face.step(0, .01), ok);
  }
  std::vector<double> outputs() {
    std::vector<double> values(rod_output_elements);
    EXPECT_EQ(face.get(Face::references(resources.model->table(), rod_outputs()), values), ok);
    return values;
  }
  std::uint32_t reference(std::string const& name) {
    return Fmi2Face::reference_of_variable(resources.model->table(), name);
  }

  // The call is answered with `status` and a message with `words`, and changes nothing: values and the next
  // step are the same.
  void expect_refused(int status, std::string const& words, std::function<int()> const& call) {
    void* before = nullptr;
    ASSERT_EQ(face.take(&before), ok);
    std::vector<std::uint8_t> bytes_before, bytes_after;
    ASSERT_EQ(face.serialise(before, bytes_before), ok);
    log.clear();
    EXPECT_EQ(call(), status) << words;
    ASSERT_FALSE(log.empty()) << words;
    EXPECT_NE(log.back().message.find(words), std::string::npos)
        << "'" << log.back().message << "' lacks '" << words << "'";
    EXPECT_EQ(log.back().status, status);
    ASSERT_EQ(face.take(&before), ok);
    ASSERT_EQ(face.serialise(before, bytes_after), ok);
    EXPECT_EQ(bytes_before, bytes_after) << "the instance has changed: " << words;
    ASSERT_EQ(face.release(&before), ok);
  }
  void expect_no_instance(char const* bad_token, char const* bad_location, std::string const& words) {
    log.clear();
    EXPECT_FALSE(face.instantiate(bad_token, bad_location, false)) << words;
    ASSERT_EQ(log.size(), 1U) << words;  // told although debug logging is off
    EXPECT_EQ(log[0].status, error);
    EXPECT_NE(log[0].message.find(words), std::string::npos)
        << "'" << log[0].message << "' lacks '" << words << "'";
  }
};

using Faces = testing::Types<Fmi2Face, Fmi3Face>;
TYPED_TEST_SUITE(FmiMisuse, Faces);

TYPED_TEST(FmiMisuse, OfTheTokenOrResourcesGivesNoInstance) {
  char const* const good_token = this->token.c_str();
  char const* const good_location = this->location.c_str();
  this->expect_no_instance("00000000-0000-0000-0000-000000000000", good_location,
                           "does not match that of this FMU");
  this->expect_no_instance(this->resources.model->token(5 - TypeParam::version).c_str(), good_location,
                           "does not match that of this FMU");
  this->expect_no_instance("", good_location, "does not match that of this FMU");
  this->expect_no_instance(nullptr, good_location, "NULL");
  this->expect_no_instance(good_token, nullptr, "NULL");
  this->expect_no_instance(good_token, TypeParam::location("/nowhere/at all").c_str(),
                           "cannot open '/nowhere/at all");

  std::string const good = write_scene_archive(this->resources.model->scene());
  this->resources.write(good.substr(0, good.size() - 10));
  this->expect_no_instance(good_token, good_location, "is truncated");
  this->resources.write("something else entirely, and long enough to have a header");
  this->expect_no_instance(good_token, good_location, "are not a valid compiled scene");
  std::string damaged = good;
  damaged[good.size() / 2] = static_cast<char>(damaged[good.size() / 2] ^ 1);
  this->resources.write(damaged);
  this->expect_no_instance(good_token, good_location, "is damaged");
  std::string newer = good;
  newer[8] = 99;
  this->resources.write(newer);
  this->expect_no_instance(good_token, good_location, "format version 99");
  this->resources.write("");
  this->expect_no_instance(good_token, good_location, "0 bytes");

  this->resources.write(good);
  EXPECT_TRUE(this->instantiate());
}

TYPED_TEST(FmiMisuse, OfReferencesAndTypesIsRefused) {
  this->start();
  std::vector<double> one(1), two(2);
  this->expect_refused(error, "value reference 99999", [&] { return this->face.get({99999}, one); });
  this->expect_refused(error, "value reference 99999", [&] { return this->face.set({99999}, one); });
  this->expect_refused(error, "'tip_ground.mode'",
                       [&] { return this->face.get({this->reference("tip_ground.mode")}, one); });
  int value = 0;
  this->expect_refused(error, "'rod.mass'",
                       [&] { return this->face.get_enumeration(this->reference("rod.mass"), value); });
}

TYPED_TEST(FmiMisuse, OfVariablesThatCannotBeSetIsRefused) {
  this->start();
  this->expect_refused(error, "'rod.angle' cannot be set: it is an output",
                       [&] { return this->face.set({this->reference("rod.angle")}, {1}); });
  this->expect_refused(error, "'rod.inertia' cannot be set: it is calculated",
                       [&] { return this->face.set({this->reference("rod.inertia")}, {1}); });
  this->expect_refused(error, "'time' cannot be set",
                       [&] { return this->face.set({this->reference("time")}, {1}); });
  this->expect_refused(error, "'rod.mass' is fixed",
                       [&] { return this->face.set({this->reference("rod.mass")}, {2}); });
}

TYPED_TEST(FmiMisuse, OfValuesIsDiscardedAndNothingOfTheCallIsTaken) {
  this->start();
  double const nan = std::nan(""), infinity = HUGE_VAL;
  auto const push = TypeParam::references(this->resources.model->table(), {"push"});
  this->expect_refused(discarded, "'push[2]' was set to nan", [&] { return this->face.set(push, {1, nan}); });
  this->expect_refused(discarded, "'push[1]' was set to inf", [&] {
    return this->face.set(push, {infinity, 1});
  });
  this->expect_refused(discarded, "'tip_ground.mu' was set to -1 and must be >= 0",
                       [&] { return this->face.set({this->reference("tip_ground.mu")}, {-1}); });
  this->expect_refused(discarded, "'tip_ground.delta' was set to 0 and must be >= 1e-09 and <= 1e+06",
                       [&] { return this->face.set({this->reference("tip_ground.delta")}, {0}); });
  this->expect_refused(discarded, "'solver.rule' was set to 9",
                       [&] { return this->face.set_enumeration(this->reference("solver.rule"), 9); });
}

TYPED_TEST(FmiMisuse, OfTheStepIsRefused) {
  double const stop = .05;
  this->start(&stop);
  this->expect_refused(error, "is 0 s and must be", [&] { return this->face.step(.01, 0); });
  this->expect_refused(error, "is -0.01 s and must be", [&] { return this->face.step(.01, -.01); });
  this->expect_refused(error, "nan s and must be", [&] { return this->face.step(.01, std::nan("")); });
  this->expect_refused(error, "inf s and must be", [&] { return this->face.step(.01, HUGE_VAL); });
  this->expect_refused(error, "communication point is 0.02 s, but the FMU is at 0.01 s",
                       [&] { return this->face.step(.02, .01); });
  this->expect_refused(error, "communication point is nan",
                       [&] { return this->face.step(std::nan(""), .01); });
  this->expect_refused(error, "passes the stop time 0.05 s", [&] { return this->face.step(.01, .05); });
  EXPECT_EQ(this->face.step(.01, .04), ok);  // exactly to the stop time
}

TYPED_TEST(FmiMisuse, OfStatesIsRefused) {
  this->start();
  void* state = nullptr;
  this->expect_refused(error, "NULL", [&] { return this->face.put(nullptr); });
  std::vector<std::uint8_t> bytes;
  ASSERT_EQ(this->face.take(&state), ok);
  ASSERT_EQ(this->face.serialise(state, bytes), ok);
  void* other = nullptr;
  auto cut = bytes;
  cut.resize(bytes.size() / 2);
  this->expect_refused(error, "is truncated", [&] { return this->face.deserialise(cut, &other); });
  auto damaged = bytes;
  damaged[bytes.size() / 2] ^= 1;
  this->expect_refused(error, "is damaged", [&] { return this->face.deserialise(damaged, &other); });
  this->expect_refused(error, "are not a valid FMU state", [&] {
    return this->face.deserialise({1, 2, 3}, &other);
  });
  std::string const foreign = serialise(SceneSlave(example_model("impact"), {}).snapshot());
  this->expect_refused(error, "belongs to another model", [&] {
    return this->face.deserialise({foreign.begin(), foreign.end()}, &other);
  });
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(this->face.release(&state), ok);
  EXPECT_EQ(this->face.release(&state), ok);  // a second time is no error
}

TYPED_TEST(FmiMisuse, OfTheLifeCycleIsRefusedInEveryState) {
  ASSERT_TRUE(this->instantiate());
  this->expect_refused(error, "not allowed in the state 'instantiated'",
                       [&] { return this->face.step(0, .01); });
  this->expect_refused(error, "not allowed in the state 'instantiated'", [&] { return this->face.exit(); });
  this->expect_refused(error, "not allowed in the state 'instantiated'",
                       [&] { return this->face.terminate(); });
  ASSERT_EQ(this->face.enter(), ok);
  this->expect_refused(error, "not allowed in the state 'initialization mode'",
                       [&] { return this->face.step(0, .01); });
  this->expect_refused(error, "not allowed in the state 'initialization mode'",
                       [&] { return this->face.enter(); });
  ASSERT_EQ(this->face.exit(), ok);
  this->expect_refused(error, "not allowed in the state 'step mode'", [&] { return this->face.enter(); });
  this->expect_refused(error, "not allowed in the state 'step mode'", [&] { return this->face.exit(); });
  ASSERT_EQ(this->face.terminate(), ok);
  this->expect_refused(error, "not allowed in the state 'terminated'",
                       [&] { return this->face.step(0, .01); });
  this->expect_refused(error, "not allowed in the state 'terminated'",
                       [&] { return this->face.set({this->reference("tip_ground.mu")}, {1}); });
  this->outputs();  // may still be read
  ASSERT_EQ(this->face.reset(), ok);
  ASSERT_EQ(this->face.enter(), ok);
}

TYPED_TEST(FmiMisuse, OfLogCategoriesIsRefusedAndGoodOnesFilter) {
  this->start();
  this->expect_refused(error, "no log category 'chatter'",
                       [&] { return this->face.logging(true, {"chatter"}); });
  // In the paradox the number of solutions is told, unless its category is off.
  auto const told = [&](std::vector<char const*> const& categories) {
    EXPECT_EQ(this->face.reset(), ok);
    // FMI 3 switches categories one by one: first all of them off.
    EXPECT_EQ(this->face.logging(false, {}), ok);
    EXPECT_EQ(this->face.logging(true, categories), ok);
    EXPECT_EQ(this->face.set({this->reference("tip_ground.mu"), this->reference("rod.initial.angle"),
                              this->reference("rod.initial.angular_velocity")},
                             {2, std::atan(1.0), 4}),
              ok);
    EXPECT_EQ(this->face.enter(), ok);
    EXPECT_EQ(this->face.exit(), ok);
    this->log.clear();
    EXPECT_EQ(this->face.step(0, 1e-3), ok);
    return std::any_of(this->log.begin(), this->log.end(),
                       [](Logged const& l) { return l.message.find("3 solutions") != std::string::npos; });
  };
  EXPECT_TRUE(told({}));
  EXPECT_TRUE(told({"logContact"}));
  EXPECT_FALSE(told({"logEvents"}));
}

// What a run has to say about its results reaches an importer that did not ask for a log, and not one that switched it
// off.
TYPED_TEST(FmiMisuse, OfASettingThatCountsForNothingIsToldWithoutLogging) {
  Resources const resources{"sliding_block"};
  for (bool const switched_off : {false, true}) {
    TypeParam face(this->log);
    ASSERT_TRUE(face.instantiate(resources.model->token(TypeParam::version).c_str(),
                                 TypeParam::location(resources.path()).c_str(), false));
    if (switched_off) {
      ASSERT_EQ(face.logging(false, {}), ok);
    }
    VariableTable const& table = resources.model->table();
    ASSERT_EQ(face.set_enumeration(Fmi2Face::reference_of_variable(table, "solver.stepper"), 2), ok);
    ASSERT_EQ(face.set({Fmi2Face::reference_of_variable(table, "block_ground.zeta")}, {0.5}), ok);
    this->log.clear();
    ASSERT_EQ(face.enter(), ok);
    ASSERT_EQ(face.exit(), ok);
    ASSERT_EQ(face.step(0, 1e-2), ok);
    ASSERT_EQ(this->log.size(), switched_off ? 0U : 1U);
    if (!switched_off) {
      EXPECT_NE(this->log[0].message.find("should bounce by its zeta"), std::string::npos);
    }
  }
}

// A host may pass no logger: every refusal then has only its status to tell.
TYPED_TEST(FmiMisuse, WithoutALoggerIsRefusedAllTheSame) {
  TypeParam silent(this->log, false);
  EXPECT_FALSE(silent.instantiate("wrong", this->location.c_str()));
  EXPECT_FALSE(silent.instantiate(this->token.c_str(), nullptr));
  ASSERT_TRUE(silent.instantiate(this->token.c_str(), this->location.c_str()));
  EXPECT_EQ(silent.step(0, .01), error);
  ASSERT_EQ(silent.enter(), ok);
  ASSERT_EQ(silent.exit(), ok);
  EXPECT_EQ(silent.set({99999}, {1}), error);
  EXPECT_EQ(silent.step(0, -1), error);
  EXPECT_EQ(silent.step(0, .01), ok);
  EXPECT_TRUE(this->log.empty());
}

TYPED_TEST(FmiMisuse, OfTunableParametersIsNone) {
  this->start();
  EXPECT_EQ(this->face.set({this->reference("tip_ground.mu"), this->reference("tip_ground.zeta")}, {.1, .9}),
            ok);
  EXPECT_EQ(this->face.step(.01, .01), ok);
  auto const force = TypeParam::references(this->resources.model->table(), {"tip_ground.force"});
  std::vector<double> lambda(2);
  EXPECT_EQ(this->face.get(force, lambda), ok);
  EXPECT_NEAR(lambda[0], .1 * lambda[1], 1e-12 * lambda[1]);  // slips at the new coefficient
}

}  // namespace
}  // namespace delassus::test
