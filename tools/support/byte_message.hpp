// Values one after the other as bytes, between a process and the copy of it that it made: both have the same layout.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace delassus {

// A message is not what its reader expects.
class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class MessageWriter {
 public:
  void clear() { bytes_.clear(); }
  bool empty() const { return bytes_.empty(); }
  std::vector<char> const& bytes() const { return bytes_; }

  template <typename Value>
  requires std::is_trivially_copyable_v<Value> MessageWriter& add(Value const& value) {
    append(&value, sizeof value);
    return *this;
  }
  template <typename Value>
  MessageWriter& add_all(std::span<Value> values) {
    add(values.size());
    append(values.data(), values.size_bytes());
    return *this;
  }
  MessageWriter& add_text(std::string const& text) { return add_all(std::span(text.data(), text.size())); }

 private:
  void append(void const* data, std::size_t size) {
    std::size_t const at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, data, size);
  }
  std::vector<char> bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::span<const char> bytes) : bytes_(bytes) {}

  template <typename Value>
  requires std::is_trivially_copyable_v<Value> Value take() {
    if constexpr (std::is_same_v<Value, bool>) {
      return take<std::uint8_t>() != 0;  // another byte in a bool is undefined behaviour
    } else {
      Value value;
      copy(&value, sizeof value);
      return value;
    }
  }
  template <typename Value>
  void take_into(std::span<Value> values) {
    if (take<std::size_t>() != values.size()) throw MessageError("a message of another length");
    copy(values.data(), values.size_bytes());
  }
  template <typename Value>
  std::vector<Value> take_all() {
    auto const count = take<std::size_t>();
    if (count > bytes_.size() / sizeof(Value)) throw MessageError("a message was cut");
    std::vector<Value> values(count);
    copy(values.data(), count * sizeof(Value));
    return values;
  }
  std::string take_text() {
    auto const text = take_all<char>();
    return {text.begin(), text.end()};
  }

  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

 private:
  void copy(void* to, std::size_t size) {
    if (size > bytes_.size()) throw MessageError("a message was cut");
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::span<const char> bytes_;
};

}  // namespace delassus
