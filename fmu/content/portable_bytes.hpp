// Plain structs to and from bytes in the format of cereal's portable binary archive: the same on every machine.
//
// Bytes that are read may be anything, also with a proper seal. An archive that is read gives no number that is not
// there, and takes no memory for elements that are not there. What the numbers mean is checked by who reads them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace delassus {

// Reads what cereal has written: cereal's own reader takes as much memory as the bytes ask for.
class BoundedInput {
 public:
  explicit BoundedInput(std::string_view bytes) : left_(bytes) {
    // The first byte tells the order of bytes in all numbers: 1 for the least significant one first.
    std::uint8_t little = 0;
    take(&little, 1, 1);
    if (little > 1) throw std::runtime_error("its first byte is neither 0 nor 1");
    swaps_ = (little == 1) != (std::endian::native == std::endian::little);
  }

  std::size_t left() const { return left_.size(); }

  // As cereal's archives, which `serialize` of the structs is written for.
  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }

 private:
  // `size` bytes, in numbers of `width` bytes.
  void take(void* to, std::size_t size, std::size_t width) {
    if (size > left_.size())
      throw std::runtime_error("it ends " + std::to_string(size - left_.size()) + " bytes too early");
    if (size == 0) return;
    std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
    if (!swaps_ || width < 2) return;
    auto* const bytes = static_cast<char*>(to);
    for (std::size_t i = 0; i + width <= size; i += width) std::reverse(bytes + i, bytes + i + width);
  }

  // Of elements that are still to come, each of at least `width` bytes.
  std::size_t take_count(std::size_t width) {
    std::uint64_t count = 0;
    take(&count, sizeof count, sizeof count);
    if (count > left_.size() / width)
      throw std::runtime_error("it announces " + std::to_string(count) + " elements, and has " +
                               std::to_string(left_.size()) + " bytes left");
    return static_cast<std::size_t>(count);
  }

  template <class T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take(&byte, 1, 1);
      if (byte > 1) throw std::runtime_error("a yes or no in it is " + std::to_string(byte));
      value = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      take(&value, sizeof value, sizeof value);
    } else {
      serialize(*this, value);
    }
  }
  void read(std::string& text) {
    text.resize(take_count(1));
    take(text.data(), text.size(), 1);
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool empty = false;
    read(empty);
    value.reset();
    if (!empty) read(value.emplace());
  }
  template <class T, std::size_t size>
  void read(std::array<T, size>& values) {
    for (T& value : values) read(value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.clear();
    if constexpr (std::is_arithmetic_v<T>) {
      values.resize(take_count(sizeof(T)));
      take(values.data(), values.size() * sizeof(T), sizeof(T));
    } else {
      // One after another: the vector grows with what was read, not with what was announced.
      for (std::size_t left = take_count(1); left > 0; --left) read(values.emplace_back());
    }
  }

  std::string_view left_;
  bool swaps_ = false;
};

template <class T>
std::string to_bytes(T const& value) {
  std::ostringstream stream;
  cereal::PortableBinaryOutputArchive archive(stream);
  archive(value);
  return std::move(stream).str();
}

template <class T>
T from_bytes(std::string_view bytes, std::string_view name) {
  T value;
  try {
    BoundedInput archive(bytes);
    archive(value);
    if (archive.left() > 0)
      throw std::runtime_error(std::to_string(archive.left()) + " bytes follow its end");
  } catch (std::exception const& error) {
    throw std::runtime_error("the " + std::string(name) + " cannot be read: " + error.what());
  }
  return value;
}

}  // namespace delassus
