#include "tests/fuzz/sealed_mutation.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "fmu/content/sealed_bytes.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace delassus::fuzz {
namespace {

constexpr std::size_t magic_and_version = 12, header = magic_and_version + 8 + 8;

std::uint64_t little_endian(std::string const& bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void put(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xffU);
}

class SealedMutation {
 public:
  SealedMutation(std::string payload, unsigned seed) : bytes_(std::move(payload)), random_(seed) {}

  std::string run(std::size_t most) {
    for (std::size_t edits = 1 + below(2); edits > 0 && !bytes_.empty(); --edits) {
      switch (below(4)) {
        case 0:
          mutate_bytes(most);
          break;
        case 1:
          resize_vector(most);
          break;
        case 2:
          put(bytes_, below(bytes_.size()), std::bit_cast<std::uint64_t>(special_real()), 8);
          break;
        default:
          put(bytes_, below(bytes_.size()), special_integer(), below(2) == 0 ? 4 : 8);
      }
    }
    if (bytes_.size() > most) bytes_.resize(most);
    return bytes_;
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  double special_real() {
    using Limits = std::numeric_limits<double>;
    double const values[]{0,
                          -1,
                          Limits::quiet_NaN(),
                          Limits::infinity(),
                          -Limits::infinity(),
                          1e300,
                          1e-300,
                          1e21,
                          1e-9,
                          -0.,
                          Limits::max(),
                          Limits::denorm_min(),
                          1,
                          0.5};
    return values[below(std::size(values))];
  }
  std::uint64_t special_integer() {
    std::uint64_t const values[]{
        0, 1, 2, 3, ~std::uint64_t{0}, 0x7fffffff, 0x80000000, 1000, std::uint64_t{1} << 40U, below(64)};
    return values[below(std::size(values))];
  }

  void mutate_bytes(std::size_t most) {
    std::vector<std::uint8_t> buffer(std::max(most, bytes_.size()));
    std::memcpy(buffer.data(), bytes_.data(), bytes_.size());
    std::size_t const size = LLVMFuzzerMutate(buffer.data(), bytes_.size(), buffer.size());
    bytes_.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  }

  // A length is a number of 64 bits that is followed by at least so many elements. Where a number only looks like one, this is a
  // change as good as any other.
  void resize_vector(std::size_t most) {
    constexpr std::size_t element_sizes[]{8, 4, 1};
    std::size_t const element = element_sizes[below(std::size(element_sizes))];
    std::vector<std::size_t> lengths;
    for (std::size_t at = 0; at + 8 <= bytes_.size(); ++at) {
      if (little_endian(bytes_, at) <= std::min<std::size_t>(1000, (bytes_.size() - at - 8) / element))
        lengths.push_back(at);
    }
    if (lengths.empty()) return;
    std::size_t const at = lengths[below(lengths.size())];
    auto const length = static_cast<std::size_t>(little_endian(bytes_, at));
    std::size_t const now = below(3) == 0   ? below(length + 20)
                            : below(2) == 0 ? length + 1
                                            : length - std::min<std::size_t>(1, length);
    if (now > length) {
      if (bytes_.size() + (now - length) * element > most) return;
      // Of its last element, as far as there is one.
      std::string const last =
          length > 0 ? bytes_.substr(at + 8 + (length - 1) * element, element) : std::string(element, '\0');
      for (std::size_t i = length; i < now; ++i) bytes_.insert(at + 8 + length * element, last);
    } else {
      bytes_.erase(at + 8 + now * element, (length - now) * element);
    }
    put(bytes_, at, now, 8);
  }

  std::string bytes_;
  std::mt19937_64 random_;
};

}  // namespace

std::size_t mutate_sealed(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                          std::size_t before) {
  // The seal itself is tried, too.
  if (size < before + header || most < before + header || seed % 32 == 0)
    return LLVMFuzzerMutate(data, size, most);
  char* const sealed = reinterpret_cast<char*>(data) + before;
  std::string const payload =
      SealedMutation(std::string(sealed + header, size - before - header), seed).run(most - before - header);
  std::string seal(16, '\0');
  put(seal, 0, payload.size(), 8);
  put(seal, 8, content_hash(payload), 8);
  std::memcpy(sealed + magic_and_version, seal.data(), seal.size());
  std::memcpy(sealed + header, payload.data(), payload.size());
  return before + header + payload.size();
}

}  // namespace delassus::fuzz
