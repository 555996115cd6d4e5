#include "tools/check/archive_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "tools/check/check_rules.hpp"
#include "tools/check/elf_file.hpp"
#include "tools/import/fmu.hpp"
#include "tools/support/elf_extent.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/fmi/standard_forms.hpp"
#include "xml/text/encoding.hpp"
#include "xml/text/form_check.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

struct Platform {
  std::string_view fmi2, fmi3, format, machine, extension;
};

constexpr Platform platforms[] = {
    {"linux64", "x86_64-linux", "ELF", "x86_64", ".so"},
    {"linux32", "x86-linux", "ELF", "x86", ".so"},
    {"aarch64-linux", "aarch64-linux", "ELF", "aarch64", ".so"},
    {"win64", "x86_64-windows", "PE", "x86_64", ".dll"},
    {"win32", "x86-windows", "PE", "x86", ".dll"},
    {"aarch64-windows", "aarch64-windows", "PE", "aarch64", ".dll"},
    {"darwin64", "x86_64-darwin", "Mach-O", "x86_64", ".dylib"},
    {"aarch64-darwin", "aarch64-darwin", "Mach-O", "aarch64", ".dylib"},
};

class Contents {
 public:
  Contents(Archive const& archive, ModelDescription const& description,
           std::optional<std::filesystem::path> const& schemas)
      : archive_(archive), description_(description), schemas_(schemas) {}

  std::vector<Finding> run() {
    // Of a hostile archive nothing is said but that it is one.
    if (!archive_.problems().empty()) return {};
    check_places();
    check_implementation();
    for (auto const& entry : archive_.entries()) {
      if (entry.name.starts_with("binaries/") && !entry.is_folder()) check_binary(entry.name);
    }
    check_companions();
    return std::move(findings_);
  }

 private:
  void add(std::string const& rule, std::string const& entry, std::string message, std::string remedy) {
    std::string const file = archive_.file().string() + (entry.empty() ? "" : "/" + entry);
    findings_.push_back({rule, check_rule(rule).severity, file, 0, std::move(message), std::move(remedy)});
  }
  void add(std::vector<Finding> const& findings) {
    findings_.insert(findings_.end(), findings.begin(), findings.end());
  }

  // FMI 2.0.4, 2.3; FMI 3.0, 2.5.1.
  void check_places() {
    bool const two = description_.version == 2;
    std::set<std::string, std::less<>> known{
        "modelDescription.xml", "documentation", "sources", "binaries", "resources", "extra",
        "terminalsAndIcons"};
    if (two) known.insert({"model.png", "licenses"});
    std::set<std::string> reported;
    for (auto const& entry : archive_.entries()) {
      std::string const top = entry.name.substr(0, entry.name.find('/'));
      if (top == "." || known.contains(top) || !reported.insert(top).second) continue;
      bool const picture = top == "model.png" || top == "icon.png";
      add("archive-place", top,
          fmt::format("{} is at the root of the FMU, where the standard has no place for it", top),
          picture ? (two ? "name it model.png" : "move it to terminalsAndIcons/icon.png")
          : top == "licenses" || top == "license" || top == "LICENSE" || top == "LICENSE.txt"
              ? "move it to documentation/licenses"
              : "move it to extra/, into a folder in reverse domain name notation, or to resources/");
    }
    bool const documented = std::ranges::any_of(archive_.entries(), [](ArchiveEntry const& entry) {
      return entry.name.starts_with("documentation/") && !entry.is_folder();
    });
    if (documented && !archive_.contains("documentation/index.html"))
      add("archive-place", "documentation", "the documentation has no index.html",
          "add documentation/index.html, where importers look");
    if (archive_.contains("terminalsAndIcons/icon.svg") && !archive_.contains("terminalsAndIcons/icon.png"))
      add("archive-place", "terminalsAndIcons/icon.svg", "there is an icon.svg without icon.png",
          "add terminalsAndIcons/icon.png");
    bool const sources = std::ranges::any_of(archive_.entries(), [](ArchiveEntry const& entry) {
      return entry.name.starts_with("sources/") && !entry.is_folder();
    });
    if (sources && !two && !archive_.contains("sources/buildDescription.xml"))
      add("archive-place", "sources", "there are sources and no buildDescription.xml",
          "add sources/buildDescription.xml, which says how to build them");
  }

  // binaries/<platform>/<modelIdentifier>.<so|dll|dylib> for some platform, or sources.
  void check_implementation() {
    for (auto const& interface : description_.interfaces) {
      bool const found = std::ranges::any_of(archive_.entries(), [&](ArchiveEntry const& entry) {
        std::filesystem::path const path = entry.name;
        return entry.name.starts_with("sources/") ||
               (entry.name.starts_with("binaries/") && !entry.is_folder() &&
                path.stem() == interface.model_identifier());
      });
      if (found) continue;
      add("archive-binaries", "",
          fmt::format("there is neither a binary nor source code for the model identifier '{}' ({})",
                      interface.model_identifier(), interface.kind),
          fmt::format("add binaries/{}/{}.so", host_platform(description_.version),
                      interface.model_identifier()));
      return;
    }
  }

  void check_binary(std::string const& name) {
    auto const first = name.find('/'), second = name.find('/', first + 1);
    if (second == std::string::npos) return;
    std::string_view const folder = std::string_view(name).substr(first + 1, second - first - 1);
    std::filesystem::path const file = name;
    bool const own = std::ranges::any_of(description_.interfaces, [&](DescribedInterface const& each) {
      return each.model_identifier() == file.stem();
    });
    bool const two = description_.version == 2;
    auto const here = std::ranges::find(platforms, folder, two ? &Platform::fmi2 : &Platform::fmi3);
    auto const there = std::ranges::find(platforms, folder, two ? &Platform::fmi3 : &Platform::fmi2);
    if (here == std::end(platforms) && there != std::end(platforms)) {
      if (reported_.insert(std::string(folder)).second)
        add("archive-place", "binaries/" + std::string(folder),
            fmt::format("{} is what FMI {} calls this platform", folder, two ? 3 : 2),
            fmt::format("rename the folder to {}", two ? there->fmi2 : there->fmi3));
      return;
    }
    if (!own || here == std::end(platforms) || file.extension() != here->extension) return;
    std::optional<BinaryFile> binary;
    std::string missing;
    try {
      auto const bytes = archive_.read(name);
      binary = read_binary(bytes);
      missing = missing_of_elf(bytes, bytes.size());
    } catch (ArchiveError const&) {
      return;  // `archive-entry`, when it is unpacked
    }
    if (!binary || binary->format != here->format ||
        (binary->machine != here->machine && binary->machine != "unknown")) {
      add("binary-format", name,
          binary ? fmt::format("it is a library for {} in the form {}", binary->machine, binary->format)
                 : std::string("it is no shared library"),
          fmt::format("put a shared library for {} there", folder));
      return;
    }
    if (!missing.empty()) {
      add("binary-format", name, missing, "get or pack the FMU anew");
      return;
    }
    if (binary->format == "ELF") check_elf(name, *binary);
  }

  void check_elf(std::string const& name, BinaryFile const& binary) {
    // The C runtime, and the parts that old releases of it had apart.
    static constexpr std::string_view runtime[] = {"libc.so",  "libm.so",  "ld-linux",   "libpthread.so",
                                                   "libdl.so", "librt.so", "linux-vdso", "libc.musl"};
    std::string needed;
    for (auto const& library : binary.needed) {
      bool const known =
          std::ranges::any_of(runtime, [&](std::string_view each) { return library.starts_with(each); });
      if (!known) needed += (needed.empty() ? "" : ", ") + library;
    }
    if (!needed.empty()) {
      add("binary-dependencies", name, "it needs " + needed,
          "link it statically (-static-libstdc++ -static-libgcc): an importer has its own and perhaps older "
          "one");
    }
    std::vector<std::string> others;
    for (auto const& symbol : binary.exported) {
      // One binary may serve both versions; _init and the like are the linker's.
      if (!symbol.starts_with("fmi2") && !symbol.starts_with("fmi3") && !symbol.starts_with('_') &&
          !symbol.empty())
        others.push_back(symbol);
    }
    if (!others.empty()) {
      add("binary-symbols", name,
          fmt::format("it exports {} symbols that are no functions of FMI, {} among them", others.size(),
                      others.front()),
          "hide them (-fvisibility=hidden): symbols of two libraries in one importer can be mixed up");
    }
  }

  // `form`: where the schema is not there; null: there is none.
  template <typename Check>
  void with_xml(std::string const& name, std::string const& schema, DocumentForm const* form,
                Check const& check) {
    std::string const file = archive_.file().string() + "/" + name;
    try {
      std::string const written = archive_.read(name);
      add(check_encoding(written, file));
      std::string const text = readable_text(written);
      add(check(text, file));
      auto const xsd = schemas_ && !schema.empty() ? find_schema(*schemas_, 3, schema) : std::nullopt;
      if (xsd) {
        add(validate_schema(text, file, *xsd));
      } else if (form != nullptr) {
        add_form_findings(findings_, check_form(text, file, *form));
      }
    } catch (ArchiveError const& error) {
      add("archive-entry", name, error.what(), "pack the FMU anew");
    }
  }

  void check_companions() {
    CompanionContext const context{description_,
                                   [this](std::string const& name) { return archive_.contains(name); }};
    for (auto const& entry : archive_.entries()) {
      if (entry.name == "terminalsAndIcons/terminalsAndIcons.xml") {
        with_xml(entry.name, "fmi3TerminalsAndIcons.xsd", &terminals_form(),
                 [&](auto const& text, auto const& file) { return check_terminals(text, file, context); });
      } else if (entry.name == "sources/buildDescription.xml") {
        with_xml(
            entry.name, "fmi3BuildDescription.xsd", &build_description_form(),
            [&](auto const& text, auto const& file) { return check_build_description(text, file, context); });
      } else if (entry.name.starts_with("extra/") && entry.name.ends_with("/fmi-ls-manifest.xml")) {
        auto const folder =
            std::filesystem::path(entry.name).parent_path().lexically_relative("extra").string();
        with_xml(entry.name, "", nullptr,
                 [&](auto const& text, auto const& file) { return check_manifest(text, file, folder); });
      }
    }
    if (description_.version != 2) return;
    // Who has a binary needs no sources.
    auto const severity =
        std::ranges::any_of(archive_.entries(),
                            [](ArchiveEntry const& entry) { return entry.name.starts_with("binaries/"); })
            ? Severity::warning
            : Severity::error;
    for (auto const& element : description_.elements) {
      auto const name = element.attributes.find("name");
      if (element.parent != "SourceFiles" || name == element.attributes.end() ||
          archive_.contains("sources/" + name->second))
        continue;
      findings_.push_back({"build-source", severity, description_.file, element.line,
                           "sources/" + name->second + " is not in the FMU",
                           "add the file, or correct its name"});
    }
  }

  Archive const& archive_;
  ModelDescription const& description_;
  std::optional<std::filesystem::path> const& schemas_;
  std::set<std::string> reported_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_contents(Archive const& archive, ModelDescription const& description,
                                    std::optional<std::filesystem::path> const& schema_folder) {
  return Contents(archive, description, schema_folder).run();
}

std::optional<std::filesystem::path> find_schema(std::filesystem::path const& folder, int version,
                                                 std::string const& name) {
  for (auto const& file : {folder / name, folder / fmt::format("fmi{}", version) / name}) {
    if (std::filesystem::exists(file)) return file;
  }
  return std::nullopt;
}

}  // namespace delassus
