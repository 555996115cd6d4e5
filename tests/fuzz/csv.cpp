// Tables as comma-separated text: what was read and written again reads as the same numbers and names.
#include "tools/support/csv.hpp"

#include <bit>

#include "tests/fuzz/fuzz_target.hpp"

using namespace delassus;

namespace {

bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

bool same_numbers(std::vector<double> const& a, std::vector<double> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_number);
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  return {{"plain", "time,a,b\n0,1,2\n0.5,1e-3,-2.5e300\n0.5,nan,inf\n1,0.1,-0\n"},
          {"quoted", "\xEF\xBB\xBF\"time\" , \"a,b\",\"say \"\"x\"\"\"\r\n0 , 1,+2\r\n\r\n1,3,4\r\n"},
          {"empty", "time\n"},
          {"formulas", "time,=a,+b,-c,@d\n0,1,2,3,4\n"}};
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    TimeTable const table = read_csv(fuzz::text_of(data, size), "fuzzed.csv");
    if (table.rows() > 0) table.row_at(0.5, 1e-9);
    std::string const text = write_csv(table);
    TimeTable const again = read_csv(text, "again.csv");
    fuzz::demand_always(again.names == table.names, "names of columns read back as they were written");
    fuzz::demand_always(same_numbers(again.time, table.time), "times read back as they were written");
    fuzz::demand_always(std::equal(again.columns.begin(), again.columns.end(), table.columns.begin(),
                                   table.columns.end(), same_numbers),
                        "numbers read back as they were written");
    fuzz::demand_always(write_csv(again) == text, "the same table gives the same text");
  } catch (CsvError const&) {
    // No table.
  }
  return 0;
}
