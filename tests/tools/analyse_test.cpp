// `delassus analyse` on the papers' own examples: its numbers against theirs and against closed forms.
#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "model/scene/number.hpp"
#include "tests/support/markup_check.hpp"
#include "tests/support/program_run.hpp"
#include "tools/papers/peiret_arm.hpp"

namespace delassus {
namespace {

using test::Outcome;

class Analyse : public test::Program {
 protected:
  // The number or numbers after `key` in JSON, the first place after `after`.
  static std::vector<double> numbers(std::string const& json, std::string const& key,
                                     std::string const& after = "") {
    std::size_t const from = after.empty() ? 0 : json.find(after);
    std::size_t at = from == std::string::npos ? from : json.find("\"" + key + "\": ", from);
    if (at == std::string::npos) {
      ADD_FAILURE() << "no " << key << " after '" << after << "' in " << json;
      return {std::nan("")};
    }
    at += key.size() + 4;
    bool const list = json[at] == '[';
    std::size_t const end = list ? json.find(']', at) : json.find_first_of(",}\n", at);
    std::string text = json.substr(at, end - at);
    std::erase(text, '[');
    std::ranges::replace(text, ',', ' ');
    std::istringstream stream(text);
    std::vector<double> values;
    for (std::string word; stream >> word;) values.push_back(parse_number(word).value_or(std::nan("")));
    return values;
  }
  static double number(std::string const& json, std::string const& key, std::string const& after = "") {
    return numbers(json, key, after).front();
  }
  std::string json(std::string const& arguments) const {
    Outcome const outcome = run("analyse " + arguments + " --json");
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  }
  // Rows of numbers; empty cells are NaN.
  std::vector<std::vector<double>> csv(std::string const& file) const {
    std::istringstream stream(read_file(path(file)));
    std::string line;
    std::getline(stream, line);
    std::vector<std::vector<double>> rows;
    while (std::getline(stream, line)) {
      rows.emplace_back();
      std::size_t from = 0;
      for (bool more = true; more;) {
        std::size_t const comma = line.find(',', from);
        more = comma != std::string::npos;
        rows.back().push_back(
            parse_number(line.substr(from, more ? comma - from : comma)).value_or(std::nan("")));
        from = comma + 1;
      }
    }
    return rows;
  }
};

std::string const paradox =
    "painleve_rod --at 'rod.initial.angle=45deg, tip_ground.mu=2, rod.initial.angular_velocity=4, "
    "rod.initial.velocity=-1 0'";

// theory.md, sections 1 and 2: the rod at 45 degrees with mu = 2.
TEST_F(Analyse, NotesDegreesThatAreTakenForRadians) {
  EXPECT_CONTAINS(run("analyse painleve_rod --at rod.initial.angle=45").errors,
                  "note: rod.initial.angle=45: it is in radians, and 45 rad are 2578.3 degrees");
  EXPECT_EQ(run("analyse painleve_rod --at rod.initial.angle=45deg").errors, "");
  EXPECT_CONTAINS(run("analyse painleve_rod --map solutions --over rod.initial.angle=5:85:3").errors,
                  "note: rod.initial.angle=5:85:3: it is in radians, and 85 rad are");
  EXPECT_EQ(
      run("analyse painleve_rod --map solutions --over rod.initial.angle=0.1:1.4:20").errors.find("note"),
      std::string::npos);
}

TEST_F(Analyse, ShowsTheRodsConeAndItsThreeSolutions) {
  std::string const text = json(paradox);
  EXPECT_NEAR(number(text, "mu_crit"), .6, 1e-12);
  EXPECT_NEAR(number(text, "mu_jam"), 5.0 / 3, 1e-12);
  EXPECT_NEAR(number(text, "margin"), 5.0 / 3 - 2, 1e-12);
  EXPECT_NEAR(number(text, "locking_angle") * 180 / M_PI, 67.1146195238, 1e-9);
  EXPECT_EQ(number(text, "e_jam"), -1);
  EXPECT_EQ(number(text, "sliding"), -1);
  EXPECT_CONTAINS(text, "\"jams\": true");
  // A = (1 + 3 c^2 - 3 mu s c)/m and B = -(g - l thetadot^2 s).
  EXPECT_NEAR(number(text, "A", "as_rigid_sliding"), -.5, 1e-12);
  EXPECT_NEAR(number(text, "B", "as_rigid_sliding"), -9.81 + 16 * std::sqrt(.5), 1e-9);
  EXPECT_EQ(number(text, "count", "\"relaxed\""), 3);
  auto const slip = numbers(text, "force", "\"mode\": \"slip\"");
  ASSERT_EQ(slip.size(), 2u);
  EXPECT_NEAR(slip[0], 6.01483399594, 1e-9);
  EXPECT_NEAR(slip[1], 3.00741699797, 1e-9);
  auto const stick = numbers(text, "force", "\"mode\": \"stick\"");
  EXPECT_NEAR(stick[0], 1242.36504150, 1e-6);
  EXPECT_NEAR(stick[1], 744.817541501, 1e-6);
  // As a rigid body that slides: contact, which is unstable, and detached, at B.
  EXPECT_EQ(number(text, "count", "\"rigid\": {"), 2);
  EXPECT_NEAR(numbers(text, "acceleration", "\"rigid\": {").back(), -9.81 + 16 * std::sqrt(.5), 1e-9);
  EXPECT_CONTAINS(text, "\"model\": \"rigid\"");
}

TEST_F(Analyse, LeavesTheNumbersOfEquationsToThePapers) {
  Outcome const outcome = run("analyse " + paradox);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.output, "mu_jam 1.66666667, margin");
  std::regex const equation_number(R"(\([0-9]{2}\))");  // a vector of one component may be a digit
  EXPECT_FALSE(std::regex_search(outcome.output, equation_number)) << outcome.output;
}

TEST_F(Analyse, SaysThatARodThatJamsHasNoRigidSolutionAndPrefersCompliance) {
  Outcome const outcome = run(
      "analyse painleve_rod --at 'rod.initial.angle=45deg, tip_ground.mu=2, rod.initial.angular_velocity=0'");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.output, "this direction JAMS");
  EXPECT_CONTAINS(outcome.output, "no solution; prefer a compliant law");
  EXPECT_CONTAINS(outcome.output, "  0 solutions (exhaustive)");
}

// theory.md, 5.3, at t = 0.04: the force and the state of the run.
TEST_F(Analyse, RunsToATimeFirst) {
  std::string const text = json("painleve_rod --at 0.04");
  EXPECT_NEAR(number(text, "time"), .04, 1e-15);
  auto const force = numbers(text, "force", "\"taken\": true");
  ASSERT_EQ(force.size(), 2u);
  EXPECT_NEAR(force[0], 4.66788824507244, 1e-7);
  EXPECT_NEAR(force[1], 7.77981374178740, 1e-7);
}

// theory.md, section 4.
TEST_F(Analyse, HasTheBoundsOfTheLadderAndOfTheKleinRod) {
  std::string const ladder = json("ladder");
  EXPECT_NEAR(number(ladder, "limit"), .751895854423, 1e-11);
  EXPECT_NEAR(number(ladder, "beta_2"), 1.09901904695, 1e-10);
  EXPECT_CONTAINS(ladder, "\"guaranteed\": true");
  std::string const rod = json("painleve_klein --set lower_guide.mu=0.9 --set upper_guide.mu=0.9");
  EXPECT_NEAR(number(rod, "limit"), .577350269190, 1e-11);
  EXPECT_CONTAINS(rod, "\"exceeded_by\": [\"lower_guide\", \"upper_guide\"]");
  EXPECT_EQ(number(rod, "count", "\"rigid\": {"), 3);
  EXPECT_CONTAINS(rod, "\"unique\": \"no\"");
}

TEST_F(Analyse, TellsWhatIsRedundant) {
  std::string const text = json("four_bar");
  EXPECT_EQ(number(text, "redundant_rows"), 3);
  EXPECT_CONTAINS(run("analyse four_bar").output,
                  "crank_ground, crank_coupler, coupler_rocker, rocker_ground");
}

// A block on two corners that hold it: the forces along the slope are not determined, the motion is.
TEST_F(Analyse, SaysWhereSolutionsDifferInForcesAlone) {
  EXPECT_CONTAINS(run("analyse block_on_slope").output, "they differ only in forces, the motion is the same");
  EXPECT_CONTAINS(json("block_on_slope"), "\"same_motion\": true");
  EXPECT_CONTAINS(json(paradox), "\"same_motion\": false");
}

TEST_F(Analyse, SaysOfACompliantContactThatThereIsNothingToSolve) {
  EXPECT_CONTAINS(run("analyse song_rod").output, "Contact tip_ground: compliant");
}

// One solution where G_B > 0, three where G_A and G_B are negative (Kikuuwe and Brogliato 2017, (120), (121)).
TEST_F(Analyse, MapsTheNumberOfSolutions) {
  Outcome const outcome =
      run("analyse painleve_rod --set rod.initial.angular_velocity=4 --set 'rod.initial.velocity=-1 0' --set "
          "tip_ground.delta=1e-6 --map solutions --over "
          "rod.initial.angle=0.1:1.5:15 --over tip_ground.mu=0.1:2.5:13 -o map.csv --plot map.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  test::expect_picture(read_file(path("map.svg")), "map");
  auto const rows = csv("map.csv");
  ASSERT_EQ(rows.size(), 15u * 13u);
  int three = 0;
  for (auto const& row : rows) {
    double const theta = row[0], mu = row[1], c = std::cos(theta), s = std::sin(theta);
    double const G_A = 9.81 - 16 * s, G_B = 1 + 3 * c * c - 3 * mu * s * c;
    if (std::abs(G_A) < .01 || std::abs(G_B) < .01) continue;
    EXPECT_EQ(row[2], G_B < 0 && G_A < 0 ? 3 : 1) << theta << " " << mu;
    three += row[2] == 3 ? 1 : 0;
  }
  EXPECT_GT(three, 10);
}

TEST_F(Analyse, MapsOverOneParameterAndMinimisesOverIt) {
  ASSERT_EQ(run("analyse painleve_rod --map mu_jam --over rod.initial.angle=10deg:80deg:8 -o map.csv --plot "
                "map.svg")
                .code,
            0);
  for (auto const& row : csv("map.csv")) {
    double const c = std::cos(row[0]), s = std::sin(row[0]);
    EXPECT_NEAR(row[1], (1 + 3 * c * c) / (3 * s * c), 1e-11) << row[0];
  }
  test::expect_picture(read_file(path("map.svg")), "map");
  std::string const text = json("painleve_rod --minimise mu_jam --over rod.initial.angle=10deg:85deg:20");
  EXPECT_NEAR(number(text, "value"), 4.0 / 3, 1e-12);
  EXPECT_NEAR(number(text, "rod.initial.angle"), std::atan(2), 1e-6);
}

// Peiret et al. 2019, Fig. 6: both minima of the arm, from the scene alone.
TEST_F(Analyse, FindsBothMinimaOfTheArticulatedArm) {
  std::string const text = json("articulated_arm --minimise mu_jam");
  std::vector<double> values;
  for (std::size_t at = text.find("\"value\""); at != std::string::npos; at = text.find("\"value\"", at + 1))
    values.push_back(number(text.substr(at), "value"));
  auto const nearest = [&](double wanted) {
    return *std::ranges::min_element(values, {}, [&](double value) { return std::abs(value - wanted); });
  };
  EXPECT_NEAR(nearest(.420786822510), .420786822510, 1e-9);
  EXPECT_NEAR(nearest(.404), .404, 5e-4);
}

// The scene, whose joints are constraints, moved along them, against the paper's own coordinates.
TEST_F(Analyse, MovesAMechanismAlongItsJointsForAMap) {
  ASSERT_EQ(run("analyse articulated_arm --map mu_jam --over 'tip_ground.position[1]=0.3:0.4:3' --over "
                "wrist.angle=-6deg:6deg:3 -o map.csv")
                .code,
            0);
  double const at_A =
      (101.74712323 - 106.29976808) * M_PI / 180;  // theta_3 - theta_2 where wrist.angle is zero
  auto const rows = csv("map.csv");
  ASSERT_EQ(rows.size(), 9u);
  for (auto const& row : rows) {
    double low = 60 * M_PI / 180, high = 140 * M_PI / 180;
    auto const bend = [&](double theta_3) {
      auto const arm = PeiretArm::with_tip_at(row[0], theta_3);
      return arm->theta[2] - arm->theta[1] - (row[1] + at_A);
    };
    for (int i = 0; i < 100; ++i) (bend((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    Eigen::Matrix3d const contact = PeiretArm::with_tip_at(row[0], low)->contact_matrix();
    double const mu_jam = contact(2, 2) / contact.topRightCorner(2, 1).norm();
    EXPECT_NEAR(row[2], mu_jam, 1e-7) << row[0] << " " << row[1];
  }
}

TEST_F(Analyse, DrawsTheConeInThePlaneAndInSpace) {
  ASSERT_EQ(run("analyse " + paradox + " --plot plane.svg").code, 0);
  test::expect_picture(read_file(path("plane.svg")), "plane");
  ASSERT_EQ(run("analyse articulated_arm --plot space.svg --set tip_ground.mu=0.5").code, 0);
  std::string const space = read_file(path("space.svg"));
  test::expect_picture(space, "space");
  EXPECT_CONTAINS(space, "generalised friction cone");
  EXPECT_CONTAINS(space, "section of the cone");
}

TEST_F(Analyse, SaysWhatIsWrongWithItsArguments) {
  EXPECT_CONTAINS(run("analyse painleve_rod --map mu_jamm --over rod.initial.angle=0.1:1:3").errors,
                  "did you mean 'mu_jam'?");
  EXPECT_CONTAINS(run("analyse painleve_rod --map mu_jam --over rod.initial.angel=0.1:1:3").errors,
                  "did you mean 'rod.initial.angle'?");
  EXPECT_CONTAINS(run("analyse painleve_rod --map mu_jam --over rod.initial.angle=0.1:1").errors,
                  "two colons");
  EXPECT_CONTAINS(run("analyse painleve_rod --map mu_jam").errors, "needs one or two --over");
  EXPECT_CONTAINS(run("analyse painleve_rod --over rod.initial.angle=0.1:1:3").errors,
                  "--over needs --map or --minimise");
  EXPECT_CONTAINS(run("analyse painleve_rod --plot a.svg --contact tip").errors, "there are tip_ground");
  EXPECT_EQ(run("analyse block_on_slope --plot a.svg --contact block_slope#2").code, 0);
  EXPECT_CONTAINS(read_file(path("a.svg")), "block_slope#2");
  EXPECT_CONTAINS(run("analyse painleve_rod --at -1").errors, "the scene starts at 0 s");
  EXPECT_EQ(run("analyse painleve_rod --map mu_jam").code, 2);
  EXPECT_EQ(run("analyse painleve_rod --set rod.mass=-1").code, 2);
  EXPECT_EQ(run("analyse painleve_rod --set rod.mass=0").code, 2);
}

}  // namespace
}  // namespace delassus
