#include <random>

#include "tests/fuzz/fmi_calls.hpp"

namespace delassus::fuzz {
namespace {

class Sequence {
 public:
  Sequence& add(Call call, std::initializer_list<int> arguments = {}) {
    bytes_ += static_cast<char>(call);
    for (int const argument : arguments) bytes_ += static_cast<char>(argument);
    return *this;
  }
  std::string const& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Sequence start(int example, int kind) {
  return Sequence().add(Call::start, {example, kind, 0, 0});
}

// Four variables, whole.
void read(Sequence& sequence, int first) {
  sequence.add(Call::get, {4, first, 0, first + 1, 0, first + 2, 0, first + 3, 0, 0});
}

}  // namespace

Seeds call_seeds() {
  Seeds all;
  for (std::size_t i = 0; i < fmi_examples().size(); ++i) {
    auto const which = static_cast<int>(i);
    Sequence run = start(which, 0);
    run.add(Call::step, {1, 1, 3});
    for (int first = 0; first < 60; first += 12) read(run, first);
    run.add(Call::take_state, {1}).add(Call::step, {1, 1, 7}).add(Call::serialise, {0, 0});
    run.add(Call::set, {1, 8, 0, 0, 140})
        .add(Call::derivatives, {1, 30, 0, 1, 8, 0, 160})
        .add(Call::put_state, {0});
    run.add(Call::choose, {1}).add(Call::start, {which, 0, 0, 0}).add(Call::deserialise, {0, 2});
    run.add(Call::put_state, {1}).add(Call::step, {1, 1, 3}).add(Call::terminate).add(Call::reset);
    all[fmi_examples()[i].name] = run.bytes();

    Sequence exchange = start(which, 3);
    exchange.add(Call::update).add(Call::leave_event_mode, {1});
    for (int k = 0; k < 10; ++k) exchange.add(Call::exchange, {k, 0, 130}).add(Call::get, {1, 12 * k, 0, 0});
    exchange.add(Call::event_mode)
        .add(Call::update)
        .add(Call::leave_event_mode, {1})
        .add(Call::take_state, {1});
    all[fmi_examples()[i].name + "_exchange"] = exchange.bytes();
  }
  std::mt19937 random(1);
  for (int k = 0; k < 10; ++k) {
    std::string bytes = start(k, 0).bytes();
    for (int i = 0; i < 600; ++i) bytes += static_cast<char>(random() & 0xffU);
    all["random_" + std::to_string(k)] = bytes;
  }
  return all;
}

}  // namespace delassus::fuzz
