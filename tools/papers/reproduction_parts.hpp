// Parts of the longer reproductions, in files of their own.
#pragma once

#include <vector>

#include "tools/papers/reproduction_run.hpp"

namespace delassus {

std::vector<ReproducedItem> reproduce_kikuuwe_rod(ReproductionRun& run);
std::vector<ReproducedItem> reproduce_peiret_rod(ReproductionRun& run);
std::vector<ReproducedItem> reproduce_peiret_arm(ReproductionRun& run);

}  // namespace delassus
