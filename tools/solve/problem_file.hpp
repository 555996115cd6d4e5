// Contact problems as plain text, so that a problem can leave the simulation that it comes from and be solved,
// compared and reported without it.
//
// Fields are separated by blanks, numbers are written with the fewest digits that read back as the same double:
//   line 1   number of contacts n, number of stored blocks m
//   n lines  one block of rows each: what it admits, then b in its rows, tangential first, normal last
//   m lines  i j a11 a12 a13 a21 ... a33: block row i, block column j, counted from zero, in any order; both
//            triangles are stored, and a block that is missing is zero
//
// A line of the second kind that begins with a number is a Coulomb contact in space, `mu b_t1 b_t2 b_n`: that
// is all there is in the collections of problems of others. Every other set begins with its name
// (model/equations/force_set.hpp):
//   half_line b                 interval LIMIT b            disc LIMIT b1 b2
//   cone2 MU b_t b_n            cone3 MU b_t1 b_t2 b_n      (the same as without the word)
//   free1 b                     free2 b1 b2                 free3 b1 b2 b3
//   double_cone2 MU b_t b_n     double_cone3 MU b_t1 b_t2 b_n
//   directed2 D b_t b_n         directed3 D1 D2 b_t1 b_t2 b_n     with lambda_t = D lambda_n
// Blocks are 3 x 3 whatever their sets; the rows and columns that a set does not have are zero.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/scene/user_error.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

class ProblemFileError : public LocatedError {
 public:
  ProblemFileError(std::string const& file, std::size_t line, std::string const& message)
      : LocatedError(file, static_cast<int>(line), message) {}
};

// Throws ProblemFileError, and FileError where the file cannot be read.
ContactProblem read_problem(std::filesystem::path const& path);

// `name` is for messages. The blocks of a row keep the order of the text, so that sums have the same rounding
// as in the problem that was written. Throws ProblemFileError.
ContactProblem parse_problem(std::string_view text, std::string const& name);

std::string problem_text(ContactProblem const& problem);

// Where A differs most from its transpose, relative to sqrt(a_ii a_jj), as a sentence that names both numbers; nothing
// where they agree but for rounding. A = J M^-1 J^T of bodies is symmetric, those of some collections, written with few
// digits, are not: the difference is told and not refused.
std::optional<std::string> asymmetry_of(ContactProblem const& problem);

}  // namespace delassus
