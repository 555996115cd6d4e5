// The two-mass oscillator of the co-simulation literature (Busch 2012; Schweizer, Li and Lu 2015): two masses on springs,
// coupled by a spring and a damper, each mass in an FMU of its own. Subsystems are linear, so what a master makes of them
// is a linear recursion z(k+1) = G z(k) with exact flows of the subsystems (matrix exponentials), computed here apart
// from the code under test: the master's trajectory must be that recursion, stable and unstable where it is.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <unsupported/Eigen/MatrixFunctions>

#include "tests/support/coupled_fmu.hpp"
#include "tools/simulate/simulation.hpp"

namespace delassus {
namespace {

using test::column;
using test::SystemBuilder;

constexpr double m1 = 1, c1 = 30, d1 = 0.1, m2 = 2, c2 = 50, d2 = 0.2, c = 40, d = 0.3;
Eigen::Vector4d const z0(0.3, 0, -0.1, 0.5);  // x1, v1, x2, v2

// Where the coupling spring is known.
enum class Coupling {
  displacement,        // both subsystems have it, and get the other's position and velocity
  force_displacement,  // the second has it, and gives its force to the first
};

std::string mass_scene(std::string const& name, double mass, double stiffness, double damping,
                       double position, double velocity, int forces) {
  std::string inputs;
  for (int i = 1; i <= forces; ++i) inputs += fmt::format("<force name=\"force_{}\" point=\"mass\"/>", i);
  return fmt::format(
      R"(<scene name="{}"><experiment stop="1" step="0.01"/><solver stepper="relaxed" tolerance="1e-13"/>
<body name="wall" type="fixed"><initial position="-10 0"/></body>
<body name="mass" type="slider" axis="x" mass="{}"><initial position="{}" velocity="{}"/></body>
<spring name="spring" a="mass" b="wall" stiffness="{}" damping="{}" length="10"/>{}</scene>)",
      name, mass, position, velocity, stiffness, damping, inputs);
}

// Packed once: a package takes longer than a run.
std::shared_ptr<RunnableModel> model_of(std::string const& xml, int version) {
  static std::map<std::pair<std::string, int>, std::shared_ptr<RunnableModel>> known;
  auto& model = known[{xml, version}];
  if (!model) {
    TemporaryFolder const folder;
    write_file(folder.path() / "mass.xml", xml);
    model = std::make_shared<RunnableModel>((folder.path() / "mass.xml").string(), version);
  }
  return model;
}

void build(SystemBuilder& builder, Coupling coupling, int version) {
  bool const both = coupling == Coupling::displacement;
  builder.add_model("one", model_of(mass_scene("one", m1, both ? c1 + c : c1, both ? d1 + d : d1, z0[0],
                                               z0[1], both ? 2 : 4),
                                    version));
  builder.add_model("two", model_of(mass_scene("two", m2, c2 + c, d2 + d, z0[2], z0[3], 2), version));
  builder.connect("two.mass.position", "one.force_1", c);
  builder.connect("two.mass.velocity", "one.force_2", d);
  builder.connect("one.mass.position", "two.force_1", c);
  builder.connect("one.mass.velocity", "two.force_2", d);
  if (both) return;
  // The force c (x2 - x1) + d (v2 - v1) is the second's, so x1 and v1 are as old in it as everything else.
  builder.connect("one.mass.position", "one.force_3", -c);
  builder.connect("one.mass.velocity", "one.force_4", -d);
}

// The exact flow of m x'' + d x' + c x = u(s) over h, u(s) = u0 + u1 s + u2 s^2.
struct Flow {
  Eigen::Matrix2d state;
  Eigen::Matrix<double, 2, 3> input;

  Flow(double mass, double stiffness, double damping, double h) {
    Eigen::Matrix<double, 5, 5> generator = Eigen::Matrix<double, 5, 5>::Zero();
    generator(0, 1) = 1;
    generator(1, 0) = -stiffness / mass;
    generator(1, 1) = -damping / mass;
    generator(1, 2) = 1 / mass;
    generator(2, 3) = 1;  // u' = u1 + 2 u2 s
    generator(3, 4) = 2;
    Eigen::Matrix<double, 5, 5> const flow = (generator * h).exp();
    state = flow.topLeftCorner<2, 2>();
    input = flow.topRightCorner<2, 3>();
  }
};

Eigen::Matrix4d whole() {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 1) = A(2, 3) = 1;
  A.row(1) << -(c1 + c) / m1, -(d1 + d) / m1, c / m1, d / m1;
  A.row(3) << c / m2, d / m2, -(c2 + c) / m2, -(d2 + d) / m2;
  return A;
}

Eigen::Vector4d exact(double time) {
  return (whole() * time).exp() * z0;
}

// The recursion, step by step on a history of states: newest first.
class Scheme {
 public:
  Scheme(Coupling coupling, CosimAlgorithm algorithm, int degree, double h, bool held_mean = false)
      : coupling_(coupling),
        algorithm_(algorithm),
        degree_(degree),
        h_(h),
        held_mean_(held_mean),
        one_(m1, coupling == Coupling::displacement ? c1 + c : c1,
             coupling == Coupling::displacement ? d1 + d : d1, h),
        two_(m2, c2 + c, d2 + d, h) {}

  // z(k+1) from z(k), z(k-1), z(k-2), of which `known` exist.
  Eigen::Vector4d step(std::vector<Eigen::Vector4d> const& z) const {
    auto const force_1 = [&](Eigen::Vector4d const& at) {
      double const other = c * at[2] + d * at[3];
      return coupling_ == Coupling::displacement ? other : other - c * at[0] - d * at[1];
    };
    auto const force_2 = [&](Eigen::Vector4d const& at) { return c * at[0] + d * at[1]; };
    Eigen::Vector4d next = z[0];
    if (algorithm_ == CosimAlgorithm::implicit) {
      // Linear: the fixed point by elimination, from five evaluations.
      auto const map = [&](Eigen::Vector4d const& guess) {
        Eigen::Vector4d result;
        result.head<2>() = flow(one_, z[0].head<2>(), ended(force_1, z, guess));
        result.tail<2>() = flow(two_, z[0].tail<2>(), ended(force_2, z, guess));
        return result;
      };
      Eigen::Vector4d const at_zero = map(Eigen::Vector4d::Zero());
      Eigen::Matrix4d slope;
      for (int i = 0; i < 4; ++i) slope.col(i) = map(Eigen::Vector4d::Unit(i)) - at_zero;
      return (Eigen::Matrix4d::Identity() - slope).lu().solve(at_zero);
    }
    next.head<2>() = flow(one_, z[0].head<2>(), extrapolated(force_1, z));
    next.tail<2>() =
        flow(two_, z[0].tail<2>(),
             algorithm_ == CosimAlgorithm::jacobi ? extrapolated(force_2, z) : ended(force_2, z, next));
    return next;
  }

  // Largest eigenvalue of the recursion, of full history.
  double spectral_radius() const {
    int const points = degree_ + 1;
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(4 * points, 4 * points);
    for (int i = 0; i < 4 * points; ++i) {
      std::vector<Eigen::Vector4d> history(static_cast<std::size_t>(points), Eigen::Vector4d::Zero());
      history[static_cast<std::size_t>(i / 4)][i % 4] = 1;
      G.col(i).head<4>() = step(history);
      for (int k = 1; k < points; ++k) G.col(i).segment<4>(4 * k) = history[static_cast<std::size_t>(k - 1)];
    }
    return G.eigenvalues().cwiseAbs().maxCoeff();
  }

 private:
  Eigen::Vector2d flow(Flow const& subsystem, Eigen::Vector2d const& state, Eigen::Vector3d u) const {
    if (held_mean_) u = {u[0] + u[1] * h_ / 2 + u[2] * h_ * h_ / 3, 0, 0};
    return subsystem.state * state + subsystem.input * u;
  }
  // Through the values at 0, -h, -2h. At the start the FMUs tell the derivatives of their outputs instead.
  template <typename Force>
  Eigen::Vector3d extrapolated(Force const& force, std::vector<Eigen::Vector4d> const& z) const {
    int const degree = std::min(degree_, static_cast<int>(z.size()) - 1);
    double const f0 = force(z[0]);
    if (degree_ > 0 && degree == 0) return {f0, force(whole() * z[0]), 0};
    if (degree == 0) return {f0, 0, 0};
    double const f1 = force(z[1]);
    if (degree == 1) return {f0, (f0 - f1) / h_, 0};
    double const f2 = force(z[2]);
    return {f0, (3 * f0 - 4 * f1 + f2) / (2 * h_), (f0 - 2 * f1 + f2) / (2 * h_ * h_)};
  }
  // Through the values at h, 0, -h; of degree 0 that at h.
  template <typename Force>
  Eigen::Vector3d ended(Force const& force, std::vector<Eigen::Vector4d> const& z,
                        Eigen::Vector4d const& end) const {
    double const f0 = force(z[0]), f = force(end);
    if (degree_ == 0) return {f, 0, 0};
    if (degree_ == 1) return {f0, (f - f0) / h_, 0};
    if (z.size() < 2) {
      double const slope = force(whole() * z[0]);
      return {f0, slope, ((f - f0) / h_ - slope) / h_};
    }
    double const f1 = force(z[1]);
    return {f0, (f - f1) / (2 * h_), (f - 2 * f0 + f1) / (2 * h_ * h_)};
  }

  Coupling coupling_;
  CosimAlgorithm algorithm_;
  int degree_;
  double h_;
  bool held_mean_;
  Flow one_, two_;
};

std::vector<Eigen::Vector4d> recursion(Scheme const& scheme, int steps) {
  std::vector<Eigen::Vector4d> history{z0}, all{z0};
  for (int k = 0; k < steps; ++k) {
    all.push_back(scheme.step(history));
    history.insert(history.begin(), all.back());
    if (history.size() > 3) history.pop_back();
  }
  return all;
}

std::vector<Eigen::Vector4d> run(Coupling coupling, CosimAlgorithm algorithm, int degree, double h, int steps,
                                 int version) {
  SystemBuilder builder;
  build(builder, coupling, version);
  CosimPlan plan = builder.plan(steps * h, h);
  plan.algorithm = algorithm;
  plan.extrapolation = degree;
  plan.order = {0, 1};
  plan.loop_tolerance = 1e-13;
  CosimResult const result = run_cosimulation(builder.system, plan);
  EXPECT_FALSE(result.failure) << *result.failure;
  auto const& x1 = column(result.table, "one.mass.position");
  auto const& v1 = column(result.table, "one.mass.velocity");
  auto const& x2 = column(result.table, "two.mass.position");
  auto const& v2 = column(result.table, "two.mass.velocity");
  std::vector<Eigen::Vector4d> all;
  for (std::size_t k = 0; k < x1.size(); ++k) all.emplace_back(x1[k], v1[k], x2[k], v2[k]);
  return all;
}

void expect_same(std::vector<Eigen::Vector4d> const& ours, std::vector<Eigen::Vector4d> const& expected,
                 std::string const& what) {
  ASSERT_EQ(ours.size(), expected.size()) << what;
  double magnitude = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    magnitude = std::max(magnitude, expected[k].lpNorm<Eigen::Infinity>());
    ASSERT_LT((ours[k] - expected[k]).lpNorm<Eigen::Infinity>(), 2e-10 * magnitude) << what << ", step " << k;
  }
}

TEST(CosimOscillator, IsTheRecursionOfItsSchemeInEveryVersion) {
  for (Coupling const coupling : {Coupling::displacement, Coupling::force_displacement}) {
    for (auto const algorithm :
         {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel, CosimAlgorithm::implicit}) {
      for (int const degree : {0, 1, 2}) {
        for (int const version : {0, 2, 3}) {
          double const h = 0.02;
          int const steps = 60;
          Scheme const scheme(coupling, algorithm, degree, h, version == 3 && degree > 0);
          expect_same(run(coupling, algorithm, degree, h, steps, version), recursion(scheme, steps),
                      fmt::format("coupling {} algorithm {} degree {} FMI {}", static_cast<int>(coupling),
                                  static_cast<int>(algorithm), degree, version));
        }
      }
    }
  }
}

// The step from which on a scheme is unstable, by bisection of the spectral radius.
double limit_of(Coupling coupling, CosimAlgorithm algorithm, int degree) {
  double low = 1e-4, high = 1e-4;
  auto const stable = [&](double h) { return Scheme(coupling, algorithm, degree, h).spectral_radius() < 1; };
  while (stable(high) && high < 2) high *= 1.1;
  low = high / 1.1;
  for (int i = 0; i < 50; ++i) (stable((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

TEST(CosimOscillator, IsStableAndUnstableWhereTheSpectralRadiusSaysSo) {
  struct Case {
    Coupling coupling;
    CosimAlgorithm algorithm;
    int degree;
  };
  for (auto const& [coupling, algorithm, degree] :
       {Case{Coupling::force_displacement, CosimAlgorithm::jacobi, 0},
        Case{Coupling::force_displacement, CosimAlgorithm::gauss_seidel, 0},
        Case{Coupling::displacement, CosimAlgorithm::jacobi, 0},
        Case{Coupling::displacement, CosimAlgorithm::gauss_seidel, 1}}) {
    double const limit = limit_of(coupling, algorithm, degree);
    ASSERT_LT(limit, 1.9) << "no limit found";
    for (double const factor : {0.5, 2.0}) {
      double const h = factor * limit;
      double const radius = Scheme(coupling, algorithm, degree, h).spectral_radius();
      ASSERT_EQ(radius > 1, factor > 1);
      // Growth by exp(18): a run ends where a body is faster than light.
      int const steps = std::min(8000, static_cast<int>(18 / std::abs(std::log(radius))));
      auto const states = run(coupling, algorithm, degree, h, steps, 0);
      // Largest in the last quarter beside the second one: modes beat.
      auto const largest = [&](std::size_t quarter) {
        double norm = 0;
        for (std::size_t k = quarter * states.size() / 4; k < (quarter + 1) * states.size() / 4; ++k)
          norm = std::max(norm, states[k].norm());
        return norm;
      };
      double const growth = largest(3) / largest(1);
      EXPECT_EQ(growth > 1, factor > 1)
          << "h " << h << " limit " << limit << " radius " << radius << " growth " << growth;
      // What grows is soon the fastest mode alone; what decays is a mixture for long.
      if (factor > 1) {
        EXPECT_NEAR(std::log(growth) / (0.5 * steps), std::log(radius), 0.2 * std::abs(std::log(radius)))
            << "h " << h << " limit " << limit;
      }
    }
  }
}

TEST(CosimOscillator, ConvergesWithTheOrderOfItsInputs) {
  struct Case {
    CosimAlgorithm algorithm;
    int degree, version;
    double order;
  };
  double const end = 0.8;
  std::map<std::pair<CosimAlgorithm, int>, double> finest;
  for (auto const& [algorithm, degree, version, order] :
       {Case{CosimAlgorithm::jacobi, 0, 2, 1}, Case{CosimAlgorithm::gauss_seidel, 0, 2, 1},
        Case{CosimAlgorithm::jacobi, 1, 2, 2}, Case{CosimAlgorithm::gauss_seidel, 1, 2, 2},
        Case{CosimAlgorithm::gauss_seidel, 1, 3, 2}, Case{CosimAlgorithm::implicit, 1, 2, 2},
        Case{CosimAlgorithm::jacobi, 2, 2, 3}, Case{CosimAlgorithm::gauss_seidel, 2, 2, 3}}) {
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      int const steps = i == 0 ? 160 : 320;
      errors[i] =
          (run(Coupling::displacement, algorithm, degree, end / steps, steps, version).back() - exact(end))
              .norm();
    }
    double const measured = std::log2(errors[0] / errors[1]);
    EXPECT_GT(measured, order - 0.25) << "algorithm " << static_cast<int>(algorithm) << " degree " << degree
                                      << " FMI " << version << " errors " << errors[0] << " " << errors[1];
    EXPECT_LT(measured, order + 0.3) << "algorithm " << static_cast<int>(algorithm) << " degree " << degree;
    if (version == 2) finest[{algorithm, degree}] = errors[1];
  }
  for (auto const algorithm : {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel}) {
    EXPECT_LT((finest[{algorithm, 1}]), 0.1 * (finest[{algorithm, 0}]));
    EXPECT_LT((finest[{algorithm, 2}]), (finest[{algorithm, 1}]));
  }
}

TEST(CosimOscillator, KeepsToTheToleranceOfAdaptiveSteps) {
  for (double const tolerance : {1e-4, 1e-6}) {
    SystemBuilder builder;
    build(builder, Coupling::displacement, 2);
    CosimPlan plan = builder.plan(1, 0.01);
    plan.step_tolerance = tolerance;
    plan.extrapolation = 1;
    plan.output_step = 0.25;
    CosimResult const result = run_cosimulation(builder.system, plan);
    ASSERT_FALSE(result.failure) << *result.failure;
    ASSERT_EQ(result.table.time, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    Eigen::Vector4d const end(
        column(result.table, "one.mass.position").back(), column(result.table, "one.mass.velocity").back(),
        column(result.table, "two.mass.position").back(), column(result.table, "two.mass.velocity").back());
    double const error = (end - exact(1)).norm();
    // Errors of all steps add up; far better than wanted would mean that the estimate is no estimate.
    EXPECT_LT(error, 5 * tolerance * static_cast<double>(result.counts.steps));
    EXPECT_GT(error, 0.01 * tolerance);
    EXPECT_GT(result.counts.smallest_step, 0);
    EXPECT_GT(result.counts.largest_step, result.counts.smallest_step);
  }
}

// Two blocks in one scene with a spring between them and dry friction, beside one scene for each of them.
TEST(CosimOscillator, ConvergesToTheSceneThatHasBothMassesAndFriction) {
  auto const block = [](std::string const& name, double position, double velocity, double wall,
                        double stiffness) {
    return fmt::format(
        R"(<body name="wall_{0}" type="fixed"><initial position="{3} 0"/></body>
<body name="{0}" type="slider" axis="x" mass="1"><initial position="{1}" velocity="{2}"/></body>
<spring name="spring_{0}" a="{0}" b="wall_{0}" stiffness="{4}" damping="0.5" length="10"/>
<friction name="friction_{0}" point="{0}" bound="0.5"/>)",
        name, position, velocity, wall, stiffness);
  };
  std::string const head =
      R"(<scene name="blocks"><experiment stop="1" step="0.01"/><solver stepper="relaxed" tolerance="1e-10"/>)";
  // Each block has its wall ten metres away and the partner's spring as one to its own origin.
  std::string const coupled_1 =
      head + block("a", 0.4, 0, -10, 20) +
      R"(<spring name="pair" a="a" b="wall_a" stiffness="15" length="10"/><force name="push" point="a"/></scene>)";
  std::string const coupled_2 =
      head + block("b", 0, 1, -10, 30) +
      R"(<spring name="pair" a="b" b="wall_b" stiffness="15" length="10"/><force name="push" point="b"/></scene>)";
  // Together: a at x, b at 5 + x, the spring between them five metres long.
  std::string const both = head + block("a", 0.4, 0, -10, 20) + block("b", 5, 1, -5, 30) +
                           R"(<spring name="pair" a="a" b="b" stiffness="15" length="5"/></scene>)";
  SystemBuilder whole;
  whole.add_model("both", model_of(both, 0));
  CosimResult const reference = run_cosimulation(whole.system, whole.plan(1, 0.01));
  ASSERT_FALSE(reference.failure) << *reference.failure;
  double const a = column(reference.table, "both.a.position").back(),
               b = column(reference.table, "both.b.position").back() - 5;
  std::vector<double> errors;
  for (auto const& [algorithm, degree] :
       {std::pair(CosimAlgorithm::jacobi, 0), std::pair(CosimAlgorithm::gauss_seidel, 1)}) {
    for (double const h : {0.01, 0.005}) {
      SystemBuilder builder;
      builder.add_model("first", model_of(coupled_1, 2));
      builder.add_model("second", model_of(coupled_2, 3));
      builder.connect("first.a.position", "second.push", 15);
      builder.connect("second.b.position", "first.push", 15);
      CosimPlan plan = builder.plan(1, h);
      plan.algorithm = algorithm;
      plan.extrapolation = degree;
      CosimResult const result = run_cosimulation(builder.system, plan);
      ASSERT_FALSE(result.failure) << *result.failure;
      errors.push_back(std::hypot(column(result.table, "first.a.position").back() - a,
                                  column(result.table, "second.b.position").back() - b));
    }
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1, 0.3) << errors[0] << " " << errors[1];
  EXPECT_LT(errors[3], 0.1 * errors[1]) << errors[2] << " " << errors[3];
}

}  // namespace
}  // namespace delassus
