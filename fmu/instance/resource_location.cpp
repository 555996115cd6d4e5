#include "fmu/instance/resource_location.hpp"

#include <cctype>
#include <stdexcept>

namespace delassus {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      result.push_back(static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])));
      i += 2;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

}  // namespace

std::string path_from_resource_location(std::string_view location) {
  constexpr std::string_view scheme = "file:";
  std::string_view rest = location;
  if (rest.size() < scheme.size() || rest.substr(0, scheme.size()) != scheme) {
    if (rest.find("://") != std::string_view::npos) {
      throw std::runtime_error("the resource location '" + std::string(location) + "' is not a file: URI");
    }
    return std::string(location);
  }
  rest.remove_prefix(scheme.size());
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    std::size_t const slash = rest.find('/');
    std::string_view const host = rest.substr(0, slash);
    if (!host.empty() && host != "localhost") {
      throw std::runtime_error("the resource location '" + std::string(location) + "' lies on the host '" +
                               std::string(host) + "'");
    }
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash);
  }
  std::string path = percent_decoded(rest);
  // file:///C:/x is C:/x
  if (path.size() > 2 && path[0] == '/' && std::isalpha(static_cast<unsigned char>(path[1])) &&
      path[2] == ':')
    path.erase(0, 1);
  return path;
}

}  // namespace delassus
