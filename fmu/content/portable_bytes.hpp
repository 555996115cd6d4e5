// Plain structs to and from bytes through cereal's portable binary archive: the same on every machine.
#pragma once

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace delassus {

template <class T>
std::string to_bytes(T const& value) {
  std::ostringstream stream;
  cereal::PortableBinaryOutputArchive archive(stream);
  archive(value);
  return std::move(stream).str();
}

template <class T>
T from_bytes(std::string_view bytes, std::string_view name) {
  std::istringstream stream{std::string(bytes)};
  T value;
  try {
    cereal::PortableBinaryInputArchive archive(stream);
    archive(value);
  } catch (std::exception const& error) {
    throw std::runtime_error("the " + std::string(name) + " cannot be read: " + error.what());
  }
  return value;
}

}  // namespace delassus
