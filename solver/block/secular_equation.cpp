#include "solver/block/secular_equation.hpp"

#include <algorithm>
#include <limits>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The caller refines the roots on the raw data; Newton's last step leaves an error about the square of it.
constexpr double root_tolerance = 1e-7;
// D is flat at its extremum, so half the digits of s give all digits of D there.
constexpr double extremum_tolerance = 1e-5;

// The larger and the smaller root of x2 s^2 + x1 s + x0, without cancellation. False: none is real.
bool quadratic_roots(double x2, double x1, double x0, double& smaller, double& larger) {
  double const discriminant = x1 * x1 - 4 * x2 * x0;
  if (!(discriminant >= 0)) return false;
  double const half = -0.5 * (x1 + std::copysign(std::sqrt(discriminant), x1));
  double const first = x2 != 0 ? half / x2 : std::copysign(infinity, half);
  double const second = half != 0 ? x0 / half : 0.0;
  smaller = std::min(first, second);
  larger = std::max(first, second);
  return true;
}

// The zero of a function between `low` and `high`, where it has the signs `sign_low` and -sign_low: Newton,
// and bisection where Newton would leave the bracket or shrinks it too slowly. 200 halvings exhaust the
// doubles of a bracket. Ends when a step is below `tolerance` of s.
template <class Function, class Slope>
double bracketed_zero(Function const& function, Slope const& slope, double low, double high, double sign_low,
                      double tolerance) {
  double s = 0.5 * (low + high);
  double last_step = high - low;
  for (int iteration = 0; iteration < 200; ++iteration) {
    double const value = function(s);
    if (value == 0) return s;
    (value * sign_low > 0 ? low : high) = s;
    double const derivative = slope(s);
    double step = -value / derivative;
    double next = s + step;
    if (!(next > low && next < high) || !(std::abs(step) <= 0.5 * last_step)) {
      next = 0.5 * (low + high);
      step = next - s;
    }
    last_step = std::abs(step);
    if (next == s || last_step <= tolerance * s) return next;
    s = next;
  }
  return s;
}

// Halley's method from s. Negative: it left (low, high), or did not converge.
double halley_root(SecularEquation const& secular, double s, double low, double high, double& N) {
  for (int iteration = 0; iteration < 8; ++iteration) {
    auto const step = secular.halley(s);
    s += step.length;
    if (!(step.useful && s > low && s < high)) return -1;
    N = step.N;
    // The error after the step is about the cube of the step's.
    if (step.near && std::abs(step.length) <= 1e-3 * s) return s;
  }
  return -1;
}

}  // namespace

double SecularEquation::a_root(double size) const {
  if (!(qq > 0)) return -1;
  double s = root_of_isotropic();
  for (int iteration = 1; iteration < 12; ++iteration) {
    Step const step = halley(s);
    // A falling L / R, far to the left of the root: the climb of `smallest_root` is for such cases.
    if (!(step.N > 0 && step.useful)) return smallest_root(size);
    s += step.length;
    s = s > 0 ? s : 0;
    // The error after the step is about the cube of the step's.
    if (iteration > 1 && step.near && std::abs(step.length) <= 1e-2 * s) return s;
  }
  return smallest_root(size);
}

bool SecularEquation::certainly_alone(double s) const {
  double const margin = 1e-4;
  double const r2 = R_squared(s);
  double const r = std::sqrt(r2);
  double const l_slope = 2 * l2 * s + l1;
  double const c0 = 2 * (r * l_slope - (pq + qq * s));
  double const c1 = l_slope * l_slope + 2 * r * l2 - qq;
  double const c2 = 2 * l_slope * l2;
  bool const none_below = l0 * r < (1 - margin) * (pp + pq * s);
  bool const none_above = c1 >= 0 || c1 * c1 < (4 - margin) * c0 * c2;
  return none_below && none_above && l2 > 0 && l_slope > 0 && c0 > margin * r * l_slope;
}

double SecularEquation::smallest_root(double size) const {
  double s = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    double const r = R(s);
    double const tangent_slope = r > 0 ? (pq + qq * s) / r : std::sqrt(qq);
    double smaller, larger;
    if (!quadratic_roots(l2, l1 - tangent_slope, l0 - r + tangent_slope * s, smaller, larger))
      return iteration > 0 ? s : -1;
    if (!(larger > s)) return s;
    double const step = larger - s;
    s = larger;
    if (step <= 1e-5 * s && step <= 1e-5 * size) return s;
  }
  return -1;
}

bool SecularEquation::roots_of_concave(bool stick_admissible, SecularRoots& roots) const {
  double N = 0;
  double const first = halley_root(*this, root_of_isotropic(), 0, infinity, N);
  if (!(first > 0 && N < 0)) return false;
  if (stick_admissible) {
    roots.s[0] = first;
    roots.count = 1;
    return true;
  }
  double const second = halley_root(*this, 0, 0, first, N);
  // Two that nearly coincide are for the extremum between them to tell apart.
  if (!(second > 0 && second < 0.99 * first && N > 0)) return false;
  roots.s[0] = second;
  roots.s[1] = first;
  roots.count = 2;
  return true;
}

SecularRoots SecularEquation::all_roots(bool stick_admissible) const {
  SecularRoots roots;
  if (l2 < 0 && qq > 0 && roots_of_concave(stick_admissible, roots)) return roots;
  double const p = std::sqrt(pp);
  double const q = std::sqrt(qq);
  auto const value = [this](double s) { return D(s); };
  auto const first_derivative = [this](double s) { return slope(s); };
  auto const second_derivative = [this](double s) {
    double const r = R(s);
    return 2 * l2 - cross * cross / (r * r * r);
  };

  // Beyond `high` D keeps its sign.
  double high = 0, smaller = 0, larger = 0;
  bool const rises_at_infinity = l2 > 0 || (l2 == 0 && l1 > q);
  if (rises_at_infinity) {
    // R <= p + q s, so D is positive where L - p - q s is.
    if (quadratic_roots(l2, l1 - q, l0 - p, smaller, larger)) high = l2 > 0 ? larger : (p - l0) / (l1 - q);
  } else {
    // R >= its asymptote q s + pq / q, so D is negative where L is below that.
    if (q == 0) return roots;
    if (l2 == 0 && l1 == q) {
      high = l0 > pq / q ? p / q : 0;
      while (high > 0 && D(high) < 0 && high < 1e100) high *= 2;
    } else if (l2 == 0) {
      high = (l0 - pq / q) / (q - l1);
    } else if (quadratic_roots(l2, l1 - q, l0 - pq / q, smaller, larger)) {
      high = larger;
    }
  }
  if (!(high > 0)) {
    // Rounding has the last word where the admissible stick and its slip fall together.
    if (stick_admissible == rises_at_infinity || l2 < 0) return roots;
    high = 0;
  }
  high = std::min(high * (1 + 1e-12), 1e150);

  // The breakpoints between which D is monotone: zero, maximum of the concave part, inflection, minimum of
  // the convex part.
  std::array<double, 5> breakpoint{};
  int pieces = 0;
  double inflection = high;
  if (l2 > 0) {
    inflection = 0;
    double const K = cross * cross;
    // As a multiple of p: the cube root of a number without unit is the same in all units.
    double const radius = p > 0 ? p * elementary::cbrt(K / (2 * l2 * p * p * p)) : 0;
    if (radius > p && quadratic_roots(qq, 2 * pq, pp - radius * radius, smaller, larger))
      inflection = std::clamp(larger, 0.0, high);
  }
  if (inflection > 0 && slope(0) > 0 && slope(inflection) < 0) {
    breakpoint[static_cast<std::size_t>(++pieces)] =
        bracketed_zero(first_derivative, second_derivative, 0, inflection, 1, extremum_tolerance);
  }
  if (inflection > 0 && inflection < high) breakpoint[static_cast<std::size_t>(++pieces)] = inflection;
  if (inflection < high && slope(inflection) < 0 && slope(high) > 0) {
    breakpoint[static_cast<std::size_t>(++pieces)] =
        bracketed_zero(first_derivative, second_derivative, inflection, high, -1, extremum_tolerance);
  }
  breakpoint[static_cast<std::size_t>(++pieces)] = high;

  bool positive = stick_admissible;
  for (int piece = 1; piece <= pieces; ++piece) {
    double const low = breakpoint[static_cast<std::size_t>(piece - 1)];
    double const end = breakpoint[static_cast<std::size_t>(piece)];
    bool const positive_end =
        piece == pieces ? (l2 != 0 ? rises_at_infinity : D(end) > 0 || rises_at_infinity) : D(end) > 0;
    if (positive != positive_end) {
      roots.s[static_cast<std::size_t>(roots.count++)] =
          end > low ? bracketed_zero(value, first_derivative, low, end, positive ? 1 : -1, root_tolerance)
                    : low;
    }
    positive = positive_end;
  }
  return roots;
}

}  // namespace delassus
