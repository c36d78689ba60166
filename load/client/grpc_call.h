// One operation as a call of DirectoryService.
//
// Doing nothing is a health check. Reading a single entry by its name is GetEntry, every other
// search SearchEntries; a bind is Authenticate.
//
// Thread-safety: confined
#ifndef TWINTREE_LOAD_CLIENT_GRPC_CALL_H_
#define TWINTREE_LOAD_CLIENT_GRPC_CALL_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>

#include "grpc/health/v1/health.grpc.pb.h"
#include "load/client/strand.h"
#include "load/measure/clock.h"
#include "load/scenario/new_entry.h"
#include "twintree/directory/v1/directory_service.grpc.pb.h"

namespace twintree::load {

using DirectoryStub = directory::v1::DirectoryService::Stub;
using HealthStub = grpc::health::v1::Health::Stub;
// For GetEntry: what comes is looked through without making an object of each name and value.
using ReadingStub = grpc::TemplatedGenericStub<directory::v1::GetEntryRequest, grpc::ByteBuffer>;

// How a call ended: with the LDAP result code that the directory gave, or without one.
struct CallEnd {
  int result = 0;
  std::string failure;  // why there is no result; empty if there is one
};

// The end that a status means. The result code is in the details of the status.
CallEnd EndOf(const grpc::Status& status);

class GrpcCall {
 public:
  GrpcCall() = default;
  virtual ~GrpcCall() = default;
  GrpcCall(const GrpcCall&) = delete;
  GrpcCall& operator=(const GrpcCall&) = delete;

  // Goes on after an event of the completion queue; tells `driver` of the entries that came. The
  // end, once it is there.
  virtual std::optional<CallEnd> Proceed(bool ok, StrandDriver* driver, Strand* strand,
                                         Nanoseconds now) = 0;
  void Cancel() { context_.TryCancel(); }

 protected:
  grpc::ClientContext context_;
};

// The services of one connection.
struct GrpcStubs {
  std::unique_ptr<DirectoryStub> directory;
  std::unique_ptr<HealthStub> health;
  std::unique_ptr<ReadingStub> reading;
};

// What all calls of a thread need.
struct GrpcCaller {
  grpc::CompletionQueue* queue;
  NewEntryWriter* new_entries;
  // Value of the metadata `authorization`; empty: none.
  std::string authorization;
};

// Begins the call; its events come with `tag`.
std::unique_ptr<GrpcCall> StartCall(const Operation& operation, const GrpcStubs& stubs,
                                    const GrpcCaller& caller, void* tag);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_GRPC_CALL_H_
