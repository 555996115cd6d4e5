#include "tools/sweep/task.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

// A row is one line.
std::string in_one_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return text;
}

std::vector<SweepAxis> parse_axes(SweepSubject const& subject, SweepRequest const& request) {
  std::vector<SweepAxis> axes;
  for (auto const& text : request.vary)
    axes.push_back(parse_axis(subject, text, request.sampling.kind != SamplingKind::grid));
  return axes;
}

SubjectRequest with_kept(SweepRequest const& request) {
  SubjectRequest subject = request.subject;
  subject.kept = request.keep;
  return subject;
}

}  // namespace

SweepTask::SweepTask(SweepRequest const& request)
    : subject_(make_sweep_subject(with_kept(request))),
      plan_(parse_axes(*subject_, request), request.sampling),
      runs_folder_(request.runs_folder) {
  for (auto const& text : request.keep) {
    for (auto& quantity : parse_kept(*subject_, text)) kept_.push_back(std::move(quantity));
  }
  if (kept_.empty()) kept_ = keep_outputs(*subject_);
  if (!runs_folder_.empty()) {
    std::error_code error;
    std::filesystem::create_directories(runs_folder_, error);
    if (error) throw FileError(fmt::format("cannot make the folder {}: {}", runs_folder_, error.message()));
  }
}

std::vector<std::string> SweepTask::facts() const {
  std::vector<std::string> facts{fmt::format("program {}", program_version)};
  for (auto& fact : subject_->facts()) facts.push_back(std::move(fact));
  for (auto& fact : plan_.facts()) facts.push_back(std::move(fact));
  for (auto const& quantity : kept_) facts.push_back("keep " + quantity.text);
  if (!runs_folder_.empty()) facts.push_back("runs-folder " + runs_folder_);
  for (auto& fact : facts) fact = in_one_line(std::move(fact));
  return facts;
}

std::string SweepTask::empty_row(std::string_view status, std::string const& message) const {
  return fmt::format("{}{},{}", std::string(kept_.size(), ','), status, csv_text(in_one_line(message)));
}

std::string SweepTask::row_of(std::size_t run) {
  std::vector<SubjectValue> values;
  auto const drawn = plan_.values(run);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    SweepAxis const& axis = plan_.axes()[i];
    for (auto const& target : axis.targets) values.push_back({target, drawn[i].value});
    if (!axis.is_alias) continue;
    for (auto& value : subject_->parse_setting(axis.name + "=" + drawn[i].text))
      values.push_back(std::move(value));
  }
  SubjectRun const result = subject_->run(values);
  if (!runs_folder_.empty() && result.table.rows() > 0)
    write_file(std::filesystem::path(runs_folder_) / fmt::format("run-{:06d}.csv", run + 1),
               write_csv(result.table));
  // What a run came to before it failed is in its own file; in the table it would pass for a result.
  if (result.failure) return empty_row(run_status::failed, *result.failure);
  std::string row;
  for (auto const& quantity : kept_) {
    double const value = quantity.value(result);
    // An empty cell, and not a word that spreadsheets do not read, where there is no value.
    row += (std::isnan(value) ? "" : format_number(value)) + ',';
  }
  std::string message = result.warnings > 0 ? "warning: " + result.warning : "";
  if (result.warnings > 1) message += fmt::format(" (and {} more)", result.warnings - 1);
  if (result.terminated)
    message = fmt::format("the model asked to end at {} s", format_time(result.table.time.back()));
  return row + fmt::format("{},{}", result.terminated ? run_status::ended : run_status::ok,
                           csv_text(in_one_line(message)));
}

std::string SweepTask::row_of(FinishedWork const& lost) const {
  return empty_row(lost.end == ChildEnd::timed_out ? run_status::timeout
                   : lost.end == ChildEnd::crashed ? run_status::crashed
                                                   : run_status::failed,
                   lost.text);
}

std::string SweepTask::table(std::vector<std::optional<std::string>> const& rows) const {
  std::string text = "run";
  for (auto const& axis : plan_.axes()) text += ',' + csv_text(axis.name);
  for (auto const& quantity : kept_) text += ',' + csv_text(quantity.text);
  text += ",status,message\n";
  for (std::size_t run = 0; run < rows.size(); ++run) {
    text += std::to_string(run + 1);
    for (auto const& value : plan_.values(run)) text += ',' + csv_text(value.text);
    text += ',' + rows[run].value() + '\n';
  }
  return text;
}

RowCells read_row(std::string const& row) {
  RowCells cells;
  std::vector<std::string> all{""};
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"') {
      if (quoted && i + 1 < row.size() && row[i + 1] == '"') {
        all.back() += row[++i];
      } else {
        quoted = !quoted;
      }
    } else if (row[i] == ',' && !quoted) {
      all.emplace_back();
    } else {
      all.back() += row[i];
    }
  }
  if (all.size() < 2) return cells;
  cells.message = all.back();
  cells.status = all[all.size() - 2];
  cells.values.assign(all.begin(), all.end() - 2);
  return cells;
}

}  // namespace delassus
