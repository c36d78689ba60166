// How the parts of SchemaBuilder tell what is wrong.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_ERRORS_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_ERRORS_H_

#include <string>
#include <utility>

#include "services/model/result.h"

namespace twintree::model {

inline Error Wrong(std::string message) { return {ResultCode::kOther, std::move(message), {}}; }

// The first name of a definition, or its OID, in quotes.
template <typename T>
std::string Label(const T& description) {
  return "\"" + (description.names.empty() ? description.oid : description.names.front()) + "\"";
}

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_ERRORS_H_
