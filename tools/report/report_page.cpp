#include "tools/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/support/atomic_file.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// In the order in which they are run: each uses those before it.
constexpr std::array<std::string_view, 11> own_scripts{
    "numbers.js",     "clock.js",      "plots.js", "contacts.js", "motion.js",  "scene_plane.js",
    "scene_space.js", "scene_wire.js", "video.js", "report.js",   "selftest.js"};

class Parts {
 public:
  Parts() : folder_(share_folder() / "report") {}

  std::string own(std::string_view name) const { return read(folder_ / name); }

  // A library may be missing: it is another's, and was looked for when the program was built.
  std::string library(std::string_view name, std::string_view package) const {
    auto const file = folder_ / "libraries" / name;
    if (!std::filesystem::is_regular_file(file)) {
      throw CommandError(
          ExitCode::usage,
          fmt::format(
              "reports need {}, which was not found when delassus was built: install {} and configure and "
              "build again. `delassus simulate --plot` makes SVG plots without it",
              name, package));
    }
    return read(file);
  }

 private:
  static std::string read(std::filesystem::path const& file) { return read_file(file, std::size_t{1} << 24); }
  std::filesystem::path folder_;
};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

// A script inside of a page: it cannot end it early, and names no file that a browser would look for.
std::string script(std::string source) {
  replace_all(source, "</script", "<\\/script");
  replace_all(source, "<!--", "<\\!--");
  replace_all(source, "//# sourceMappingURL=", "// source map: ");
  return "<script>\n" + source + "\n</script>\n";
}

std::string style(std::string source) {
  replace_all(source, "/*# sourceMappingURL=", "/* source map: ");
  return "<style>\n" + source + "\n</style>\n";
}

}  // namespace

std::string write_report_page(Report const& report, ReportLimits const& limits) {
  Parts const parts;
  bool const in_space = std::ranges::any_of(
      report.scenes, [](SceneTrack const& scene) { return scene.drawing.dimension == 3; });

  std::string styles = style(parts.library("dygraph.css", "libjs-dygraphs")) + style(parts.own("report.css"));
  std::string scripts = script(parts.library("dygraph.js", "libjs-dygraphs"));
  std::string licenses = fmt::format("<h3>Delassus</h3><pre>{}</pre>\n<h3>dygraphs</h3><pre>{}</pre>\n",
                                     escape_markup(license_text),
                                     escape_markup(parts.library("dygraphs.txt", "libjs-dygraphs")));
  if (in_space) {
    scripts += script(parts.library("three.js", "libjs-three")) +
               script(parts.library("OrbitControls.js", "libjs-three"));
    licenses += fmt::format("<h3>three.js</h3><pre>{}</pre>\n",
                            escape_markup(parts.library("three.txt", "libjs-three")));
  }
  for (std::string_view const name : own_scripts) scripts += script(parts.own(name));

  // The page is cut at its marks once, so that no mark is looked for in what is put there.
  std::string const page = parts.own("page.html");
  std::string written;
  std::string_view rest = page;
  auto const put = [&](std::string_view mark, std::string const& content) {
    auto const at = rest.find(mark);
    if (at == std::string_view::npos)
      throw CommandError(ExitCode::run_failed, fmt::format("page.html has no {}", mark));
    written += rest.substr(0, at);
    written += content;
    rest.remove_prefix(at + mark.size());
  };
  put("<!--title-->", escape_markup(report.title.empty() ? "Results" : report.title));
  put("<!--styles-->", styles);
  put("<!--licenses-->", licenses);
  put("<!--data-->", report_json(report, limits));
  put("<!--scripts-->", scripts);
  return written + std::string(rest);
}

}  // namespace delassus
