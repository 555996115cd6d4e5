// The numbers of a fixed set of signals of an instance, looked up once: reading and writing allocate nothing.
#pragma once

#include <span>

namespace delassus {

class SignalPort {
 public:
  SignalPort() = default;
  virtual ~SignalPort() = default;
  SignalPort(SignalPort const&) = delete;
  SignalPort& operator=(SignalPort const&) = delete;

  // Values in the order of the signals. Throw InstanceError.
  virtual void read(std::span<double> values) = 0;
  virtual void write(std::span<const double> values) = 0;
};

}  // namespace delassus
