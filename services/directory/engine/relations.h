// What the engine asks of a schema again and again, worked out once: the subtypes of each attribute
// type, the index keys of each class and its subclasses, and the types that have a meaning here.
//
// Thread-safety: safe (immutable).
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_RELATIONS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_RELATIONS_H_

#include <string>
#include <vector>

#include "services/model/schema.h"

namespace twintree::directory {

class SchemaRelations {
 public:
  explicit SchemaRelations(const model::Schema& schema);

  // The type itself and every type below it.
  const std::vector<const model::AttributeType*>& SubtypesOf(
      const model::AttributeType& type) const {
    return subtypes_[type.index];
  }
  // Equality keys of objectClass values that name the class or one below it.
  const std::vector<std::string>& KeysWithin(const model::ObjectClass& object_class) const {
    return class_keys_[object_class.index];
  }
  // True for attributes that are computed when asked for and stored nowhere.
  bool IsDerived(const model::AttributeType& type) const;

  // Null when the schema lacks it.
  const model::AttributeType* aliased_object_name() const { return aliased_object_name_; }
  const model::Syntax* integer_syntax() const { return integer_syntax_; }

 private:
  const model::Schema::WellKnown& well_known_;
  std::vector<std::vector<const model::AttributeType*>> subtypes_;
  std::vector<std::vector<std::string>> class_keys_;
  const model::AttributeType* aliased_object_name_;
  const model::Syntax* integer_syntax_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_RELATIONS_H_
