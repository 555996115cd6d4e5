// A block of the contact problem: which rows it has and which forces it admits.
#pragma once

#include "model/equations/force_set.hpp"

namespace delassus {

struct ProblemBlock {
  int first = 0;  // first row; the rows of a block are adjacent: tangential first, normal last
  ForceSet set;
  int rows() const { return rows_of(set.kind); }
};

}  // namespace delassus
