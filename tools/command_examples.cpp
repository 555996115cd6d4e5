#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "model/vocabulary.hpp"
#include "tools/atomic_file.hpp"
#include "tools/commands.hpp"
#include "tools/model_argument.hpp"
#include "tools/share_folder.hpp"
#include "xml/scene_reader.hpp"
#include "xml/scene_schema.hpp"

namespace delassus {
namespace {

std::string description_of(Example const& example) {
  for (auto const& attribute :
       read_scene_source(read_file(example.file), example.file.string()).root.attributes) {
    if (attribute.name == "description") return attribute.value;
  }
  return "";
}

void list_examples() {
  auto const known = examples();
  std::size_t width = 0;
  for (auto const& example : known) width = std::max(width, example.name.size());
  std::string text;
  for (auto const& example : known)
    text += fmt::format("{:<{}}  {}\n", example.name, width, description_of(example));
  write_standard_output(text);
}

void print_example(std::string const& name) {
  std::vector<std::string_view> names;
  auto const known = examples();
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

}  // namespace

void add_examples_command(CLI::App& program, ExitCode&) {
  auto const name = std::make_shared<std::string>();
  auto const schema = std::make_shared<bool>(false);
  CLI::App* const command =
      program.add_subcommand("examples", "List the example scenes, or print one of them.");
  command->add_option("name", *name, "example to print");
  command->add_flag("--schema", *schema, "print the XML schema (XSD) of the scene language, for editors");
  command->footer(
      "Examples:\n  delassus examples\n  delassus examples painleve_rod > my_scene.xml\n  delassus examples "
      "--schema > scene.xsd");
  command->callback([name, schema] {
    if (*schema) return write_standard_output(write_scene_schema());
    name->empty() ? list_examples() : print_example(*name);
  });
}

}  // namespace delassus
