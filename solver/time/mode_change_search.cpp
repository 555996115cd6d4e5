#include "solver/time/mode_change_search.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// s. How exactly the time of a change is found.
constexpr double tolerance = 1e-12;
// Of the step: dense output has no more to say.
constexpr double near_enough = 1e-4;
// Every so many points the bracket is halved, whatever the lines say.
constexpr int halving = 4;
// Far more than pure halving needs; beyond, the end of the bracket is taken.
constexpr int most_places = 200;

}  // namespace

bool ModeChangeSearch::changes(std::vector<double> const& values) {
  trial_ = sides_;
  ModeFunctions::update_sides(values, band_, trial_);
  return trial_ != sides_;
}

bool ModeChangeSearch::begin(ModeFunctions const& functions, ModeFunctions::Sides const& sides, double band,
                             double size, std::vector<double> const& at_end) {
  functions_ = &functions;
  sides_ = sides;
  band_ = band;
  size_ = high_ = size;
  low_ = 0;
  slope_ = 0;
  places_ = 0;
  has_last_ = false;
  last_place_ = size;
  if (!changes(at_end)) return false;
  end_values_ = high_values_ = at_end;
  return true;
}

// Of the functions that have left their sides at `high`, the one whose line crosses zero first. Whether a contact
// sticks is not known before it touches: its stick function jumps there, and the contact comes first.
void ModeChangeSearch::choose_function() {
  changes(high_values_);
  double first = 2;
  bool first_is_contact = false;
  for (std::size_t i = 0; i < trial_.size(); ++i) {
    if (trial_[i] == sides_[i]) continue;
    double const low = std::abs(low_values_[i]), high = std::abs(high_values_[i]);
    double const crossing = low / (low + high);
    bool const contact = functions_->is_contact(i);
    if (contact == first_is_contact ? crossing < first : contact) {
      first = crossing;
      first_is_contact = contact;
      if (i != function_) slope_ = 0;
      function_ = i;
    }
  }
}

double ModeChangeSearch::guess() {
  choose_function();
  double const width = high_ - low_;
  double const behind = (sides_[function_] != 0 ? -2 : 2) * band_;  // right behind zero
  double place = low_ + width / 2;
  if (places_ % halving != halving - 1) {
    double const low = value_of(low_values_), high = value_of(high_values_);
    place = has_last_ && slope_ != 0 ? last_place_ - (last_value_ - behind) / slope_
                                     : low_ + width * (behind - low) / (high - low);
    // A point at an end would say nothing new.
    if (!(place > low_ && place < high_)) place = low_ + width / 2;
  }
  return place;
}

void ModeChangeSearch::add(double place, std::vector<double> const& values) {
  double const value = value_of(values);
  if (has_last_ && place != last_place_ && value != last_value_)
    slope_ = (value - last_value_) / (place - last_place_);
  last_place_ = place;
  last_value_ = value;
  has_last_ = true;
  last_changes_ = changes(values);
  (last_changes_ ? high_ : low_) = place;
  (last_changes_ ? high_values_ : low_values_) = values;
  ++places_;
}

bool ModeChangeSearch::near() const {
  return high_ - low_ <= std::max(near_enough * size_, tolerance) || places_ >= most_places;
}

void ModeChangeSearch::restart() {
  choose_function();
  double const low = value_of(low_values_), high = value_of(high_values_);
  slope_ = high_ > low_ ? (high - low) / (high_ - low_) : 0;
  last_place_ = low_;
  last_value_ = low;
  has_last_ = slope_ != 0;
  low_ = 0;
  high_ = size_;
  low_values_ = start_values_;
  high_values_ = end_values_;
  last_changes_ = false;
  places_ = 0;
}

bool ModeChangeSearch::found() const {
  if (high_ - low_ <= tolerance || places_ >= most_places) return true;
  return last_changes_ && places_ > 0 &&
         std::abs(last_value_) <= std::max(4 * band_, std::abs(slope_) * tolerance);
}

}  // namespace delassus
