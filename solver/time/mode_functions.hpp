// Functions of the state whose zeros are changes of mode. With eta = A lambda - b of the solved problem (65)
// and a the diagonal of A, a source (mode_source.hpp) has up to two of them:
//
//   contact   a_n lambda_n - eta_n              > 0 where it carries force, < 0 where it is detached
//   stick     a_t (mu lambda_n - |lambda_t|) - |eta_t|   > 0 where it sticks, < 0 where it slips
//             (mu lambda_n is F for dry friction of known bound)
//
// In each mode of Fig. 2 of Kikuuwe and Brogliato 2017 one of the two terms is zero and the other is what shrinks
// to zero towards the next mode, so the functions are continuous through a change wherever (65) has one
// solution. A contact with an impact law that is open has its gap instead, with the opposite sign. For one
// frictionless contact the first is b_n itself, which is smooth. All are accelerations, m/s2 or rad/s2. A contact of several points is in contact where one of them is, and sticks where all that carry
// force do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/time/dynamics.hpp"

namespace delassus {

// A source changes its mode.
struct ModeEvent {
  double t = 0;  // s
  int source = 0;
  ContactMode before = ContactMode::detached, after = ContactMode::detached;

  bool operator==(ModeEvent const&) const = default;
};

// Whether an open contact with an impact law touches and closes.
inline bool is_closing(OpenContact const& contact) {
  return contact.gap <= 0 && contact.velocity < 0;
}

class ModeFunctions {
 public:
  // What stands for an open contact with an impact law: its gap with the opposite sign, or nothing.
  enum class Open { gap, nothing };

  // Of each function: 1 on its positive side, 0 on the other.
  using Sides = std::vector<std::uint8_t>;

  explicit ModeFunctions(System const& system);

  std::size_t count() const { return count_; }
  std::vector<ModeSource> const& sources() const { return sources_; }

  // After Dynamics::evaluate. Overwrites `values`.
  void evaluate(Dynamics const& dynamics, std::vector<double>& values, Open open = Open::gap) const;

  // The functions for an importer that looks for changes of sign only, after Dynamics::evaluate. `sides` are those of
  // the last event. None is zero after an event: each is further on its side by the band of rounding.
  //
  // An open contact closes where its gap g and g' are both negative, that is, where max(g, c g') is: continuous, and
  // positive after an impact, whichever side of zero the integrator's error leaves the gap on. A flight that begins and
  // ends within one step of the importer is a change of sign. Beside contacts of the same source that carry force, an
  // open one that closes makes the function negative, otherwise positive: both are a change.
  //
  // One more follows them, of all open contacts that are no source, those of groups: positive while all are open, negative
  // as soon as one closes.
  void indicators(Dynamics const& dynamics, Sides const& sides, std::vector<double>& values) const;

  // The sides of `values`; a function that has left its side by less than `band` keeps it, so that rounding
  // is no event. Without sides before, the band is not asked for.
  static void update_sides(std::span<const double> values, double band, Sides& sides);
  // How far a function may leave its side by rounding.
  static double band(Dynamics const& dynamics) { return band(dynamics.largest_demand()); }
  static double band(double demand) { return 1e-9 + 1e-11 * demand; }

  // The same for an importer that knows what each function depends on: from the blocks of its own source only. After
  // Dynamics::evaluate.
  void bands(Dynamics const& dynamics, std::vector<double>& bands) const;
  static void update_sides(std::span<const double> values, std::span<const double> bands, Sides& sides);

  ContactMode mode(std::size_t source, Sides const& sides) const;
  // Whether nothing that touches slips. Without sides nothing is known, and false is the answer.
  bool all_stick(Sides const& sides) const;
  // Whether the function says detached or in contact, not stick or slip.
  bool is_contact(std::size_t function) const { return of_contact_[function] != 0; }

  // The modes by the solver's own classification: for schemes that do not search for the exact time.
  void modes(Dynamics const& dynamics, std::vector<ContactMode>& modes) const;

  // Appends what differs between two sets of sides, at time t.
  void append_events(double t, Sides const& before, Sides const& after, std::vector<ModeEvent>& events) const;

 private:
  void evaluate_continuously(Dynamics const& dynamics, std::vector<double>& values) const;

  System const* system_;
  std::vector<ModeSource> sources_;
  std::vector<std::size_t> first_;  // function of each source
  std::vector<std::uint8_t> of_contact_;
  std::size_t count_ = 0;
};

}  // namespace delassus
