// Memory that a process shares with one child of its own: messages go to and fro in turn, without a descriptor that the
// child could close, use up or write other things to. Whoever finds the other at work waits for a moment before it sleeps, so that
// a call costs some microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace delassus {

// What the child left in the memory is no message. Says what is wrong with it.
class ChannelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bytes. More than FMUs have in their outputs and states, and less than would harm the machine.
inline constexpr std::size_t longest_message = std::size_t{1} << 28;

class SharedChannel {
 public:
  enum class Side : std::uint32_t { parent, child };
  // Asked now and then while waiting; false ends the wait.
  using GoOn = std::function<bool()>;

  // Throws FileError where there is no memory.
  SharedChannel();
  ~SharedChannel();
  SharedChannel(SharedChannel const&) = delete;
  SharedChannel& operator=(SharedChannel const&) = delete;

  // Once its child exists: later children do not see this memory.
  void hide_from_other_children();

  // A whole message to the other side; false where `go_on` ended the wait for it to take a long one. A message is at most
  // longest_message long.
  bool send(Side from, std::span<const char> bytes, GoOn const& go_on);
  // Waits for a whole message; false where `go_on` ended that. Throws ChannelError, and nothing is taken over before it is
  // looked at: neither its number, which must follow that of the last message, nor its length.
  bool receive(Side to, std::vector<char>& bytes, GoOn const& go_on);

  // What the child is doing now, for the parent to read when it has died. Anything else than the child's word may stand
  // there.
  void note(std::uint8_t activity);
  std::uint32_t noted() const;  // the activity, in the low byte, and a count of notes

 private:
  struct Memory;

  bool wait(Side side, GoOn const& go_on);
  void give(Side to);

  Memory* memory_ = nullptr;
  std::uint64_t number_ = 0;  // of the last message
  std::uint32_t without_looks_ = 0, penalty_ = 1, quick_ = 0;
};

}  // namespace delassus
