#include "solver/problem/block_matrix.hpp"

namespace delassus {

void BlockMatrix::clear(std::size_t size) {
  entries_.clear();
  first_.assign(1, 0);
  place_.assign(size, 0);
}

void BlockMatrix::begin_row() {
  std::size_t const row = first_.size() - 1;
  entries_.emplace_back().column = static_cast<int>(row);
  place_[row] = entries_.size() - 1;
  first_.push_back(entries_.size());
}

Eigen::Matrix3d& BlockMatrix::at(int column) {
  // A position before the open row belongs to an earlier row, and means nothing here.
  std::size_t& place = place_[static_cast<std::size_t>(column)];
  std::size_t const begin = first_[first_.size() - 2];
  if (place < begin || entries_[place].column != column) {
    place = entries_.size();
    entries_.emplace_back().column = column;
    first_.back() = entries_.size();
  }
  return entries_[place].value;
}

double BlockMatrix::trace() const {
  double sum = 0;
  for (std::size_t k = 0; k < size(); ++k) sum += diagonal(k).trace();
  return sum;
}

void BlockMatrix::multiply(std::span<const ProblemBlock> blocks, Eigen::Ref<const Eigen::VectorXd> x,
                           Eigen::Ref<Eigen::VectorXd> product) const {
  for (std::size_t k = 0; k < size(); ++k) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    add_product(k, blocks, x.data(), sum);
    for (int i = 0; i < blocks[k].rows(); ++i) product[blocks[k].first + i] = sum[i];
  }
}

BlockMatrix BlockMatrix::from_dense(Eigen::Ref<const Eigen::MatrixXd> dense,
                                    std::span<const ProblemBlock> blocks) {
  BlockMatrix result;
  result.clear(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    result.begin_row();
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      auto const part = dense.block(blocks[k].first, blocks[j].first, blocks[k].rows(), blocks[j].rows());
      // Not isZero: a tiny coupling is one, and so is NaN.
      if (j != k && (part.array() == 0).all()) continue;
      result.at(static_cast<int>(j)).topLeftCorner(blocks[k].rows(), blocks[j].rows()) = part;
    }
  }
  return result;
}

Eigen::MatrixXd BlockMatrix::dense(std::span<const ProblemBlock> blocks) const {
  Eigen::Index const rows = blocks.empty() ? 0 : blocks.back().first + blocks.back().rows();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows, rows);
  for (std::size_t k = 0; k < size(); ++k) {
    for (Entry const& entry : row(k)) {
      ProblemBlock const& column = blocks[static_cast<std::size_t>(entry.column)];
      result.block(blocks[k].first, column.first, blocks[k].rows(), column.rows()) =
          entry.value.topLeftCorner(blocks[k].rows(), column.rows());
    }
  }
  return result;
}

}  // namespace delassus
