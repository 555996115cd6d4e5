// The rules of the house, checked on the files of a source tree: which folder may include which, how files are named,
// how large folders and pages may be. Each rule gives its findings with file and line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace delassus::house {

struct Finding {
  std::filesystem::path file;
  int line = 1;
  std::string rule;  // what is wrong, and what to do

  bool operator==(Finding const&) const = default;
};
using Findings = std::vector<Finding>;

// A room of the house and its folders; rooms and folders stand in the order of their dependencies.
struct Room {
  std::string name;
  std::vector<std::string> folders;
};

// folders.txt. Throws std::runtime_error where it cannot be read.
std::vector<Room> read_rooms(std::filesystem::path const& file);

// The files below the root that belong to the project, by name: hidden folders and build folders are left out.
std::vector<std::filesystem::path> project_files(std::filesystem::path const& root);

// .cpp .hpp .c .h
bool is_source(std::filesystem::path const& file);

// Includes between our own files name them from the root, and point to rooms and folders that come before.
Findings includes_against_the_order(std::filesystem::path const& root, std::vector<Room> const& rooms);
// Folders of the rooms with sources that folders.txt does not know.
Findings folders_without_a_place(std::filesystem::path const& root, std::vector<Room> const& rooms);
// Folders with more sources than a reader takes in.
Findings crowded_folders(std::filesystem::path const& root, int most);
// Sources of the rooms that have neither a header of their own name nor one that they are named as a part of.
Findings sources_without_a_header(std::filesystem::path const& root, std::vector<Room> const& rooms);
// Two sources of the rooms with one name, or with names that differ by a plural. The two faces of FMI are twins.
Findings names_that_mean_two_things(std::filesystem::path const& root, std::vector<Room> const& rooms);
// Prints of the rooms that do not go through tools/support/standard_streams: where they fail, so does the program.
Findings prints_that_can_fail(std::filesystem::path const& root, std::vector<Room> const& rooms);
// A page above its number of words.
Findings long_pages(std::filesystem::path const& root, std::vector<Room> const& rooms, int front_page,
                    int room_page);
// Lines of Markdown above the number of characters, outside of tables, code and the targets of links.
Findings long_lines(std::filesystem::path const& root, int most);
// Paths of one person's or one machine's folders.
Findings paths_of_a_machine(std::filesystem::path const& root);

}  // namespace delassus::house
