// .fmu and .ssp archives: looked at, unpacked where nothing speaks against it, and checked as an FMU that is not run.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/support/raw_zip.hpp"
#include "tools/check/archive_rules.hpp"
#include "tools/import/fmu.hpp"
#include "tools/ssp/structure_source.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/description_reader.hpp"
#include "xml/ssp/structure_reader.hpp"

using namespace delassus;

namespace {

constexpr char description[] =
    R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g"><CoSimulation modelIdentifier="m"/>
<ModelVariables/><ModelStructure/></fmiModelDescription>)";
constexpr char structure[] =
    R"(<ssd:SystemStructureDescription name="s" version="1.0" xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
<ssd:System name="r"/></ssd:SystemStructureDescription>)";

// A file in memory: a path that the archive can be opened under.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzzed", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      ssize_t const count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count <= 0) std::abort();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(MemoryFile const&) = delete;
  MemoryFile& operator=(MemoryFile const&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Everything below the folder stays in it.
void unpack(Archive const& archive) {
  TemporaryFolder const folder;
  std::filesystem::path const inside = folder.path() / "inside";
  std::filesystem::create_directory(inside);
  try {
    archive.extract(inside);
  } catch (UserError const&) {
    // Damaged, or its names do not fit one file system.
  }
  auto const files = std::filesystem::directory_iterator(folder.path());
  fuzz::demand_always(std::distance(files, {}) == 1, "nothing is unpacked outside of the folder");
}

void check_as_fmu(Archive const& archive) {
  try {
    check_contents(archive, read_description(archive), std::nullopt);
  } catch (UserError const&) {
    // No description, or damaged.
  }
}

// The entries that can be found, stored without compression; what is compressed stays as it is, as if it were the content.
std::vector<RawEntry> entries_of(std::string const& bytes) {
  std::vector<RawEntry> entries;
  auto const number = [&](std::size_t at, int size) {
    std::size_t value = 0;
    for (int i = size; i-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
  };
  for (auto at = bytes.find("PK\3\4");
       at != std::string::npos && at + 30 <= bytes.size() && entries.size() < 50;
       at = bytes.find("PK\3\4", at + 4)) {
    RawEntry entry;
    std::size_t const packed = number(at + 18, 4), name = number(at + 26, 2), extra = number(at + 28, 2);
    if (at + 30 + name + extra + packed > bytes.size()) continue;
    entry.method = static_cast<std::uint16_t>(number(at + 8, 2));
    entry.flags = static_cast<std::uint16_t>(number(at + 6, 2));
    entry.name = bytes.substr(at + 30, name);
    entry.content = bytes.substr(at + 30 + name + extra, packed);
    if (entry.method != 0) entry.claimed_size = static_cast<std::uint32_t>(number(at + 22, 4));
    entries.push_back(entry);
  }
  return entries;
}

std::string mutated_text(std::string const& text, std::size_t room) {
  std::vector<std::uint8_t> buffer(text.begin(), text.end());
  buffer.resize(text.size() + room);
  buffer.resize(LLVMFuzzerMutate(buffer.data(), text.size(), buffer.size()));
  return {buffer.begin(), buffer.end()};
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  std::string const many(3000, 'a');
  return {{"fmu", make_archive({{"modelDescription.xml", description},
                                {"binaries/linux64/m.so", "\177ELF\2\1\1"},
                                {"resources/table.txt", many}})},
          {"fmu_stored", raw_zip({{"modelDescription.xml", description},
                                  {"binaries/x86_64-linux/m.so", "\177ELF"},
                                  {"documentation/index.html", "<html/>"}})},
          {"ssp", make_archive({{"SystemStructure.ssd", structure}, {"resources/a.ssv", "<a/>"}})},
          {"ssp_stored", raw_zip({{"SystemStructure.ssd", structure}, {"other.ssd", structure}})},
          {"twice", raw_zip({{"a", "1"}, {"a", "1"}, {"A", "2"}, {"b/", ""}, {"b/c", "3"}})},
          {"outside", raw_zip({{"../a", "1"}, {"/b", "2"}, {"c:\\d", "3"}})},
          {"empty", raw_zip({})}};
}

// Half of the changes are of an entry, with the rest written anew around it; the others are of any byte.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  auto entries = entries_of({data, data + size});
  if (entries.empty() || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  RawEntry& entry = entries[random() % entries.size()];
  switch (random() % 6) {
    case 0:
      entry.name = mutated_text(entry.name, 20);
      break;
    case 1:
      entry.mode = static_cast<std::uint32_t>(random());
      break;
    case 2:
      entry.claimed_size = static_cast<std::uint32_t>(random() >> random() % 32);
      break;
    case 3: {
      RawEntry const copy = entry;
      entries.push_back(copy);
      break;
    }
    default:
      entry.content = mutated_text(entry.content, 100);
  }
  std::string const bytes = raw_zip(entries);
  if (bytes.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  MemoryFile const file(fuzz::text_of(data, size));
  is_zip(file.path());
  try {
    Archive const archive(file.path());
    for (ArchiveEntry const& entry : archive.entries()) {
      try {
        fuzz::demand_always(archive.read(entry.name).size() <= 2000 * size,
                            "nothing grows beyond what deflate can pack");
      } catch (ArchiveError const&) {
        // Encrypted, damaged, or larger than it says.
      }
    }
    check_as_fmu(archive);
    if (archive.problems().empty()) unpack(archive);
  } catch (UserError const&) {
    return 0;  // no archive
  }
  try {
    StructureSource const source(file.path());
  } catch (UserError const&) {
    // No package.
  }
  return 0;
}
