// Which attributes of an entry a request wants to see.
//
// Source: RFC 4511 4.5.1.8; RFC 3673 (`+`); RFC 4529 (`@class`); RFC 4512 2.5.3 (subtypes,
// options).
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SELECTION_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SELECTION_H_

#include <span>
#include <string>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/entry.h"
#include "services/model/schema.h"

namespace twintree::directory {

// An empty list selects all user attributes. Unknown names select nothing; a name selects its
// subtypes and descriptions with further options as well.
//
// Thread-safety: safe (immutable).
class AttributeSelection {
 public:
  static AttributeSelection Make(std::span<const std::string> names, const model::Schema& schema);

  // Every user attribute and nothing else.
  bool just_all_user() const { return all_user_ && !all_operational_ && wanted_.empty(); }
  // `user`: is it in the entry's user section?
  bool Selects(const model::StoredAttribute& attribute, bool user) const;
  // The same for an attribute without options that is stored nowhere.
  bool SelectsDerived(const model::AttributeType& type) const;

 private:
  struct Wanted {
    const model::AttributeType* type = nullptr;
    std::vector<std::string> options;
  };

  void Add(std::string_view name, const model::Schema& schema);
  void AddClass(std::string_view name, const model::Schema& schema);
  void AddType(const model::AttributeType& type, std::vector<std::string> options);
  void Normalize();
  bool Names(const model::AttributeType& type, std::string_view description,
             bool has_options) const;

  bool all_user_ = false;
  bool all_operational_ = false;
  std::vector<Wanted> wanted_;  // sorted by type index, each once
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SELECTION_H_
