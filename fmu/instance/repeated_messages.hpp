// Messages that every step of a run would repeat. The first of a kind is logged at once, the others are counted, and
// told together at the end of the run: a paradox that comes and goes within microseconds, or impacts that cannot
// bounce, would otherwise fill the log and hide what else is said.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace delassus {

class RepeatedMessages {
 public:
  // One kind of message at one element. Its key is `subject`, which ends the sentence that is told in the end.
  struct Kind {
    std::string subject;           // "contact 'tip' was inconsistent"
    bool is_warning = true;        // or only information
    bool more_is_worse = true;     // of `measure`
    std::string measure_in_words;  // "with the residual"; empty: nothing is measured
    std::string unit;              // behind the measure: " %"
  };

  // Whether it is the first one, which has to be told at once.
  bool note(Kind const& kind, double t, double measure = 0);

  struct Sum {
    bool is_warning = true;
    std::string text;
  };
  // Of what came more than once, in the order of the alphabet; forgets everything.
  std::vector<Sum> take_sums();

 private:
  struct Entry {
    Kind kind;
    long more = 0;        // after the first one
    double last = 0;      // s
    double worst = 0;     // of all
    double worst_at = 0;  // s
  };
  std::map<std::string, Entry> entries_;
};

// For messages: six digits, because more would show rounding errors.
std::string rounded_for_people(double value);

}  // namespace delassus
