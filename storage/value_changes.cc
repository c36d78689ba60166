#include "storage/value_changes.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>

namespace twintree::storage {
namespace {

using Values = std::span<const std::string_view>;

// How far a value is looked for that stands elsewhere in the other list.
constexpr std::size_t kLookAhead = 8;

// The place of `value` among the next ones; kLookAhead when it is not there.
std::size_t FindNear(Values values, std::string_view value) {
  values = values.first(std::min(values.size(), kLookAhead));
  const auto found = std::find(values.begin(), values.end(), value);
  return found == values.end() ? kLookAhead : static_cast<std::size_t>(found - values.begin());
}

void Take(std::size_t count, Values* from, std::vector<std::string_view>* to) {
  to->insert(to->end(), from->begin(), from->begin() + static_cast<std::ptrdiff_t>(count));
  *from = from->subspan(count);
}

// Takes out the values that have only moved.
void CancelMoved(ValueChanges* changes) {
  if (changes->removed.empty() || changes->added.empty()) return;
  const std::unordered_set<std::string_view> removed(changes->removed.begin(),
                                                     changes->removed.end());
  const std::unordered_set<std::string_view> added(changes->added.begin(), changes->added.end());
  std::erase_if(changes->removed, [&](std::string_view value) { return added.contains(value); });
  std::erase_if(changes->added, [&](std::string_view value) { return removed.contains(value); });
}

}  // namespace

ValueChanges CompareValues(Values before, Values after) {
  ValueChanges changes;
  while (!before.empty() && !after.empty()) {
    if (before.front() == after.front()) {
      before = before.subspan(1);
      after = after.subspan(1);
      continue;
    }
    const std::size_t removed = FindNear(before, after.front());
    const std::size_t added = FindNear(after, before.front());
    if (removed == kLookAhead && added == kLookAhead) {
      Take(1, &before, &changes.removed);
      Take(1, &after, &changes.added);
    } else if (removed <= added) {
      Take(removed, &before, &changes.removed);
    } else {
      Take(added, &after, &changes.added);
    }
  }
  Take(before.size(), &before, &changes.removed);
  Take(after.size(), &after, &changes.added);
  CancelMoved(&changes);
  return changes;
}

}  // namespace twintree::storage
