// Reads the solved problems of shared/contact-problems.json. The file orders its rows as (58) of Kikuuwe and
// Brogliato 2017 does, all tangential rows before all normal ones; here the rows of a block are adjacent,
// tangential first, normal last.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
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
  return std::filesystem::path(DELASSUS_TEST_DATA) / "contact-problems.json";
}

// Row of our order -> row of the file, for m contacts.
inline Eigen::Index row_in_file(Eigen::Index row, Eigen::Index contacts) {
  Eigen::Index const contact = row / 3, component = row % 3;
  return component < 2 ? 2 * contact + component : 2 * contacts + contact;
}

inline std::vector<SolvedContactProblem> read_contact_problems(std::filesystem::path const& path) {
  using Numbers = std::vector<double>;
  nlohmann::json const root = nlohmann::json::parse(std::ifstream(path));
  std::vector<SolvedContactProblem> problems;
  for (auto const& entry : root.at("problems")) {
    SolvedContactProblem solved;
    Eigen::Index const contacts = entry.at("m").get<Eigen::Index>();
    Eigen::Index const rows = 3 * contacts;
    auto const vector = [&](char const* name) {
      auto const values = entry.at(name).get<Numbers>();
      Eigen::VectorXd result(rows);
      for (Eigen::Index i = 0; i < rows; ++i)
        result[i] = values.at(static_cast<std::size_t>(row_in_file(i, contacts)));
      return result;
    };
    auto const matrix = entry.at("A").get<std::vector<Numbers>>();
    Eigen::MatrixXd A(rows, rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < rows; ++j) {
        A(i, j) = matrix.at(static_cast<std::size_t>(row_in_file(i, contacts)))
                      .at(static_cast<std::size_t>(row_in_file(j, contacts)));
      }
    }
    auto const mu = entry.at("mu").get<Numbers>();
    std::vector<ProblemBlock> blocks;
    for (Eigen::Index i = 0; i < contacts; ++i) {
      blocks.push_back({static_cast<int>(3 * i), {ForceSetKind::cone3, mu.at(static_cast<std::size_t>(i))}});
    }
    solved.problem = ContactProblem::from_dense(A, vector("b"), std::move(blocks));
    solved.coulomb = vector("lambda");
    solved.anitescu_tasora = vector("anitescu_tasora_78");
    solved.nakaoka = vector("nakaoka_80");
    solved.modes = entry.at("modes").get<std::vector<std::string>>();
    problems.push_back(std::move(solved));
  }
  return problems;
}

}  // namespace delassus::test
