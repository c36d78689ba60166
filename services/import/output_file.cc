#include "services/import/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

namespace twintree::import {

using model::Error;
using model::OkStatus;
using model::Result;
using model::ResultCode;
using model::Status;

namespace {

constexpr std::size_t kBufferSize = 256 << 10;

std::string ShownName(const std::string& name) {
  return name == "-" ? "standard output" : "'" + name + "'";
}

bool IsWrittenDirectly(const std::string& name) {
  struct stat status {};
  return stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// A new file of mode 0600. What an export left that was killed, or what somebody put there to read
// along, is no part of it.
int MakePrivate(const std::string& name) {
  unlink(name.c_str());
  const int file =
      open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  // The access list of the directory may have given it more.
  if (file < 0 || fchmod(file, S_IRUSR | S_IWUSR) == 0) return file;
  const int reason = errno;
  close(file);
  errno = reason;
  return -1;
}

}  // namespace

// Makes a gzip stream of what it is given.
class OutputFile::Compressor {
 public:
  Compressor() {
    constexpr int kGzip = 16;
    constexpr int kMemoryLevel = 8;
    ready_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip,
                          kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Compressor() {
    if (ready_) deflateEnd(&stream_);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  bool ready() const { return ready_; }

  // Calls write(octets) for what is compressed; at `end` for all of it.
  template <typename WriteFunction>
  Status Compress(std::string_view octets, bool end, WriteFunction write) {
    do {
      const std::size_t size =
          std::min<std::size_t>(octets.size(), std::numeric_limits<uInt>::max());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(octets.data()));
      stream_.avail_in = static_cast<uInt>(size);
      octets.remove_prefix(size);
      TT_RETURN_IF_ERROR(Run(end && octets.empty() ? Z_FINISH : Z_NO_FLUSH, write));
    } while (!octets.empty());
    return OkStatus();
  }

 private:
  template <typename WriteFunction>
  Status Run(int flush, WriteFunction write) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      deflate(&stream_, flush);
      TT_RETURN_IF_ERROR(
          write(std::string_view(output_.data(), output_.size() - stream_.avail_out)));
    } while (stream_.avail_out == 0);
    return OkStatus();
  }

  std::array<char, 64 << 10> output_;
  z_stream stream_{};
  bool ready_ = false;
};

OutputFile::OutputFile(std::string name, int descriptor, std::string partial_name)
    : name_(std::move(name)), partial_name_(std::move(partial_name)), descriptor_(descriptor) {
  if (name_.ends_with(".gz")) compressor_ = std::make_unique<Compressor>();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) close(descriptor_);
  if (!committed_ && !partial_name_.empty()) unlink(partial_name_.c_str());
}

Error OutputFile::CannotWrite(std::string_view reason) const {
  return {ResultCode::kOther, "cannot write " + ShownName(name_) + ": " + std::string(reason), ""};
}

Error OutputFile::CannotWrite() const { return CannotWrite(std::strerror(errno)); }

Result<std::unique_ptr<OutputFile>> OutputFile::Open(const std::string& name) {
  int descriptor = STDOUT_FILENO;
  std::string partial_name;
  if (name != "-") {
    const bool direct = IsWrittenDirectly(name);
    if (!direct) partial_name = name + ".partial";
    descriptor = direct ? open(name.c_str(), O_WRONLY | O_CLOEXEC) : MakePrivate(partial_name);
    if (descriptor < 0) {
      return Error{ResultCode::kOther,
                   "cannot write " + ShownName(name) + ": " + std::strerror(errno), ""};
    }
  }
  std::unique_ptr<OutputFile> file(new OutputFile(name, descriptor, std::move(partial_name)));
  if (file->compressor_ != nullptr && !file->compressor_->ready()) {
    return file->CannotWrite("no memory to compress it");
  }
  return file;
}

Status OutputFile::WriteOut(std::string_view octets) {
  while (!octets.empty()) {
    const ssize_t count = write(descriptor_, octets.data(), octets.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotWrite();
    octets.remove_prefix(static_cast<std::size_t>(count));
  }
  return OkStatus();
}

Status OutputFile::FlushBuffer() {
  TT_RETURN_IF_ERROR(WriteOut(buffer_));
  buffer_.clear();
  return OkStatus();
}

Status OutputFile::Write(std::string_view octets) {
  if (compressor_ != nullptr) {
    return compressor_->Compress(octets, false,
                                 [this](std::string_view piece) { return WriteOut(piece); });
  }
  if (octets.size() >= kBufferSize) {
    TT_RETURN_IF_ERROR(FlushBuffer());
    return WriteOut(octets);
  }
  buffer_.append(octets);
  return buffer_.size() >= kBufferSize ? FlushBuffer() : OkStatus();
}

Status OutputFile::Commit() {
  if (compressor_ != nullptr) {
    TT_RETURN_IF_ERROR(compressor_->Compress(
        {}, true, [this](std::string_view piece) { return WriteOut(piece); }));
  }
  TT_RETURN_IF_ERROR(FlushBuffer());
  // Pipes and devices cannot be synchronised, and need not be.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) return CannotWrite();
  if (descriptor_ != STDOUT_FILENO) {
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) return CannotWrite();
  }
  if (!partial_name_.empty() && std::rename(partial_name_.c_str(), name_.c_str()) != 0) {
    return CannotWrite();
  }
  committed_ = true;
  return OkStatus();
}

}  // namespace twintree::import
