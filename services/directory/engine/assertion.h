// The assertion control.
//
// Source: RFC 4528.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ASSERTION_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ASSERTION_H_

#include "services/directory/directory.h"
#include "services/directory/engine/entry_target.h"

namespace twintree::directory {

// Does the entry shown fulfil the assertion, if there is one?
// Errors: kAssertionFailed when it is false or Undefined; those of the store.
model::Status CheckAssertion(const Controls& controls, EntryTarget& target);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ASSERTION_H_
