// What a sweep varies, draws and keeps: against published sequences, closed forms of the distributions, and courses whose
// integrals are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "tools/support/exit_code.hpp"
#include "tools/sweep/kept_quantity.hpp"
#include "tools/sweep/reduction.hpp"
#include "tools/sweep/sample.hpp"
#include "tools/sweep/values.hpp"

namespace delassus {
namespace {

double mean_of(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_of(a)) * (b[i] - mean_of(b));
  return sum / static_cast<double>(a.size());
}

// The sequence of SplitMix64 for the state 1234567, as its reference implementation prints it.
TEST(CounterRandom, IsSplitMix64) {
  CounterRandom const random(1234567);
  EXPECT_EQ(random.bits(0), 6457827717110365317ULL);
  EXPECT_EQ(random.bits(1), 3203168211198807973ULL);
  EXPECT_EQ(random.bits(2), 9817491932198370423ULL);
  EXPECT_EQ(random.bits(3), 4593380528125082431ULL);
  EXPECT_EQ(random.bits(4), 16408922859458223821ULL);
}

TEST(CounterRandom, DrawsOtherNumbersForAnotherSeedRepetitionOrName) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t repetition = 0; repetition < 10; ++repetition) {
      for (char const* const name : {"a", "b"}) seen.insert(CounterRandom(seed, repetition, name).bits(0));
    }
  }
  EXPECT_EQ(seen.size(), 200u);
}

TEST(RandomSample, HasTheMomentsOfTheUniformDistribution) {
  constexpr std::size_t count = 100'000;
  auto const a = random_sample(CounterRandom(1, 0, "a"), count),
             b = random_sample(CounterRandom(1, 0, "b"), count);
  // Four standard deviations of the estimates: 1/sqrt(12 n); sqrt(1/180 / n); 1/12 / sqrt(n).
  EXPECT_NEAR(mean_of(a), .5, 4 / std::sqrt(12.0 * count));
  EXPECT_NEAR(covariance(a, a), 1.0 / 12, 4 * std::sqrt(1.0 / 180 / count));
  EXPECT_NEAR(covariance(a, b), 0, 4 * (1.0 / 12) / std::sqrt(1.0 * count));
  std::vector<double> const before(a.begin(), a.end() - 1), after(a.begin() + 1, a.end());
  EXPECT_NEAR(covariance(before, after), 0, 4 * (1.0 / 12) / std::sqrt(1.0 * count));
  EXPECT_GT(*std::ranges::min_element(a), 0);
  EXPECT_LT(*std::ranges::max_element(a), 1);
}

TEST(LatinSample, HasExactlyOneDrawInEachStratum) {
  for (std::size_t const count : {1u, 2u, 7u, 1000u}) {
    for (char const* const name : {"a", "b", "c"}) {
      std::vector<int> drawn(count, 0);
      for (double const u : latin_sample(CounterRandom(3, 0, name), count))
        ++drawn.at(static_cast<std::size_t>(u * static_cast<double>(count)));
      EXPECT_TRUE(std::ranges::all_of(drawn, [](int number) { return number == 1; })) << count << name;
    }
  }
}

TEST(LatinSample, OrdersTheStrataOfDifferentAxesIndependently) {
  constexpr std::size_t count = 10'000;
  auto const a = latin_sample(CounterRandom(1, 0, "a"), count),
             b = latin_sample(CounterRandom(1, 0, "b"), count);
  EXPECT_NEAR(covariance(a, b), 0, 4 * (1.0 / 12) / std::sqrt(1.0 * count));
  // The mean of a stratified sample is off by 1/sqrt(12 n) / n^(1/2) / ... ~ n^(-3/2), not by n^(-1/2).
  EXPECT_NEAR(mean_of(a), .5, 4 / std::sqrt(12.0) * std::pow(count, -1.5));
  EXPECT_FALSE(std::ranges::is_sorted(a));
}

TEST(Distribution, HasTheQuantilesOfTheNormalDistribution) {
  Distribution const normal{Distribution::Kind::normal, 10, 2};
  EXPECT_NEAR(normal.value(.5), 10, 1e-14);
  EXPECT_NEAR(normal.value(.975), 10 + 2 * 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal.value(.025), 10 - 2 * 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal.value(.8413447460685429), 12, 1e-12);
  EXPECT_NEAR(normal.value(1e-12), 10 - 2 * 7.034483824830, 1e-9);
}

// The mean of a standard normal distribution above zero is sqrt(2/pi), its variance 1 - 2/pi.
TEST(Distribution, CutsTheNormalDistributionOff) {
  Distribution half{Distribution::Kind::normal, 0, 1};
  half.lowest = 0;
  EXPECT_NEAR(half.kept_share(), .5, 1e-15);
  std::vector<double> values;
  for (double const u : latin_sample(CounterRandom(1, 0, "x"), 100'000)) values.push_back(half.value(u));
  EXPECT_NEAR(mean_of(values), std::sqrt(2 / std::numbers::pi), 1e-4);
  EXPECT_NEAR(covariance(values, values), 1 - 2 / std::numbers::pi, 1e-3);
  EXPECT_GE(*std::ranges::min_element(values), 0);
}

TEST(Distribution, IsEvenInTheLogarithmWhereAsked) {
  Distribution const even{Distribution::Kind::log_uniform, .01, 100};
  EXPECT_NEAR(even.value(.5), 1, 1e-14);
  EXPECT_NEAR(even.value(.25), .1, 1e-15);
  EXPECT_NEAR(even.value(.75), 10, 1e-13);
}

TEST(Distribution, DrawsWholeNumbersEquallyOften) {
  Distribution const whole{Distribution::Kind::whole, -2, 3};
  std::map<double, int> drawn;
  for (double const u : latin_sample(CounterRandom(1, 0, "x"), 600)) ++drawn[whole.value(u)];
  EXPECT_EQ(drawn, (std::map<double, int>{{-2, 100}, {-1, 100}, {0, 100}, {1, 100}, {2, 100}, {3, 100}}));
}

// ---- axes and plans

std::unique_ptr<SweepSubject> sliding_block() {
  SubjectRequest request;
  request.model = DELASSUS_SCENES_DIR "/sliding_block.xml";
  return make_sweep_subject(request);
}

class Plan : public testing::Test {
 protected:
  std::unique_ptr<SweepSubject> subject_ = sliding_block();

  SweepPlan plan(std::vector<std::string> const& texts, Sampling const& sampling = {}) const {
    std::vector<SweepAxis> axes;
    for (auto const& text : texts)
      axes.push_back(parse_axis(*subject_, text, sampling.kind != SamplingKind::grid));
    return {std::move(axes), sampling};
  }
  std::vector<std::string> texts(std::string const& text) const {
    std::vector<std::string> values;
    SweepPlan const all = plan({text});
    for (std::size_t run = 0; run < all.runs(); ++run) values.push_back(all.values(run).front().text);
    return values;
  }
  static double number(SweepPlan const& plan, std::size_t run, std::size_t axis) {
    return std::get<double>(plan.values(run)[axis].value);
  }
  std::string refusal(std::string const& text, bool sampled = false) const {
    try {
      parse_axis(*subject_, text, sampled);
    } catch (std::runtime_error const& error) {
      return error.what();
    }
    return "taken";
  }
};

TEST_F(Plan, SpacesARangeEvenlyWithoutStrayDigits) {
  EXPECT_EQ(texts("block_ground.mu=0.1:1:10"),
            (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}));
  EXPECT_EQ(texts("mu=1:0:3"), (std::vector<std::string>{"1", "0.5", "0"}));
  EXPECT_EQ(texts("mu=0.1,0.7,0.2"), (std::vector<std::string>{"0.1", "0.7", "0.2"}));
  EXPECT_EQ(texts("mu=3:5"), (std::vector<std::string>{"3", "4", "5"}));
  EXPECT_EQ(texts("mu=0.5"), (std::vector<std::string>{"0.5"}));
}

TEST_F(Plan, SpacesALogarithmicRangeByEqualFactors) {
  SweepPlan const decades = plan({"mu=0.001:1:4:log"});
  for (std::size_t run = 0; run < 4; ++run)
    EXPECT_NEAR(number(decades, run, 0), std::pow(10, static_cast<double>(run) - 3), 1e-15);
  EXPECT_EQ(number(decades, 0, 0), .001);
  EXPECT_EQ(number(decades, 3, 0), 1);
}

TEST_F(Plan, ReadsAnglesInDegreesAndChoicesByName) {
  SweepPlan const angles = plan({"block.initial.angle=-10deg:10deg:3"});
  EXPECT_NEAR(number(angles, 0, 0), -10 * std::numbers::pi / 180, 1e-16);
  EXPECT_EQ(number(angles, 1, 0), 0);
  EXPECT_EQ(texts("solver.stepper=relaxed,implicit"), (std::vector<std::string>{"relaxed", "implicit"}));
  EXPECT_EQ(texts("solver.stepper=implicit"), (std::vector<std::string>{"implicit"}));
}

TEST_F(Plan, HasAllCombinationsWithTheLastAxisFastest) {
  SweepPlan const grid = plan({"mu=0.1,0.2", "push[1]=1:3"});
  ASSERT_EQ(grid.runs(), 6u);
  std::vector<std::pair<double, double>> found;
  for (std::size_t run = 0; run < 6; ++run) found.emplace_back(number(grid, run, 0), number(grid, run, 1));
  EXPECT_EQ(found,
            (std::vector<std::pair<double, double>>{{.1, 1}, {.1, 2}, {.1, 3}, {.2, 1}, {.2, 2}, {.2, 3}}));
}

TEST_F(Plan, SetsSeveralVariablesTogether) {
  SweepPlan const both = plan({"push[1]+push[2]=1:3"});
  EXPECT_EQ(both.runs(), 3u);
  EXPECT_EQ(both.axes()[0].targets.size(), 2u);
  EXPECT_EQ(both.axes()[0].name, "push[1]+push[2]");
}

TEST_F(Plan, DrawsTheSameForOneSeedWhateverTheOtherAxesSay) {
  SweepPlan const runs = plan({"mu=0.1:1:4", "seed=1:3", "push[1]=2~0.5"});
  ASSERT_EQ(runs.runs(), 12u);
  for (std::size_t run = 0; run < 12; ++run) EXPECT_EQ(number(runs, run, 2), number(runs, run % 3, 2));
  EXPECT_NE(number(runs, 0, 2), number(runs, 1, 2));
  // One axis more changes no draw of the others, and another --seed all of them.
  SweepPlan const more = plan({"seed=1:3", "push[2]=~0:1", "push[1]=2~0.5"});
  for (std::size_t run = 0; run < 3; ++run) EXPECT_EQ(number(more, run, 2), number(runs, run, 2));
  SweepPlan const other = plan({"seed=1:3", "push[1]=2~0.5"}, {.seed = 2});
  for (std::size_t run = 0; run < 3; ++run) EXPECT_NE(number(other, run, 1), number(runs, run, 2));
}

TEST_F(Plan, DrawsAnewForEachRunWithoutASeedAxis) {
  SweepPlan const runs = plan({"mu=0.1:1:10", "push[1]=~0:1"});
  std::set<double> drawn;
  for (std::size_t run = 0; run < runs.runs(); ++run) drawn.insert(number(runs, run, 1));
  EXPECT_EQ(drawn.size(), 10u);
}

TEST_F(Plan, SaysWhenASeedChangesNothing) {
  EXPECT_TRUE(plan({"mu=0.1:1:4", "seed=1:3"}).repeats_in_vain());
  EXPECT_FALSE(plan({"mu=0.1~0.01", "seed=1:3"}).repeats_in_vain());
}

TEST_F(Plan, HasALatinHypercubeForEachSeed) {
  SweepPlan const runs = plan({"mu=0.1:1.1", "push[1]=1:100:log", "seed=5:6"},
                              {.kind = SamplingKind::latin, .runs = 50, .seed = 1});
  ASSERT_EQ(runs.runs(), 100u);
  for (std::size_t seed = 0; seed < 2; ++seed) {
    std::set<int> mu, push;
    for (std::size_t i = 0; i < 50; ++i) {
      std::size_t const run = 50 * seed + i;
      EXPECT_EQ(number(runs, run, 2), 5.0 + static_cast<double>(seed));
      mu.insert(static_cast<int>((number(runs, run, 0) - .1) * 50));
      push.insert(static_cast<int>(std::log10(number(runs, run, 1)) / 2 * 50));
    }
    EXPECT_EQ(mu.size(), 50u);
    EXPECT_EQ(push.size(), 50u);
  }
  EXPECT_NE(number(runs, 0, 0), number(runs, 50, 0));
}

TEST_F(Plan, ChoosesAmongTheValuesOfAListInASample) {
  SweepPlan const runs = plan({"solver.stepper=relaxed,implicit"}, {.kind = SamplingKind::latin, .runs = 40});
  std::map<std::string, int> drawn;
  for (std::size_t run = 0; run < 40; ++run) ++drawn[runs.values(run)[0].text];
  EXPECT_EQ(drawn, (std::map<std::string, int>{{"implicit", 20}, {"relaxed", 20}}));
}

TEST_F(Plan, RefusesWhatItCannotVary) {
  struct Case {
    std::string text, message;
  };
  for (auto const& [text, message] :
       std::vector<Case>{{"mu", "no name or no values"},
                         {"mu=", "no name or no values"},
                         {"mu=0.1:1", "counts only whole numbers"},
                         {"mu=0.1:1:0", "COUNT is '0'"},
                         {"mu=0.1:1:2.5", "COUNT is '2.5'"},
                         {"mu=0.1:1:1", "one value cannot be at both ends"},
                         {"mu=0:1:5:log", "log needs both ends > 0"},
                         {"mu=0.1:1:log", "needs its count"},
                         {"mu=1:2:3:4:5", "two or three parts"},
                         {"mu=0.5~0", "the standard deviation must be > 0"},
                         {"mu=0.5~0.1:9:10", "keep at least a millionth"},
                         {"mu=~1:0.1", "lower end below its upper end"},
                         {"mu=much", "block_ground.mu cannot be 'much'"},
                         {"my=1:2", "the model has no variable 'my'"},
                         {"block_ground.nu=1:2", "did you mean 'block_ground.mu'?"},
                         {"block.position[1]=1:2", "cannot be varied"},
                         {"velocity[1]=1:2", "taken"},  // block.initial.velocity[1]
                         {"seed=0.5:1:3", "seed is a whole number and would be 0.5"},
                         {"seed=0.5,1", "repetitions, which are whole numbers"},
                         {"seed=1~2", "no normal distribution"},
                         {"solver.stepper=1:3", "must be one of"}})
    EXPECT_NE(refusal(text).find(message), std::string::npos) << text << ": " << refusal(text);
  EXPECT_EQ(refusal("mu=0.1:1", true), "taken");
  EXPECT_NE(refusal("angle=0:1:2").find("taken"), std::string::npos);
}

// ---- what is kept

TEST(Reduction, IsExactForLinesBetweenPoints) {
  // Up from 0 to 1 in one second, down to -1 in two.
  std::vector<double> const time{0, 1, 3}, values{0, 1, -1};
  Course const course{time, values};
  auto const value = [&](std::string_view name) {
    auto const all = reductions();
    return std::ranges::find(all, name, &Reduction::name)->value(course);
  };
  EXPECT_EQ(value("final"), -1);
  EXPECT_EQ(value("start"), 0);
  EXPECT_EQ(value("min"), -1);
  EXPECT_EQ(value("max"), 1);
  EXPECT_EQ(value("time_of_max"), 1);
  EXPECT_EQ(value("time_of_min"), 3);
  EXPECT_DOUBLE_EQ(value("integral"), .5);
  EXPECT_DOUBLE_EQ(value("mean"), .5 / 3);
  EXPECT_DOUBLE_EQ(value("rms"), std::sqrt(1.0 / 3));  // each line's square has the mean 1/3
  EXPECT_EQ(value("changes"), 2);
}

class Kept : public testing::Test {
 protected:
  // u rises from 0 to 4 in four steps of a second; the mode is detached, stick, slip, slip, detached.
  Kept() {
    auto const& series = subject_->series();
    std::size_t const constants = static_cast<std::size_t>(std::ranges::count_if(
        subject_->parts()[0].signals.signals(),
        [](auto const& signal) { return signal.is_number() && signal.causality == "parameter"; }));
    std::size_t const columns = series.size() - constants;
    for (std::size_t i = 0; i < columns; ++i) run_.table.names.push_back(series[i].name);
    for (int row = 0; row < 5; ++row) {
      std::vector<double> values(columns, 0.0);
      for (std::size_t i = 0; i < columns; ++i) {
        if (series[i].name == "push[1]") values[i] = row;
        if (series[i].name == "block.position[1]") values[i] = 2 - row;
        if (series[i].name == "block_ground.mode")
          values[i] = mode({"detached", "stick", "slip", "slip", "detached"}, row, series[i]);
      }
      run_.table.add_row(row, values);
    }
    for (std::size_t i = columns; i < series.size(); ++i)
      run_.constants.push_back(series[i].name == "block_ground.mu" ? .4 : 0);
  }
  static double mode(std::vector<std::string> const& names, int row, SubjectSeries const& series) {
    auto const found =
        std::ranges::find(series.items, names[static_cast<std::size_t>(row)], &SignalItem::name);
    EXPECT_NE(found, series.items.end());
    return static_cast<double>(found->value);
  }
  double value(std::string const& text) const { return parse_kept(*subject_, text).at(0).value(run_); }
  std::string refusal(std::string const& text) const {
    try {
      parse_kept(*subject_, text);
    } catch (std::runtime_error const& error) {
      return error.what();
    }
    return "taken";
  }

  std::unique_ptr<SweepSubject> subject_ = sliding_block();
  SubjectRun run_;
};

TEST_F(Kept, TakesTheFinalValueOfWhatChanges) {
  EXPECT_EQ(value("push[1]"), 4);
  EXPECT_EQ(value("final(push[1])"), 4);
  EXPECT_EQ(value("block_ground.mu"), .4);
  EXPECT_EQ(value("time"), 4);
  EXPECT_EQ(parse_kept(*subject_, "push").size(), 2u);
  EXPECT_EQ(parse_kept(*subject_, "push")[1].text, "push[2]");
}

TEST_F(Kept, Calculates) {
  EXPECT_EQ(value("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("2e-3 * 1e3"), 2);
  EXPECT_NEAR(value("cos(60deg)"), .5, 1e-15);
  EXPECT_EQ(value("hypot(3, 4)"), 5);
  EXPECT_EQ(value("max(abs(block.position[1]))"), 2);
  EXPECT_EQ(value("max(push[1]) - min(push[1])"), 4);
  EXPECT_EQ(value("mean(push[1])"), 2);
  EXPECT_NEAR(value("rms(push[1] - mean(push[1]))"), std::sqrt(4.0 / 3), 1e-15);
  EXPECT_EQ(value("max(min(push[1], 2))"), 2);
  EXPECT_EQ(value("time_of_max('push[1]')"), 4);
}

TEST_F(Kept, FindsWhenAndHowOftenAConditionHolds) {
  EXPECT_EQ(value("first(push[1] > 2.5)"), 2.5);
  EXPECT_EQ(value("first(block.position[1] = 0.25)"), 1.75);
  EXPECT_EQ(value("first(block.position[1] < block_ground.mu)"), 1.6);
  EXPECT_EQ(value("first(push[1] >= 0)"), 0);
  EXPECT_TRUE(std::isnan(value("first(push[1] > 9)")));
  EXPECT_EQ(value("duration(push[1] > 2.5)"), 1.5);
  EXPECT_EQ(value("first(block_ground.mode = slip)"), 2);
  EXPECT_EQ(value("duration(block_ground.mode = slip)"), 2);
  EXPECT_EQ(value("count(block_ground.mode != detached)"), 1);
  EXPECT_EQ(value("count(block_ground.mode = detached)"), 2);
  EXPECT_EQ(value("changes(block_ground.mode)"), 3);
}

TEST_F(Kept, KnowsUnits) {
  EXPECT_EQ(parse_kept(*subject_, "max(block.position[1])")[0].unit, "m");
  EXPECT_EQ(parse_kept(*subject_, "time_of_max(block.position[1])")[0].unit, "s");
  EXPECT_EQ(parse_kept(*subject_, "block.position[1] * push[1]")[0].unit, "");
}

TEST_F(Kept, RefusesWhatItCannotRead) {
  struct Case {
    std::string text, message;
  };
  for (auto const& [text, message] :
       std::vector<Case>{{"push[3]", "the model has no variable 'push[3]'; did you mean 'push["},
                         {"max(push)", "push is an array; name one of its elements"},
                         {"max(push[1]", "')' was expected at character 12"},
                         {"biggest(push[1])", "there is no function 'biggest'"},
                         {"first(push[1])", "needs a condition"},
                         {"1 +", "a value was expected"},
                         {"push[1] push[2]", "an operator or the end was expected"},
                         {"sin(1, 2)", "sin is no function of two values"},
                         {"'push[1]", "an apostrophe is not closed"},
                         {"push[1", "a bracket is not closed"},
                         {"12x", "a number was expected"}})
    EXPECT_NE(refusal(text).find(message), std::string::npos) << text << ": " << refusal(text);
}

}  // namespace
}  // namespace delassus
