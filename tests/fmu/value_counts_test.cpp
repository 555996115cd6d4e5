// A number of values that a host says and does not have. Each is refused before a value is read or written and before
// memory is taken for it: the arrays lie at the end of a page behind which nothing may be touched.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "tests/support/fmi_faces.hpp"

namespace delassus::test {
namespace {

// `count` elements, behind which a page follows that cannot be read or written.
template <class T>
class Fenced {
 public:
  explicit Fenced(std::vector<T> const& values) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    memory_ = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(memory_) + page_, page_, PROT_NONE);
    std::size_t const bytes = values.size() * sizeof(T);
    begin_ = reinterpret_cast<T*>(static_cast<char*>(memory_) + page_ - bytes);
    std::memcpy(begin_, values.data(), bytes);
  }
  ~Fenced() { munmap(memory_, 2 * page_); }
  Fenced(Fenced const&) = delete;
  Fenced& operator=(Fenced const&) = delete;
  T* data() const { return begin_; }

 private:
  std::size_t page_;
  void* memory_ = nullptr;
  T* begin_ = nullptr;
};

template <class Function>
Function bound(char const* name) {
  return reinterpret_cast<Function>(fmu_library().find(name));
}
#define DELASSUS_CALL(name) bound<decltype(&::name)>(#name)

class ValueCounts : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        two.instantiate(resources.model->token(2).c_str(), Fmi2Face::location(resources.path()).c_str()));
    ASSERT_TRUE(
        three.instantiate(resources.model->token(3).c_str(), Fmi3Face::location(resources.path()).c_str()));
    ASSERT_EQ(two.enter(), ok);
    ASSERT_EQ(two.exit(), ok);
    ASSERT_EQ(three.enter(), ok);
    ASSERT_EQ(three.exit(), ok);
    log.clear();
  }
  std::uint32_t reference(char const* name) const {
    return Fmi2Face::reference_of_variable(resources.model->table(), name);
  }
  void expect_refused(int status) {
    EXPECT_EQ(status, error);
    EXPECT_FALSE(log.empty());
    log.clear();
  }

  std::vector<std::size_t> const wrong{0,
                                       3,
                                       std::size_t{1} << 22U,
                                       std::size_t{1} << 28U,
                                       std::size_t{1} << 40U,
                                       std::size_t{1} << 60U,
                                       ~std::size_t{0}};
  Resources resources{"painleve_rod"};
  std::vector<Logged> log;
  Fmi2Face two{log};
  Fmi3Face three{log};
  Fenced<std::uint32_t> position{{reference("rod.position")}}, mode{{reference("tip_ground.mode")}},
      mu{{reference("tip_ground.mu")}};
  Fenced<double> numbers{{1, 2}};
  Fenced<fmi3Int64> wide{{1, 2}};
};

TEST_F(ValueCounts, OfFmi3AreComparedWithTheVariablesFirst) {
  auto const get = DELASSUS_CALL(fmi3GetFloat64);
  auto const set = DELASSUS_CALL(fmi3SetFloat64);
  for (std::size_t const count : wrong) {
    expect_refused(get(three.instance, position.data(), 1, numbers.data(), count));
    expect_refused(set(three.instance, mu.data(), 1, numbers.data(), count));
    expect_refused(DELASSUS_CALL(fmi3GetInt64)(three.instance, mode.data(), 1, wide.data(), count));
    expect_refused(DELASSUS_CALL(fmi3SetInt64)(three.instance, mode.data(), 1, wide.data(), count));
    expect_refused(DELASSUS_CALL(fmi3GetDirectionalDerivative)(three.instance, position.data(), 1, mu.data(),
                                                               1, numbers.data(), 1, numbers.data(), count));
    expect_refused(DELASSUS_CALL(fmi3GetAdjointDerivative)(three.instance, position.data(), 1, mu.data(), 1,
                                                           numbers.data(), count, numbers.data(), 1));
    Fenced<fmi3Int32> const orders{{1}};
    expect_refused(DELASSUS_CALL(fmi3GetOutputDerivatives)(three.instance, position.data(), 1, orders.data(),
                                                           numbers.data(), count));
  }
  EXPECT_EQ(get(three.instance, position.data(), 1, numbers.data(), 2), ok);
  EXPECT_EQ(get(three.instance, nullptr, 0, nullptr, 0), ok);
  EXPECT_EQ(numbers.data()[1], numbers.data()[1]);
}

// The array of references has as many as the host says; one that is no variable ends the reading of it.
TEST_F(ValueCounts, OfReferencesEndWhereOneIsWrong) {
  Fenced<std::uint32_t> const references{{reference("rod.angle"), 0xffffffffU}};
  Fenced<double> const values{{0, 0}};
  for (std::size_t const count : {std::size_t{2}, std::size_t{1} << 40U, std::size_t{1} << 60U}) {
    expect_refused(DELASSUS_CALL(fmi2GetReal)(two.instance, references.data(), count, values.data()));
    expect_refused(DELASSUS_CALL(fmi2SetReal)(two.instance, references.data(), count, values.data()));
    Fenced<int> const integers{{1, 2}};
    expect_refused(DELASSUS_CALL(fmi2GetInteger)(two.instance, references.data(), count, integers.data()));
    expect_refused(DELASSUS_CALL(fmi2SetInteger)(two.instance, references.data(), count, integers.data()));
    expect_refused(DELASSUS_CALL(fmi2GetRealOutputDerivatives)(two.instance, references.data(), count,
                                                               integers.data(), values.data()));
    expect_refused(DELASSUS_CALL(fmi2SetRealInputDerivatives)(two.instance, references.data(), count,
                                                              integers.data(), values.data()));
    expect_refused(DELASSUS_CALL(fmi2GetDirectionalDerivative)(two.instance, references.data(), count,
                                                               mu.data(), 1, values.data(), values.data()));
    expect_refused(
        DELASSUS_CALL(fmi3GetFloat64)(three.instance, references.data(), count, values.data(), count));
    expect_refused(
        DELASSUS_CALL(fmi3SetFloat64)(three.instance, references.data(), count, values.data(), count));
    std::vector<Logged> of_clock;
    EXPECT_EQ(DELASSUS_CALL(fmi3InstantiateCoSimulation)(
                  "test", resources.model->token(3).c_str(), Fmi3Face::location(resources.path()).c_str(),
                  false, false, false, false, references.data(), count, &of_clock, record_fmi3, nullptr),
              nullptr);
    EXPECT_FALSE(of_clock.empty());
  }
}

TEST_F(ValueCounts, OfNothingNeedNoArrays) {
  EXPECT_EQ(DELASSUS_CALL(fmi2GetReal)(two.instance, nullptr, 0, nullptr), ok);
  EXPECT_EQ(DELASSUS_CALL(fmi2SetReal)(two.instance, nullptr, 0, nullptr), ok);
  EXPECT_EQ(DELASSUS_CALL(fmi3SetFloat64)(three.instance, nullptr, 0, nullptr, 0), ok);
  expect_refused(DELASSUS_CALL(fmi2GetReal)(two.instance, mu.data(), 1, nullptr));
  expect_refused(DELASSUS_CALL(fmi2GetReal)(two.instance, nullptr, 1, numbers.data()));
  expect_refused(DELASSUS_CALL(fmi3GetFloat64)(three.instance, nullptr, 0, numbers.data(), 1));
  expect_refused(DELASSUS_CALL(fmi3SetFloat64)(three.instance, mu.data(), 1, nullptr, 1));
  expect_refused(DELASSUS_CALL(fmi3GetFloat64)(three.instance, nullptr, 1, numbers.data(), 1));
}

// A size that is not that of the state is seen in its first bytes; the others are not there.
TEST_F(ValueCounts, OfASerialisedStateAreComparedWithItsHead) {
  void* state = nullptr;
  std::vector<std::uint8_t> bytes;
  ASSERT_EQ(three.take(&state), ok);
  ASSERT_EQ(three.serialise(state, bytes), ok);
  bytes.resize(28);  // as much as tells size and checksum
  Fenced<std::uint8_t> const head{bytes};
  void* none = nullptr;
  for (std::size_t const size : {std::size_t{28}, std::size_t{1} << 28U, std::size_t{1} << 60U}) {
    expect_refused(DELASSUS_CALL(fmi3DeserializeFMUState)(three.instance, head.data(), size, &none));
    expect_refused(DELASSUS_CALL(fmi2DeSerializeFMUstate)(
        two.instance, reinterpret_cast<char const*>(head.data()), size, &none));
    EXPECT_EQ(none, nullptr);
  }
  for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{27}})
    expect_refused(DELASSUS_CALL(fmi3SerializeFMUState)(three.instance, state, head.data(), size));
  three.release(&state);
}

}  // namespace
}  // namespace delassus::test
