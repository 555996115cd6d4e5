// A report as one page: HTML with its style, scripts, libraries, licences and data inside. It loads nothing.
#pragma once

#include <string>

#include "tools/report/run_report.hpp"

namespace delassus {

// The data of the page as JSON, which is safe inside a script element: it holds no `<`. Its packed numbers are described in
// packed_numbers.hpp.
std::string report_json(Report const& report, ReportLimits const& limits = {});

// Throws CommandError where the libraries were not there when the program was built.
std::string write_report_page(Report const& report, ReportLimits const& limits = {});

}  // namespace delassus
