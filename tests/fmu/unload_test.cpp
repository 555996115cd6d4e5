// A host may load and unload the binary of an FMU as often as it likes.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "fmu/fmi3/interface.hpp"

namespace {

TEST(FmuBinary, LeavesNoMemoryBehindWhereItIsLoadedTwoHundredTimes) {
#ifdef DELASSUS_SANITIZED
  GTEST_SKIP() << "a sanitizer keeps what is unloaded";
#endif
  auto const in_use = [] {
    struct mallinfo2 const info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  auto const load = [](bool uses) {
    void* const library = dlopen(DELASSUS_FMU_BINARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    if (uses) {
      // It is refused by an exception, which the C++ runtime inside of the binary handles.
      auto const instantiate = reinterpret_cast<decltype(&fmi3InstantiateCoSimulation)>(
          dlsym(library, "fmi3InstantiateCoSimulation"));
      ASSERT_NE(instantiate, nullptr);
      EXPECT_EQ(instantiate("name", "token", "/nowhere/", false, false, false, false, nullptr, 0, nullptr,
                            nullptr, nullptr),
                nullptr);
    }
    dlclose(library);
    EXPECT_EQ(dlopen(DELASSUS_FMU_BINARY, RTLD_NOW | RTLD_NOLOAD), nullptr) << "it was not unloaded";
  };
  for (bool const uses : {false, true}) {
    for (int i = 0; i < 10; ++i) load(uses);
    std::size_t const before = in_use();
    for (int i = 0; i < 200; ++i) load(uses);
    std::size_t const after = in_use();
    // The loader itself keeps a few bytes. The C++ runtime of one load took 72,704.
    EXPECT_LT(after, before + 20'000) << (uses ? "used" : "only loaded");
  }
}

}  // namespace
