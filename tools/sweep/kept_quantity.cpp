#include "tools/sweep/kept_quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/sweep/reduction.hpp"

namespace delassus {
namespace {

using Evaluate = std::function<CourseValues(SubjectRun const&)>;

struct Term {
  Evaluate evaluate;
  std::string unit;
  bool exact = false;  // choices and whole numbers
};

template <class Operation>
Evaluate combine(Evaluate left, Evaluate right, Operation operation) {
  return [left = std::move(left), right = std::move(right), operation](SubjectRun const& run) {
    CourseValues a = left(run);
    CourseValues const b = right(run);
    if (a.size() < b.size()) a.resize(b.size(), a.front());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = operation(a[i], b.size() == 1 ? b[0] : b[i]);
    return a;
  };
}

template <class Operation>
Evaluate apply(Evaluate of, Operation operation) {
  return [of = std::move(of), operation](SubjectRun const& run) {
    CourseValues a = of(run);
    for (double& value : a) value = operation(value);
    return a;
  };
}

// A single number counts as one that does not change.
template <class Reduce>
Evaluate reduce(Evaluate of, Reduce reduction) {
  return [of = std::move(of), reduction](SubjectRun const& run) {
    CourseValues values = of(run);
    values.resize(run.table.rows(), values.front());
    return CourseValues{reduction(Course{run.table.time, values})};
  };
}

struct Function {
  std::string_view name;
  double (*value)(double);
};
constexpr Function functions[]{{"abs", [](double x) { return std::abs(x); }},
                               {"sqrt", [](double x) { return std::sqrt(x); }},
                               {"exp", [](double x) { return elementary::exp(x); }},
                               {"log", [](double x) { return elementary::log(x); }},
                               {"sin", [](double x) { return elementary::sin(x); }},
                               {"cos", [](double x) { return elementary::cos(x); }},
                               {"tan", [](double x) { return elementary::tan(x); }}};

struct Function2 {
  std::string_view name;
  double (*value)(double, double);
};
constexpr Function2 functions_of_two[]{{"min", [](double a, double b) { return std::fmin(a, b); }},
                                       {"max", [](double a, double b) { return std::fmax(a, b); }},
                                       {"hypot", [](double a, double b) { return elementary::hypot(a, b); }},
                                       {"atan2", [](double a, double b) { return elementary::atan2(a, b); }}};

template <class Table>
auto const* find_named(Table const& table, std::string_view name) {
  auto const found = std::ranges::find_if(table, [&](auto const& entry) { return entry.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

class QuantityParser {
 public:
  QuantityParser(SweepSubject const& subject, std::string const& text) : subject_(subject), text_(text) {}

  KeptQuantity parse() {
    Term term = parse_sum();
    skip_blanks();
    if (at_ < text_.size()) fail("an operator or the end was expected");
    return {text_, term.unit, std::move(term.evaluate)};
  }

 private:
  [[noreturn]] void fail(std::string const& rule) const {
    throw CommandError(ExitCode::usage,
                       fmt::format("--keep {}: {} at character {}; write a name or an expression, such as "
                                   "\"max(abs(tip_ground.force[1]))\"",
                                   text_, rule, at_ + 1));
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}' was expected", token));
  }

  Term parse_sum() {
    Term left = parse_product();
    while (true) {
      bool const plus = take("+");
      if (!plus && !take("-")) return left;
      Term right = parse_product();
      left = {plus ? combine(left.evaluate, right.evaluate, [](double a, double b) { return a + b; })
                   : combine(left.evaluate, right.evaluate, [](double a, double b) { return a - b; }),
              left.unit == right.unit ? left.unit : "", left.exact && right.exact};
    }
  }

  Term parse_product() {
    Term left = parse_sign();
    while (true) {
      bool const times = take("*");
      if (!times && !take("/")) return left;
      Term right = parse_sign();
      left = {times ? combine(left.evaluate, right.evaluate, [](double a, double b) { return a * b; })
                    : combine(left.evaluate, right.evaluate, [](double a, double b) { return a / b; }),
              "", left.exact && right.exact && times};
    }
  }

  Term parse_sign() {
    if (!take("-")) return parse_power();
    Term term = parse_sign();
    return {apply(term.evaluate, [](double a) { return -a; }), term.unit, term.exact};
  }

  Term parse_power() {
    Term base = parse_primary();
    if (!take("^")) return base;
    Term const exponent = parse_sign();
    return {
        combine(base.evaluate, exponent.evaluate, [](double a, double b) { return elementary::pow(a, b); }),
        "", false};
  }

  Term parse_primary() {
    skip_blanks();
    if (at_ == text_.size()) fail("a value was expected");
    if (take("(")) {
      Term term = parse_sum();
      expect(")");
      return term;
    }
    if (take("'")) {
      auto const end = text_.find('\'', at_);
      if (end == std::string::npos) fail("an apostrophe is not closed");
      std::string const name = text_.substr(at_, end - at_);
      at_ = end + 1;
      return named(name);
    }
    char const c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return parse_number_here();
    if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '_') fail("a value was expected");
    std::string const name = take_name();
    if (take("(")) return parse_call(name);
    return named(name);
  }

  Term parse_number_here() {
    std::size_t end = at_;
    auto const is_part = [&](std::size_t i) {
      char const c = text_[i];
      bool const sign = (c == '+' || c == '-') && i > at_ && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
      return sign || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    };
    while (end < text_.size() && is_part(end)) ++end;
    auto const value = parse_number(std::string_view(text_).substr(at_, end - at_), UnitId::radian);
    if (!value) fail("a number was expected, such as 0.5, 1e-3 or 45deg,");
    at_ = end;
    return {[value = *value](SubjectRun const&) { return CourseValues{value}; }, "", false};
  }

  // Words with dots, and indices in brackets: links[2].position[1].
  std::string take_name() {
    std::size_t end = at_;
    while (end < text_.size()) {
      char const c = text_[end];
      if (c == '[') {
        auto const close = text_.find(']', end);
        if (close == std::string::npos) fail("a bracket is not closed");
        end = close + 1;
      } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') {
        ++end;
      } else {
        break;
      }
    }
    std::string const name = text_.substr(at_, end - at_);
    at_ = end;
    return name;
  }

  Term named(std::string const& name) {
    auto const& series = subject_.series();
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (series[i].name != name) continue;
      items_.insert(items_.end(), series[i].items.begin(), series[i].items.end());
      return {[i](SubjectRun const& run) {
                std::size_t const columns = run.table.columns.size();
                return i < columns ? run.table.columns[i] : CourseValues{run.constants.at(i - columns)};
              },
              series[i].unit, !series[i].items.empty()};
    }
    if (name == "time") return {[](SubjectRun const& run) { return run.table.time; }, "s", false};
    // `slip` after `tip_ground.mode` was mentioned.
    for (auto const& item : items_) {
      if (item.name == name)
        return {[value = static_cast<double>(item.value)](SubjectRun const&) { return CourseValues{value}; },
                "", true};
    }
    for (auto const& other : series) {
      if (other.name.starts_with(name + "[")) {
        throw CommandError(ExitCode::usage,
                           fmt::format("--keep {}: {} is an array; name one of its elements, such as {}",
                                       text_, name, other.name));
      }
    }
    subject_.fail_unknown(name);
  }

  Term parse_call(std::string const& name) {
    if (auto const* const found = find_named(condition_reductions(), name)) return parse_condition(*found);
    Term first = parse_sum();
    if (take(",")) {
      auto const* const found = find_named(functions_of_two, name);
      if (found == nullptr) fail(fmt::format("{} is no function of two values", name));
      Term const second = parse_sum();
      expect(")");
      return {combine(first.evaluate, second.evaluate, found->value),
              first.unit == second.unit ? first.unit : "", false};
    }
    expect(")");
    if (auto const* const found = find_named(reductions(), name))
      return {reduce(first.evaluate, found->value),
              found->is_time     ? "s"
              : found->same_unit ? first.unit
                                 : "",
              first.exact};
    if (auto const* const found = find_named(functions, name))
      return {apply(first.evaluate, found->value), name == "abs" ? first.unit : "", false};
    std::string known;
    for (auto const& reduction : reductions()) known += fmt::format("{}, ", reduction.name);
    for (auto const& reduction : condition_reductions()) known += fmt::format("{}, ", reduction.name);
    for (auto const& function : functions) known += fmt::format("{}, ", function.name);
    fail(fmt::format("there is no function '{}' (there are {}hypot, atan2)", name, known));
  }

  Term parse_condition(ConditionReduction const& reduction) {
    Term const left = parse_sum();
    struct Sign {
      std::string_view text;
      Relation relation;
    };
    constexpr Sign signs[]{{">=", Relation::greater_or_equal},
                           {"<=", Relation::less_or_equal},
                           {"==", Relation::equal},
                           {"!=", Relation::not_equal},
                           {">", Relation::greater},
                           {"<", Relation::less},
                           {"=", Relation::equal}};
    auto const* const sign = std::ranges::find_if(signs, [&](Sign const& each) { return take(each.text); });
    if (sign == std::end(signs))
      fail(fmt::format("{} needs a condition, such as {}(rod.angle < 10deg); a sign was expected",
                       reduction.name, reduction.name));
    Term const right = parse_sum();
    expect(")");
    Condition const condition{sign->relation, left.exact || right.exact};
    return {reduce(combine(left.evaluate, right.evaluate, [](double a, double b) { return a - b; }),
                   [condition, value = reduction.value](Course const& difference) {
                     return value(difference, condition);
                   }),
            reduction.is_time ? "s" : "", false};
  }

  SweepSubject const& subject_;
  std::string const& text_;
  std::size_t at_ = 0;
  std::vector<SignalItem> items_;  // of the choices that were named so far
};

}  // namespace

std::vector<KeptQuantity> parse_kept(SweepSubject const& subject, std::string const& text) {
  std::vector<KeptQuantity> kept;
  bool known = false;
  for (auto const& series : subject.series()) known = known || series.name == text;
  for (auto const& series : subject.series()) {
    if (!known && series.name.starts_with(text + "[") && series.name.ends_with(']') &&
        series.name.find('.', text.size()) == std::string::npos)
      kept.push_back(QuantityParser(subject, series.name).parse());
  }
  if (kept.empty()) kept.push_back(QuantityParser(subject, text).parse());
  return kept;
}

std::vector<KeptQuantity> keep_outputs(SweepSubject const& subject) {
  std::vector<KeptQuantity> kept;
  auto const& series = subject.series();
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].is_output)
      kept.push_back(
          {series[i].name, series[i].unit, [i](SubjectRun const& run) { return run.table.columns.at(i); }});
  }
  if (kept.empty())
    throw CommandError(ExitCode::usage, "the model has no outputs to keep; name something with --keep");
  return kept;
}

}  // namespace delassus
