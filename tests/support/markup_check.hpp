// Whether a page or picture is well-formed, and shows something.
#pragma once

#include <gtest/gtest.h>
#include <libxml/parser.h>

#include <string>

namespace delassus::test {

inline bool is_well_formed(std::string const& markup) {
  xmlDocPtr const document =
      xmlReadMemory(markup.data(), static_cast<int>(markup.size()), "markup.xml", nullptr,
                    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  bool const good = document != nullptr;
  xmlFreeDoc(document);
  return good;
}

// A picture with shapes, and with a number wherever there should be one.
inline void expect_picture(std::string const& svg, std::string const& name) {
  EXPECT_TRUE(is_well_formed(svg)) << name;
  EXPECT_NE(svg.find("<path"), std::string::npos) << name;
  for (char const* const wrong : {"=\"nan", " nan", "Mnan", "Lnan", "inf "})
    EXPECT_EQ(svg.find(wrong), std::string::npos) << name << " has " << wrong;
}

// Nothing is loaded and nothing is run.
inline void expect_self_contained(std::string const& page) {
  for (char const* const outside :
       {" src=", "<script", "<link", "<iframe", "@import", "url(", "href=\"http", "xlink:"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

}  // namespace delassus::test
