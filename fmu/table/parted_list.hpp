// Lists of numbers that have large parts in common. In a pile of n bodies every force depends on the parameters of all of
// them: such a part is stored once and the lists refer to it, so that n lists take the room of one.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

template <class Number>
void sort_unique(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

template <class Number>
class PartedList {
 public:
  using Part = std::shared_ptr<const std::vector<Number>>;  // ascending, each number once

  PartedList() = default;
  PartedList(std::initializer_list<Number> list) : own_(list) {}
  PartedList(std::vector<Number> list) : own_(std::move(list)) {}  // NOLINT: a list of numbers without parts
  // One part, to be shared.
  static PartedList shared(std::vector<Number> numbers) {
    PartedList list;
    sort_unique(numbers);
    if (!numbers.empty()) list.parts_ = {std::make_shared<const std::vector<Number>>(std::move(numbers))};
    return list;
  }

  void add(Number number) { own_.push_back(number); }
  void add(Part const& part) {
    if (!part->empty() && std::find(parts_.begin(), parts_.end(), part) == parts_.end())
      parts_.push_back(part);
  }
  void append(PartedList const& more) {
    own_.insert(own_.end(), more.own_.begin(), more.own_.end());
    for (Part const& part : more.parts_) add(part);
  }

  bool empty() const { return own_.empty() && parts_.empty(); }
  std::vector<Number> const& own() const { return own_; }  // in any order
  std::vector<Part> const& parts() const { return parts_; }

  // Leaves nothing in the list itself that is in one of its parts: lists that mean the same often become the same.
  void normalise() {
    constexpr std::size_t most_parts = 4;  // looking into more costs more than it saves
    sort_unique(own_);
    std::sort(parts_.begin(), parts_.end());
    if (parts_.size() > most_parts) return;
    std::erase_if(own_, [this](Number number) {
      return std::any_of(parts_.begin(), parts_.end(), [number](Part const& part) {
        return std::binary_search(part->begin(), part->end(), number);
      });
    });
  }

  std::vector<Number> merged() const {
    std::vector<Number> all = own_;
    for (Part const& part : parts_) all.insert(all.end(), part->begin(), part->end());
    sort_unique(all);
    return all;
  }

 private:
  std::vector<Number> own_;
  std::vector<Part> parts_;
};

}  // namespace delassus
