// What two definitions under one OID differ in.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_COMPARISON_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_COMPARISON_H_

#include <string>

#include "services/model/schema.h"

namespace twintree::model {

// The keywords whose values differ, such as "NAME, SYNTAX"; empty: the definitions say the same.
// Descriptions, extensions, bounds of lengths and names that `theirs` does not give do not count.
std::string Differences(const AttributeType& ours, const AttributeType& theirs);
std::string Differences(const ObjectClass& ours, const ObjectClass& theirs);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_COMPARISON_H_
