// A file to write to, every failure of which is noticed: full disk, broken pipe, closed descriptor.
//
//   TT_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> out, OutputFile::Open("dump.ldif.gz"));
//   TT_RETURN_IF_ERROR(out->Write(text));
//   TT_RETURN_IF_ERROR(out->Commit());
//
// A regular file appears under its name only when it is complete and on disk: it is written beside
// it as NAME.partial, with permissions for its owner alone (exports hold password hashes). Without
// Commit() nothing is left. Pipes, devices and standard output are written directly.
//
// Thread-safety: confined.
#ifndef TWINTREE_SERVICES_IMPORT_OUTPUT_FILE_H_
#define TWINTREE_SERVICES_IMPORT_OUTPUT_FILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::import {

class OutputFile {
 public:
  // "-" is standard output. A name that ends in ".gz" is compressed.
  // Errors: kOther, naming the file.
  static model::Result<std::unique_ptr<OutputFile>> Open(const std::string& name);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Errors: kOther, naming the file and the reason. Buffered: an error may come later, but not
  // after Commit().
  model::Status Write(std::string_view octets);
  model::Status Commit();

 private:
  class Compressor;

  OutputFile(std::string name, int descriptor, std::string partial_name);
  model::Status WriteOut(std::string_view octets);
  model::Status FlushBuffer();
  model::Error CannotWrite(std::string_view reason) const;
  model::Error CannotWrite() const;  // for errno's reason

  const std::string name_;
  const std::string partial_name_;  // empty: written directly
  int descriptor_;
  bool committed_ = false;
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;  // null: not compressed
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_OUTPUT_FILE_H_
