// A communication step, divided evenly into internal steps of at most the size that was asked for.
#pragma once

namespace delassus {

class StepDivision {
 public:
  // Throws StepFailure where there would be too many internal steps.
  StepDivision(double begin, double end, double longest);  // s

  long count() const { return count_; }
  double size() const { return size_; }  // s, of each internal step
  // After k internal steps: a counter, not a sum, so that time does not drift.
  double time_after(long k) const { return k < count_ ? begin_ + static_cast<double>(k) * size_ : end_; }

 private:
  double begin_, end_;
  long count_;
  double size_;
};

}  // namespace delassus
