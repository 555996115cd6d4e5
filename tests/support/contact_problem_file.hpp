// Reads the solved problems of shared/contact-problems.json. The file orders its rows as (58) of Kikuuwe and
// Brogliato 2017 does, all tangential rows before all normal ones; here the rows of a block are adjacent,
// tangential first, normal last.
#pragma once

// Boost's own JSON parser still includes the header that warns about its placeholders.
#ifndef BOOST_BIND_GLOBAL_PLACEHOLDERS
#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#endif
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus::test {

struct SolvedContactProblem {
  ContactProblem problem;
  Eigen::VectorXd coulomb, anitescu_tasora, nakaoka;
  std::vector<std::string> modes;  // of the Coulomb solution: "open", "stick" or "slip"
};

inline std::filesystem::path contact_problem_path() {
  return std::filesystem::path(DELASSUS_SHARED_DIR) / "contact-problems.json";
}

// Row of our order -> row of the file, for m contacts.
inline Eigen::Index row_in_file(Eigen::Index row, Eigen::Index contacts) {
  Eigen::Index const contact = row / 3, component = row % 3;
  return component < 2 ? 2 * contact + component : 2 * contacts + contact;
}

inline std::vector<SolvedContactProblem> read_contact_problems(std::filesystem::path const& path) {
  namespace tree = boost::property_tree;
  tree::ptree root;
  tree::read_json(path.string(), root);
  auto const numbers = [](tree::ptree const& list) {
    std::vector<double> values;
    for (auto const& [name, item] : list) values.push_back(std::stod(item.data()));
    return values;
  };
  std::vector<SolvedContactProblem> problems;
  for (auto const& [unnamed, entry] : root.get_child("problems")) {
    SolvedContactProblem solved;
    Eigen::Index const contacts = std::stol(entry.get_child("m").data());
    Eigen::Index const rows = 3 * contacts;
    auto const vector = [&, &entry = entry](char const* name) {  // clang 14 asks for a name of its own
      std::vector<double> const values = numbers(entry.get_child(name));
      Eigen::VectorXd result(rows);
      for (Eigen::Index i = 0; i < rows; ++i)
        result[i] = values.at(static_cast<std::size_t>(row_in_file(i, contacts)));
      return result;
    };
    std::vector<std::vector<double>> matrix;
    for (auto const& [row_name, row] : entry.get_child("A")) matrix.push_back(numbers(row));
    Eigen::MatrixXd A(rows, rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < rows; ++j) {
        A(i, j) = matrix.at(static_cast<std::size_t>(row_in_file(i, contacts)))
                      .at(static_cast<std::size_t>(row_in_file(j, contacts)));
      }
    }
    std::vector<double> const mu = numbers(entry.get_child("mu"));
    std::vector<ProblemBlock> blocks;
    for (Eigen::Index i = 0; i < contacts; ++i) {
      blocks.push_back({static_cast<int>(3 * i), {ForceSetKind::cone3, mu.at(static_cast<std::size_t>(i))}});
    }
    solved.problem = ContactProblem::from_dense(A, vector("b"), std::move(blocks));
    solved.coulomb = vector("lambda");
    solved.anitescu_tasora = vector("anitescu_tasora_78");
    solved.nakaoka = vector("nakaoka_80");
    for (auto const& [mode_name, mode] : entry.get_child("modes")) solved.modes.push_back(mode.data());
    problems.push_back(std::move(solved));
  }
  return problems;
}

}  // namespace delassus::test
