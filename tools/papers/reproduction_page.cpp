#include "tools/papers/reproduction_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/plot/chart_axis.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/json.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

constexpr std::string_view page_style = R"(
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#1b2530;--soft:#55626f;--line:#dde2e7;--good:#00734f;--other:#9a5b00;--bad:#b3261e;--accent:#0072b2}
@media screen and (prefers-color-scheme:dark){:root{--paper:#10151a;--card:#171d24;--ink:#e4e9ee;--soft:#9aa6b2;--line:#2b343d;--good:#4cc79b;--other:#e8a94a;--bad:#ff8f85;--accent:#6fb8ea}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 Inter,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
main{max-width:1320px;margin:0 auto;padding:28px 24px 60px}
h1{font-size:27px;margin:0 0 6px}h2{font-size:22px;margin:52px 0 4px;padding-top:12px;border-top:2px solid var(--line)}h3{font-size:17px;margin:34px 0 6px}
h3 .label{color:var(--accent);margin-right:.5em}
p{margin:6px 0 10px;max-width:92ch}.soft{color:var(--soft)}a{color:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:6px 18px;margin:16px 0}
.tally{display:flex;flex-wrap:wrap;gap:12px;margin:18px 0}
.tally div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 16px;min-width:130px}
.tally b{display:block;font-size:23px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:18px;margin:14px 0}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:8px 8px 12px;break-inside:avoid}
figure svg{display:block;width:100%;height:auto;max-width:680px;margin:0 auto}
figcaption{font-size:13.5px;color:var(--soft);padding:6px 12px 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);border-radius:10px;font-size:13.5px;margin:12px 0}
th{text-align:left;font-weight:600;color:var(--soft);padding:7px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:5px 10px;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}tr{break-inside:avoid}
td.verdict{white-space:nowrap}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}
td.why{color:var(--soft);min-width:16em;max-width:46em}
.good{color:var(--good)}.other{color:var(--other)}.bad{color:var(--bad);font-weight:600}
.misprints{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--other);border-radius:8px;padding:8px 16px;margin:10px 0;max-width:100ch}
.misprints ul{margin:4px 0;padding-left:1.3em}
@media print{body{background:#fff;font-size:11px}main{max-width:none;padding:0}h2{break-before:page}.figures{grid-template-columns:1fr 1fr}table{font-size:9px}figcaption{font-size:10px}h3,p{break-after:avoid}}
)";

std::string number_text(double value, std::string const& unit) {
  std::string text = fmt::format("{:.12g}", value);
  if (text.starts_with('-')) text = "\u2212" + text.substr(1);
  return unit.empty() ? text : text + " " + unit_text(unit);
}

std::string verdict(ReproducedValue const& value) {
  if (!value.holds()) return "<span class=\"bad\">not as stated</span>";
  if (value.print.text.empty()) return value.apart ? "<span class=\"good\">agrees</span>" : "";
  if (value.agrees_with_print()) return "<span class=\"good\">agrees</span>";
  return "<span class=\"other\">print differs</span>";
}

std::string row(ReproducedValue const& value) {
  std::string deviation;
  bool const judged = value.apart || value.print.value;
  if (judged && value.ours_text.empty()) {
    deviation = value.deviation() == 0 ? "0" : fmt::format("{:.1e}", value.deviation());
    if (value.apart && value.bound > 0)
      deviation += fmt::format(" <span class=\"soft\">\u2264 {:.0e}</span>", value.bound);
  }
  return fmt::format(
      "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td class=\"verdict\">{}</td><td class=\"why\">{}</td></tr>\n",
      escape_markup(value.name),
      value.print.text.empty() ? "<span class=\"soft\">\u2013</span>" : escape_markup(value.print.text),
      value.apart && value.ours_text.empty() ? escape_markup(number_text(*value.apart, ""))
                                             : "<span class=\"soft\">\u2013</span>",
      escape_markup(value.ours_text.empty() ? number_text(value.ours, value.unit) : value.ours_text),
      deviation, verdict(value), escape_markup(value.reason));
}

std::string anchor(std::string const& paper, std::size_t item) {
  return fmt::format("{}-{}", paper, item + 1);
}

std::string item_text(ReproducedItem const& item, std::string const& id, std::string const& folder) {
  std::string page = fmt::format("<section id=\"{}\">\n<h3><span class=\"label\">{}</span>{}</h3>\n", id,
                                 escape_markup(item.label), escape_markup(item.title));
  for (auto const& paragraph : item.text) page += "<p>" + escape_markup(paragraph) + "</p>\n";
  if (!item.figures.empty()) {
    page += "<div class=\"figures\">\n";
    for (auto const& figure : item.figures) {
      std::string const stem = escape_markup(folder + "/" + figure.file);
      page += fmt::format(
          "<figure id=\"{0}\">\n{1}<figcaption>{2} <a href=\"{3}.svg\">SVG</a> <a "
          "href=\"{3}.csv\">CSV</a></figcaption>\n</figure>\n",
          escape_markup(figure.file), figure.svg, escape_markup(figure.caption), stem);
    }
    page += "</div>\n";
  }
  if (!item.values.empty()) {
    page +=
        "<div class=\"scroll\"><table>\n<thead><tr><th>quantity</th><th>print</th><th>computed "
        "apart</th><th>ours</th><th>deviation</th><th></th><th>reason</th></tr></thead>\n<tbody>\n";
    for (auto const& value : item.values) page += row(value);
    page += "</tbody></table></div>\n";
  }
  return page + "</section>\n";
}

std::string tally(ReproductionCount const& count) {
  std::string text = "<div class=\"tally\">\n";
  auto const box = [&](std::size_t number, std::string const& what, std::string const& kind) {
    text += fmt::format("<div><b class=\"{}\">{}</b>{}</div>\n", kind, number, what);
  };
  box(count.figures, "figures drawn anew", "");
  box(count.values, "numbers compared", "");
  box(count.agree, "of the print agree", "good");
  box(count.reasons, "of the print differ, with the reason", count.reasons == 0 ? "good" : "other");
  box(count.failures, "outside of their bounds", count.failures == 0 ? "good" : "bad");
  return text + "</div>\n";
}

Json value_json(ReproducedValue const& value) {
  bool const is_printed = !value.print.text.empty();
  return {{"name", value.name},
          {"unit", value.unit},
          {"print", is_printed ? Json(value.print.text) : Json()},
          {"apart", json_or_null(value.apart)},
          {"ours", value.ours_text.empty() ? Json(value.ours) : Json(value.ours_text)},
          {"deviation", value.deviation()},
          {"bound", value.bound},
          {"print_agrees", is_printed ? Json(value.agrees_with_print()) : Json()},
          {"holds", value.holds()},
          {"reason", value.reason}};
}

Json item_json(ReproducedItem const& item, std::string const& folder) {
  Json figures = Json::array(), values = Json::array();
  for (auto const& figure : item.figures) figures.push_back(folder + "/" + figure.file + ".svg");
  for (auto const& value : item.values) values.push_back(value_json(value));
  return {{"label", item.label},
          {"title", item.title},
          {"figures", std::move(figures)},
          {"values", std::move(values)}};
}

}  // namespace

std::string write_page(std::vector<ReproducedPaper> const& papers, std::string const& folder) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
      "charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>Delassus: the papers, reproduced</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>The papers, reproduced</h1>\n",
      page_style);
  page += fmt::format(
      "<p class=\"soft\">Made by delassus {}. Figure by figure and table by table: what the print says, what "
      "was computed "
      "apart from this program (closed forms, integrations with 25 digits), what this program computes, and "
      "why, where the "
      "print is another. A number agrees with the print where it rounds to it; behind the deviation stands "
      "the bound that the "
      "program holds itself to.</p>\n",
      escape_markup(program_version));
  page += tally(count(papers));
  page += "<nav>\n";
  for (auto const& paper : papers)
    page += fmt::format("<a href=\"#{}\">{}</a>\n", escape_markup(paper.key), escape_markup(paper.title));
  page += "</nav>\n";
  for (auto const& paper : papers) {
    page += fmt::format("<h2 id=\"{}\">{}</h2>\n<p class=\"soft\">{}</p>\n", escape_markup(paper.key),
                        escape_markup(paper.title), escape_markup(paper.citation));
    if (!paper.misprints.empty()) {
      page += "<div class=\"misprints\"><b>Corrected here</b><ul>\n";
      for (auto const& misprint : paper.misprints) page += "<li>" + escape_markup(misprint) + "</li>\n";
      page += "</ul></div>\n";
    }
    for (std::size_t i = 0; i < paper.items.size(); ++i)
      page += item_text(paper.items[i], anchor(paper.key, i), folder);
  }
  return page + "</main>\n</body>\n</html>\n";
}

std::string write_json(std::vector<ReproducedPaper> const& papers, std::string const& folder) {
  ReproductionCount const total = count(papers);
  Json list = Json::array();
  for (auto const& paper : papers) {
    Json items = Json::array();
    for (auto const& item : paper.items) items.push_back(item_json(item, folder));
    list.push_back({{"paper", paper.key}, {"title", paper.title}, {"items", std::move(items)}});
  }
  return write_json({{"figures", total.figures},
                     {"values", total.values},
                     {"print_agrees", total.agree},
                     {"print_differs", total.reasons},
                     {"failures", total.failures},
                     {"papers", std::move(list)}});
}

}  // namespace delassus
