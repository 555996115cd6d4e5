#include "fmu/instance/resource_location.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace delassus {
namespace {

TEST(ResourceLocation, IsReadInEveryFormThatHostsPass) {
  EXPECT_EQ(path_from_resource_location("file:/x/y"), "/x/y");
  EXPECT_EQ(path_from_resource_location("file:///x/y"), "/x/y");
  EXPECT_EQ(path_from_resource_location("file://localhost/x/y"), "/x/y");
  EXPECT_EQ(path_from_resource_location("file:///a%20b/%C3%A4%25"), "/a b/\xc3\xa4%");
  EXPECT_EQ(path_from_resource_location("file:///100%"), "/100%");
  EXPECT_EQ(path_from_resource_location("/plain/path with blanks"), "/plain/path with blanks");
  EXPECT_EQ(path_from_resource_location("file:///C:/x"), "C:/x");
}

TEST(ResourceLocation, ThatIsNotOnThisMachineIsRefused) {
  EXPECT_THROW(path_from_resource_location("file://server/x"), std::runtime_error);
  EXPECT_THROW(path_from_resource_location("http://server/x"), std::runtime_error);
}

}  // namespace
}  // namespace delassus
