#include "tools/check/elf_file.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace delassus {
namespace {

template <typename Record>
std::optional<Record> record_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, bytes.data() + offset, sizeof record);
  return record;
}

std::string text_at(std::string_view bytes, Elf64_Shdr const& strings, std::uint64_t offset) {
  if (strings.sh_offset > bytes.size() || offset >= strings.sh_size) return {};
  auto const table = bytes.substr(strings.sh_offset, strings.sh_size);
  if (offset >= table.size()) return {};
  auto const text = table.substr(offset);
  return std::string(text.substr(0, text.find('\0')));
}

std::string elf_machine(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "x86";
    case EM_ARM:
      return "aarch32";
    default:
      return "unknown";
  }
}

void read_sections(std::string_view bytes, Elf64_Ehdr const& header, BinaryFile& binary) {
  auto const section = [&](std::uint64_t index) {
    return record_at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    auto const current = section(i);
    if (!current || (current->sh_type != SHT_DYNAMIC && current->sh_type != SHT_DYNSYM)) continue;
    auto const strings = section(current->sh_link);
    if (!strings) continue;
    std::uint64_t const size = current->sh_type == SHT_DYNAMIC ? sizeof(Elf64_Dyn) : sizeof(Elf64_Sym);
    for (std::uint64_t at = 0; at + size <= current->sh_size; at += size) {
      if (current->sh_type == SHT_DYNAMIC) {
        auto const entry = record_at<Elf64_Dyn>(bytes, current->sh_offset + at);
        if (!entry || entry->d_tag == DT_NULL) break;
        if (entry->d_tag == DT_NEEDED) binary.needed.push_back(text_at(bytes, *strings, entry->d_un.d_val));
      } else {
        auto const symbol = record_at<Elf64_Sym>(bytes, current->sh_offset + at);
        if (!symbol) break;
        auto const binding = ELF64_ST_BIND(symbol->st_info);
        auto const visibility = ELF64_ST_VISIBILITY(symbol->st_other);
        bool const visible = (binding == STB_GLOBAL || binding == STB_WEAK) &&
                             (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
        if (symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS && visible)
          binary.exported.push_back(text_at(bytes, *strings, symbol->st_name));
      }
    }
  }
}

}  // namespace

std::optional<BinaryFile> read_binary(std::string_view bytes) {
  if (bytes.starts_with(ELFMAG)) {
    auto const header = record_at<Elf64_Ehdr>(bytes, 0);
    if (!header || header->e_type != ET_DYN) return std::nullopt;
    BinaryFile binary{"ELF", elf_machine(header->e_machine), {}, {}};
    if (header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB)
      read_sections(bytes, *header, binary);
    return binary;
  }
  if (bytes.starts_with("MZ")) {
    auto const offset = record_at<std::uint32_t>(bytes, 0x3c);
    if (!offset || record_at<std::uint32_t>(bytes, *offset) != 0x00004550u) return std::nullopt;
    auto const machine = record_at<std::uint16_t>(bytes, std::uint64_t{*offset} + 4);
    if (!machine) return std::nullopt;
    return BinaryFile{"PE",
                      *machine == 0x8664   ? "x86_64"
                      : *machine == 0xaa64 ? "aarch64"
                      : *machine == 0x014c ? "x86"
                                           : "unknown",
                      {},
                      {}};
  }
  auto const magic = record_at<std::uint32_t>(bytes, 0);
  if (magic == 0xfeedfacfu || magic == 0xfeedfaceu || magic == 0xbebafecau || magic == 0xcafebabeu) {
    auto const machine = record_at<std::uint32_t>(bytes, 4);
    return BinaryFile{"Mach-O",
                      magic == 0xfeedfacfu && machine == 0x01000007u   ? "x86_64"
                      : magic == 0xfeedfacfu && machine == 0x0100000cu ? "aarch64"
                                                                       : "unknown",
                      {},
                      {}};
  }
  return std::nullopt;
}

}  // namespace delassus
