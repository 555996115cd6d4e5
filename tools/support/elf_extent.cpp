#include "tools/support/elf_extent.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace delassus {
namespace {

std::string cut_text(std::uint64_t promised, std::uint64_t size) {
  return fmt::format("it is cut off: it has {} bytes, and its header promises {}", size, promised);
}

}  // namespace

std::string missing_of_elf(std::string_view head, std::uint64_t size) {
  if (!head.starts_with(ELFMAG)) return {};
  Elf64_Ehdr header;
  if (head.size() < sizeof header) return size < sizeof header ? cut_text(sizeof header, size) : "";
  std::memcpy(&header, head.data(), sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return {};
  std::uint64_t const table = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > size || size - header.e_phoff < table) return cut_text(header.e_phoff + table, size);
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    std::uint64_t const at = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (at > head.size() || head.size() - at < sizeof(Elf64_Phdr)) break;  // an unusual place for the table
    Elf64_Phdr segment;
    std::memcpy(&segment, head.data() + at, sizeof segment);
    if (segment.p_type == PT_LOAD && segment.p_filesz <= UINT64_MAX - segment.p_offset)
      end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end > size ? cut_text(end, size) : "";
}

std::string missing_of_elf(std::filesystem::path const& file) {
  std::error_code error;
  auto const size = std::filesystem::file_size(file, error);
  if (error) return {};  // the loader says it better
  std::string head(std::min<std::uint64_t>(size, 64 << 10), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  return stream ? missing_of_elf(head, size) : "";
}

}  // namespace delassus
