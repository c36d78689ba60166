// The records that an import did not take, as LDIF that can be mended and imported again.
#ifndef TWINTREE_SERVICES_IMPORT_REJECTS_FILE_H_
#define TWINTREE_SERVICES_IMPORT_REJECTS_FILE_H_

#include <memory>
#include <string>

#include "services/import/importer.h"
#include "services/import/output_file.h"
#include "services/model/result.h"

namespace twintree::import {

// Each record stands as it stood in the input, below a comment that tells where it came from and
// what is wrong with it.
//
// Thread-safety: confined.
class RejectsFile {
 public:
  // Errors: kOther, naming the file.
  static model::Result<RejectsFile> Open(const std::string& name);

  model::Status Write(const ImportProblem& problem);
  // Puts the file in its place, also when it is empty.
  model::Status Commit() { return file_->Commit(); }

 private:
  explicit RejectsFile(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}
  std::unique_ptr<OutputFile> file_;
};

// One such record; ends with an empty line.
std::string RejectedRecordText(const ImportProblem& problem);

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_REJECTS_FILE_H_
