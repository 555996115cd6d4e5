// What reproducing a paper gives: for each of its figures, tables and examples the pictures drawn anew, and for each
// number what the print says, what was computed apart from this program, what this program computes, and why the
// print is another where it is.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

// A number as a paper prints it. It agrees with ours where ours rounds to it.
struct PrintedValue {
  std::string text = {};             // "0.421"; empty: the paper does not print it
  std::optional<double> value = {};  // none: a word, which agrees or not as `agrees` says
  double tolerance = 0;              // half a unit of its last digit
  bool agrees = true;                // of a word
};

// "0.421" agrees with what lies within 0.0005 of it.
PrintedValue printed(std::string_view digits);
// "4/3", "sqrt(3)": a closed form, or a value that is read in some other way.
PrintedValue printed(std::string text, double value, double tolerance);
// "no solution"; `agrees` says whether we find the same.
PrintedValue printed_word(std::string text, bool agrees);

struct ReproducedValue {
  std::string name = {};
  std::string unit = {};
  PrintedValue print = {};
  std::optional<double> apart = {};  // closed form, or computed apart from this program with 25 digits
  double ours = 0;
  double bound = 0;            // largest |ours - apart| that is accepted
  std::string ours_text = {};  // instead of the number, where the value is a word
  std::string reason = {};     // why the print says something else, or what the comparison means

  double deviation() const {
    return apart ? std::abs(ours - *apart) : std::abs(ours - print.value.value_or(ours));
  }
  bool agrees_with_print() const;
  // Within its bound, and where the print is another, with a reason.
  bool holds() const;
};

// |ours - apart| <= bound |apart|.
ReproducedValue compared(std::string name, std::string unit, PrintedValue print, double apart, double ours,
                         double relative_bound, std::string reason = "");
// Nothing but the print to compare with.
ReproducedValue compared(std::string name, std::string unit, PrintedValue print, double ours,
                         std::string reason = "");

struct ReproducedFigure {
  std::string file = {};     // stem of the SVG and the CSV
  std::string caption = {};  // what is seen, and beside which figure of the print
  std::string svg = {}, csv = {};
};

struct ReproducedItem {
  std::string label = {};  // "Fig. 4", "Table 1", "section 5.1"
  std::string title = {};
  std::vector<std::string> text = {};  // paragraphs
  std::vector<ReproducedFigure> figures = {};
  std::vector<ReproducedValue> values = {};
};

struct ReproducedPaper {
  std::string key = {};  // as the command line names it
  std::string title = {};
  std::string citation = {};
  std::vector<std::string> misprints = {};  // corrected here, each with its equation number
  std::vector<ReproducedItem> items = {};
};

struct ReproductionCount {
  std::size_t figures = 0, values = 0;
  std::size_t printed = 0, agree = 0;  // with the print
  std::size_t reasons = 0;             // prints that are others, with the reason
  std::size_t failures = 0;            // that do not hold
};
ReproductionCount count(std::vector<ReproducedPaper> const& papers);

}  // namespace delassus
