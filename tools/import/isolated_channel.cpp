#include "tools/import/isolated_channel.hpp"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// ns. A child that has died is noticed after this.
constexpr long look_every = 10'000'000;

// Looks at the other side before a sleep: a few at once, more with the core given away in between. Where nobody else wants
// the core that takes below 1 us, and waking up from sleep 5 to 20 us. Of two components and a master on two cores, one
// always wants a core.
constexpr int looks_at_once = 20, looks = 120;
// ns. Where it took longer, others had the core, each for some ms: who sleeps gets it back sooner. Then looks are left out
// for one wait, two, four and so on.
constexpr std::int64_t long_look = 200'000;
constexpr std::uint32_t most_without_looks = 4096;
// After so many quick ones in a row, the others seem to be gone.
constexpr std::uint32_t quick_enough = 64;

// Longer messages go in several pieces of this many bytes. Memory that is not touched costs nothing.
constexpr std::size_t piece_size = std::size_t{1} << 20;

using Word = std::atomic<std::uint32_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint32_t));

void futex_wait(Word& word, std::uint32_t value) {
  timespec const longest{0, look_every};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &longest, nullptr, 0);
}
void futex_wake(Word& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::int64_t nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace

struct PieceHead {
  std::uint64_t number = 0;  // of the message
  std::uint64_t total = 0;   // bytes of the message
  std::uint64_t first = 0;   // byte of the message
  std::uint64_t size = 0;    // bytes of the piece
};

struct SharedChannel::Memory {
  alignas(64) Word turn{0};  // the side that may write
  alignas(64) Word sleeps[2]{};
  alignas(64) Word activity{0};
  alignas(64) PieceHead head;
  char bytes[piece_size];
};

SharedChannel::SharedChannel() {
  void* const memory =
      ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw FileError(
        fmt::format("there is no memory to share with a child process: {}", std::strerror(errno)));
  memory_ = ::new (memory) Memory;
}

SharedChannel::~SharedChannel() {
  ::munmap(memory_, sizeof(Memory));
}

void SharedChannel::hide_from_other_children() {
  ::madvise(memory_, sizeof(Memory), MADV_DONTFORK);
}

void SharedChannel::note(std::uint8_t activity) {
  std::uint32_t const count = (memory_->activity.load(std::memory_order_relaxed) >> 8) + 1;
  memory_->activity.store(count << 8 | activity, std::memory_order_relaxed);
}

std::uint32_t SharedChannel::noted() const {
  return memory_->activity.load(std::memory_order_relaxed);
}

void SharedChannel::give(Side to) {
  auto const side = static_cast<std::uint32_t>(to);
  memory_->turn.store(side);
  if (memory_->sleeps[side].exchange(0) != 0) futex_wake(memory_->turn);
}

bool SharedChannel::wait(Side side, GoOn const& go_on) {
  auto const mine = static_cast<std::uint32_t>(side), other = 1 - mine;
  auto const arrived = [&] {
    std::uint32_t const turn = memory_->turn.load();
    if (turn != mine && turn != other) throw ChannelError(fmt::format("it is the turn of side {}", turn));
    return turn == mine;
  };
  for (int look = 0; look < looks_at_once; ++look) {
    if (arrived()) return true;
    relax();
  }
  if (without_looks_ > 0) {
    --without_looks_;
  } else {
    std::int64_t const begin = nanoseconds();
    bool there = false;
    for (int look = looks_at_once; !there && look < looks; ++look) {
      ::sched_yield();
      there = arrived();
    }
    if (nanoseconds() - begin > long_look) {
      without_looks_ = penalty_;
      penalty_ = std::min(2 * penalty_, most_without_looks);
      quick_ = 0;
    } else if (++quick_ == quick_enough) {
      penalty_ = std::max(penalty_ / 4, 1u);
      quick_ = 0;
    }
    if (there) return true;
  }
  for (;;) {
    memory_->sleeps[mine].store(1);
    if (arrived()) break;
    futex_wait(memory_->turn, other);
    if (arrived()) break;
    // What was sent before the other side died is still there.
    if (!go_on()) {
      if (arrived()) break;
      return false;
    }
  }
  memory_->sleeps[mine].store(0);
  return true;
}

bool SharedChannel::send(Side from, std::span<const char> bytes, GoOn const& go_on) {
  Side const to = from == Side::parent ? Side::child : Side::parent;
  ++number_;
  for (std::size_t first = 0;; first += piece_size) {
    std::size_t const size = std::min(piece_size, bytes.size() - first);
    memory_->head = {number_, bytes.size(), first, size};
    if (size > 0) std::memcpy(memory_->bytes, bytes.data() + first, size);
    give(to);
    if (first + size == bytes.size()) return true;
    if (!wait(from, go_on)) return false;
  }
}

bool SharedChannel::receive(Side to, std::vector<char>& bytes, GoOn const& go_on) {
  Side const from = to == Side::parent ? Side::child : Side::parent;
  ++number_;
  bytes.clear();
  for (;;) {
    if (!wait(to, go_on)) return false;
    // Looked at once: the other side may change it at any time.
    PieceHead head;
    std::memcpy(&head, &memory_->head, sizeof head);
    __asm__ volatile("" ::: "memory");
    if (head.number != number_)
      throw ChannelError(fmt::format("message {} came instead of message {}", head.number, number_));
    if (head.total > longest_message)
      throw ChannelError(
          fmt::format("a message of {} bytes, and at most {} are taken", head.total, longest_message));
    bool const fits = head.first == bytes.size() && head.size <= piece_size &&
                      head.size <= head.total - std::min(head.first, head.total) &&
                      (head.size > 0 || head.total == 0);
    if (!fits)
      throw ChannelError(fmt::format("bytes {} to {} of a message of {}, of which {} were there", head.first,
                                     head.first + head.size, head.total, bytes.size()));
    bytes.insert(bytes.end(), memory_->bytes, memory_->bytes + head.size);
    if (bytes.size() == head.total) return true;
    give(from);
  }
}

}  // namespace delassus
