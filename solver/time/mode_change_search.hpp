// Finds where in an internal step the first change of mode is: a search for the first zero among the mode
// functions (mode_functions.hpp), of which only values at the times that it asks for are known.
//
// It keeps a bracket: at `low` all functions are on their sides, at `high` one has left it. The next time is
// where the line through the last two values of that function, or else through both ends, is right behind
// zero, and the middle where such times gain little (a function that jumps). Two passes: the first by dense
// output, which is cheap, until the bracket is small (`near`); `restart` forgets all values but the slope, and the
// second, whose every value takes a whole internal step, corrects the time.
#pragma once

#include <vector>

#include "solver/time/mode_functions.hpp"

namespace delassus {

class ModeChangeSearch {
 public:
  // In a step of this size, at whose end the functions have these values. False: there is no change.
  bool begin(ModeFunctions const& functions, ModeFunctions::Sides const& sides, double band, double size,
             std::vector<double> const& at_end);
  void set_low(std::vector<double> const& at_beginning) { low_values_ = start_values_ = at_beginning; }

  double guess();
  void add(double place, std::vector<double> const& values);

  bool near() const;   // first pass
  void restart();      // begins the second pass at the time of the first
  bool found() const;  // second pass
  double high() const { return high_; }
  double last() const { return last_place_; }  // the time that was added last

 private:
  bool changes(std::vector<double> const& values);
  void choose_function();
  double value_of(std::vector<double> const& values) const { return values[function_]; }

  ModeFunctions const* functions_ = nullptr;
  ModeFunctions::Sides sides_, trial_;
  double band_ = 0, size_ = 0;
  double low_ = 0, high_ = 0;
  std::vector<double> start_values_, end_values_, low_values_, high_values_;
  std::size_t function_ = 0;                // the first to leave its side, as far as is known
  double slope_ = 0;                        // of it; 0: not known
  double last_place_ = 0, last_value_ = 0;  // of it
  bool last_changes_ = false, has_last_ = false;
  int places_ = 0;
};

}  // namespace delassus
