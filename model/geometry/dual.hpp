// A dual number: a value with its derivative along one direction. The model is a template over its scalar,
// `double` or Dual, so that the equations of a scene are written once and can be differentiated.
//
// Comparisons look only at values. Branches (which feature touches, which argument of a maximum) are taken as
// without derivatives, and the derivative is that of the branch taken.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "model/numbers/elementary.hpp"

namespace delassus {

// `sqrt(x)` works for both scalars: the library function for a double, a friend below for a Dual.
using elementary::acos;
using elementary::acosh;
using elementary::atan2;
using elementary::cos;
using elementary::exp;
using elementary::pow;
using elementary::sin;
using elementary::tanh;
using std::abs;
using std::copysign;
using std::isfinite;
using std::sqrt;

struct Dual {
  double value = 0, derivative = 0;

  constexpr Dual() = default;
  constexpr Dual(double of_value) : value(of_value) {}  // NOLINT: a number is a constant
  constexpr Dual(double of_value, double of_derivative) : value(of_value), derivative(of_derivative) {}

  Dual& operator+=(Dual const& x) {
    value += x.value;
    derivative += x.derivative;
    return *this;
  }
  Dual& operator-=(Dual const& x) {
    value -= x.value;
    derivative -= x.derivative;
    return *this;
  }
  Dual& operator*=(Dual const& x) { return *this = *this * x; }
  Dual& operator/=(Dual const& x) { return *this = *this / x; }

  friend constexpr Dual operator+(Dual const& x) { return x; }
  friend constexpr Dual operator-(Dual const& x) { return {-x.value, -x.derivative}; }
  friend constexpr Dual operator+(Dual const& x, Dual const& y) {
    return {x.value + y.value, x.derivative + y.derivative};
  }
  friend constexpr Dual operator-(Dual const& x, Dual const& y) {
    return {x.value - y.value, x.derivative - y.derivative};
  }
  friend constexpr Dual operator*(Dual const& x, Dual const& y) {
    return {x.value * y.value, x.derivative * y.value + x.value * y.derivative};
  }
  friend constexpr Dual operator/(Dual const& x, Dual const& y) {
    double const quotient = x.value / y.value;
    return {quotient, (x.derivative - quotient * y.derivative) / y.value};
  }

  friend constexpr bool operator==(Dual const& x, Dual const& y) { return x.value == y.value; }
  friend constexpr bool operator<(Dual const& x, Dual const& y) { return x.value < y.value; }
  friend constexpr bool operator>(Dual const& x, Dual const& y) { return x.value > y.value; }
  friend constexpr bool operator<=(Dual const& x, Dual const& y) { return x.value <= y.value; }
  friend constexpr bool operator>=(Dual const& x, Dual const& y) { return x.value >= y.value; }

  // At zero the square root has a derivative only if its argument does not change. The norm of a zero vector
  // therefore counts as constant.
  friend Dual sqrt(Dual const& x) {
    double const root = std::sqrt(x.value);
    return {root, x.value == 0 && x.derivative == 0 ? 0 : x.derivative / (2 * root)};
  }
  friend Dual abs(Dual const& x) { return x.value < 0 ? -x : x; }
  friend Dual sin(Dual const& x) {
    return {elementary::sin(x.value), elementary::cos(x.value) * x.derivative};
  }
  friend Dual cos(Dual const& x) {
    return {elementary::cos(x.value), -elementary::sin(x.value) * x.derivative};
  }
  friend Dual acos(Dual const& x) {
    return {elementary::acos(x.value), -x.derivative / std::sqrt(1 - x.value * x.value)};
  }
  friend Dual acosh(Dual const& x) {
    return {elementary::acosh(x.value), x.derivative / std::sqrt(x.value * x.value - 1)};
  }
  friend Dual atan2(Dual const& y, Dual const& x) {
    return {elementary::atan2(y.value, x.value),
            (x.value * y.derivative - y.value * x.derivative) / (x.value * x.value + y.value * y.value)};
  }
  friend Dual exp(Dual const& x) {
    double const power = elementary::exp(x.value);
    return {power, power * x.derivative};
  }
  friend Dual tanh(Dual const& x) {
    double const t = elementary::tanh(x.value);
    return {t, (1 - t * t) * x.derivative};
  }
  // For a positive base.
  friend Dual pow(Dual const& x, Dual const& y) {
    double const power = elementary::pow(x.value, y.value);
    return {power, power * (y.derivative * elementary::log(x.value) + y.value * x.derivative / x.value)};
  }
  // The sign is locally constant.
  friend Dual copysign(Dual const& x, Dual const& y) {
    return std::signbit(x.value) == std::signbit(y.value) ? x : -x;
  }
  friend bool isfinite(Dual const& x) { return std::isfinite(x.value); }
};

constexpr double value_of(double x) {
  return x;
}
constexpr double value_of(Dual const& x) {
  return x.value;
}

// The smaller and the larger of two. If they are equal up to rounding (the corners of a face that lies flat),
// the derivatives decide.
constexpr double smaller(double x, double y) {
  return y < x ? y : x;
}
constexpr double larger(double x, double y) {
  return x < y ? y : x;
}
inline Dual smaller(Dual const& x, Dual const& y) {
  double const gap = y.value - x.value;
  bool const equal =
      std::isfinite(gap) && std::abs(gap) <= 1e-13 * (std::abs(x.value) + std::abs(y.value)) + 1e-15;
  return (equal ? y.derivative < x.derivative : gap < 0) ? y : x;
}
inline Dual larger(Dual const& x, Dual const& y) {
  return -smaller(-x, -y);
}

template <class Scalar>
using Vector2 = Eigen::Matrix<Scalar, 2, 1>;
template <class Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
template <class Scalar>
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;

// The values of a vector or matrix.
template <class Derived>
auto values_of(Eigen::MatrixBase<Derived> const& x) {
  return x.unaryExpr([](typename Derived::Scalar const& each) { return value_of(each); });
}

}  // namespace delassus

namespace Eigen {

template <>
struct NumTraits<delassus::Dual> : NumTraits<double> {
  using Real = delassus::Dual;
  using NonInteger = delassus::Dual;
  using Nested = delassus::Dual;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 4
  };
};

template <class BinaryOperation>
struct ScalarBinaryOpTraits<delassus::Dual, double, BinaryOperation> {
  using ReturnType = delassus::Dual;
};
template <class BinaryOperation>
struct ScalarBinaryOpTraits<double, delassus::Dual, BinaryOperation> {
  using ReturnType = delassus::Dual;
};

}  // namespace Eigen
