// XML text as a plain tree of elements with exact line numbers. All XML is read here, so the protection
// against hostile input stands in one place: no DTD and hence no entities except the five of XML, no network,
// no other files, and limits on size, depth and number of elements.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "model/scene/source.hpp"

namespace delassus {

struct TreeLimits {
  std::size_t bytes = 16u << 20;
  int depth = 64;  // libxml2 itself stops at 256
  std::size_t elements = 1'000'000;
  bool text_allowed = false;  // between elements; if allowed, it is ignored
};

// Larger than any sensible scene, written by hand or by program.
inline constexpr TreeLimits scene_limits{
    .bytes = 16u << 20, .depth = 32, .elements = 500'000, .text_allowed = false};

// Generated models reach tens of megabytes. Annotations hold what tools put there: text, and deep trees.
inline constexpr TreeLimits description_limits{
    .bytes = 256u << 20, .depth = 200, .elements = 5'000'000, .text_allowed = true};

class XmlError : public std::runtime_error {
 public:
  XmlError(int line, std::string const& message) : std::runtime_error(message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

// The line of an element is that of its `<`. Names keep their prefix, `xsi:type`; declarations of name spaces
// are dropped. Throws XmlError.
SourceElement read_tree(std::string const& text, TreeLimits const& limits);

}  // namespace delassus
