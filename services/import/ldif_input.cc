#include "services/import/ldif_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace twintree::import {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;

Error CannotRead(const std::string& name, std::string_view reason) {
  return {ResultCode::kOther, "cannot read '" + name + "': " + std::string(reason), ""};
}

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
      total_bytes_ = static_cast<std::uint64_t>(status.st_size);
    }
  }
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  Result<std::size_t> Read(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t got = read(descriptor_, out, size);
      if (got >= 0) {
        bytes_read_.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) return CannotRead(name_, std::strerror(errno));
    }
  }

 private:
  const std::string name_;
  const int descriptor_;
};

// Decompresses gzip data, also several members one after the other (RFC 1952 2.2).
class GzipSource final : public ByteSource {
 public:
  GzipSource(std::string name, std::unique_ptr<ByteSource> compressed)
      : name_(std::move(name)), compressed_(std::move(compressed)) {
    total_bytes_ = compressed_->total_bytes();
    constexpr int kGzipOnly = 16;
    ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }

  Result<std::size_t> Read(char* out, std::size_t size) override {
    if (!ready_) return CannotRead(name_, "no memory to decompress it");
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1u << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !at_end_) TT_RETURN_IF_ERROR(Fill());
      if (stream_.avail_in == 0 && at_end_) {
        if (!between_members_) return CannotRead(name_, "the gzip data end too early");
        return std::size_t{0};
      }
      TT_RETURN_IF_ERROR(Inflate());
    }
    return static_cast<std::size_t>(wanted - stream_.avail_out);
  }

 private:
  model::Status Fill() {
    TT_ASSIGN_OR_RETURN(const std::size_t got, compressed_->Read(input_.data(), input_.size()));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    at_end_ = got == 0;
    bytes_read_.fetch_add(got, std::memory_order_relaxed);
    return model::OkStatus();
  }

  model::Status Inflate() {
    between_members_ = false;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      between_members_ = true;
      if (inflateReset(&stream_) == Z_OK) return model::OkStatus();
    } else if (code == Z_OK || code == Z_BUF_ERROR) {
      return model::OkStatus();
    }
    const char* const reason = stream_.msg != nullptr ? stream_.msg : "decompression failed";
    return CannotRead(name_, std::string("damaged gzip data: ") + reason);
  }

  const std::string name_;
  const std::unique_ptr<ByteSource> compressed_;
  std::array<char, 64 << 10> input_;
  z_stream stream_{};
  bool ready_ = false;
  bool at_end_ = false;
  bool between_members_ = false;  // nothing of a member that is not complete has been read
};

class StringSource final : public ByteSource {
 public:
  explicit StringSource(std::string octets) : octets_(std::move(octets)) {
    total_bytes_ = octets_.size();
  }
  Result<std::size_t> Read(char* out, std::size_t size) override {
    const std::size_t count = octets_.copy(out, size, position_);
    position_ += count;
    bytes_read_.store(position_, std::memory_order_relaxed);
    return count;
  }

 private:
  const std::string octets_;
  std::size_t position_ = 0;
};

Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& name) {
  const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return CannotRead(name, std::strerror(errno));
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(name, descriptor));
}

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& name) {
  if (name == "-") {
    return std::unique_ptr<ByteSource>(
        std::make_unique<FileSource>("standard input", STDIN_FILENO));
  }
  TT_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> file, OpenFile(name));
  if (!name.ends_with(".gz")) return file;
  return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(name, std::move(file)));
}

std::unique_ptr<ByteSource> MakeStringSource(std::string octets) {
  return std::make_unique<StringSource>(std::move(octets));
}

}  // namespace twintree::import
