// W of A = W^T W: the Delassus operator (22) as a product, A = J M^-1 J^T with M = L L^T and W = L^-1 J^T.
//
// W is sparse where J is: a block of constraint rows has a term for each mass block that it touches, columns
// of that mass block by rows of the constraint block. A product of A with a force takes W twice and
// never forms A, which has a block for every pair of terms on the same mass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace delassus {

class FactorTerms {
 public:
  struct Term {
    int block = 0;  // index of the block of constraint rows
    int mass = 0;   // index of the mass block
    int first_column = 0;
    int columns = 0;
    int rows = 0;
    std::size_t first = 0;  // of its numbers
  };

  // Begins to fill anew, in the same memory: `columns` velocities in `masses` mass blocks.
  void clear(int masses, int columns) {
    masses_ = masses;
    columns_ = columns;
    terms_.clear();
    used_ = 0;
    first_of_block_.assign(1, 0);
    listed_ = false;
  }
  // Opens the next block of constraint rows.
  void begin_block() { first_of_block_.push_back(terms_.size()); }
  // A term of the open block. Its numbers, to be filled: row r of the constraint block is numbers[r columns]
  // to numbers[r columns + columns - 1]. They hold until the next call.
  double* add(int mass, int first_column, int columns, int rows) {
    terms_.push_back(
        {static_cast<int>(first_of_block_.size()) - 2, mass, first_column, columns, rows, used_});
    first_of_block_.back() = terms_.size();
    used_ += static_cast<std::size_t>(columns * rows);
    if (numbers_.size() < used_) numbers_.resize(used_ + used_ / 2);
    return numbers_.data() + terms_.back().first;
  }

  // A problem that was written down or read from a file has A only.
  bool empty() const { return first_of_block_.size() <= 1; }
  std::size_t blocks() const { return first_of_block_.size() - 1; }
  int masses() const { return masses_; }
  int columns() const { return columns_; }  // of all masses together

  std::span<const Term> terms() const { return terms_; }  // in the order of the blocks
  std::span<const Term> of_block(std::size_t k) const {
    return std::span(terms_).subspan(first_of_block_[k], first_of_block_[k + 1] - first_of_block_[k]);
  }
  double const* numbers(Term const& term) const { return numbers_.data() + term.first; }

  // Lists the terms by mass blocks too, once for each filling; `of_mass` needs it.
  void list_by_mass() {
    if (listed_) return;
    // Count, then fill.
    first_of_mass_.assign(static_cast<std::size_t>(masses_) + 1, 0);
    for (Term const& term : terms_) ++first_of_mass_[static_cast<std::size_t>(term.mass) + 1];
    std::partial_sum(first_of_mass_.begin(), first_of_mass_.end(), first_of_mass_.begin());
    term_of_mass_.resize(terms_.size());
    for (std::size_t i = 0; i < terms_.size(); ++i)
      term_of_mass_[first_of_mass_[static_cast<std::size_t>(terms_[i].mass)]++] = static_cast<int>(i);
    // Filling has shifted the beginnings by one mass block.
    std::copy_backward(first_of_mass_.begin(), first_of_mass_.end() - 1, first_of_mass_.end());
    first_of_mass_[0] = 0;
    listed_ = true;
  }
  // Indices in terms(), rising.
  std::span<const int> of_mass(int mass) const {
    std::size_t const begin = first_of_mass_[static_cast<std::size_t>(mass)];
    return std::span(term_of_mass_)
        .subspan(begin, first_of_mass_[static_cast<std::size_t>(mass) + 1] - begin);
  }

 private:
  int masses_ = 0, columns_ = 0;
  std::vector<Term> terms_;
  std::vector<double> numbers_;                    // only grows
  std::size_t used_ = 0;                           // of these
  std::vector<std::size_t> first_of_block_ = {0};  // in terms_, and one past the last
  bool listed_ = false;
  std::vector<std::size_t> first_of_mass_;  // in term_of_mass_, and one past the last
  std::vector<int> term_of_mass_;
};

}  // namespace delassus
