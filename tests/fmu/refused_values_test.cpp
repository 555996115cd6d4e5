// Every value that an importer can set, of every scene of the library and through both versions of FMI: what is not a
// number, not finite or outside of the range is refused. The reason names variable, value and rule, also where logging
// is off, and the instance goes on as if nothing had been asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "model/scene/number.hpp"
#include "tests/support/fmi_faces.hpp"

namespace delassus::test {
namespace {

std::vector<std::string> library() {
  std::vector<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Wrong {
  double value;
  std::string rule;
};

std::vector<Wrong> wrong_values(Variable const& variable) {
  double const infinity = std::numeric_limits<double>::infinity();
  if (variable.enumeration) {
    auto const count = static_cast<double>(variable.enumeration->items.size());
    std::string const first = "must be 1 (" + std::string(variable.enumeration->items[0].name) + ")";
    return {{0, first}, {-1, first}, {count + 1, first}, {1e9, first}};
  }
  std::vector<Wrong> wrong{{std::nan(""), "must be a finite number"},
                           {infinity, "must be a finite number"},
                           {-infinity, "must be a finite number"}};
  Range const& range = variable.range;
  std::string const rule = "must be " + range.text();
  if (std::isfinite(range.minimum)) {
    wrong.push_back({std::nextafter(range.minimum, -infinity), rule});
    if (range.open_minimum) wrong.push_back({range.minimum, rule});
  }
  if (std::isfinite(range.maximum)) wrong.push_back({std::nextafter(range.maximum, infinity), rule});
  return wrong;
}

template <class Face>
class RefusedValues : public testing::Test {
 protected:
  std::vector<Logged> log;

  static bool settable(Variable const& variable, bool running) {
    if (variable.type != VariableType::real && variable.type != VariableType::enumeration) return false;
    if (variable.causality == Causality::input) return true;
    return variable.causality == Causality::parameter &&
           (!running || variable.variability == Variability::tunable);
  }

  // FMI 3 sets arrays as a whole.
  static std::vector<std::uint32_t> references_of(Variable const& variable) {
    std::vector<std::uint32_t> references(Face::version == 3 ? 1U : static_cast<std::size_t>(variable.size));
    for (std::size_t i = 0; i < references.size(); ++i)
      references[i] = variable.value_reference + static_cast<std::uint32_t>(i);
    return references;
  }

  void refuse_all(Face& face, VariableTable const& table, bool running, int& refusals) {
    for (Variable const& variable : table.variables()) {
      if (!settable(variable, running)) continue;
      if (variable.enumeration) {
        int before = 0, after = 0;
        ASSERT_EQ(face.get_enumeration(variable.value_reference, before), ok);
        for (Wrong const& wrong : wrong_values(variable)) {
          expect_reason(variable, 0, wrong, [&] {
            return face.set_enumeration(variable.value_reference, static_cast<int>(wrong.value));
          });
          ++refusals;
        }
        ASSERT_EQ(face.get_enumeration(variable.value_reference, after), ok);
        EXPECT_EQ(before, after) << variable.name;
        continue;
      }
      auto const references = references_of(variable);
      std::vector<double> before(static_cast<std::size_t>(variable.size)), after = before;
      ASSERT_EQ(face.get(references, before), ok) << variable.name;
      for (int const element : {0, variable.size - 1}) {
        for (Wrong const& wrong : wrong_values(variable)) {
          std::vector<double> values = before;
          values[static_cast<std::size_t>(element)] = wrong.value;
          expect_reason(variable, element, wrong, [&] { return face.set(references, values); });
          ++refusals;
        }
      }
      ASSERT_EQ(face.get(references, after), ok);
      EXPECT_EQ(before, after) << variable.name;
    }
  }

  void expect_reason(Variable const& variable, int element, Wrong const& wrong,
                     std::function<int()> const& call) {
    auto const& [value, rule] = wrong;
    log.clear();
    EXPECT_EQ(call(), discarded) << variable.name << " " << value;
    ASSERT_EQ(log.size(), 1U) << variable.name << " " << value;
    EXPECT_EQ(log[0].status, discarded);
    std::string const said = "variable '" + VariableTable::element_name(variable, element) + "' was set to " +
                             format_number(value) + " and ";
    EXPECT_NE(log[0].message.find(said), std::string::npos) << log[0].message << "\n" << said;
    EXPECT_NE(log[0].message.find(rule), std::string::npos) << log[0].message << "\n" << rule;
  }

  // The values of all outputs after a short step.
  std::vector<double> outputs_after_step(Face& face, VariableTable const& table) {
    double const size = table.default_experiment().step;
    EXPECT_EQ(face.step(table.default_experiment().start, size), ok);
    std::vector<double> all;
    for (Variable const& variable : table.variables()) {
      if (variable.type != VariableType::real || variable.causality != Causality::output) continue;
      std::vector<double> values(static_cast<std::size_t>(variable.size));
      EXPECT_EQ(face.get(references_of(variable), values), ok) << variable.name;
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
};

using Faces = testing::Types<Fmi2Face, Fmi3Face>;
TYPED_TEST_SUITE(RefusedValues, Faces);

TYPED_TEST(RefusedValues, OfEverySceneNameVariableAndRuleAndLeaveTheInstanceAsItWas) {
  int refusals = 0;
  for (std::string const& scene : library()) {
    SCOPED_TRACE(scene);
    Resources const resources{scene};
    VariableTable const& table = resources.model->table();
    std::string const token = resources.model->token(TypeParam::version);
    std::string const location = TypeParam::location(resources.path());
    double const start = table.default_experiment().start;
    std::vector<double> outputs[2];
    for (bool const pestered : {false, true}) {
      TypeParam face(this->log);
      ASSERT_TRUE(face.instantiate(token.c_str(), location.c_str(), false));
      ASSERT_EQ(face.enter(start), ok);
      if (pestered) this->refuse_all(face, table, false, refusals);
      ASSERT_EQ(face.exit(), ok);
      if (pestered) this->refuse_all(face, table, true, refusals);
      outputs[pestered ? 1 : 0] = this->outputs_after_step(face, table);
    }
    EXPECT_EQ(outputs[0], outputs[1]);
  }
  EXPECT_GT(refusals, 1000);
}

// A step that cannot be made says why to an importer that shows no log, too.
TYPED_TEST(RefusedValues, OfAStepThatIsDiscardedHaveTheirReasonWithoutLogging) {
  Resources const resources{"painleve_rod"};
  VariableTable const& table = resources.model->table();
  TypeParam face(this->log);
  ASSERT_TRUE(face.instantiate(resources.model->token(TypeParam::version).c_str(),
                               TypeParam::location(resources.path()).c_str(), false));
  ASSERT_EQ(face.set_enumeration(Fmi2Face::reference_of_variable(table, "solver.stepper"), 3), ok);
  ASSERT_EQ(face.set({Fmi2Face::reference_of_variable(table, "solver.step")}, {1e-9}), ok);
  ASSERT_EQ(face.enter(), ok);
  ASSERT_EQ(face.exit(), ok);
  this->log.clear();
  EXPECT_EQ(face.step(0, 0.2), discarded);  // 2e8 internal steps
  ASSERT_EQ(this->log.size(), 1U);
  EXPECT_EQ(this->log[0].status, discarded);
  EXPECT_NE(this->log[0].message.find("raise solver.step"), std::string::npos) << this->log[0].message;
  // It goes on with another setting.
  ASSERT_EQ(face.reset(), ok);
  ASSERT_EQ(face.enter(), ok);
  ASSERT_EQ(face.exit(), ok);
  EXPECT_EQ(face.step(0, 0.01), ok);
}

// Values that are allowed one by one and do not fit together are refused at the end of the initialisation, and can be
// corrected there.
TYPED_TEST(RefusedValues, ThatDoNotFitTogetherCanBeCorrected) {
  Resources const resources{"bouncing_ball"};
  VariableTable const& table = resources.model->table();
  auto const position = TypeParam::references(table, {"ball.initial.position"});
  auto const height = TypeParam::references(table, {"ball.position"});
  TypeParam face(this->log);
  ASSERT_TRUE(face.instantiate(resources.model->token(TypeParam::version).c_str(),
                               TypeParam::location(resources.path()).c_str(), false));
  ASSERT_EQ(face.enter(), ok);
  std::vector<double> good(2), now(2);
  ASSERT_EQ(face.get(position, good), ok);
  ASSERT_EQ(face.set(position, {0, -1}), ok);
  this->log.clear();
  EXPECT_EQ(face.exit(), error);
  ASSERT_EQ(this->log.size(), 1U);
  EXPECT_NE(this->log[0].message.find("overlap"), std::string::npos) << this->log[0].message;
  EXPECT_NE(this->log[0].message.find("move them apart"), std::string::npos) << this->log[0].message;
  ASSERT_EQ(face.set(position, good), ok);
  EXPECT_EQ(face.exit(), ok);
  ASSERT_EQ(face.get(height, now), ok);
  EXPECT_EQ(now, good);
  EXPECT_EQ(face.step(0, 0.01), ok);
}

}  // namespace
}  // namespace delassus::test
