// Tables of numbers over time as comma-separated text: the first column is `time`, the others are named as in
// the description, lines end in LF, and numbers are written with the fewest digits that read back as the same
// double.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/scene/user_error.hpp"

namespace delassus {

class CsvError : public LocatedError {
 public:
  CsvError(std::string const& file, std::size_t line, std::string const& message)
      : LocatedError(file, static_cast<int>(line), message) {}
};

struct TimeTable {
  std::string file;                // for messages
  std::vector<std::string> names;  // of the columns after `time`
  std::vector<double> time;  // s, not decreasing; two rows at one time are a jump, and the last one holds
  std::vector<std::vector<double>> columns;  // one for each name, as long as `time`

  std::size_t rows() const { return time.size(); }
  void add_row(double t, std::vector<double> const& values);

  // The row that holds at `t`: the last at or before it, within `tolerance`, s. Before the first row, the
  // first. Co-simulation inputs are constant over a step, so this and not a line between rows is what an FMU
  // can be given.
  std::size_t row_at(double t, double tolerance) const;
};

// Text as a cell: in quotation marks where needed, after an apostrophe where a spreadsheet would compute it.
std::string csv_text(std::string const& text);

std::string write_csv(TimeTable const& table);

// Also reads CRLF, quoted names and a byte-order mark, as spreadsheets write them. Throws CsvError.
TimeTable read_csv(std::string_view text, std::string const& file);

}  // namespace delassus
