// An instance in a child process is the instance in ours, in its results, its failures and their words; and what carries
// its calls takes messages of any length, and nothing that is none.
#include "tools/import/isolated_instance.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "tests/support/coupled_fmu.hpp"
#include "tools/import/isolated_channel.hpp"
#include "tools/support/byte_message.hpp"

namespace delassus {
namespace {

using test::Deed;
using Side = SharedChannel::Side;

class IsolatedInstance : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, IsolatedInstance, testing::Values(2, 3),
                         [](auto const& test) { return "fmi" + std::to_string(test.param); });

// Inputs, states, steps and outputs go in one message; what fails must be told as if each had been a call.
TEST_P(IsolatedInstance, FailsInTheSameWordsAtTheSameTimeWithTheSameRows) {
  for (auto const deed : {Deed::nothing, Deed::error, Deed::nan, Deed::discard, Deed::terminate,
                          Deed::terminate_at_once, Deed::event}) {
    for (auto const algorithm :
         {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel, CosimAlgorithm::implicit}) {
      for (bool const adaptive : {false, true}) {
        test::SystemBuilder builder;
        builder.add("plant", {.version = GetParam()});
        builder.add("controller", {.version = GetParam(), .events = GetParam() == 3});
        builder.set("controller", "gain", -1);
        builder.set("plant", "offset", 1);
        builder.connect("plant.y", "controller.u");
        builder.connect("controller.y", "plant.u");
        builder.misbehave("controller", deed, 0.5);
        CosimPlan plan = builder.plan(1, 0.1);
        plan.algorithm = algorithm;
        plan.event_mode = GetParam() == 3;
        if (adaptive) plan.step_tolerance = 1e-2;
        CosimResult const here = run_cosimulation(builder.system, plan);
        plan.isolated = {true, true};
        CosimResult const apart = run_cosimulation(builder.system, plan);
        std::string const which = fmt::format("deed {}, {}, {}", static_cast<int>(deed),
                                              algorithm_name(algorithm), adaptive ? "adaptive" : "fixed");
        EXPECT_EQ(here.failure.value_or(""), apart.failure.value_or("")) << which;
        EXPECT_EQ(here.terminated_by, apart.terminated_by) << which;
        EXPECT_EQ(here.table.time, apart.table.time) << which;
        // Not a number is not itself.
        ASSERT_EQ(here.table.columns.size(), apart.table.columns.size());
        for (std::size_t i = 0; i < here.table.columns.size(); ++i) {
          auto const &one = here.table.columns[i], &other = apart.table.columns[i];
          ASSERT_EQ(one.size(), other.size()) << which;
          EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(double)), 0) << which;
        }
        EXPECT_EQ(here.counts.steps, apart.counts.steps) << which;
        EXPECT_EQ(here.counts.rejected, apart.counts.rejected) << which;
        EXPECT_EQ(here.counts.discarded, apart.counts.discarded) << which;
        EXPECT_EQ(here.counts.events, apart.counts.events) << which;
      }
    }
  }
}

// A child of ours with the other side of a channel.
class Child {
 public:
  Child(SharedChannel& channel, std::function<void(SharedChannel&)> const& work) : process_(::fork()) {
    if (process_ != 0) return;
    ::alarm(60);
    work(channel);
    ::_exit(0);
  }
  ~Child() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  int exit_code() {
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool lives() {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ > 0;
  }

 private:
  pid_t process_;
};

bool for_ever() {
  return true;
}

TEST(IsolatedChannel, CarriesMessagesOfAnyLength) {
  SharedChannel channel;
  Child child(channel, [](SharedChannel& mine) {
    std::vector<char> bytes;
    while (mine.receive(Side::child, bytes, for_ever)) {
      for (char& byte : bytes) ++byte;
      mine.send(Side::child, bytes, for_ever);
    }
  });
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t const size :
       {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1, 5 * piece + 7}) {
    std::vector<char> sent(size), expected(size), received;
    for (std::size_t i = 0; i < size; ++i)
      sent[i] = static_cast<char>(i * 7 % 100), expected[i] = static_cast<char>(sent[i] + 1);
    ASSERT_TRUE(channel.send(Side::parent, sent, [&] { return child.lives(); }));
    ASSERT_TRUE(channel.receive(Side::parent, received, [&] { return child.lives(); }));
    EXPECT_TRUE(received == expected) << size;
  }
}

TEST(IsolatedChannel, SeesThatTheOtherSideHasDied) {
  SharedChannel channel;
  Child child(channel, [](SharedChannel& mine) {
    std::vector<char> bytes;
    mine.receive(Side::child, bytes, for_ever);
  });
  std::vector<char> bytes(10);
  ASSERT_TRUE(channel.send(Side::parent, bytes, [&] { return child.lives(); }));
  EXPECT_FALSE(channel.receive(Side::parent, bytes, [&] { return child.lives(); }));
}

TEST(IsolatedChannel, TakesTheAnswerOfOneThatDiedAfterIt) {
  SharedChannel channel;
  Child child(channel, [](SharedChannel& mine) {
    std::vector<char> bytes;
    mine.receive(Side::child, bytes, for_ever);
    mine.send(Side::child, bytes, for_ever);
  });
  std::vector<char> bytes(10, 'x');
  ASSERT_TRUE(channel.send(Side::parent, bytes, [&] { return child.lives(); }));
  while (child.lives()) ::usleep(1000);
  ASSERT_TRUE(channel.receive(Side::parent, bytes, [&] { return child.lives(); }));
  EXPECT_EQ(bytes, std::vector<char>(10, 'x'));
}

// As if one had been lost, or written by somebody else in between.
TEST(IsolatedChannel, TakesNoMessageOfAnotherNumber) {
  SharedChannel channel;
  Child child(channel, [](SharedChannel& mine) {
    std::vector<char> bytes;
    mine.receive(Side::child, bytes, [] { return false; });  // which never comes
    mine.note(1);
    try {
      mine.receive(Side::child, bytes, for_ever);
    } catch (ChannelError const&) {
      ::_exit(7);
    }
  });
  std::vector<char> bytes(10);
  while (channel.noted() == 0) ::usleep(1000);
  ASSERT_TRUE(channel.send(Side::parent, bytes, [&] { return child.lives(); }));
  EXPECT_EQ(child.exit_code(), 7);
}

TEST(IsolatedChannel, SaysThatAMessageIsNotWhatItsReaderExpects) {
  MessageWriter message;
  message.add(std::size_t{1} << 62).add(1.0);
  EXPECT_THROW(MessageReader(message.bytes()).take_all<double>(), MessageError);
  EXPECT_THROW(MessageReader(message.bytes()).take_text(), MessageError);
  std::vector<double> values(3);
  EXPECT_THROW(MessageReader(message.bytes()).take_into(std::span(values)), MessageError);
  message.clear();
  message.add(std::uint8_t{2});
  EXPECT_TRUE(MessageReader(message.bytes()).take<bool>()) << "no bool has the value 2";
}

}  // namespace
}  // namespace delassus
