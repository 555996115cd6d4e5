#include "tools/support/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "model/scene/number.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

// A spreadsheet takes a cell that begins with one of these for a formula, in quotation marks or not.
constexpr std::string_view formula_signs = "=+-@\t\r";

// How many apostrophes stand before such a sign; nothing where there is none.
std::optional<std::size_t> apostrophes_before_formula(std::string_view text) {
  auto const first = text.find_first_not_of('\'');
  if (first == std::string_view::npos || formula_signs.find(text[first]) == std::string_view::npos)
    return std::nullopt;
  return first;
}

// FMI's names in apostrophes, '-x', begin so by themselves, and stay as they are. All others have one more.
bool is_quoted_name(std::string_view text, std::size_t apostrophes) {
  return apostrophes == 1 && text.find('\'', 1) != std::string_view::npos;
}

std::string guarded(std::string const& text) {
  auto const apostrophes = apostrophes_before_formula(text);
  if (!apostrophes || is_quoted_name(text, *apostrophes)) return text;
  // A name that would then be taken for one in apostrophes has two more.
  bool const like_quoted = *apostrophes == 0 && text.find('\'') != std::string::npos;
  return (like_quoted ? "''" : "'") + text;
}

// The inverse, of a name.
std::string unguarded(std::string const& text) {
  auto const apostrophes = apostrophes_before_formula(text).value_or(0);
  if (apostrophes == 0 || is_quoted_name(text, apostrophes)) return text;
  bool const like_quoted = apostrophes == 2 && text.find('\'', 2) != std::string::npos;
  return text.substr(like_quoted ? 2 : 1);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// A reference may hold NaN and infinity; whether an input may is for its user to say.
std::optional<double> parse_cell(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(std::string_view text, std::string const& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  bool at_end() const { return text_.empty(); }
  std::size_t line() const { return line_; }
  [[noreturn]] void fail(std::string const& message) const {
    throw CsvError(file_, line_, printable_text(message));
  }

  std::vector<std::string> next_line() {
    ++line_;
    auto const end = end_of_line();
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto cells = split(line);
    line_ += static_cast<std::size_t>(std::ranges::count(line, '\n'));
    return cells;
  }

 private:
  // A name in quotation marks may hold an end of line; only the line of names may.
  std::size_t end_of_line() const {
    auto const end = text_.find('\n');
    if (line_ > 1 || end == std::string_view::npos || std::ranges::count(text_.substr(0, end), '"') % 2 == 0)
      return end;
    bool quoted = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '"') quoted = !quoted;
      if (text_[i] == '\n' && !quoted) return i;
    }
    return end;  // which is not closed at all
  }

  std::vector<std::string> split(std::string_view line) const {
    std::vector<std::string> cells;
    while (true) {
      line = without_blanks(line);
      if (line.starts_with('"')) {
        cells.push_back(take_quoted(line));
        line = without_blanks(line);
      } else {
        auto const comma = line.find(',');
        cells.emplace_back(without_blanks(line.substr(0, comma)));
        line.remove_prefix(std::min(comma, line.size()));
      }
      if (line.empty()) return cells;
      if (line.front() != ',') fail("text after a closing quotation mark; a comma must follow");
      line.remove_prefix(1);
    }
  }

  std::string take_quoted(std::string_view& line) const {
    std::string cell;
    line.remove_prefix(1);
    while (!line.empty()) {
      char const c = line.front();
      line.remove_prefix(1);
      if (c != '"') {
        cell += c;
      } else if (line.starts_with('"')) {
        cell += '"';
        line.remove_prefix(1);
      } else {
        return cell;
      }
    }
    fail("a quotation mark is not closed on its line");
  }

  std::string_view text_;
  std::string const& file_;
  std::size_t line_ = 0;
};

void read_header(Reader& reader, TimeTable& table) {
  if (reader.at_end()) {
    throw CsvError(table.file, 1, "the file is empty; the first line names the columns: time,<name>,...");
  }
  auto names = reader.next_line();
  if (std::string const& first = names.front(); first != "time") {
    reader.fail(fmt::format("the first column is '{}'; it must be time (columns are separated by commas)",
                            first.size() > 40 ? first.substr(0, 40) + "..." : first));
  }
  names.erase(names.begin());
  std::set<std::string> seen{"time"};
  for (auto& name : names) {
    name = unguarded(name);
    if (name.empty()) reader.fail("a column has no name");
    if (!seen.insert(name).second) reader.fail(fmt::format("two columns are named '{}'", name));
  }
  table.names = std::move(names);
  table.columns.resize(table.names.size());
}

void read_row(Reader& reader, TimeTable& table) {
  auto const cells = reader.next_line();
  if (cells.size() == 1 && cells.front().empty()) return;  // a blank line
  if (cells.size() != table.names.size() + 1) {
    reader.fail(
        fmt::format("{} values; the first line names {} columns", cells.size(), table.names.size() + 1));
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto const value = parse_cell(cells[i]);
    if (!value) {
      bool const with_unit = !cells[i].empty() && cells[i].front() >= '0' && cells[i].front() <= '9';
      reader.fail(
          fmt::format("'{}' in column {} is not a number; write it like 0.5 or 1e-3{}", cells[i],
                      i == 0 ? "time" : table.names[i - 1],
                      with_unit ? ", in the unit of the variable and without it: angles in rad" : ""));
    }
    values.push_back(*value);
  }
  double const time = values.front();
  if (!std::isfinite(time)) reader.fail(fmt::format("time is {}; it must be a finite number", cells.front()));
  if (!table.time.empty() && time < table.time.back()) {
    reader.fail(fmt::format("time {} comes after {}; times must not decrease", cells.front(),
                            format_number(table.time.back())));
  }
  values.erase(values.begin());
  table.add_row(time, values);
}

}  // namespace

void TimeTable::add_row(double t, std::vector<double> const& values) {
  columns.resize(names.size());
  time.push_back(t);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(values.at(i));
}

std::size_t TimeTable::row_at(double t, double tolerance) const {
  auto const after = std::upper_bound(time.begin(), time.end(), t + tolerance);
  return after == time.begin() ? 0 : static_cast<std::size_t>(after - time.begin()) - 1;
}

std::string csv_text(std::string const& plain) {
  std::string const text = parse_cell(plain) ? plain : guarded(plain);
  // Blanks around a cell are left out when it is read.
  if (text.find_first_of(",\"\n\r") == std::string::npos && without_blanks(text) == text) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string write_csv(TimeTable const& table) {
  std::string text = "time";
  for (auto const& name : table.names) text += ',' + csv_text(name);
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += format_number(table.time[row]);
    for (auto const& column : table.columns) text += ',' + format_number(column[row]);
    text += '\n';
  }
  return text;
}

TimeTable read_csv(std::string_view text, std::string const& file) {
  TimeTable table;
  table.file = file;
  Reader reader(text, table.file);
  read_header(reader, table);
  while (!reader.at_end()) read_row(reader, table);
  if (table.rows() == 0) throw CsvError(file, reader.line() + 1, "no row follows the names of the columns");
  return table;
}

}  // namespace delassus
