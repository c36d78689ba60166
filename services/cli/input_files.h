// Files that settings name.
//
// Errors: kOther, naming the file and why it cannot be used, and the flag where one is given.
#ifndef TWINTREE_SERVICES_CLI_INPUT_FILES_H_
#define TWINTREE_SERVICES_CLI_INPUT_FILES_H_

#include <string>

#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::cli {

// The text of a file, at most 16 MiB.
model::Result<std::string> ReadTextFile(const std::string& path);
model::Result<std::string> ReadTextFile(const std::string& flag, const std::string& path);

// The secret in a file, without one trailing line end. Errors also for one that is empty, or longer
// than 64 KiB.
model::Result<model::Secret> ReadSecretFile(const std::string& flag, const std::string& path);

// Logs a warning when everybody may read the file; nothing for an empty path.
void WarnOfReadableSecret(const std::string& flag, const std::string& path);

// Is there a file that can be read, for somebody who opens it later? An empty path is none.
model::Status CheckReadable(const std::string& flag, const std::string& path);

// "FLAG: MESSAGE".
model::Error Named(const std::string& flag, const model::Error& error);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_INPUT_FILES_H_
