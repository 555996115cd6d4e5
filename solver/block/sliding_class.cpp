#include "solver/block/sliding_class.hpp"

#include <cmath>

namespace delassus {
namespace {

int sign(double x, double rounding) {
  return std::abs(x) <= rounding || x == 0 ? 0 : x > 0 ? 1 : -1;
}

}  // namespace

SlidingClass classify_sliding(double A, double B, double rounding_of_A, double rounding_of_B) {
  int const a = sign(A, rounding_of_A), b = sign(B, rounding_of_B);
  SlidingClass found;
  found.infinitely_many = a == 0 && b == 0;
  found.detached = b > 0 || (b == 0 && a != 0);
  found.contact = a * b < 0;
  found.contact_stable = found.contact && a > 0;
  found.rigid = found.detached || found.contact_stable;
  return found;
}

}  // namespace delassus
