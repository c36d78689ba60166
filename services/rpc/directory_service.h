// DirectoryService: the public API over a Directory.
//
// See proto/twintree/directory/v1/directory_service.proto for what it promises.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_DIRECTORY_SERVICE_H_
#define TWINTREE_SERVICES_RPC_DIRECTORY_SERVICE_H_

#include <memory>

#include "services/directory/directory.h"
#include "services/rpc/authenticator.h"
#include "services/rpc/observer.h"

namespace grpc {
class Service;
}

namespace twintree::rpc {

class SearchCalls;

// `observer` may be null; otherwise it must outlive the service. `searches` bounds those calls.
std::unique_ptr<grpc::Service> MakeDirectoryService(std::shared_ptr<directory::Directory> directory,
                                                    AuthenticationOptions authentication,
                                                    std::shared_ptr<SearchCalls> searches,
                                                    RpcObserver* observer);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_DIRECTORY_SERVICE_H_
