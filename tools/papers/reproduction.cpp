#include "tools/papers/reproduction.hpp"

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"

namespace delassus {

PrintedValue printed(std::string_view digits) {
  auto const value = parse_number(digits);
  auto const exponent = digits.find('e');
  std::string_view const mantissa = digits.substr(0, exponent);
  auto const point = mantissa.find('.');
  double const decimals =
      point == std::string_view::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  double const power =
      exponent == std::string_view::npos ? 0 : parse_number(digits.substr(exponent + 1)).value_or(0);
  // A hair more than half a unit: rounding of what was rounded.
  return {std::string(digits), value, 0.5000001 * elementary::pow(10, power - decimals)};
}

PrintedValue printed(std::string text, double value, double tolerance) {
  return {std::move(text), value, tolerance};
}

PrintedValue printed_word(std::string text, bool agrees) {
  return {std::move(text), std::nullopt, 0, agrees};
}

bool ReproducedValue::agrees_with_print() const {
  if (print.text.empty()) return true;
  return print.value ? std::abs(ours - *print.value) <= print.tolerance : print.agrees;
}

bool ReproducedValue::holds() const {
  bool const within = !apart || std::abs(ours - *apart) <= bound;
  return within && (agrees_with_print() || !reason.empty());
}

ReproducedValue compared(std::string name, std::string unit, PrintedValue print, double apart, double ours,
                         double relative_bound, std::string reason) {
  ReproducedValue value;
  value.name = std::move(name);
  value.unit = std::move(unit);
  value.print = std::move(print);
  value.apart = apart;
  value.ours = ours;
  value.bound = relative_bound * std::abs(apart);
  value.reason = std::move(reason);
  return value;
}

ReproducedValue compared(std::string name, std::string unit, PrintedValue print, double ours,
                         std::string reason) {
  ReproducedValue value;
  value.name = std::move(name);
  value.unit = std::move(unit);
  value.print = std::move(print);
  value.ours = ours;
  value.reason = std::move(reason);
  return value;
}

ReproductionCount count(std::vector<ReproducedPaper> const& papers) {
  ReproductionCount count;
  for (auto const& paper : papers) {
    for (auto const& item : paper.items) {
      count.figures += item.figures.size();
      for (auto const& value : item.values) {
        ++count.values;
        count.failures += value.holds() ? 0 : 1;
        if (value.print.text.empty()) continue;
        ++count.printed;
        ++(value.agrees_with_print() ? count.agree : count.reasons);
      }
    }
  }
  return count;
}

}  // namespace delassus
