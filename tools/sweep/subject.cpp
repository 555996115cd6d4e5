#include "tools/sweep/subject.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model/language/vocabulary.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/ssp/structure_source.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/sweep/model_subject.hpp"
#include "tools/sweep/system_subject.hpp"

namespace delassus {
namespace {

// The rest of `name` after the prefix and a dot; the name itself where there is no prefix.
std::optional<std::string_view> within(std::string_view prefix, std::string_view name) {
  if (prefix.empty()) return name;
  if (name.size() <= prefix.size() + 1 || !name.starts_with(prefix) || name[prefix.size()] != '.')
    return std::nullopt;
  return name.substr(prefix.size() + 1);
}

bool ends_in(std::string_view name, std::string_view last) {
  return name.size() > last.size() + 1 && name.ends_with(last) && name[name.size() - last.size() - 1] == '.';
}

}  // namespace

std::string without_folder(std::string text) {
  std::error_code ignored;
  std::string const start = (std::filesystem::temp_directory_path(ignored) / "delassus.").string();
  constexpr std::size_t random_letters = 6;
  for (std::size_t at; (at = text.find(start)) != std::string::npos;) {
    // Then the number of the FMU's own folder.
    std::size_t end = std::min(at + start.size() + random_letters, text.size());
    if (end < text.size() && text[end] == '/') end = text.find_first_not_of("0123456789", end + 1);
    text.replace(at, end == std::string::npos ? end : end - at, "<fmu>");
  }
  return text;
}

bool is_named_in(std::vector<std::string> const& kept, std::string_view name) {
  auto const is_of_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
  };
  for (std::string const& text : kept) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      auto const after = at + name.size();
      if ((at == 0 || !is_of_word(text[at - 1])) && (after == text.size() || !is_of_word(text[after])))
        return true;
    }
    // An array by its name.
    if (name.ends_with(']') && text == name.substr(0, name.rfind('['))) return true;
  }
  return false;
}

std::string SweepSubject::full_name(SubjectSignal target) const {
  SubjectPart const& part = parts_[target.part];
  return (part.prefix.empty() ? "" : part.prefix + ".") + part.signals[target.signal].name;
}

std::optional<SubjectSignal> SweepSubject::find_settable(std::string_view name) const {
  std::vector<SubjectSignal> near;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    SignalTable const& table = parts_[p].signals;
    if (auto const rest = within(parts_[p].prefix, name)) {
      if (auto const found = table.find(*rest)) {
        if (can_be_set(table[*found])) return SubjectSignal{p, *found};
        throw CommandError(ExitCode::usage, fmt::format("{} cannot be varied: it is {}", name,
                                                        table[*found].causality == "local"
                                                            ? "a constant of the scene, or computed"
                                                            : "of causality " + table[*found].causality));
      }
    }
    for (std::size_t i = 0; i < table.signals().size(); ++i) {
      if (can_be_set(table[i]) && ends_in(full_name({p, i}), name)) near.push_back({p, i});
    }
  }
  if (near.size() > 1) {
    std::string names;
    for (auto const& target : near) names += (names.empty() ? "" : ", ") + full_name(target);
    throw CommandError(ExitCode::usage,
                       fmt::format("'{}' may be any of {}; say which, or vary several together as {}+{}=...",
                                   name, names, full_name(near[0]), full_name(near[1])));
  }
  if (near.size() == 1) return near.front();
  return std::nullopt;
}

void SweepSubject::fail_unknown(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t i = 0; i < parts_[p].signals.signals().size(); ++i) names.push_back(full_name({p, i}));
  }
  for (auto const& series : series_) names.push_back(series.name);
  throw UnknownSignal(
      fmt::format("the model has no variable '{}'{}", name,
                  suggested_names(name, std::vector<std::string_view>(names.begin(), names.end()))));
}

std::vector<SubjectValue> SweepSubject::parse_setting(std::string const& text) const {
  std::string_view const name = std::string_view(text).substr(0, text.find('='));
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    auto const rest = within(parts_[p].prefix, name);
    if (!rest) continue;
    std::vector<SubjectValue> values;
    for (auto& [signal, value] :
         parse_assignment(parts_[p].signals, std::string(*rest) + text.substr(name.size())))
      values.push_back({{p, signal}, std::move(value)});
    return values;
  }
  fail_unknown(name);
}

std::unique_ptr<SweepSubject> make_sweep_subject(SubjectRequest const& request) {
  std::error_code ignored;
  if (std::filesystem::exists(request.model, ignored)) {
    bool const is_system =
        std::filesystem::is_regular_file(request.model, ignored) && is_system_file(request.model);
    return is_system ? make_system_subject(request) : make_model_subject(request);
  }
  for (auto const& example : system_examples()) {
    if (example.name != request.model) continue;
    SubjectRequest of_example = request;
    of_example.model = example.file.string();
    return make_system_subject(of_example);
  }
  return make_model_subject(request);
}

}  // namespace delassus
