#include "tools/solve/problem_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <vector>

#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"
#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// How a line writes a set: its name, the numbers that follow, and which of them belong to the set itself.
struct SetForm {
  ForceSetKind kind;
  std::string_view name, numbers;
  bool has_limit;
  std::size_t directions;
};

constexpr std::array<SetForm, 12> forms{{
    {ForceSetKind::half_line, "half_line", "b", false, 0},
    {ForceSetKind::interval, "interval", "LIMIT b", true, 0},
    {ForceSetKind::disc, "disc", "LIMIT b1 b2", true, 0},
    {ForceSetKind::cone2, "cone2", "MU b_t b_n", true, 0},
    {ForceSetKind::cone3, "cone3", "MU b_t1 b_t2 b_n", true, 0},
    {ForceSetKind::free1, "free1", "b", false, 0},
    {ForceSetKind::free2, "free2", "b1 b2", false, 0},
    {ForceSetKind::free3, "free3", "b1 b2 b3", false, 0},
    {ForceSetKind::double_cone2, "double_cone2", "MU b_t b_n", true, 0},
    {ForceSetKind::double_cone3, "double_cone3", "MU b_t1 b_t2 b_n", true, 0},
    {ForceSetKind::directed2, "directed2", "D b_t b_n", false, 1},
    {ForceSetKind::directed3, "directed3", "D1 D2 b_t1 b_t2 b_n", false, 2},
}};

constexpr bool in_the_order_of_the_kinds() {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (forms[i].kind != static_cast<ForceSetKind>(i)) return false;
  }
  return true;
}
static_assert(in_the_order_of_the_kinds());

constexpr SetForm const& form_of(ForceSetKind kind) {
  return forms[static_cast<std::size_t>(kind)];
}

constexpr std::string_view first_line = "expected 'n m', the number of contacts and of stored blocks";
constexpr std::string_view block_line =
    "expected 'i j a11 a12 a13 a21 a22 a23 a31 a32 a33', the row and column of a block and its numbers";

bool begins_like_a_number(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double ignored = 0;
  return std::from_chars(field.data(), field.data() + field.size(), ignored).ec !=
         std::errc::invalid_argument;
}

std::string plural(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// The fields of one line after the other.
class LineReader {
 public:
  LineReader(std::string_view text, std::string const& file) : text_(text), file_(file) {}

  // Where the text is over the line is empty, as an empty one is.
  void next() {
    ++line_;
    fields_.clear();
    auto const end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    constexpr std::string_view blanks = " \t\r";
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
      if (line.empty()) return;
      fields_.push_back(line.substr(0, line.find_first_of(blanks)));
      line.remove_prefix(fields_.back().size());
    }
  }

  bool at_end() const { return text_.empty(); }
  std::vector<std::string_view> const& fields() const { return fields_; }

  double number(std::size_t field, std::string_view expected) const {
    auto const value = parse_number(fields_[field]);
    if (!value) fail(fmt::format("'{}' is not a finite number; {}", fields_[field], expected));
    return *value;
  }

  std::size_t count(std::size_t field, std::string_view expected) const {
    std::string_view const text = fields_[field];
    std::size_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("'{}' is not a whole number >= 0; {}", text, expected));
    return value;
  }

  void expect_fields(std::size_t count, std::string_view expected) const {
    if (fields_.size() != count) {
      fail(fmt::format("{} where there should be {}; {}", plural(fields_.size(), "field"), count, expected));
    }
  }

  [[noreturn]] void fail(std::string const& message) const { throw ProblemFileError(file_, line_, message); }

 private:
  std::string_view text_;
  std::string const& file_;
  std::size_t line_ = 0;
  std::vector<std::string_view> fields_;
};

SetForm const& find_form(LineReader const& reader) {
  std::string_view const word = reader.fields().front();
  std::vector<std::string_view> names;
  for (SetForm const& form : forms) {
    if (form.name == word) return form;
    names.push_back(form.name);
  }
  auto const near = did_you_mean(word, names);
  reader.fail(fmt::format("'{}' is neither a number nor a set of forces; {}", word,
                          near ? fmt::format("did you mean '{}'?", *near)
                               : fmt::format("the sets are {}", fmt::join(names, ", "))));
}

// Reads one line of a contact; its rows of b are appended.
ForceSet read_set(LineReader const& reader, std::vector<double>& b) {
  std::size_t field = begins_like_a_number(reader.fields().front()) ? 0 : 1;
  SetForm const& form = field == 0 ? form_of(ForceSetKind::cone3) : find_form(reader);
  std::string const expected = field == 0 ? "expected 'mu b_t1 b_t2 b_n' or the name of a set and its numbers"
                                          : fmt::format("expected '{} {}'", form.name, form.numbers);
  std::size_t const rows = static_cast<std::size_t>(rows_of(form.kind));
  reader.expect_fields(field + (form.has_limit ? 1 : 0) + form.directions + rows, expected);
  ForceSet set{form.kind};
  if (form.has_limit) {
    set.limit = reader.number(field, expected);
    if (set.limit < 0)
      reader.fail(fmt::format("'{}' is negative; mu and bounds are >= 0", reader.fields()[field]));
    ++field;
  }
  for (std::size_t i = 0; i < form.directions; ++i) set.direction[i] = reader.number(field++, expected);
  for (std::size_t i = 0; i < rows; ++i) b.push_back(reader.number(field++, expected));
  return set;
}

struct StoredBlock {
  std::size_t row = 0, column = 0;
  Eigen::Matrix3d value;
};

StoredBlock read_block(LineReader const& reader, std::vector<ProblemBlock> const& blocks) {
  reader.expect_fields(11, block_line);
  StoredBlock stored;
  stored.row = reader.count(0, block_line);
  stored.column = reader.count(1, block_line);
  for (std::size_t const index : {stored.row, stored.column}) {
    if (index >= blocks.size()) {
      reader.fail(fmt::format("block {} {}: {} is out of range; the {} are counted from 0", stored.row,
                              stored.column, index, plural(blocks.size(), "contact")));
    }
  }
  int const rows = blocks[stored.row].rows(), columns = blocks[stored.column].rows();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double const value = reader.number(static_cast<std::size_t>(2 + 3 * i + j), block_line);
      if (value != 0 && (i >= rows || j >= columns)) {
        reader.fail(fmt::format("a{}{} is {}; block {} {} is {} x {} and must be zero beyond", i + 1, j + 1,
                                format_number(value), stored.row, stored.column, rows, columns));
      }
      stored.value(i, j) = value;
    }
  }
  return stored;
}

// The next line that must be there.
void advance(LineReader& reader, std::string_view what, std::size_t read, std::size_t promised) {
  bool const over = reader.at_end();
  reader.next();
  if (over || reader.fields().empty()) {
    reader.fail(fmt::format("{} after {} of {}, which is what line 1 promises",
                            over ? "the file ends" : "an empty line", read, plural(promised, what)));
  }
}

BlockMatrix make_matrix(std::vector<StoredBlock>& stored, std::size_t size) {
  // The matrix is filled row by row; a row keeps the order of the text.
  std::ranges::stable_sort(stored, {}, &StoredBlock::row);
  BlockMatrix matrix;
  matrix.clear(size);
  auto next = stored.begin();
  for (std::size_t row = 0; row < size; ++row) {
    matrix.begin_row();
    for (; next != stored.end() && next->row == row; ++next)
      matrix.at(static_cast<int>(next->column)) = next->value;
  }
  return matrix;
}

// Relative; the products that A is made of are rounded differently on both sides of the diagonal.
constexpr double symmetric_but_for_rounding = 1e-12;

Eigen::Matrix3d block_at(BlockMatrix const& A, std::size_t row, int column) {
  for (BlockMatrix::Entry const& entry : A.row(row)) {
    if (entry.column == column) return entry.value;
  }
  return Eigen::Matrix3d::Zero();
}

}  // namespace

ContactProblem parse_problem(std::string_view text, std::string const& name) {
  LineReader reader(text, name);
  reader.next();
  reader.expect_fields(2, first_line);
  std::size_t const contacts = reader.count(0, first_line), stored_blocks = reader.count(1, first_line);

  // Nothing is reserved: a wrong count in line 1 shall not ask for all of the memory.
  ContactProblem problem;
  std::vector<double> b;
  for (std::size_t k = 0; k < contacts; ++k) {
    advance(reader, "contact", k, contacts);
    int const first = static_cast<int>(b.size());
    problem.blocks.push_back({first, read_set(reader, b)});
  }
  problem.b = Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size()));

  std::vector<StoredBlock> stored;
  std::unordered_set<std::size_t> seen;
  for (std::size_t k = 0; k < stored_blocks; ++k) {
    advance(reader, "block", k, stored_blocks);
    stored.push_back(read_block(reader, problem.blocks));
    if (!seen.insert(stored.back().row * contacts + stored.back().column).second)
      reader.fail(fmt::format("block {} {} is given twice", stored.back().row, stored.back().column));
  }
  while (!reader.at_end()) {
    reader.next();
    if (!reader.fields().empty()) {
      reader.fail(fmt::format("'{}' follows where the problem has ended: line 1 promises {} and {}",
                              reader.fields().front(), plural(contacts, "contact"),
                              plural(stored_blocks, "block")));
    }
  }
  problem.A = make_matrix(stored, contacts);
  return problem;
}

ContactProblem read_problem(std::filesystem::path const& path) {
  return parse_problem(read_file(path), path.string());
}

std::string problem_text(ContactProblem const& problem) {
  std::string text = fmt::format("{} {}\n", problem.blocks.size(), problem.A.entries());
  auto const add = [&](double value) {
    if (!text.ends_with('\n')) text += ' ';
    text += format_number(value);
  };
  for (ProblemBlock const& block : problem.blocks) {
    SetForm const& form = form_of(block.set.kind);
    if (form.kind != ForceSetKind::cone3) text += form.name;
    if (form.has_limit) add(block.set.limit);
    for (std::size_t i = 0; i < form.directions; ++i) add(block.set.direction[i]);
    for (int i = 0; i < block.rows(); ++i) add(problem.b[block.first + i]);
    text += '\n';
  }
  for (std::size_t row = 0; row < problem.A.size(); ++row) {
    for (BlockMatrix::Entry const& entry : problem.A.row(row)) {
      text += fmt::format("{} {}", row, entry.column);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) add(entry.value(i, j));
      }
      text += '\n';
    }
  }
  return text;
}

std::optional<std::string> asymmetry_of(ContactProblem const& problem) {
  BlockMatrix const& A = problem.A;
  double worst = symmetric_but_for_rounding;
  std::optional<std::string> found;
  for (std::size_t row = 0; row < A.size(); ++row) {
    for (BlockMatrix::Entry const& entry : A.row(row)) {
      std::size_t const column = static_cast<std::size_t>(entry.column);
      Eigen::Matrix3d const mirrored = block_at(A, column, static_cast<int>(row));
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          double const one = entry.value(i, j), other = mirrored(j, i);
          double const size = std::sqrt(std::abs(A.diagonal(row)(i, i) * A.diagonal(column)(j, j)));
          // Without a diagonal there is no size to compare with.
          double const share =
              one == other ? 0 : std::abs(one - other) / (size > 0 ? size : std::abs(one) + std::abs(other));
          if (!(share > worst)) continue;
          worst = share;
          found = fmt::format(
              "A is not symmetric: a{}{} of block {} {} is {}, and a{}{} of block {} {} is {}", i + 1, j + 1,
              row, column, format_number(one), j + 1, i + 1, column, row, format_number(other));
        }
      }
    }
  }
  return found;
}

}  // namespace delassus
