// Vectors and matrices in memory that only grows: problems of changing size are solved again and again, and
// Eigen's own would allocate at each change.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace delassus {

class GrowingMatrix {
 public:
  using View = Eigen::Map<Eigen::MatrixXd>;
  // The numbers keep nothing of what was there before.
  View resize(Eigen::Index rows, Eigen::Index columns) {
    auto const needed = static_cast<std::size_t>(rows * columns);
    if (memory_.size() < needed) memory_.resize(needed);
    rows_ = rows;
    columns_ = columns;
    return view();
  }
  View view() { return {memory_.data(), rows_, columns_}; }
  Eigen::Map<const Eigen::MatrixXd> view() const { return {memory_.data(), rows_, columns_}; }

 private:
  std::vector<double> memory_;
  Eigen::Index rows_ = 0, columns_ = 0;
};

class GrowingVector {
 public:
  using View = Eigen::Map<Eigen::VectorXd>;
  View resize(Eigen::Index size) {
    if (memory_.size() < static_cast<std::size_t>(size)) memory_.resize(static_cast<std::size_t>(size));
    size_ = size;
    return view();
  }
  View view() { return {memory_.data(), size_}; }
  Eigen::Map<const Eigen::VectorXd> view() const { return {memory_.data(), size_}; }

 private:
  std::vector<double> memory_;
  Eigen::Index size_ = 0;
};

}  // namespace delassus
