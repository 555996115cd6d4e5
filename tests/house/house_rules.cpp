#include "tests/house/house_rules.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

void for_each_line(fs::path const& file, std::function<void(int, std::string const&)> const& use) {
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) use(number, line);
}

std::string text_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Where a file stands: its room and the rank of its folder in it.
struct Place {
  std::size_t room = 0;
  std::size_t folder = 0;
  bool operator<=(Place const& other) const {
    return room < other.room || (room == other.room && folder <= other.folder);
  }
};

std::optional<std::size_t> room_of(fs::path const& file, std::vector<Room> const& rooms) {
  auto const found =
      std::find_if(rooms.begin(), rooms.end(), [&](Room const& room) { return room.name == *file.begin(); });
  if (file.empty() || found == rooms.end()) return {};
  return static_cast<std::size_t>(found - rooms.begin());
}

// Of a file named from the root; nothing where its folder is not in the table.
std::optional<Place> place_of(fs::path const& file, std::vector<Room> const& rooms) {
  std::optional<std::size_t> const room = room_of(file, rooms);
  if (!room) return {};
  std::string const folder = file.parent_path().lexically_relative(rooms[*room].name).generic_string();
  auto const& folders = rooms[*room].folders;
  auto const found = std::find(folders.begin(), folders.end(), folder);
  if (found == folders.end()) return {};
  return Place{*room, static_cast<std::size_t>(found - folders.begin())};
}

// Programs for users to copy, which stand for themselves.
bool is_example(fs::path const& file) {
  return file.generic_string().starts_with("tools/examples/");
}

std::vector<fs::path> room_sources(fs::path const& root, std::vector<Room> const& rooms) {
  std::vector<fs::path> files;
  for (fs::path const& file : project_files(root)) {
    if (is_source(file) && room_of(file, rooms) && !is_example(file)) files.push_back(file);
  }
  return files;
}

std::string in_words(std::vector<Room> const& rooms, Place const& place) {
  return rooms[place.room].name + "/" + rooms[place.room].folders[place.folder];
}

// Of UTF-8 text: every byte that does not continue a character.
int characters(std::string const& text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

int words_of(fs::path const& file) {
  std::istringstream stream(text_of(file));
  return static_cast<int>(
      std::distance(std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()));
}

}  // namespace

bool is_source(fs::path const& file) {
  std::string const extension = file.extension().string();
  return extension == ".cpp" || extension == ".hpp" || extension == ".c" || extension == ".h";
}

std::vector<Room> read_rooms(fs::path const& file) {
  if (!std::ifstream(file)) throw std::runtime_error(file.string() + " cannot be read");
  std::vector<Room> rooms;
  for_each_line(file, [&](int, std::string const& line) {
    std::istringstream words(line);
    Room room;
    if (!(words >> room.name) || room.name.front() == '#') return;
    room.folders.assign(std::istream_iterator<std::string>(words), {});
    rooms.push_back(room);
  });
  return rooms;
}

std::vector<fs::path> project_files(fs::path const& root) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
       ++entry) {
    std::string const name = entry->path().filename().string();
    bool const built = entry.depth() == 0 && (name.starts_with("build") || name == "out");
    if (entry->is_directory() && (name.starts_with(".") || built)) entry.disable_recursion_pending();
    if (entry->is_regular_file()) files.push_back(entry->path().lexically_relative(root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

Findings includes_against_the_order(fs::path const& root, std::vector<Room> const& rooms) {
  Findings findings;
  static std::regex const include(R"re(^\s*#\s*include\s*"([^"]*)")re");
  for (fs::path const& file : project_files(root)) {
    if (!is_source(file) || is_example(file)) continue;
    std::optional<Place> const here = place_of(file, rooms);
    for_each_line(root / file, [&](int number, std::string const& line) {
      std::smatch match;
      if (line.find("include") == std::string::npos || !std::regex_search(line, match, include)) return;
      fs::path const included = match[1].str();
      if (!fs::exists(root / included)) {
        findings.push_back(
            {file, number,
             "includes \"" + included.string() + "\", which is no file: name it from the root"});
        return;
      }
      if (!room_of(file, rooms)) return;  // tests see all
      std::optional<Place> const there = place_of(included, rooms);
      if (!there) {
        findings.push_back(
            {file, number, "includes " + included.string() + ", which stands in no folder of folders.txt"});
      } else if (here && !(*there <= *here)) {
        findings.push_back({file, number,
                            in_words(rooms, *here) + " comes before " + in_words(rooms, *there) +
                                " and may not include " + included.string()});
      }
    });
  }
  return findings;
}

Findings folders_without_a_place(fs::path const& root, std::vector<Room> const& rooms) {
  std::set<fs::path> unknown;
  for (fs::path const& file : room_sources(root, rooms)) {
    if (!place_of(file, rooms)) unknown.insert(file.parent_path());
  }
  Findings findings;
  for (fs::path const& folder : unknown)
    findings.push_back({folder, 1, "has sources and no place in folders.txt: add it behind what it uses"});
  return findings;
}

Findings crowded_folders(fs::path const& root, int most) {
  std::map<fs::path, int> sources;
  for (fs::path const& file : project_files(root)) {
    if (is_source(file)) ++sources[file.parent_path()];
  }
  Findings findings;
  for (auto const& [folder, number] : sources) {
    if (number > most) {
      findings.push_back({folder, 1,
                          std::to_string(number) + " sources, and a folder holds at most " +
                              std::to_string(most) + ": give a concept of it a folder of its own"});
    }
  }
  return findings;
}

Findings sources_without_a_header(fs::path const& root, std::vector<Room> const& rooms) {
  Findings findings;
  for (fs::path const& file : room_sources(root, rooms)) {
    // A .c file is an entry point that is called from outside; it declares what it needs itself.
    if (file.extension() != ".cpp" || file.stem() == "main") continue;
    std::string concept_name = file.stem().string();
    while (!fs::exists(root / file.parent_path() / (concept_name + ".hpp"))) {
      std::size_t const last = concept_name.rfind('_');
      if (last == std::string::npos) {
        findings.push_back({file, 1, "has no header of its own name, nor one that it is named as a part of"});
        break;
      }
      concept_name.resize(last);
    }
  }
  return findings;
}

Findings names_that_mean_two_things(fs::path const& root, std::vector<Room> const& rooms) {
  auto const twins = [](fs::path const& one, fs::path const& other) {
    return (one == "fmu/fmi2" && other == "fmu/fmi3") || (one == "fmu/fmi3" && other == "fmu/fmi2");
  };
  std::map<std::string, std::set<fs::path>> folders;
  for (fs::path const& file : room_sources(root, rooms))
    folders[file.stem().string()].insert(file.parent_path());

  Findings findings;
  for (auto const& [name, places] : folders) {
    fs::path const& first = *places.begin();
    for (fs::path const& place : places) {
      if (place != first && !twins(first, place))
        findings.push_back(
            {place / name, 1, "has the name of " + (first / name).string() + ": two concepts, two names"});
    }
    auto const plural = folders.find(name + "s");
    if (plural != folders.end()) {
      findings.push_back(
          {*plural->second.begin() / (name + "s"), 1,
           "differs by one letter from " + (first / name).string() + ": say what each of them is"});
    }
  }
  return findings;
}

Findings prints_that_can_fail(fs::path const& root, std::vector<Room> const& rooms) {
  static std::regex const print(
      R"re(\bfmt::print(ln)?\b|\bstd::(cerr|cout|clog|print(ln)?)\b|\b(v?f?printf|f?puts|f?putc|putchar|fwrite|perror|psignal)\s*\()re");
  Findings findings;
  for (fs::path const& file : room_sources(root, rooms)) {
    for_each_line(root / file, [&](int number, std::string const& line) {
      std::smatch match;
      if (std::regex_search(line, match, print))
        findings.push_back({file, number,
                            match.str() +
                                " prints, and where that fails something is lost: take print_message of "
                                "tools/support/standard_streams.hpp, or write_standard_output for results"});
    });
  }
  return findings;
}

Findings long_pages(fs::path const& root, std::vector<Room> const& rooms, int front_page, int room_page) {
  Findings findings;
  auto const look = [&](fs::path const& page, int most) {
    if (!fs::exists(root / page)) {
      findings.push_back({page, 1, "is missing"});
    } else if (int const words = words_of(root / page); words > most) {
      findings.push_back({page, 1,
                          std::to_string(words) + " words, and it may have " + std::to_string(most) +
                              ": give what is not for a first look a page of its own"});
    }
  };
  look("README.md", front_page);
  for (Room const& room : rooms) look(fs::path(room.name) / "README.md", room_page);
  look("tests/README.md", room_page);
  return findings;
}

Findings long_lines(fs::path const& root, int most) {
  static std::regex const target(R"re(\]\([^)]*\)|<?https?://\S+)re");
  Findings findings;
  for (fs::path const& file : project_files(root)) {
    if (file.extension() != ".md") continue;
    bool code = false;
    for_each_line(root / file, [&](int number, std::string const& line) {
      std::size_t const begin = line.find_first_not_of(" >");
      bool const fence = begin != std::string::npos &&
                         (line.compare(begin, 3, "```") == 0 || line.compare(begin, 3, "~~~") == 0);
      if (fence) code = !code;
      bool const table = begin != std::string::npos && line[begin] == '|';
      if (fence || code || table) return;
      if (int const length = characters(std::regex_replace(line, target, "]")); length > most) {
        findings.push_back(
            {file, number,
             std::to_string(length) + " characters, and Markdown wraps at " + std::to_string(most)});
      }
    });
  }
  return findings;
}

Findings paths_of_a_machine(fs::path const& root) {
  static std::regex const path(R"re((^|[^\w.~}/])(/(home|work|root|Users)/\w|[A-Z]:\\+Users\\))re");
  Findings findings;
  for (fs::path const& file : project_files(root)) {
    if (text_of(root / file).find('\0') != std::string::npos) continue;  // no text
    for_each_line(root / file, [&](int number, std::string const& line) {
      std::smatch match;
      bool const has_path = line.find('/') != std::string::npos || line.find('\\') != std::string::npos;
      if (has_path && std::regex_search(line, match, path))
        findings.push_back({file, number, "has a path of one machine: " + match[2].str() + "..."});
    });
  }
  return findings;
}

}  // namespace delassus::house
