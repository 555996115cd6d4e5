// What a sweep came to as a picture: curves over one axis, bands of colour over two, points of a sample.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/task.hpp"

namespace delassus {

// `shown`: which of the kept quantities. Throws CommandError where nothing is varied that can be an axis of a picture;
// `check_picture` says so before the runs.
std::string sweep_svg(SweepTask const& task, std::vector<std::optional<std::string>> const& rows,
                      std::size_t shown);
void check_picture(SweepTask const& task);

}  // namespace delassus
