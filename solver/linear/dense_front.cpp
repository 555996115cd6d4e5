#include "solver/linear/dense_front.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "solver/linear/number_pair.hpp"

namespace delassus {
namespace {

using Index = std::ptrdiff_t;
using Column = Eigen::Map<Eigen::ArrayXd>;

// Columns of a front that are eliminated before the rest of it is brought up to date.
constexpr int panel = 8;
// Rows of a front that is worth panels at all.
constexpr int smallest_with_panels = 24;
// The same of a symmetric one, which is one body after the other.
constexpr int symmetric_panel = 6;

// y -= x a
inline void subtract_multiple(double* y, double const* x, double a, Index rows) {
  Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    store_pair(load_pair(y + i) - load_pair(x + i) * a, y + i);
    store_pair(load_pair(y + i + 2) - load_pair(x + i + 2) * a, y + i + 2);
  }
  for (; i < rows; ++i) y[i] -= x[i] * a;
}

// The row of the largest number from `begin` to `end`, or -1 where that is zero or no number.
Index find_pivot(double const* column, Index begin, Index end) {
  Index best = begin;
  for (Index i = begin + 1; i < end; ++i) {
    if (std::abs(column[i]) > std::abs(column[best])) best = i;
  }
  double const largest = std::abs(column[best]);
  return largest > 0 && std::isfinite(largest) ? best : -1;
}

// target -= L u, with the columns of L `stride` apart.
void subtract_product(double* target, double const* L, Index stride, double const* u, int columns,
                      Index rows) {
  Column out(target, rows);
  auto const l = [&](int k) { return Eigen::Map<const Eigen::ArrayXd>(L + k * stride, rows); };
  int k = 0;
  for (; k + 8 <= columns; k += 8) {
    out -= ((l(k) * u[k] + l(k + 1) * u[k + 1]) + (l(k + 2) * u[k + 2] + l(k + 3) * u[k + 3])) +
           ((l(k + 4) * u[k + 4] + l(k + 5) * u[k + 5]) + (l(k + 6) * u[k + 6] + l(k + 7) * u[k + 7]));
  }
  for (; k + 2 <= columns; k += 2) out -= l(k) * u[k] + l(k + 1) * u[k + 1];
  if (k < columns) out -= l(k) * u[k];
}

// target -= L u, as `subtract_product`, where u is a row of L: for columns so short that what is done once for each of
// them counts. Their number is known to the compiler.
template <int columns>
[[gnu::always_inline]] inline void subtract_short_product(double* target, double const* L, double const* u,
                                                          Index stride, Index rows) {
  Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    NumberPair low = load_pair(target + i), high = load_pair(target + i + 2);
    double const* l = L + i;
    double const* factor = u;
#pragma GCC unroll 6
    for (int k = 0; k < columns; ++k, l += stride, factor += stride) {
      low -= load_pair(l) * *factor;
      high -= load_pair(l + 2) * *factor;
    }
    store_pair(low, target + i);
    store_pair(high, target + i + 2);
  }
  if (i + 2 <= rows) {
    NumberPair low = load_pair(target + i);
    double const* l = L + i;
    double const* factor = u;
#pragma GCC unroll 6
    for (int k = 0; k < columns; ++k, l += stride, factor += stride) low -= load_pair(l) * *factor;
    store_pair(low, target + i);
    i += 2;
  }
  if (i < rows) {
    for (int k = 0; k < columns; ++k) target[i] -= L[i + k * stride] * u[k * stride];
  }
}

// Calls `work` with `number`, which is from 1 to `most`, as a constant.
template <int most, class Work>
void with_known_number(Index number, Work const& work) {
  if (number == most) return work(std::integral_constant<int, most>());
  if constexpr (most > 1) with_known_number<most - 1>(number, work);
}

inline void multiply(double* x, double a, Index size) {
  Index i = 0;
  for (; i + 2 <= size; i += 2) store_pair(load_pair(x + i) * a, x + i);
  if (i < size) x[i] *= a;
}

inline double dot(double const* x, double const* y, Index size) {
  NumberPair low = {0, 0}, high = {0, 0};
  Index i = 0;
  for (; i + 4 <= size; i += 4) {
    low += load_pair(x + i) * load_pair(y + i);
    high += load_pair(x + i + 2) * load_pair(y + i + 2);
  }
  if (i + 2 <= size) {
    low += load_pair(x + i) * load_pair(y + i);
    i += 2;
  }
  double sum = sum_of(low + high);
  if (i < size) sum += x[i] * y[i];
  return sum;
}

// The same as `eliminate_general` for a front that the caches hold anyway: column by column, without panels.
bool eliminate_small(double* F, Index f, Index p, int* exchange) {
  for (Index j = 0; j < p; ++j) {
    double* const column = F + j * f;
    Index const best = find_pivot(column, j, p);
    if (best < 0) return false;
    exchange[j] = static_cast<int>(best);
    if (best != j) {
      for (Index k = 0; k < f; ++k) std::swap(F[j + k * f], F[best + k * f]);
    }
    double const inverse = 1 / column[j];
    for (Index i = j + 1; i < f; ++i) column[i] *= inverse;
    for (Index k = j + 1; k < f; ++k) {
      double* const other = F + k * f;
      subtract_multiple(other + j + 1, column + j + 1, other[j], f - j - 1);
    }
  }
  return true;
}

}  // namespace

// The leading columns of the front become those of L and U, the rest what remains of the matrix.
bool eliminate_general(double* F, Index f, Index p, int* exchange) {
  if (f <= smallest_with_panels) return eliminate_small(F, f, p, exchange);
  for (Index begin = 0; begin < p; begin += panel) {
    Index const end = std::min<Index>(begin + panel, p);
    for (Index j = begin; j < end; ++j) {
      double* const column = F + j * f;
      // This column, up to date.
      for (Index k = begin; k < j; ++k) {
        std::swap(column[k], column[exchange[k]]);
      }
      for (Index k = begin; k < j; ++k) {
        double const u = column[k];
        double const* const l = F + k * f;
        for (Index i = k + 1; i < j; ++i) column[i] -= l[i] * u;
      }
      if (j > begin)
        subtract_product(column + j, F + begin * f + j, f, column + begin, static_cast<int>(j - begin),
                         f - j);
      Index const best = find_pivot(column, j, p);
      if (best < 0) return false;
      exchange[j] = static_cast<int>(best);
      if (best != j) {
        for (Index k = begin; k <= j; ++k) std::swap(F[j + k * f], F[best + k * f]);
      }
      double const inverse = 1 / column[j];
      Column(column + j + 1, f - j - 1) *= inverse;
    }
    // Columns before the panel see its exchanges, those behind it all that it did.
    for (Index j = 0; j < begin; ++j) {
      for (Index k = begin; k < end; ++k) std::swap(F[k + j * f], F[exchange[k] + j * f]);
    }
    for (Index j = end; j < f; ++j) {
      double* const column = F + j * f;
      for (Index k = begin; k < end; ++k) std::swap(column[k], column[exchange[k]]);
      for (Index k = begin; k < end; ++k) {
        double const u = column[k];
        double const* const l = F + k * f;
        for (Index i = k + 1; i < end; ++i) column[i] -= l[i] * u;
      }
      subtract_product(column + end, F + begin * f + end, f, column + begin, static_cast<int>(end - begin),
                       f - end);
    }
  }
  return true;
}

void forward_general(double const* F, Index f, Index p, int const* exchange, double* y) {
  for (Index k = 0; k < p; ++k) std::swap(y[k], y[exchange[k]]);
  for (Index k = 0; k < p; ++k) subtract_multiple(y + k + 1, F + k * f + k + 1, y[k], f - k - 1);
}

void backward_general(double const* F, Index f, Index p, double* y) {
  subtract_product(y, F + p * f, f, y + p, static_cast<int>(f - p), p);
  for (Index k = p; k-- > 0;) {
    y[k] /= F[k + k * f];
    subtract_multiple(y, F + k * f, y[k], k);
  }
}

bool eliminate_symmetric(double* F, Index f, Index p) {
  for (Index begin = 0; begin < p; begin += symmetric_panel) {
    Index const count = std::min<Index>(symmetric_panel, p - begin);
    double const* const L = F + begin * f;
    // Column j less its products with `columns` of the panel; from the diagonal on, and one number above it where that
    // makes their number even: it is never read.
    auto const update = [&]<int columns>(std::integral_constant<int, columns>, Index j)
        __attribute__((always_inline)) {
      Index const from = j > 0 && (f - j) % 2 == 1 ? j - 1 : j;
      subtract_short_product<columns>(F + j * f + from, L + from, L + j, f, f - from);
    };
    auto const eliminate_column = [&]<int columns>(std::integral_constant<int, columns> known) {
      if (columns >= count) return true;
      Index const j = begin + columns;
      if (columns > 0) update(known, j);
      double* const column = F + j * f;
      double const pivot = column[j];
      if (!(pivot > 0 && std::isfinite(pivot))) return false;
      column[j] = 1 / std::sqrt(pivot);
      multiply(column + j + 1, column[j], f - j - 1);
      return true;
    };
    bool const good = [&]<int... columns>(std::integer_sequence<int, columns...>) {
      return (eliminate_column(std::integral_constant<int, columns>()) && ...);
    }
    (std::make_integer_sequence<int, symmetric_panel>());
    if (!good) return false;
    // A panel with fewer columns is the last.
    with_known_number<symmetric_panel>(count, [&](auto known) {
      for (Index j = begin + count; j < f; ++j) update(known, j);
    });
  }
  return true;
}

void forward_symmetric(double const* F, Index f, Index p, double* y) {
  for (Index k = 0; k < p; ++k) {
    double const* const column = F + k * f;
    y[k] *= column[k];
    subtract_multiple(y + k + 1, column + k + 1, y[k], f - k - 1);
  }
}

void backward_symmetric(double const* F, Index f, Index p, double* y) {
  for (Index k = p; k-- > 0;) {
    double const* const column = F + k * f;
    y[k] = (y[k] - dot(column + k + 1, y + k + 1, f - k - 1)) * column[k];
  }
}

}  // namespace delassus
