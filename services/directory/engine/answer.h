// An entry as it is sent: slices of the stored form, and what has to be made up for this answer.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ANSWER_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ANSWER_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/selection.h"

namespace twintree::directory {

// Keeps its memory from one entry to the next.
//
// Thread-safety: confined.
class Answer {
 public:
  // The attributes that are selected and may be read. The views live until the next call and as
  // long as the entry shown.
  std::span<const std::string_view> Build(EntryTarget& target, const AttributeSelection& selection,
                                          bool types_only);

 private:
  void AddStored(EntryTarget& target, const AttributeSelection& selection, bool types_only);
  void AddDerived(EntryTarget& target, const AttributeSelection& selection, bool types_only);
  // Joins with the last piece where both touch.
  void AddSlice(std::string_view slice);

  std::vector<std::string_view> pieces_;
  std::string made_up_;  // PartialAttribute elements that are not slices
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ANSWER_H_
