#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/simulated_instance.hpp"
#include "tools/simulate/ode_stepper.hpp"

namespace delassus {
namespace {

// Up to here a dense matrix is as fast as a sparse one; beyond, it depends on how full it is.
constexpr std::size_t dense_size = 24;

// What CVODE asks of a solver of linear equations, by Eigen: SUNDIALS' own for sparse matrices needs SuiteSparse.
class SparseSolver {
 public:
  static SUNLinearSolver make(SUNContext context) {
    SUNLinearSolver const solver = SUNLinSolNewEmpty(context);
    solver->content = new SparseSolver;
    solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver->ops->initialize = [](SUNLinearSolver) -> int { return SUNLS_SUCCESS; };
    solver->ops->setup = [](SUNLinearSolver each, SUNMatrix matrix) { return own(each).factorise(matrix); };
    solver->ops->solve = [](SUNLinearSolver each, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      return own(each).solve(x, b);
    };
    solver->ops->free = [](SUNLinearSolver each) -> int {
      delete &own(each);
      each->content = nullptr;
      SUNLinSolFreeEmpty(each);
      return SUNLS_SUCCESS;
    };
    return solver;
  }

 private:
  using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

  static SparseSolver& own(SUNLinearSolver solver) { return *static_cast<SparseSolver*>(solver->content); }

  int factorise(SUNMatrix given) {
    auto const size = static_cast<Eigen::Index>(SUNSparseMatrix_Columns(given));
    sunindextype const* const starts = SUNSparseMatrix_IndexPointers(given);
    sunindextype const* const rows = SUNSparseMatrix_IndexValues(given);
    realtype const* const values = SUNSparseMatrix_Data(given);
    std::vector<int> const new_starts(starts, starts + size + 1), new_rows(rows, rows + starts[size]);
    bool const known = matrix_.rows() == size && new_starts == starts_ && new_rows == rows_;
    starts_ = new_starts;
    rows_ = new_rows;
    matrix_ = Eigen::Map<const Matrix>(size, size, static_cast<Eigen::Index>(starts[size]), starts_.data(),
                                       rows_.data(), values);
    if (!known) solver_.analyzePattern(matrix_);
    solver_.factorize(matrix_);
    return solver_.info() == Eigen::Success ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
  }

  int solve(N_Vector x, N_Vector b) {
    auto const size = matrix_.rows();
    Eigen::Map<Eigen::VectorXd> result(N_VGetArrayPointer(x), size);
    result = solver_.solve(Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(b), size)).eval();
    return result.allFinite() ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_UNREC;
  }

  Matrix matrix_;
  std::vector<int> starts_, rows_;
  Eigen::SparseLU<Matrix> solver_;
};

class CvodeStepper final : public OdeStepper {
 public:
  CvodeStepper(OdeSystem& system, OdeTolerances const& tolerances)
      : system_(system),
        tolerances_(tolerances),
        size_(system.size()),
        jacobian_(size_, system.pattern()),
        products_(system.has_products()),
        states_(size_),
        rates_(size_),
        moved_(size_),
        increments_(size_) {
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    vector_ = N_VNew_Serial(static_cast<sunindextype>(size_), context_);
  }
  ~CvodeStepper() override {
    release();
    N_VDestroy(vector_);
    SUNContext_Free(&context_);
  }
  CvodeStepper(CvodeStepper const&) = delete;
  CvodeStepper& operator=(CvodeStepper const&) = delete;

  void start(double time, std::vector<double> const& states, double /*step_size*/) override {
    std::ranges::copy(states, N_VGetArrayPointer(vector_));
    accepted_ = states;
    time_ = time;
    if (memory_ == nullptr) {
      make();
    } else {
      check(CVodeReInit(memory_, time, vector_), "CVodeReInit");
    }
  }

  double step(double end) override {
    check(CVodeSetStopTime(memory_, end), "CVodeSetStopTime");
    double reached = time_;
    int flag = CVode(memory_, end, vector_, &reached, CV_ONE_STEP);
    if (pattern_is_wrong_) {
      pattern_is_wrong_ = false;
      failure_ = nullptr;
      jacobian_ = OdeJacobian(size_);
      std::ranges::copy(accepted_, N_VGetArrayPointer(vector_));
      make();
      check(CVodeSetStopTime(memory_, end), "CVodeSetStopTime");
      flag = CVode(memory_, end, vector_, &reached, CV_ONE_STEP);
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (flag < 0) {
      std::string const why = flag == CV_RHSFUNC_FAIL || flag == CV_REPTD_RHSFUNC_ERR ||
                                      flag == CV_FIRST_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR
                                  ? discarded_
                                  : "";
      throw InstanceError(
          Status::error,
          fmt::format("CVODE finds no step at {} s that keeps the tolerance {}: {}", format_time(time_),
                      format_number(tolerances_.relative), !why.empty() ? why : message_));
    }
    ++counts_.steps;
    time_ = std::abs(reached - end) <= time_resolution(end, reached - time_) ? end : reached;
    reached_ = reached;
    std::copy_n(N_VGetArrayPointer(vector_), size_, accepted_.begin());
    return time_;
  }

  void states_at(double time, std::vector<double>& states) override {
    if (time >= time_) {
      std::copy_n(N_VGetArrayPointer(vector_), size_, states.begin());
      return;
    }
    N_Vector const between = N_VMake_Serial(static_cast<sunindextype>(size_), states.data(), context_);
    int const flag = CVodeGetDky(memory_, std::min(time, reached_), 0, between);
    N_VDestroy(between);
    check(flag, "CVodeGetDky");
  }

  double step_size() const override { return 0; }  // CVODE's own

 private:
  void make() {
    release();
    memory_ = CVodeCreate(CV_BDF, context_);
    check(CVodeInit(memory_, evaluate, time_, vector_), "CVodeInit");
    check(CVodeSetUserData(memory_, this), "CVodeSetUserData");
    check(CVodeSetErrHandlerFn(memory_, receive_message, this), "CVodeSetErrHandlerFn");
    check(CVodeSStolerances(memory_, tolerances_.relative, tolerances_.absolute), "CVodeSStolerances");
    // A model that refuses what lies beyond some border may need many shorter steps.
    constexpr int most_failures = 60;
    check(CVodeSetMaxErrTestFails(memory_, most_failures), "CVodeSetMaxErrTestFails");
    check(CVodeSetMaxConvFails(memory_, most_failures), "CVodeSetMaxConvFails");
    auto const n = static_cast<sunindextype>(size_);
    auto const filled = jacobian_.rows().size();
    if (size_ <= dense_size || 4 * filled > size_ * size_) {
      matrix_ = SUNDenseMatrix(n, n, context_);
      solver_ = SUNLinSol_Dense(vector_, matrix_, context_);
    } else {
      matrix_ = SUNSparseMatrix(n, n, static_cast<sunindextype>(filled), CSC_MAT, context_);
      solver_ = SparseSolver::make(context_);
    }
    values_.resize(filled);
    check(CVodeSetLinearSolver(memory_, solver_, matrix_), "CVodeSetLinearSolver");
    check(CVodeSetJacFn(memory_, differentiate), "CVodeSetJacFn");
  }

  void release() {
    if (memory_ != nullptr) CVodeFree(&memory_);
    if (solver_ != nullptr) SUNLinSolFree(std::exchange(solver_, nullptr));
    if (matrix_ != nullptr) SUNMatDestroy(std::exchange(matrix_, nullptr));
  }

  static void check(int flag, char const* function) {
    if (flag < 0) throw InstanceError(Status::error, fmt::format("{} failed with {}", function, flag));
  }

  static void receive_message(int code, char const*, char const*, char* text, void* self) {
    if (code < 0) static_cast<CvodeStepper*>(self)->message_ = text;
  }

  // No exception passes through C: 1 asks for a shorter step, -1 ends the step.
  template <typename Work>
  int guard(Work const& work) {
    try {
      work();
      return 0;
    } catch (InstanceError const& error) {
      if (error.status() == Status::discard) {
        discarded_ = error.what();
        return 1;
      }
      failure_ = std::current_exception();
    } catch (...) {
      failure_ = std::current_exception();
    }
    return -1;
  }

  void rates_at(double time, std::vector<double> const& states, std::vector<double>& rates) {
    ++counts_.evaluations;
    system_.rates(time, states, rates);
  }

  static int evaluate(realtype time, N_Vector states, N_Vector rates, void* user) {
    auto& self = *static_cast<CvodeStepper*>(user);
    return self.guard([&] {
      std::copy_n(N_VGetArrayPointer(states), self.size_, self.states_.begin());
      self.rates_at(time, self.states_, self.moved_);
      std::ranges::copy(self.moved_, N_VGetArrayPointer(rates));
    });
  }

  static int differentiate(realtype time, N_Vector states, N_Vector rates, SUNMatrix matrix, void* user,
                           N_Vector, N_Vector, N_Vector) {
    auto& self = *static_cast<CvodeStepper*>(user);
    return self.guard([&] {
      std::copy_n(N_VGetArrayPointer(states), self.size_, self.states_.begin());
      std::copy_n(N_VGetArrayPointer(rates), self.size_, self.rates_.begin());
      self.fill(time);
      self.write(matrix);
    });
  }

  void fill(double time) {
    ++counts_.jacobians;
    if (products_) {
      try {
        std::ranges::fill(increments_, 1.0);
        jacobian_.evaluate(
            increments_,
            [&](std::span<const double> direction, std::span<double> change) {
              system_.product(time, states_, direction, change);
            },
            values_);
        if (trusted_ || agrees_with_difference(time)) return;
      } catch (InstanceError const& error) {
        if (error.status() == Status::fatal) throw;
      }
      products_ = false;  // the model cannot, or not truly
    }
    fill_by_differences(time);
    if (!trusted_ && !agrees_with_difference(time)) {
      // More depends on the states than the model says.
      if (jacobian_.rows().size() == size_ * size_) {
        trusted_ = true;
        return;
      }
      pattern_is_wrong_ = true;
      throw InstanceError(Status::error, "");
    }
  }

  void fill_by_differences(double time) {
    // The part of a state that changes is not below this share of its nominal.
    constexpr double least = 1e-2;
    double const share = std::sqrt(std::numeric_limits<double>::epsilon());
    for (std::size_t i = 0; i < size_; ++i) {
      double const wanted = share * std::max(std::abs(states_[i]), least);
      increments_[i] = (states_[i] + wanted) - states_[i];
    }
    jacobian_.evaluate(
        increments_,
        [&](std::span<const double> direction, std::span<double> change) {
          difference(time, direction, change);
        },
        values_);
  }

  void difference(double time, std::span<const double> direction, std::span<double> change) {
    std::vector<double> states(size_);
    for (std::size_t i = 0; i < size_; ++i) states[i] = states_[i] + direction[i];
    rates_at(time, states, moved_);
    for (std::size_t i = 0; i < size_; ++i) change[i] = moved_[i] - rates_[i];
  }

  // Once: what others declare may not be so, and a wrong matrix makes Newton's method crawl. A difference along all states
  // together.
  bool agrees_with_difference(double time) {
    constexpr double agreement = 1e-2;
    double const share = elementary::cbrt(std::numeric_limits<double>::epsilon());
    std::vector<double> direction(size_), measured(size_), computed(size_, 0.0);
    for (std::size_t i = 0; i < size_; ++i)
      direction[i] = share * std::max(std::abs(states_[i]), 1e-2) * (1 + 0.1 * static_cast<double>(i % 7));
    difference(time, direction, measured);
    for (std::size_t column = 0; column < size_; ++column) {
      for (auto at = jacobian_.starts()[column]; at < jacobian_.starts()[column + 1]; ++at) {
        auto const place = static_cast<std::size_t>(at);
        computed[static_cast<std::size_t>(jacobian_.rows()[place])] += values_[place] * direction[column];
      }
    }
    double largest = 0, error = 0, rounding = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      largest = std::max(largest, std::abs(measured[i]));
      error = std::max(error, std::abs(measured[i] - computed[i]));
      rounding = std::max(rounding, std::abs(rates_[i]));
    }
    trusted_ = error <= agreement * largest + 1e-12 * rounding;
    return trusted_;
  }

  void write(SUNMatrix matrix) const {
    bool const sparse = SUNMatGetID(matrix) == SUNMATRIX_SPARSE;
    if (sparse) {
      std::ranges::copy(jacobian_.starts(), SUNSparseMatrix_IndexPointers(matrix));
      std::ranges::copy(jacobian_.rows(), SUNSparseMatrix_IndexValues(matrix));
      std::ranges::copy(values_, SUNSparseMatrix_Data(matrix));
      return;
    }
    SUNMatZero(matrix);
    for (std::size_t column = 0; column < size_; ++column) {
      realtype* const to = SUNDenseMatrix_Column(matrix, static_cast<sunindextype>(column));
      for (auto at = jacobian_.starts()[column]; at < jacobian_.starts()[column + 1]; ++at)
        to[jacobian_.rows()[static_cast<std::size_t>(at)]] = values_[static_cast<std::size_t>(at)];
    }
  }

  OdeSystem& system_;
  OdeTolerances tolerances_;
  std::size_t size_;
  OdeJacobian jacobian_;
  bool products_, trusted_ = false, pattern_is_wrong_ = false;
  std::vector<double> states_, rates_, moved_, increments_, values_, accepted_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr;
  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  double time_ = 0, reached_ = 0;
  std::exception_ptr failure_;
  std::string message_, discarded_;
};

}  // namespace

bool has_cvode() {
  return true;
}
void require_cvode() {}

std::unique_ptr<OdeStepper> make_cvode_stepper(OdeSystem& system, OdeTolerances const& tolerances) {
  return std::make_unique<CvodeStepper>(system, tolerances);
}

}  // namespace delassus
