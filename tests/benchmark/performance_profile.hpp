// The performance profile of Dolan and More (2002): for each solver, the fraction of the problems that it
// solves within a factor of the fastest solver's time, over that factor. High and left is fast, high on the
// right is reliable.
#pragma once

#include <string>
#include <vector>

namespace delassus::test {

struct ProfiledSolver {
  std::string name;
  std::vector<double> times;  // one for each problem, infinite where it was not solved
  std::string colour;         // "#0072b2"
  std::string dash;           // of the line, as in SVG; empty: none
  bool emphasised = false;
};

struct PerformanceProfile {
  std::string title;
  std::vector<std::string> subtitles;
  std::vector<ProfiledSolver> solvers;
};

// A static SVG. Problems that no solver has solved count: so nobody reaches 1.
std::string write_svg(PerformanceProfile const& profile);

}  // namespace delassus::test
