// Value references of knowns, ascending. Variables that depend on the same knowns share one list.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

class References {
 public:
  using List = std::vector<std::uint32_t>;

  References() = default;
  References(std::initializer_list<std::uint32_t> list) : References(List(list)) {}
  References(List list)  // NOLINT: they are a list
      : list_(list.empty() ? nullptr : std::make_shared<const List>(std::move(list))) {}
  explicit References(std::shared_ptr<const List> list) : list_(std::move(list)) {}

  List const& list() const {
    static const List none;
    return list_ ? *list_ : none;
  }
  operator List const&() const { return list(); }  // NOLINT: they are a list
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  // The same for lists that are shared.
  void const* identity() const { return list_.get(); }

 private:
  std::shared_ptr<const List> list_;
};

}  // namespace delassus
