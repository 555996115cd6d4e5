#include "tools/command/examples.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "model/language/vocabulary.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/scene/language_page.hpp"
#include "xml/scene/reader.hpp"
#include "xml/scene/vocabulary_schema.hpp"

namespace delassus {
namespace {

// The attribute `description` of the root, or of a system structure of its system.
std::string description_of(Example const& example) {
  SourceElement const root = read_scene_source(read_file(example.file), example.file.string()).root;
  auto const of = [](SourceElement const& element) -> std::string {
    for (auto const& attribute : element.attributes) {
      if (attribute.name == "description") return attribute.value;
    }
    return "";
  };
  if (auto const text = of(root); !text.empty()) return text;
  for (SourceElement const& child : root.children) {
    if (child.name.ends_with("System")) return of(child);
  }
  return "";
}

void list_examples() {
  std::size_t width = 0;
  for (auto const& example : all_examples()) width = std::max(width, example.name.size());
  std::string text;
  auto const list = [&](std::string_view title, std::vector<Example> const& known) {
    if (known.empty()) return;
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", title);
    for (auto const& example : known)
      text += fmt::format("  {:<{}}  {}\n", example.name, width, description_of(example));
  };
  list("Scenes", examples());
  list("Controllers", controller_examples());
  list("Systems: scenes with controllers, one folder each", system_examples());
  write_standard_output(text);
}

void print_example(std::string const& name) {
  std::vector<std::string_view> names;
  auto const known = all_examples();
  for (auto const& example : known) {
    if (example.name == name) return write_standard_output(read_file(example.file));
    names.push_back(example.name);
  }
  auto const near = did_you_mean(name, names);
  throw CommandError(ExitCode::usage,
                     fmt::format("there is no example '{}'{}", name,
                                 near ? fmt::format("; did you mean '{}'?", *near)
                                      : fmt::format("; there are {}", fmt::join(names, ", "))));
}

// A scene or controller is a file, a system a folder.
void copy_example(std::string const& name, std::filesystem::path const& folder) {
  namespace fs = std::filesystem;
  for (auto const& example : all_examples()) {
    if (example.name != name) continue;
    bool const system = example.file.extension() == ".ssd";
    fs::path const target = system ? folder / name : folder;
    std::error_code error;
    fs::create_directories(target, error);
    std::vector<fs::path> files{example.file};
    if (system) {
      files.clear();
      for (auto const& entry : fs::directory_iterator(example.file.parent_path()))
        files.push_back(entry.path());
    }
    for (fs::path const& file : files) {
      if (fs::exists(target / file.filename(), error))
        throw CommandError(ExitCode::usage, fmt::format("{} is there already; nothing is overwritten",
                                                        (target / file.filename()).string()));
    }
    for (fs::path const& file : files) write_file(target / file.filename(), read_file(file));
    print_message("copied {} {} to {}\n", files.size(), files.size() == 1 ? "file" : "files",
                  target.string());
    return;
  }
  print_example(name);  // which says that there is none
}

}  // namespace

void add_examples_command(CLI::App& program, ExitCode&) {
  auto const name = std::make_shared<std::string>();
  auto const copy = std::make_shared<std::string>();
  auto const schema = std::make_shared<bool>(false), language = std::make_shared<bool>(false);
  CLI::App* const command = program.add_subcommand(
      "examples", "List the example scenes, controllers and systems, or print or copy one of them.");
  command->add_option("name", *name, "example to print");
  command
      ->add_option("--copy-to", *copy,
                   "copy the example into this folder instead; a system with all its files")
      ->type_name("FOLDER");
  command->add_flag("--schema", *schema, "print the XML schema (XSD) of scenes and controllers, for editors");
  command->add_flag("--language", *language,
                    "print every element and attribute of scenes and controllers, as Markdown");
  command->footer(
      "Examples:\n  delassus examples\n  delassus examples painleve_rod > my_scene.xml\n  delassus examples "
      "positioning --copy-to .\n  delassus examples --schema > scene.xsd\n  delassus examples --language | "
      "less");
  command->callback([name, copy, schema, language] {
    if (*schema) return write_standard_output(write_scene_schema());
    if (*language) return write_standard_output(write_language_reference());
    if (!copy->empty() && name->empty())
      throw CommandError(ExitCode::usage,
                         "--copy-to needs the name of an example; `delassus examples` lists them");
    if (!copy->empty()) return copy_example(*name, *copy);
    name->empty() ? list_examples() : print_example(*name);
  });
}

}  // namespace delassus
