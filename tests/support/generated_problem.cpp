#include "tests/support/generated_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/body_rows.hpp"
#include "tests/support/unsolvable_problem.hpp"

namespace delassus::test {
namespace {

constexpr int most_contacts = 60;
constexpr double quarter = std::numbers::pi / 2;

double over_decades(RandomBlocks& random, double low, double high) {
  return std::pow(10.0, random.uniform(low, high));
}

// How unequal things are differs from problem to problem.
double random_decades(RandomBlocks& random) {
  constexpr std::array<double, 4> decades{0, 1, 3, 6};
  return decades[static_cast<std::size_t>(random.integer(0, 3))];
}

// mu of the contacts of a problem: one number or one for each.
class Frictions {
 public:
  explicit Frictions(RandomBlocks& random)
      : random_(random), common_(random_mu(random)), each_(random.integer(0, 2) == 0) {}
  double operator()() { return each_ ? random_mu(random_) : common_; }

 private:
  RandomBlocks& random_;
  double common_;
  bool each_;
};

bool is_directed(ForceSetKind kind) {
  return kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3;
}

bool is_double_cone(ForceSetKind kind) {
  return kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}

// ---- Solutions to make a problem from

struct ForceAndMotion {
  Eigen::VectorXd lambda, eta;
};

ForceAndMotion random_solution(RandomBlocks& random, ForceSet const& set, double compliance,
                               ContactMode mode) {
  int const rows = rows_of(set.kind);
  int const tangential = rows - (has_normal(set.kind) ? 1 : 0);
  double const load = over_decades(random, -1, 1);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(rows), eta = Eigen::VectorXd::Zero(rows);
  auto const motion = [&] { return compliance * load * over_decades(random, -2, 1); };
  if (is_free(set.kind)) {
    for (double& x : lambda) x = load * random.normal();
    return {lambda, eta};
  }
  // A bilateral contact without force still lets nothing pass along its normal, and slides as it likes.
  if (has_normal(set.kind) && mode == ContactMode::detached) {
    double const speed = motion();
    for (double& x : eta) x = speed * random.normal();
    eta[rows - 1] = is_double_cone(set.kind) ? 0 : std::abs(eta[rows - 1]);
    return {lambda, eta};
  }
  if (is_directed(set.kind)) {
    double const speed = motion();
    for (double& x : eta.head(tangential)) x = speed * random.normal();
    for (int i = 0; i < tangential; ++i) lambda[i] = set.direction[static_cast<std::size_t>(i)] * load;
    lambda[tangential] = load;
    return {lambda, eta};
  }
  Eigen::VectorXd direction(tangential);
  for (double& x : direction) x = random.normal();
  if (tangential > 0) direction.normalize();
  bool const slips = mode == ContactMode::slip;
  double const bound = has_normal(set.kind) ? set.limit * load : set.limit;
  lambda.head(tangential) = (slips ? 1 : std::sqrt(random.uniform(0, 1))) * bound * direction;
  if (slips) eta.head(tangential) = -motion() * direction;
  if (has_normal(set.kind)) lambda[rows - 1] = load;
  if (is_double_cone(set.kind) && random.integer(0, 1) == 0) lambda[rows - 1] = -load;
  return {lambda, eta};
}

// Sets b. In which modes the blocks are differs from problem to problem.
Eigen::VectorXd make_from_solution(RandomBlocks& random, ContactProblem& problem) {
  double const detached = random.uniform(0, 0.6), slipping = random.uniform(0, 1);
  Eigen::VectorXd lambda(problem.b.size()), eta(problem.b.size());
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    ProblemBlock const& block = problem.blocks[k];
    ContactMode const mode = random.uniform(0, 1) < detached   ? ContactMode::detached
                             : random.uniform(0, 1) < slipping ? ContactMode::slip
                                                               : ContactMode::stick;
    double const compliance = problem.A.diagonal(k).trace() / block.rows();
    auto const [force, motion] = random_solution(random, block.set, compliance, mode);
    lambda.segment(block.first, block.rows()) = force;
    eta.segment(block.first, block.rows()) = motion;
  }
  problem.A.multiply(problem.blocks, lambda, problem.b);
  problem.b -= eta;
  return lambda;
}

// ---- Problems without bodies

std::vector<ProblemBlock> random_blocks(RandomBlocks& random, int count,
                                        std::vector<ForceSetKind> const& kinds) {
  Frictions mu(random);
  std::vector<ProblemBlock> blocks;
  int rows = 0;
  for (int k = 0; k < count; ++k) {
    ForceSet set;
    set.kind = kinds[static_cast<std::size_t>(random.integer(0, static_cast<int>(kinds.size()) - 1))];
    bool const bounded = set.kind == ForceSetKind::interval || set.kind == ForceSetKind::disc;
    set.limit = bounded ? over_decades(random, -2, 1) : mu();
    if (is_directed(set.kind)) {
      double const angle = random.uniform(0, 4 * quarter);
      set.direction = {set.limit * std::cos(angle), set.limit * std::sin(angle)};
    }
    blocks.push_back({rows, set});
    rows += rows_of(set.kind);
  }
  return blocks;
}

// Symmetric and positive definite or, where it is to be singular, of low rank.
Eigen::MatrixXd random_matrix(RandomBlocks& random, int rows, bool singular) {
  if (!singular) return random.matrix_over_decades(rows, random_decades(random));
  Eigen::MatrixXd W(random.integer(1, rows), rows);
  double const decades = random_decades(random) / 2;
  for (auto row : W.rowwise()) {
    double const size = over_decades(random, -decades, 0);
    for (double& x : row) x = size * random.normal();
  }
  Eigen::MatrixXd const A = W.transpose() * W;
  return 0.5 * (A + A.transpose());
}

GeneratedProblem dense_problem(RandomBlocks& random, int most, std::vector<ForceSetKind> const& kinds,
                               bool singular) {
  std::vector<ProblemBlock> const blocks = random_blocks(random, random_size(random, most), kinds);
  int const rows = blocks.back().first + blocks.back().rows();
  Eigen::MatrixXd const A = random_matrix(random, rows, singular);
  Eigen::VectorXd b(rows);
  double const tilt = random.uniform(-1, 3);
  for (double& x : b) x = random.normal();
  for (ProblemBlock const& block : blocks)
    if (has_normal(block.set.kind)) b[block.first + block.rows() - 1] += tilt;
  GeneratedProblem result{ContactProblem::from_dense(A, b, blocks), {}};
  if (singular || random.integer(0, 2) == 0) result.known = make_from_solution(random, result.problem);
  return result;
}

// Half of the blocks on average, and at least one, are directed frictions or double cones.
GeneratedProblem pathless(RandomBlocks& random, bool singular) {
  using enum ForceSetKind;
  std::vector<ForceSetKind> const kinds{
      half_line, interval,  disc,      cone2,     cone3,        free1,        free2,        free3,
      directed2, directed2, directed3, directed3, double_cone2, double_cone2, double_cone3, double_cone3};
  std::vector<ProblemBlock> blocks;
  auto const has_no_path = [](ProblemBlock const& block) {
    return is_directed(block.set.kind) || is_double_cone(block.set.kind);
  };
  do {
    blocks = random_blocks(random, random.integer(2, 6), kinds);
  } while (std::none_of(blocks.begin(), blocks.end(), has_no_path));
  int const rows = blocks.back().first + blocks.back().rows();
  Eigen::MatrixXd const A = random_matrix(random, rows, singular);
  GeneratedProblem result{ContactProblem::from_dense(A, Eigen::VectorXd::Zero(rows), blocks), {}};
  result.known = make_from_solution(random, result.problem);
  return result;
}

// ---- Problems of bodies

// What moves the bodies of a problem in one step without contact: gravity along the last of the
// `translations` velocities, and what they had.
Eigen::VectorXd free_motion(RandomBlocks& random, int bodies, int translations, int freedoms) {
  double const gravity = over_decades(random, -2, 0), other = gravity * over_decades(random, -3, 0.5);
  bool const at_rest = random.integer(0, 2) == 0;
  Eigen::VectorXd v = Eigen::VectorXd::Zero(bodies * freedoms);
  for (int i = 0; i < bodies; ++i) {
    if (!at_rest)
      for (double& x : v.segment(freedoms * i, freedoms)) x = other * random.normal();
    v[freedoms * i + translations - 1] -= gravity;
  }
  return v;
}

// b of bodies at rest or in motion, with gaps or overlaps of the contacts; any b will do.
void set_motion(RandomBlocks& random, BodyRows const& rows, ContactProblem& problem) {
  problem.b = -rows.relative(free_motion(random, rows.bodies(), 3, 6));
  double const gap = random.integer(0, 1) == 0 ? 0 : problem.b.norm() * over_decades(random, -6, -1);
  for (ProblemBlock const& block : problem.blocks)
    problem.b[block.first + block.rows() - 1] -= gap * random.normal();
}

GeneratedProblem from_rows(RandomBlocks& random, BodyRows const& rows, bool from_solution) {
  GeneratedProblem result{rows.problem(), {}};
  if (from_solution)
    result.known = make_from_solution(random, result.problem);
  else
    set_motion(random, rows, result.problem);
  return result;
}

// Mass and moments of inertia of a body of about this size.
Eigen::VectorXd random_mass(RandomBlocks& random, double decades, double size, bool sphere) {
  double const mass = over_decades(random, -decades, 0);
  Eigen::VectorXd diagonal = Eigen::VectorXd::Constant(6, mass);
  for (double& moment : diagonal.tail(3)) moment *= size * size * (sphere ? 0.4 : random.uniform(0.2, 1));
  return diagonal;
}

GeneratedProblem tower(RandomBlocks& random) {
  int const boxes = random_size(random, most_contacts / 4);
  double const decades = random_decades(random);
  Frictions mu(random);
  BodyRows rows;
  Eigen::Vector3d below(0.5, 0.5, 0);
  for (int k = 0; k < boxes; ++k) {
    Eigen::Vector3d const half(random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.1, 0.5));
    int const body = rows.add_body(random_mass(random, decades, half.norm(), false));
    Eigen::Vector3d const reach = half.cwiseMin(below);
    double const friction = mu();
    for (int corner = 0; corner < 4; ++corner) {
      double const x = corner % 2 == 0 ? reach[0] : -reach[0], y = corner < 2 ? reach[1] : -reach[1];
      Eigen::Matrix3d const frame = contact_frame(Eigen::Vector3d::UnitZ());
      rows.add_block({ForceSetKind::cone3, friction});
      rows.add_term(body, point_rows(frame, {x, y, -half[2]}));
      rows.add_term(body - 1, -point_rows(frame, {x, y, below[2]}));
    }
    below = half;
  }
  return from_rows(random, rows, random.integer(0, 3) == 0);
}

// Which bodies touch: each one of those before it or the ground, -1, and further pairs at random.
std::vector<std::array<int, 2>> random_pairs(RandomBlocks& random, int bodies, int contacts) {
  std::vector<std::array<int, 2>> pairs;
  for (int k = 0; k < contacts; ++k) {
    int const one = k < bodies ? k : random.integer(0, bodies - 1);
    int const other =
        k < bodies ? random.integer(std::max(-1, k - 4), k - 1) : random.integer(-1, bodies - 1);
    pairs.push_back({one, other == one ? -1 : other});
  }
  return pairs;
}

GeneratedProblem touching_bodies(RandomBlocks& random, bool spheres, std::vector<ForceSetKind> const& kinds) {
  int const contacts = random_size(random, most_contacts);
  int const bodies = std::max(1, static_cast<int>(contacts * random.uniform(0.2, 1)));
  double const decades = random_decades(random);
  std::vector<ProblemBlock> const blocks = random_blocks(random, contacts, kinds);
  bool const from_solution = kinds.size() > 1 || random.integer(0, 3) == 0;
  BodyRows rows;
  std::vector<Eigen::Vector3d> centres;
  for (int i = 0; i < bodies; ++i) {
    rows.add_body(random_mass(random, decades, 0.5, spheres));
    centres.push_back(random_vector(random));
  }
  Eigen::Vector3d const ground(0, 0, -4);
  auto const pairs = random_pairs(random, bodies, contacts);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    auto const [one, other] = pairs[k];
    ForceSet const& set = blocks[k].set;
    Eigen::Vector3d const apart = centres[static_cast<std::size_t>(one)] -
                                  (other < 0 ? ground : centres[static_cast<std::size_t>(other)]);
    // Where all bodies move away from a common centre in proportion to their distance, two of them part by
    // `apart`: within the dual cone of the contact where the normal is near enough to it.
    Eigen::Vector3d normal = apart.normalized(), arm = -0.4 * apart, other_arm = 0.6 * apart;
    if (!spheres) {
      double const most = from_solution ? 2 * quarter : 0.9 * std::atan2(1, set.limit);
      normal = Eigen::AngleAxisd(random.uniform(0, most), normal.cross(random_vector(random)).normalized()) *
               normal;
      arm = 0.5 * random_vector(random);
      other_arm = 0.5 * random_vector(random);
    }
    Eigen::Matrix3d const frame = contact_frame(normal, random.uniform(0, 6));
    rows.add_block(set);
    rows.add_term(one, point_rows(frame, arm).bottomRows(rows_of(set.kind)));
    rows.add_term(other, -point_rows(frame, other_arm).bottomRows(rows_of(set.kind)));
  }
  return from_rows(random, rows, from_solution);
}

GeneratedProblem one_body(RandomBlocks& random) {
  int const contacts = random_size(random, most_contacts);
  bool const from_solution = random.integer(0, 2) == 0;
  Frictions mu(random);
  BodyRows rows;
  rows.add_body(random_mass(random, 6, 1, false));
  for (int k = 0; k < contacts; ++k) {
    double const friction = mu();
    // The body can be lifted off contacts whose normals are near enough to the vertical.
    double const tilt = random.uniform(0, from_solution ? 2 * quarter : 0.9 * std::atan2(1, friction));
    double const around = random.uniform(0, 4 * quarter);
    Eigen::Vector3d const normal(std::sin(tilt) * std::cos(around), std::sin(tilt) * std::sin(around),
                                 std::cos(tilt));
    rows.add_block({ForceSetKind::cone3, friction});
    rows.add_term(0, point_rows(contact_frame(normal), random_vector(random)));
  }
  return from_rows(random, rows, from_solution);
}

GeneratedProblem planar(RandomBlocks& random) {
  int const contacts = random_size(random, most_contacts);
  int const bodies = std::max(1, static_cast<int>(contacts * random.uniform(0.2, 1)));
  double const decades = random_decades(random);
  using enum ForceSetKind;
  auto const blocks =
      random_blocks(random, contacts, {cone2, cone2, cone2, cone2, half_line, interval, free1});
  BodyRows rows;
  for (int i = 0; i < bodies; ++i) {
    double const mass = over_decades(random, -decades, 0);
    rows.add_body(Eigen::Vector3d(mass, mass, mass * random.uniform(0.05, 0.5)));
  }
  auto const pairs = random_pairs(random, bodies, contacts);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    double const angle = random.uniform(0, 4 * quarter);
    Eigen::Matrix2d const frame = Eigen::Rotation2Dd(angle).toRotationMatrix();
    rows.add_block(blocks[k].set);
    for (double const sign : {1.0, -1.0}) {
      Eigen::Vector2d const arm(random.normal(), random.normal());
      Eigen::Matrix<double, 2, 3> J;
      J << frame, frame * Eigen::Vector2d(-arm[1], arm[0]);
      rows.add_term(pairs[k][sign > 0 ? 0 : 1], sign * J.bottomRows(rows_of(blocks[k].set.kind)));
    }
  }
  GeneratedProblem result{rows.problem(), {}};
  result.problem.b = -rows.relative(free_motion(random, bodies, 2, 3));
  return result;
}

}  // namespace

int random_size(RandomBlocks& random, int most) {
  return static_cast<int>(std::exp(random.uniform(0, std::log(most + 0.999))));
}

double random_mu(RandomBlocks& random) {
  int const draw = random.integer(0, 9);
  return draw == 0 ? 0 : draw < 5 ? random.uniform(0.1, 0.8) : random.uniform(0, 2);
}

Eigen::Vector3d random_vector(RandomBlocks& random) {
  double const x = random.normal(), y = random.normal(), z = random.normal();
  return {x, y, z};
}

GeneratedProblem generate_problem(ProblemFamily family, unsigned seed, int index) {
  RandomBlocks random(seed * 1'000'003U + static_cast<unsigned>(family) * 100'003U +
                      static_cast<unsigned>(index));
  using enum ForceSetKind;
  std::vector<ForceSetKind> const cones{cone3};
  std::vector<ForceSetKind> const all{half_line, interval, disc, cone2, cone3, cone3, free1, free2, free3};
  switch (family) {
    case ProblemFamily::dense:
      return dense_problem(random, most_contacts / 2, cones, false);
    case ProblemFamily::singular:
      return dense_problem(random, most_contacts / 2, cones, true);
    case ProblemFamily::tower:
      return tower(random);
    case ProblemFamily::spheres:
      return touching_bodies(random, true, cones);
    case ProblemFamily::bodies:
      return touching_bodies(random, false, cones);
    case ProblemFamily::one_body:
      return one_body(random);
    case ProblemFamily::mixed:
      return index % 2 == 0 ? touching_bodies(random, false, all)
                            : dense_problem(random, most_contacts / 2, all, index % 4 == 1);
    case ProblemFamily::planar:
      return planar(random);
    case ProblemFamily::pathless:
      return pathless(random, index % 2 == 1);
    case ProblemFamily::unsupported:
    case ProblemFamily::contradictory:
    case ProblemFamily::pinched:
    case ProblemFamily::paradox:
      break;
  }
  return {unsolvable_problem(family, random), {}};
}

}  // namespace delassus::test
