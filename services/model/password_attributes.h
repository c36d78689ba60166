// Attribute types whose values are passwords, hashes of passwords, or keys made of them.
#ifndef TWINTREE_SERVICES_MODEL_PASSWORD_ATTRIBUTES_H_
#define TWINTREE_SERVICES_MODEL_PASSWORD_ATTRIBUTES_H_

#include "services/model/schema.h"

namespace twintree::model {

// By the names that the type or one above it has: the schema files of others define most of them.
bool HoldsPasswords(const AttributeType& type);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_PASSWORD_ATTRIBUTES_H_
