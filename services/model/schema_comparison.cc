#include "services/model/schema_comparison.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

class List {
 public:
  void Compare(std::string_view keyword, bool same) {
    if (same) return;
    if (!text_.empty()) text_ += ", ";
    text_ += keyword;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

bool HoldsNames(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  return std::all_of(theirs.begin(), theirs.end(), [&](const std::string& name) {
    return std::any_of(ours.begin(), ours.end(),
                       [&](const std::string& each) { return EqualsIgnoreCase(each, name); });
  });
}

template <typename T>
bool SameMembers(const std::vector<const T*>& a, const std::vector<const T*>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::string Differences(const AttributeType& ours, const AttributeType& theirs) {
  List list;
  list.Compare("NAME", HoldsNames(ours.names, theirs.names));
  list.Compare("SUP", ours.superior == theirs.superior);
  list.Compare("EQUALITY", ours.equality == theirs.equality);
  list.Compare("ORDERING", ours.ordering == theirs.ordering);
  list.Compare("SUBSTR", ours.substring == theirs.substring);
  list.Compare("SYNTAX", ours.syntax == theirs.syntax);
  list.Compare("SINGLE-VALUE", ours.single_value == theirs.single_value);
  list.Compare("COLLECTIVE", ours.collective == theirs.collective);
  list.Compare("NO-USER-MODIFICATION", ours.no_user_modification == theirs.no_user_modification);
  list.Compare("USAGE", ours.usage == theirs.usage);
  return list.text();
}

std::string Differences(const ObjectClass& ours, const ObjectClass& theirs) {
  List list;
  list.Compare("NAME", HoldsNames(ours.names, theirs.names));
  list.Compare("kind", ours.kind == theirs.kind);
  list.Compare("SUP", SameMembers(ours.superiors, theirs.superiors));
  list.Compare("MUST", SameMembers(ours.must, theirs.must));
  list.Compare("MAY", SameMembers(ours.may, theirs.may));
  return list.text();
}

}  // namespace twintree::model
