#include "xml/fmi/typed_value.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

template <typename Integer>
std::optional<TypedNumber> integer(std::string_view text) {
  auto const value = parse_integer<Integer>(text);
  return value ? std::optional(static_cast<TypedNumber>(*value)) : std::nullopt;
}

std::optional<TypedNumber> floating(std::string_view text) {
  auto const value = parse_double(text);
  return value ? std::optional(static_cast<TypedNumber>(*value)) : std::nullopt;
}

std::optional<TypedNumber> boolean(std::string_view text) {
  auto const value = parse_boolean(text);
  return value ? std::optional(*value ? TypedNumber{1} : TypedNumber{0}) : std::nullopt;
}

struct TypeForm {
  std::string_view name;
  std::optional<TypedNumber> (*parse)(std::string_view);
  std::string_view form;
};

constexpr TypeForm forms[] = {
    {"Float64", floating, "a number such as 0.5 or 1e-3"},
    {"Float32", floating, "a number such as 0.5 or 1e-3"},
    {"Int8", integer<std::int8_t>, "a whole number from -128 to 127"},
    {"UInt8", integer<std::uint8_t>, "a whole number from 0 to 255"},
    {"Int16", integer<std::int16_t>, "a whole number from -32768 to 32767"},
    {"UInt16", integer<std::uint16_t>, "a whole number from 0 to 65535"},
    {"Int32", integer<std::int32_t>, "a whole number of 32 bits"},
    {"UInt32", integer<std::uint32_t>, "a whole number of 32 bits that is not negative"},
    {"Int64", integer<std::int64_t>, "a whole number of 64 bits"},
    {"UInt64", integer<std::uint64_t>, "a whole number of 64 bits that is not negative"},
    {"Enumeration", integer<std::int64_t>, "the value of an item, a whole number"},
    {"Boolean", boolean, "true or false"},
};

TypeForm const* find_form(std::string_view type) {
  auto const* const found = std::find_if(std::begin(forms), std::end(forms),
                                         [&](TypeForm const& each) { return each.name == type; });
  return found == std::end(forms) ? nullptr : found;
}

}  // namespace

std::optional<TypedNumber> parse_typed(std::string_view type, std::string_view text) {
  auto const* const form = find_form(type);
  return form == nullptr ? std::nullopt : form->parse(text);
}

std::string_view typed_form(std::string_view type) {
  auto const* const form = find_form(type);
  return form == nullptr ? "a text" : form->form;
}

bool is_hexadecimal(std::string_view text) {
  return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char character) {
           return std::isxdigit(static_cast<unsigned char>(character)) != 0;
         });
}

}  // namespace delassus
