// Changes sealed bytes (fmu/content/sealed_bytes.hpp) and mends the seal, so that size and checksum are right and what
// they hold is not: truncated, bytes and numbers replaced, lists shortened and lengthened.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "fmu/content/sealed_bytes.hpp"

namespace delassus::test {

class ByteMutations {
 public:
  using Visit = std::function<void(std::string const& mutated, std::string const& what)>;

  explicit ByteMutations(std::string_view sealed)
      : header_(sealed.substr(0, header_size)), payload_(sealed.substr(header_size)) {}

  std::size_t size() const { return payload_.size(); }

  // From now on only about so many changes of each kind are made, evenly spread.
  void keep(std::size_t most) { most_ = most; }

  // Cut off after each byte.
  void truncate(Visit const& visit) const {
    spread(visit, [this](auto const& offer) {
      for (std::size_t at = 0; at < payload_.size(); ++at) {
        offer([&] { return Change{payload_.substr(0, at), "cut off after " + std::to_string(at)}; });
      }
      offer([&] { return Change{payload_ + std::string(8, '\0'), "followed by eight bytes"}; });
    });
  }

  // Each byte.
  void change_bytes(Visit const& visit) const {
    spread(visit, [this](auto const& offer) {
      for (std::size_t at = 0; at < payload_.size(); ++at) {
        for (unsigned const bits : {0x01U, 0x80U, 0xffU}) {
          offer([&] {
            std::string changed = payload_;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ bits);
            return Change{changed, "byte " + std::to_string(at) + " ^ " + std::to_string(bits)};
          });
        }
      }
    });
  }

  // Eight bytes from each one on, which are often a number, replaced by one that it must not be.
  void replace_numbers(Visit const& visit) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto const bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    std::uint64_t const numbers[]{bits(std::nan("")),
                                  bits(infinity),
                                  bits(-infinity),
                                  bits(-1.0),
                                  bits(1e300),
                                  bits(-1e300),
                                  bits(5e-324),
                                  bits(1e9),
                                  0,
                                  ~std::uint64_t{0},
                                  std::uint64_t{1} << 31U,
                                  std::uint64_t{1} << 40U,
                                  std::uint64_t{1} << 63U};
    spread(visit, [&](auto const& offer) {
      for (std::size_t at = 1; at + 8 <= payload_.size(); ++at) {
        for (std::uint64_t const number : numbers) {
          offer([&] {
            std::string changed = payload_;
            put(changed, at, number);
            return Change{changed, "number " + std::to_string(number) + " at " + std::to_string(at)};
          });
        }
      }
    });
  }

  // Everything that may be the length of a list, whose elements are 1, 4, 8 or more bytes: one element less, one more
  // (zeros, or the first one again), none, and another length without its elements.
  void resize_lists(Visit const& visit) const {
    spread(visit, [this](auto const& offer) {
      for (std::size_t at = 1; at + 8 <= payload_.size(); ++at) {
        std::uint64_t const count = number_at(at);
        if (count > payload_.size()) continue;
        for (std::size_t const width : {1U, 4U, 8U, 12U, 32U}) {
          std::size_t const first = at + 8, bytes = static_cast<std::size_t>(count) * width;
          if (first + bytes > payload_.size()) continue;
          auto const with = [&](std::uint64_t new_count, auto const& list, char const* how) {
            offer([&] {
              std::string changed = payload_;
              put(changed, at, new_count);
              changed.replace(first, bytes, list(payload_.substr(first, bytes)));
              return Change{changed, "list at " + std::to_string(at) + " of " + std::to_string(count) +
                                         " x " + std::to_string(width) + how};
            });
          };
          with(
              count + 1, [&](std::string const& list) { return list + std::string(width, '\0'); },
              ", one zero more");
          if (count == 0) continue;
          with(
              count - 1, [&](std::string const& list) { return list.substr(0, bytes - width); },
              ", one less");
          with(
              0, [](std::string const&) { return std::string(); }, ", emptied");
          with(
              count + 1, [&](std::string const& list) { return list.substr(0, width) + list; },
              ", first one twice");
        }
        for (std::uint64_t const length : {count + 1, std::uint64_t{payload_.size() / 8}}) {
          offer([&] {
            std::string changed = payload_;
            put(changed, at, length);
            return Change{changed, "length at " + std::to_string(at) + " is " + std::to_string(length)};
          });
        }
      }
    });
  }

  // Several changes at once.
  void shuffle(int count, std::mt19937_64& random, Visit const& visit) const {
    for (int k = 0; k < count; ++k) {
      std::string changed = payload_;
      std::size_t const changes = 1 + random() % 4;
      for (std::size_t i = 0; i < changes && !changed.empty(); ++i) {
        std::size_t const at = random() % changed.size();
        switch (random() % 4) {
          case 0:
            changed[at] = static_cast<char>(random());
            break;
          case 1:
            changed.erase(at, 1 + random() % 16);
            break;
          case 2:
            changed.insert(at, 1 + random() % 16, static_cast<char>(random() % 3));
            break;
          default:
            changed.insert(at, changed.substr(random() % changed.size(), random() % 64));
        }
      }
      visit(sealed(changed), "shuffle " + std::to_string(k));
    }
  }

 private:
  static constexpr std::size_t header_size = 28;  // magic, version, size, checksum

  struct Change {
    std::string payload, what;
  };
  // `offers` offers every change; those that are kept are made.
  template <class Offers>
  void spread(Visit const& visit, Offers const& offers) const {
    std::size_t total = 0, number = 0;
    offers([&](auto const&) { ++total; });
    std::size_t const stride = 1 + total / most_;
    offers([&](auto const& make) {
      if (number++ % stride != 0) return;
      Change const change = make();
      visit(sealed(change.payload), change.what);
    });
  }

  static void put(std::string& to, std::size_t at, std::uint64_t number) {
    for (std::size_t i = 0; i < 8; ++i) to[at + i] = static_cast<char>((number >> (8 * i)) & 0xffU);
  }
  std::uint64_t number_at(std::size_t at) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i)
      number |= static_cast<std::uint64_t>(static_cast<unsigned char>(payload_[at + i])) << (8 * i);
    return number;
  }
  std::string sealed(std::string const& payload) const {
    std::string bytes = header_;
    put(bytes, 12, payload.size());
    put(bytes, 20, content_hash(payload));
    return bytes + payload;
  }

  std::string header_, payload_;
  std::size_t most_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace delassus::test
