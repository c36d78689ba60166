// The values of one attribute, in the form in which an entry stores them and a message carries
// them: OCTET STRING elements, one after the other.
//
// A group with a hundred thousand members is then one string to copy, not as many.
//
// Source: RFC 4511 4.1.7.
#ifndef TWINTREE_SERVICES_MODEL_VALUES_H_
#define TWINTREE_SERVICES_MODEL_VALUES_H_

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ldap_gateway/ber/ber.h"

namespace twintree::model {

// The values of a stored attribute, read in place.
//
//   for (std::string_view value : attribute.values()) ...
class ValueRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator() = default;
    explicit Iterator(std::string_view rest) : rest_(rest) { Step(); }
    std::string_view operator*() const { return value_; }
    Iterator& operator++() {
      Step();
      return *this;
    }
    void operator++(int) { Step(); }
    // An empty value has an address too; only the end has none.
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.value_.data() == b.value_.data();
    }

   private:
    void Step() {
      ber::Reader reader(rest_);
      ber::Element element;
      value_ = reader.Next(&element) ? element.content : std::string_view();
      rest_ = reader.rest();
    }
    std::string_view rest_;
    std::string_view value_;
  };
  using const_iterator = Iterator;

  ValueRange() = default;
  // `elements`: OCTET STRING elements, one after the other, known to be well-formed.
  explicit ValueRange(std::string_view elements) : elements_(elements) {}
  Iterator begin() const { return Iterator(elements_); }
  Iterator end() const { return Iterator(); }
  bool empty() const { return elements_.empty(); }
  std::string_view elements() const { return elements_; }
  std::size_t CountValues() const;

 private:
  std::string_view elements_;
};

// Values that can be changed. They keep the order in which they were added.
class ValueList {
 public:
  using const_iterator = ValueRange::Iterator;

  ValueList() = default;
  ValueList(std::initializer_list<std::string_view> values) { AppendAll(values); }
  // NOLINTNEXTLINE(google-explicit-constructor): the same values in another form
  ValueList(const std::vector<std::string>& values) { AppendAll(values); }
  explicit ValueList(const ValueRange& values)
      : elements_(values.elements()), size_(values.CountValues()) {}
  ValueList(ValueList&& other) noexcept
      : elements_(std::exchange(other.elements_, {})), size_(std::exchange(other.size_, 0)) {}
  ValueList(const ValueList&) = default;
  ValueList& operator=(ValueList other) noexcept {
    elements_.swap(other.elements_);
    size_ = other.size_;
    return *this;
  }

  const_iterator begin() const { return range().begin(); }
  const_iterator end() const { return range().end(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // REQUIRES: !empty().
  std::string_view front() const { return *begin(); }
  ValueRange range() const { return ValueRange(elements_); }
  std::string_view elements() const { return elements_; }

  // REQUIRES: `value` is not one of the list's own.
  void Append(std::string_view value) {
    ber::Writer(&elements_).OctetString(value);
    ++size_;
  }
  void Append(const ValueList& values) {
    elements_.append(values.elements_);
    size_ += values.size_;
  }
  template <typename Strings>
  void AppendAll(const Strings& values) {
    std::size_t bytes = elements_.size();
    for (const auto& value : values) bytes += ber::HeaderSize(value.size()) + value.size();
    elements_.reserve(bytes);
    for (const auto& value : values) Append(value);
  }

  // Removes every value for which `matches` is true. Asks once for each value, in order.
  template <typename Predicate>
  void RemoveAll(Predicate matches);

  friend bool operator==(const ValueList& a, const ValueList& b) {
    return a.elements_ == b.elements_;
  }

 private:
  std::string elements_;
  std::size_t size_ = 0;
};

template <typename Predicate>
void ValueList::RemoveAll(Predicate matches) {
  std::string kept;
  kept.reserve(elements_.size());
  ber::Reader reader(elements_);
  ber::Element element;
  std::string_view run =
      std::string_view(elements_).substr(0, 0);  // stays, and is not in `kept` yet
  while (reader.Next(&element)) {
    if (!matches(element.content)) {
      run = {run.data(), run.size() + element.whole.size()};
      continue;
    }
    kept.append(run);
    run = {element.whole.data() + element.whole.size(), 0};
    --size_;
  }
  kept.append(run);
  elements_ = std::move(kept);
}

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_VALUES_H_
