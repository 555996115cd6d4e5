// Whether a contact is well-posed: the reduced contact, the generalised friction cone, and where it jams soonest, against
// the numbers of Peiret et al. 2019 in minimal coordinates and through scenes whose joints are constraints.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "solver/analysis/jamming_search.hpp"
#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/rigid_problem.hpp"
#include "solver/time/dynamics.hpp"
#include "tests/support/random_block.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

constexpr double degree = M_PI / 180;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// A scene of the library with its start as state.
struct SceneAtStart {
  Scene scene;
  SceneSystem system{scene};
  std::vector<double> parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q = std::vector<double>(at(scene.configuration_size)),
                      v = std::vector<double>(at(scene.velocity_size));

  explicit SceneAtStart(std::string const& name)
      : scene(read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml")) {
    restart();
  }
  void restart() { system.initial_state(parameters, inputs, q, v); }
  Instant instant() const { return {0, q, v, inputs, parameters}; }
};

Eigen::Matrix3d rod_matrix(double theta) {
  double const c = std::cos(theta), s = std::sin(theta);
  Eigen::Matrix3d A = Eigen::Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN());
  A.topLeftCorner<2, 2>() << 1 + 3 * s * s, -3 * s * c, -3 * s * c, 1 + 3 * c * c;
  return A;
}

// ---- The cone

TEST(FrictionCone, OfTheRodAt45DegreesHasTheNumbersOfPeiret) {
  GeneralisedFrictionCone const cone = generalised_friction_cone(rod_matrix(45 * degree), 2, 2);
  EXPECT_NEAR(cone.mu_crit, .6, 1e-15);                           // (34)
  EXPECT_NEAR(cone.mu_jam, 5. / 3, 1e-15);                        // (36)
  EXPECT_NEAR(cone.locking_angle / degree, 67.1146195238, 1e-9);  // (41), Fig. 3: 67.1
  EXPECT_NEAR(cone.margin(), 5. / 3 - 2, 1e-15);
  EXPECT_EQ(cone.e_jam, Eigen::Vector2d(-1, 0));  // (40)
  // (39): into the jam, and out of it; (38).
  EXPECT_TRUE(cone.jams({-1, 0}));
  EXPECT_FALSE(cone.jams({1, 0}));
  EXPECT_NEAR(cone.normal_answer({-1, 0}), 2.5 - 2 * 1.5, 1e-15);
  EXPECT_EQ(generalised_friction_cone(rod_matrix(45 * degree), 2, 1.6).locking_angle, 0);
}

TEST(FrictionCone, OfTheRodJamsFromFourThirdsOnAtTheLeast) {
  double least = 1e9, where = 0;
  for (double theta = .1; theta < 1.5; theta += 1e-4) {
    double const mu_jam = generalised_friction_cone(rod_matrix(theta), 2, 1).mu_jam;
    if (mu_jam < least) {
      least = mu_jam;
      where = theta;
    }
  }
  EXPECT_NEAR(least, 4. / 3, 1e-8);
  EXPECT_NEAR(std::tan(where), 2, 1e-3);
}

// du = A lambda of a force on the Coulomb cone lies on the generalised one, inside for one inside; (29)-(31) are the
// blocks of Q.
TEST(FrictionCone, HasTheImageOfTheCoulombConeAsItsSurface) {
  test::RandomBlocks random(7);
  for (int i = 0; i < 1000; ++i) {
    Eigen::Matrix3d const A = random.rigid_body_matrix();
    double const mu = random.uniform(.05, 3), angle = random.uniform(0, 6.3);
    GeneralisedFrictionCone const cone = generalised_friction_cone(A, 3, mu);
    ASSERT_TRUE(cone.solid);
    Eigen::Vector2d const e_t(std::cos(angle), std::sin(angle));
    Eigen::Vector3d const du = cone.generator(e_t);
    double const size = du.squaredNorm() * cone.Q.norm();
    EXPECT_NEAR(du.dot(cone.Q * du), 0, 1e-12 * size);
    EXPECT_NEAR(du[2], cone.normal_answer(e_t), 1e-12 * du.norm());
    Eigen::Vector3d const inside = A * Eigen::Vector3d(.5 * mu * e_t[0], .5 * mu * e_t[1], 1);
    EXPECT_LT(inside.dot(cone.Q * inside), 0);
    Eigen::Matrix2d const H = A.topLeftCorner<2, 2>();
    Eigen::Vector2d const h = A.topRightCorner<2, 1>();
    double const a = A(2, 2), m_n = 1 / (a - h.dot(H.inverse() * h));
    Eigen::Matrix2d const M_t = (H - h * h.transpose() / a).inverse();
    Eigen::Matrix2d const Q_t =
        M_t * (Eigen::Matrix2d::Identity() - mu * mu / (a * a) * h * h.transpose()) * M_t;  // (29)
    double const Q_n = (h.dot(H.inverse() * (H.inverse() * h)) - mu * mu) * m_n * m_n;      // (30)
    Eigen::Vector2d const m_tn = -H.inverse() * h * m_n;
    Eigen::Vector2d const Q_tn = (M_t - mu * mu * m_n * Eigen::Matrix2d::Identity()) * m_tn;  // (31)
    EXPECT_LT((cone.Q.topLeftCorner<2, 2>() - Q_t).norm(), 1e-9 * cone.Q.norm());
    EXPECT_NEAR(cone.Q(2, 2), Q_n, 1e-9 * cone.Q.norm());
    EXPECT_LT((cone.Q.topRightCorner<2, 1>() - Q_tn).norm(), 1e-9 * cone.Q.norm());
    // (34) and (36) are where Q_n and det Q_t change their signs.
    EXPECT_EQ(Q_n<0, mu> cone.mu_crit);
    EXPECT_EQ(Q_t.determinant() < 0, mu > cone.mu_jam);
    EXPECT_EQ(cone.locking_angle > 0, mu > cone.mu_jam);
  }
}

TEST(FrictionCone, SaysWhatItIsWhereItDegenerates) {
  Eigen::Matrix3d const ball = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
  GeneralisedFrictionCone const uncoupled = generalised_friction_cone(ball, 3, .5);
  EXPECT_EQ(uncoupled.mu_jam, std::numeric_limits<double>::infinity());
  EXPECT_EQ(uncoupled.mu_crit, 0);
  EXPECT_EQ(uncoupled.e_jam, Eigen::Vector2d::Zero());
  EXPECT_EQ(uncoupled.locking_angle, 0);
  // One direction cannot move: H is singular, and so is A.
  Eigen::Vector3d const w(1, 0, .5), z(0, 0, 1);
  Eigen::Matrix3d const flat = w * w.transpose() + z * z.transpose();
  GeneralisedFrictionCone const cone = generalised_friction_cone(flat, 3, .5);
  EXPECT_FALSE(cone.solid);
  EXPECT_TRUE(cone.Q.isZero(0));
  EXPECT_NEAR(cone.mu_crit, .5, 1e-14);
  EXPECT_NEAR(cone.mu_jam, 2.5, 1e-14);
}

// ---- The arm in minimal coordinates, (42)-(44) with the misprint of link 3 corrected

struct MinimalArm {
  double rho = 1, L1 = .5, L2 = .5, L3 = .1, h = .6, g = 9.81;
  double t1 = 0, t2 = 0, t3 = 0;

  double x() const { return L1 * std::cos(t1) + L2 * std::cos(t2) + L3 * std::cos(t3); }
  // theta_1, theta_2 from x and theta_3, on the branch of configuration A.
  void place(double at_x, double theta_3) {
    t3 = theta_3;
    double const dx = at_x - L3 * std::cos(t3), dz = h - L3 * std::sin(t3);
    double const half = std::acos(std::hypot(dx, dz) / (2 * L1)), middle = std::atan2(dz, dx);
    t1 = middle - half;
    t2 = middle + half;
  }
  Eigen::Matrix3d k() const {
    Eigen::Matrix3d k;
    k << L1 * L1 * (L1 / 3 + L2 + L3), L1 * L2 * (L2 / 2 + L3), L1 * L3 * L3 / 2, 0, L2 * L2 * (L2 / 3 + L3),
        L2 * L3 * L3 / 2, 0, 0, L3 * L3 * L3 / 3;
    return rho * Eigen::Matrix3d(k.selfadjointView<Eigen::Upper>());
  }
  Eigen::Matrix4d M() const {
    Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
    Eigen::Vector3d const t(t1, t2, t3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M(i, j) = k()(i, j) * std::cos(t[i] - t[j]);
    double const c1 = std::cos(t1), c2 = std::cos(t2), c3 = std::cos(t3);
    auto const square = [](double y) { return y * y; };
    M(3, 3) =
        rho * (L1 * L1 * L1 / 3 * c1 * c1 + L2 * L2 * L2 / 12 * c2 * c2 + L2 * square(L1 * c1 + L2 / 2 * c2) +
               L3 * L3 * L3 / 12 * c3 * c3 + L3 * square(L1 * c1 + L2 * c2 + L3 / 2 * c3));  // (43)
    return M;
  }
  Eigen::Matrix<double, 3, 4> J() const {
    Eigen::Matrix<double, 3, 4> J = Eigen::Matrix<double, 3, 4>::Zero();
    J << 0, 0, 0, -x(), -L1 * std::sin(t1), -L2 * std::sin(t2), -L3 * std::sin(t3), 0, -L1 * std::cos(t1),
        -L2 * std::cos(t2), -L3 * std::cos(t3), 0;
    return J;
  }
  Eigen::Matrix3d A() const { return J() * M().inverse() * J().transpose(); }
};

TEST(Arm, HasNoSolutionAndThenTwoAsInEquations46To49) {
  MinimalArm arm;
  arm.place(.340, 101.75 * degree);
  EXPECT_NEAR(arm.t1 / degree, 2.5, .1);
  EXPECT_NEAR(arm.t2 / degree, 106.2, .2);
  // (45): xdot = -1, theta_3' = 0, phidot = 1.
  Eigen::Matrix2d rates;
  rates << arm.J()(1, 0), arm.J()(1, 1), arm.J()(2, 0), arm.J()(2, 1);
  Eigen::Vector2d const thetadot = rates.inverse() * Eigen::Vector2d(-1, 0);
  Eigen::Vector3d const w(thetadot[0], thetadot[1], 0);
  Eigen::Vector2d const e_t = Eigen::Vector2d(-.340, -1).normalized();
  GeneralisedFrictionCone const cone = generalised_friction_cone(arm.A(), 3, .5);
  EXPECT_TRUE(cone.jams(e_t));
  Eigen::Vector3d const per_force = cone.generator(e_t);
  EXPECT_NEAR(per_force[0], .126497, 1e-6);
  EXPECT_NEAR(per_force[1], 8.316328, 1e-6);
  EXPECT_NEAR(per_force[2], -.311758, 1e-6);
  // The print drops the terms of c in phidot and keeps them in Adot v.
  Eigen::Vector3d const t(arm.t1, arm.t2, arm.t3), L(arm.L1, arm.L2, arm.L3);
  Eigen::Vector3d const m = arm.rho * L;
  auto const free_part = [&](double tau_1) {
    Eigen::Vector4d force = Eigen::Vector4d::Zero();
    Eigen::Vector3d const carried(m[0] / 2 + m[1] + m[2], m[1] / 2 + m[2], m[2] / 2);
    Eigen::Vector3d Jdot_v(1, 0, 0);  // -xdot phidot
    for (int i = 0; i < 3; ++i) {
      force[i] = arm.g * L[i] * std::cos(t[i]) * carried[i];
      for (int j = 0; j < 3; ++j) force[i] -= arm.k()(i, j) * std::sin(t[i] - t[j]) * w[j] * w[j];
      Jdot_v[1] -= L[i] * std::cos(t[i]) * w[i] * w[i];
      Jdot_v[2] += L[i] * std::sin(t[i]) * w[i] * w[i];
    }
    force[0] -= tau_1;
    return Eigen::Vector3d(arm.J() * arm.M().inverse() * force + Jdot_v);
  };
  auto const solutions = [&](Eigen::Vector3d const& free) {
    ContactProblem const problem =
        ContactProblem::from_dense(arm.A(), -free, {{0, {ForceSetKind::cone3, .5}}});
    AllSolutionsSettings settings;
    settings.sliding = {e_t};
    AllSolutions const all = all_solutions(problem, settings);
    EXPECT_TRUE(all.exhaustive());
    return all.combined();
  };
  Eigen::Vector3d const falling = free_part(0), lifted = free_part(5);
  EXPECT_LT((falling - Eigen::Vector3d(1, -.016892, -9.766448)).cwiseAbs().maxCoeff(), 1e-6);  // (46)
  EXPECT_TRUE(solutions(falling).empty());                                                     // (47)
  EXPECT_LT((lifted - Eigen::Vector3d(1, 1.262127, 3.222792)).cwiseAbs().maxCoeff(),
            1e-6);                     // (48): prints -1.262
  auto const two = solutions(lifted);  // (49)
  ASSERT_EQ(two.size(), 2U);
  EXPECT_TRUE(two[0].lambda.isZero(0));
  EXPECT_TRUE(two[0].stable);
  EXPECT_NEAR(two[1].lambda[2], 10.337485, 1e-6);
  EXPECT_FALSE(two[1].stable);
  EXPECT_NEAR(two[1].normal_answer[0], -.311758, 1e-6);
}

// ---- Through scenes

TEST(Arm, HasTheSameContactSpaceMatrixWithJointsAsConstraints) {
  SceneAtStart arm("articulated_arm");
  // Without what the minimal coordinates leave out: the turntable's inertia and that of the links about their axes.
  for (double const inertia : {1e-4, 1e-6, 1e-8}) {
    for (int i = 0; i < 3; ++i) arm.parameters[at(arm.scene.bodies[0].inertia + i)] = inertia;
    for (std::size_t link = 1; link < 4; ++link) arm.parameters[at(arm.scene.bodies[link].inertia)] = inertia;
    RigidProblem const rigid = rigid_problem(arm.system, arm.instant());
    ReducedContact const reduced =
        reduce_to_contact(rigid.problem, static_cast<int>(rigid.problem.blocks.size()) - 1);
    ASSERT_EQ(reduced.rows(), 3);
    EXPECT_GT(reduced.eliminated, 18);
    EXPECT_LT(reduced.unmet, 1e-9);
    MinimalArm minimal;
    minimal.rho = 2;
    minimal.t1 = arm.parameters[at(arm.scene.bodies[1].initial_angle) + 1];
    minimal.t2 = arm.parameters[at(arm.scene.bodies[2].initial_angle) + 1];
    minimal.t3 = arm.parameters[at(arm.scene.bodies[3].initial_angle) + 1];
    Eigen::Matrix3d const A = minimal.A();  // its first direction is -y, its second x
    EXPECT_NEAR(reduced.A(0, 0), A(1, 1), 1e-8 * A(1, 1));
    EXPECT_NEAR(reduced.A(0, 2), A(1, 2), 1e-8 * A(1, 1));
    EXPECT_NEAR(reduced.A(2, 2), A(2, 2), 1e-8 * A(1, 1));
    EXPECT_NEAR(reduced.A(1, 1), A(0, 0), 400 * inertia * A(0, 0));
    GeneralisedFrictionCone const cone = generalised_friction_cone(reduced, .5);
    EXPECT_NEAR(cone.mu_jam, .420786822510, 1e-9);
    EXPECT_NEAR(cone.locking_angle / degree, 65.3867, 1e-4);
  }
}

TEST(Arm, HasBothMinimaOfItsJammingCoefficientFoundFromTheScene) {
  SceneAtStart const arm("articulated_arm");
  ConfigurationSearch search;
  search.starts = 24;
  auto const minima = minima_of_mu_jam(arm.system, arm.instant(), 0, search);
  // A third one has its elbow bent the other way, theta_1 > theta_2, which x and theta_3 of their Fig. 6 do not tell.
  ASSERT_EQ(minima.size(), 3U);
  EXPECT_NEAR(minima[2].value, .7655201, 1e-7);        // by random search in minimal coordinates
  EXPECT_NEAR(minima[0].value, .404, 5e-4);            // B
  EXPECT_NEAR(minima[1].value, .420786822510, 1e-11);  // A
  // The angles of the links, positive downward: from their axes, mirrored where the arm points the other way.
  auto const angles = [&](std::vector<double> const& q) {
    std::vector<double> result;
    Instant const there{0, q, arm.v, arm.inputs, arm.parameters};
    Eigen::Vector3d const outward = pose_of(arm.scene, 3, there).point({.05, 0, 0});
    for (int link = 1; link < 4; ++link) {
      Eigen::Vector3d const along = pose_of(arm.scene, link, there).R.col(0);
      double const radial = along.head<2>().dot(outward.head<2>()) / outward.head<2>().norm();
      result.push_back(std::atan2(-along[2], radial) / degree);
    }
    return result;
  };
  auto const B = angles(minima[0].q), A = angles(minima[1].q), other = angles(minima[2].q);
  EXPECT_GT(other[0], other[1]);
  EXPECT_NEAR(A[0], 2.54376167, 2e-5);
  EXPECT_NEAR(A[1], 106.29976808, 2e-5);
  EXPECT_NEAR(A[2], 101.74712323, 2e-5);
  // B in minimal coordinates, where no step aside is lower.
  MinimalArm minimal;
  minimal.t1 = B[0] * degree;
  minimal.t2 = B[1] * degree;
  minimal.t3 = B[2] * degree;
  double const x = minimal.x();
  auto const mu_jam = [&](double dx, double dtheta) {
    MinimalArm there;
    there.place(x + dx, B[2] * degree + dtheta);
    return generalised_friction_cone(there.A(), 3, .5).mu_jam;
  };
  EXPECT_NEAR(mu_jam(0, 0), minima[0].value, 1e-10);
  for (double const step : {1e-4, -1e-4}) {
    EXPECT_GT(mu_jam(step, 0), minima[0].value);
    EXPECT_GT(mu_jam(0, step), minima[0].value);
    EXPECT_GT(mu_jam(step, step), minima[0].value);
    EXPECT_GT(mu_jam(step, -step), minima[0].value);
  }
  std::ostringstream text;
  text.precision(13);
  text << minima[0].value << " at " << B[0] << ' ' << B[1] << ' ' << B[2] << " deg";
  RecordProperty("minimum_B", text.str());
  std::cout << "B: " << text.str() << '\n';
}

// Held in its mode, a sticking neighbour is a joint and a slipping one a force that follows.
TEST(ReducedContact, AnswersAsTheWholeProblemDoesWithTheOthersHeld) {
  test::RandomBlocks random(5);
  for (int i = 0; i < 200; ++i) {
    Eigen::MatrixXd const A = random.matrix_over_decades(9, 2);
    Eigen::VectorXd b(9);
    for (double& x : b) x = random.normal();
    ForceSet const cone{ForceSetKind::cone3, .5};
    ContactProblem const problem =
        ContactProblem::from_dense(A, b, {{0, cone}, {3, {ForceSetKind::free3}}, {6, cone}});
    Solution held;
    held.lambda = Eigen::VectorXd::Zero(9);
    Eigen::Vector2d const e = Eigen::Vector2d(random.normal(), random.normal()).normalized();
    held.lambda.segment<3>(0) << .5 * e, 1;
    for (ContactMode const mode : {ContactMode::detached, ContactMode::stick, ContactMode::slip}) {
      held.modes = {mode, ContactMode::stick, ContactMode::detached};
      ReducedContact const reduced = reduce_to_contact(problem, 2, held);
      if (mode == ContactMode::detached) {
        ReducedContact const alone = reduce_to_contact(problem, 2);
        EXPECT_LT((alone.A - reduced.A).norm(), 1e-10 * A.norm());
      }
      // The whole problem with a force of the third contact given: unknown are the others' forces.
      Eigen::Vector3d const force(random.normal(), random.normal(), random.normal());
      Eigen::MatrixXd M = Eigen::MatrixXd::Identity(9, 9);
      Eigen::VectorXd right = Eigen::VectorXd::Zero(9);
      right.tail<3>() = force;
      int const first = mode == ContactMode::stick ? 0 : 3;
      for (int row = first; row < 6; ++row) {
        M.row(row) = A.row(row);
        right[row] = b[row];
      }
      if (mode == ContactMode::slip) {
        M.row(2) = A.row(2);
        right[2] = b[2];
        M(0, 2) = -.5 * e[0];
        M(1, 2) = -.5 * e[1];
      }
      Eigen::VectorXd const lambda = PivotedLu(M).solve(right);
      Eigen::Vector3d const expected = (A * lambda - b).tail<3>(), eta = reduced.A * force - reduced.b;
      EXPECT_LT((eta - expected).norm(), 1e-7 * (expected.norm() + b.norm()));
    }
  }
}

// ---- Outputs

TEST(ConeOutputs, OfTheRodAreThoseOfPeiretAndOfAnOpenContactTheDocumentedBound) {
  SceneRun run("painleve_rod", {{"rod.initial.angle", 45 * degree}, {"tip_ground.mu", 2}});
  EXPECT_NEAR(run.get("tip_ground.mu_crit"), .6, 1e-12);
  EXPECT_NEAR(run.get("tip_ground.mu_jam"), 5. / 3, 1e-12);
  EXPECT_NEAR(run.get("tip_ground.margin"), 5. / 3 - 2, 1e-12);
  EXPECT_NEAR(run.get("tip_ground.locking_angle") / degree, 67.1146195238, 1e-9);
  // Set again before it is read: what was read is not kept.
  run.set("tip_ground.mu", 1);
  EXPECT_NEAR(run.get("tip_ground.margin"), 5. / 3 - 1, 1e-12);
  EXPECT_EQ(run.get("tip_ground.locking_angle"), 0);
  run.set("rod.initial.position[2]", 1);
  EXPECT_EQ(run.get("tip_ground.mu_jam"), 1 + 10);
  EXPECT_EQ(run.get("tip_ground.margin"), 10);
  EXPECT_EQ(run.get("tip_ground.mu_crit"), 0);
}

TEST(ConeOutputs, FollowTheMotionFromStepToStep) {
  SceneRun run("painleve_rod");
  for (double const t : {.05, .1, .15}) {
    run.run_to(t);
    double const theta = run.get("rod.angle");
    EXPECT_NEAR(run.get("tip_ground.mu_jam"), generalised_friction_cone(rod_matrix(theta), 2, .6).mu_jam,
                1e-12);
  }
}

TEST(ConeOutputs, OfTheArmTakeItsJointsIntoAccount) {
  SceneRun run("articulated_arm", {{"tip_ground.mu", .5}});
  EXPECT_NEAR(run.get("tip_ground.mu_jam"), .420786822510, 1e-9);
  EXPECT_NEAR(run.get("tip_ground.locking_angle") / degree, 65.3867, 1e-4);
}

}  // namespace
}  // namespace delassus
