// Our solver of contact problems and those of Siconos on the problems of a folder: one run, one core, every
// solve from a force of zero, the same measure to stop by, and every answer judged by it on the raw data.
// Prints a table, and writes a performance profile and all numbers where asked.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "solver/island/contact_solver.hpp"
#include "tests/benchmark/guarded_measurement.hpp"
#include "tests/benchmark/performance_profile.hpp"
#include "tests/benchmark/siconos_solver.hpp"
#include "tools/solve/problem_file.hpp"
#include "tools/support/atomic_file.hpp"

namespace delassus::test {
namespace {

struct Request {
  std::filesystem::path folder, chart, csv;
  std::string only;
  double tolerance = 1e-8;
  double seconds = 10;
  bool all = false;
};

class OurCandidate : public Candidate {
 public:
  OurCandidate(ContactProblem const& problem, ResidualMeasure measure, double tolerance)
      : problem_(problem), previous_(Eigen::VectorXd::Zero(problem.b.size())) {
    settings_.measure = measure;
    settings_.tolerance = tolerance;
    settings_.acceptable = tolerance;
  }
  void restore() override {}
  bool solve() override {
    solver_.solve(problem_, settings_, previous_, solution_);
    return solution_.status == SolveStatus::converged;
  }
  Eigen::VectorXd lambda() const override { return solution_.lambda; }
  std::string note() const override {
    return fmt::format("{}, {}", text(solution_.status), text(solution_.part));
  }

 private:
  ContactProblem const& problem_;
  SolveSettings settings_;
  Eigen::VectorXd previous_;
  ContactSolver solver_;
  Solution solution_;
};

class SiconosCandidate : public Candidate {
 public:
  SiconosCandidate(ContactProblem const& problem, SiconosConfiguration const& configuration,
                   SiconosStorage storage, double tolerance)
      : solver_(problem, configuration, storage, tolerance), storage_(storage) {}
  void restore() override { solver_.restore(); }
  bool solve() override { return solver_.solve() == 0; }
  Eigen::VectorXd lambda() const override { return solver_.lambda(); }
  std::string note() const override {
    return fmt::format("{}, {} iterations", text(storage_), solver_.iterations());
  }

 private:
  SiconosSolver solver_;
  SiconosStorage storage_;
};

struct Result {
  std::string problem;
  std::size_t contacts = 0;
  Measurement ours, ours_scale_free,
      ours_precise;                            // at the measure of Siconos, and at ours to 1e-8 and 1e-12
  std::map<std::string, Measurement> siconos;  // by the name of the configuration

  std::pair<std::string, Measurement> best_siconos() const {
    std::pair<std::string, Measurement> best;
    for (auto const& [name, measurement] : siconos) {
      if (measurement.solved && measurement.seconds < best.second.seconds) best = {name, measurement};
    }
    return best;
  }
};

Measurement measure_ours(ContactProblem const& problem, Goal const& goal, double limit) {
  return measure(
      problem, goal,
      [&](double tolerance) { return std::make_unique<OurCandidate>(problem, goal.measure, tolerance); },
      limit);
}

// In the storage in which it is the fastest; on small problems sparse matrices never are.
Measurement measure_siconos(ContactProblem const& problem, SiconosConfiguration const& configuration,
                            Request const& request) {
  Measurement best;
  for (SiconosStorage const storage : configuration.storages) {
    bool const is_sparse =
        storage == SiconosStorage::sparse || storage == SiconosStorage::sparse_multifrontal;
    if (is_sparse && problem.blocks.size() < 20) continue;
    Measurement const measurement = measure(
        problem, {ResidualMeasure::unit, request.tolerance},
        [&](double tolerance) {
          return std::make_unique<SiconosCandidate>(problem, configuration, storage, tolerance);
        },
        request.seconds);
    bool const better = measurement.solved
                            ? measurement.seconds < best.seconds || !best.solved
                            : !best.solved && !(best.unit_residual <= measurement.unit_residual);
    if (better) best = measurement;
  }
  return best;
}

bool is_for_siconos(ContactProblem const& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(),
                     [](auto const& block) { return block.set.kind == ForceSetKind::cone3; });
}

std::vector<SiconosConfiguration> configurations(Request const& request) {
  std::vector<SiconosConfiguration> chosen;
  for (auto const& configuration : siconos_configurations()) {
    if (configuration.common || request.all) chosen.push_back(configuration);
  }
  return chosen;
}

Result measure_all(std::string const& name, ContactProblem const& problem, Request const& request) {
  Result result;
  result.problem = name;
  result.contacts = problem.blocks.size();
  result.ours = measure_ours(problem, {ResidualMeasure::unit, request.tolerance}, request.seconds);
  result.ours_scale_free = measure_ours(problem, {ResidualMeasure::scale_free, 1e-8}, request.seconds);
  result.ours_precise = measure_ours(problem, {ResidualMeasure::scale_free, 1e-12}, request.seconds);
  if (is_for_siconos(problem)) {
    for (auto const& configuration : configurations(request))
      result.siconos[configuration.name] = measure_siconos(problem, configuration, request);
  }
  return result;
}

std::string microseconds(Measurement const& measurement) {
  return measurement.solved ? fmt::format("{:.1f}", 1e6 * measurement.seconds) : "-";
}

std::string ratio(double numerator, double denominator) {
  double const value = numerator / denominator;
  return std::isfinite(value) && value > 0 ? fmt::format("{:.2f}", value) : "-";
}

std::string residuals(Measurement const& measurement) {
  return fmt::format("{:.0e} {:.0e}", measurement.unit_residual, measurement.scale_free_residual);
}

constexpr std::string_view row = "{:38} {:>4} {:>11} {:>11} {:>6}  {:15} {:15} {:>6} {:>6}  {:20} {}\n";

void print_heading() {
  fmt::print(row, "", "", "ours", "Siconos", "ratio", "residuals, ours", "residuals, best", "1e-8", "1e-12",
             "best Siconos", "ours");
  fmt::print(row, "problem", "n", "us", "us", "", "unit scale-free", "unit scale-free", "of ours", "", "",
             "");
}

void print(Result const& result, double tolerance) {
  auto const [name, best] = result.best_siconos();
  std::string which = name;
  if (best.solved && best.tolerance < tolerance) which += fmt::format(" (at {:.0e})", best.tolerance);
  fmt::print(row, result.problem, result.contacts, microseconds(result.ours), microseconds(best),
             ratio(best.seconds, result.ours.solved ? result.ours.seconds : NAN), residuals(result.ours),
             residuals(best),
             ratio(result.ours_scale_free.solved ? result.ours_scale_free.seconds : NAN, result.ours.seconds),
             ratio(result.ours_precise.solved ? result.ours_precise.seconds : NAN, result.ours.seconds),
             which, result.ours.note);
  std::fflush(stdout);
}

void print_failures(std::string const& name, std::vector<Result> const& results,
                    Measurement const& (*pick)(Result const&, std::string const&)) {
  std::string failed;
  int count = 0, tightened = 0;
  double tolerance = 0;
  for (auto const& result : results) tolerance = std::max(tolerance, pick(result, name).tolerance);
  for (auto const& result : results) {
    Measurement const& measurement = pick(result, name);
    if (measurement.solved) {
      tightened += measurement.tolerance < tolerance;
      continue;
    }
    ++count;
    failed += fmt::format(
        "{}{} ({}{})", failed.empty() ? "" : ", ", result.problem, measurement.note,
        std::isnan(measurement.unit_residual) ? "" : fmt::format(", {:.0e}", measurement.unit_residual));
  }
  fmt::print("  {:20} {:3} {:9}   {}\n", name, count, tightened, failed);
}

void print_summary(std::vector<Result> const& results, Request const& request) {
  double sum = 0, worst = INFINITY, sum_scale_free = 0, sum_precise = 0;
  int count = 0, scale_free = 0, precise = 0;
  std::string worst_problem;
  for (auto const& result : results) {
    auto const best = result.best_siconos().second;
    if (!result.ours.solved) continue;
    if (best.solved) {
      double const value = best.seconds / result.ours.seconds;
      sum += std::log(value);
      ++count;
      if (value < worst) {
        worst = value;
        worst_problem = result.problem;
      }
    }
    if (result.ours_scale_free.solved) {
      sum_scale_free += std::log(result.ours_scale_free.seconds / result.ours.seconds);
      ++scale_free;
    }
    if (result.ours_precise.solved) {
      sum_precise += std::log(result.ours_precise.seconds / result.ours.seconds);
      ++precise;
    }
  }
  fmt::print("\nTime of the best Siconos configuration, chosen afterwards for each problem, over ours:\n");
  fmt::print("  geometric mean {:.2f} over {} problems, worst {:.2f} ({})\n", std::exp(sum / count), count,
             worst, worst_problem);
  fmt::print("Time of ours to a scale-free residual over that to {:.0e} in the measure of Siconos:\n",
             request.tolerance);
  fmt::print("  1e-8: {:.2f} (geometric mean of {}), 1e-12: {:.2f} ({})\n",
             std::exp(sum_scale_free / scale_free), scale_free, std::exp(sum_precise / precise), precise);
  fmt::print("Not solved, of {}; solved with a tolerance that had to be tightened; which:\n", results.size());
  print_failures("ours", results,
                 [](Result const& result, std::string const&) -> Measurement const& { return result.ours; });
  for (auto const& configuration : configurations(request)) {
    print_failures(configuration.name, results,
                   [](Result const& result, std::string const& name) -> Measurement const& {
                     static Measurement const none;
                     auto const found = result.siconos.find(name);
                     return found == result.siconos.end() ? none : found->second;
                   });
  }
}

std::string csv_line(Result const& result, std::string const& solver, Measurement const& measurement) {
  return fmt::format("{},{},{},{:d},{:.3f},{:.3g},{:.3g},{:g},\"{}\"\n", result.problem, result.contacts,
                     solver, measurement.solved, 1e6 * measurement.seconds, measurement.unit_residual,
                     measurement.scale_free_residual, measurement.tolerance, measurement.note);
}

std::string csv_of(std::vector<Result> const& results) {
  std::string text = "problem,contacts,solver,solved,microseconds,unit,scale_free,tolerance,note\n";
  for (auto const& result : results) {
    text += csv_line(result, "ours", result.ours);
    text += csv_line(result, "ours scale-free 1e-8", result.ours_scale_free);
    text += csv_line(result, "ours scale-free 1e-12", result.ours_precise);
    for (auto const& [name, measurement] : result.siconos) text += csv_line(result, name, measurement);
  }
  return text;
}

// Shades of one colour for each family of methods, and a dash for each member: no colour is needed to tell
// them apart.
void set_appearance(ProfiledSolver& solver, std::map<std::string, std::size_t>& members) {
  static std::map<std::string, std::vector<std::string>> const shades = {
      {"NSGS", {"#d55e00", "#8f3f00", "#f08c3c"}},
      {"NSN", {"#009e73", "#00573f", "#5cc9a7"}},
      {"PROX", {"#b0508a"}},
      {"ADMM", {"#e69f00", "#a87400"}},
      {"", {"#8a94a0", "#5c6975", "#b4bcc5"}}};
  static std::vector<std::string> const dashes = {"", "8 4", "2 3", "10 3 2 3", "4 2"};
  std::string family = solver.name.substr(0, solver.name.find_first_of(" _"));
  if (!shades.contains(family)) family.clear();
  std::size_t const member = members[family]++;
  solver.colour = shades.at(family)[member % shades.at(family).size()];
  solver.dash = dashes[member % dashes.size()];
}

// 1e-8, as people write it.
std::string short_number(double value) {
  std::string text = fmt::format("{:.0e}", value);
  if (auto const zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string chart_of(std::vector<Result> const& results, Request const& request) {
  PerformanceProfile profile;
  std::size_t most = 0;
  for (auto const& result : results) most = std::max(most, result.contacts);
  profile.title = "Contact problems of others: Delassus and Siconos";
  profile.subtitles = {
      fmt::format("{} problems with friction, of 1 to {} contacts, from zero forces to {} in the measure of "
                  "Siconos, on one core,",
                  results.size(), most, short_number(request.tolerance)),
      "each configuration of Siconos with the matrix storage that is its fastest. High on the left: fast. "
      "High "
      "on the right: reliable."};
  auto const time = [](Measurement const& measurement) {
    return measurement.solved ? measurement.seconds : INFINITY;
  };
  ProfiledSolver ours;
  ours.name = "Delassus";
  ours.colour = "#0072b2";
  ours.emphasised = true;
  for (auto const& result : results) ours.times.push_back(time(result.ours));
  profile.solvers.push_back(ours);
  std::map<std::string, std::size_t> members;
  for (auto const& configuration : configurations(request)) {
    ProfiledSolver solver;
    solver.name = configuration.name;
    for (auto const& result : results) {
      auto const found = result.siconos.find(configuration.name);
      solver.times.push_back(found == result.siconos.end() ? INFINITY : time(found->second));
    }
    set_appearance(solver, members);
    profile.solvers.push_back(solver);
  }
  return write_svg(profile);
}

std::vector<std::filesystem::path> problem_files(Request const& request) {
  std::vector<std::pair<std::uintmax_t, std::filesystem::path>> found;
  for (auto const& entry : std::filesystem::directory_iterator(request.folder)) {
    if (entry.path().extension() == ".txt" &&
        entry.path().filename().string().find(request.only) != std::string::npos)
      found.emplace_back(entry.file_size(), entry.path());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::filesystem::path> paths;
  for (auto& [size, path] : found) paths.push_back(std::move(path));
  return paths;
}

void run(Request const& request) {
  std::vector<Result> results;
  print_heading();
  for (auto const& path : problem_files(request)) {
    results.push_back(measure_all(path.stem().string(), read_problem(path), request));
    print(results.back(), request.tolerance);
  }
  if (results.empty()) throw std::runtime_error("no problems in " + request.folder.string());
  print_summary(results, request);
  if (!request.csv.empty()) write_file(request.csv, csv_of(results));
  if (!request.chart.empty()) write_file(request.chart, chart_of(results, request));
}

// A library of linear algebra reads these when it is loaded, which is before main.
void use_one_core(char** arguments) {
  char const* const threads = std::getenv("OPENBLAS_NUM_THREADS");
  if (threads != nullptr && std::string_view(threads) == "1") return;
  for (char const* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"})
    ::setenv(name, "1", 1);
  ::execv("/proc/self/exe", arguments);
}

}  // namespace
}  // namespace delassus::test

int main(int count, char** arguments) {
  delassus::test::use_one_core(arguments);
  delassus::test::Request request;
  CLI::App app("Times our solver of contact problems and those of Siconos on the problems of a folder.");
  app.add_option("folder", request.folder, "Folder with contact problems, *.txt")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--tolerance", request.tolerance, "In the measure of Siconos")->capture_default_str();
  app.add_option("--only", request.only, "Only problems whose names contain this");
  app.add_option("--chart", request.chart, "Write the performance profile to this SVG");
  app.add_option("--csv", request.csv, "Write all numbers to this file");
  app.add_option("--seconds", request.seconds, "Limit for each configuration on each problem")
      ->capture_default_str();
  app.add_flag("--all", request.all, "Also the configurations of Siconos that are seldom good");
  CLI11_PARSE(app, count, arguments);
  try {
    delassus::test::run(request);
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
