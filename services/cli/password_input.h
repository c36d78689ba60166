// Asks people, or a file or pipe, for a password.
#ifndef TWINTREE_SERVICES_CLI_PASSWORD_INPUT_H_
#define TWINTREE_SERVICES_CLI_PASSWORD_INPUT_H_

#include <string>

#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::cli {

// The new password: from `file` when it is named; else, when standard input is a terminal, typed
// there twice without being shown; else the first line of standard input.
// Errors: kOther: an empty one, two that differ, an input that cannot be read or is longer than
// 64 KiB.
model::Result<model::Secret> ReadNewPassword(const std::string& file);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_PASSWORD_INPUT_H_
