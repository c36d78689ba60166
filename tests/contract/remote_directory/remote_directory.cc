// RemoteDirectory, a GrpcServer and the engine over a store in memory.

#include "services/rpc/remote_directory.h"

#include <memory>
#include <string>
#include <utility>

#include "services/rpc/grpc_server.h"
#include "tests/contract/directory/local_factories.h"
#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

constexpr char kToken[] = "secret of directory and gateway";

class RemoteUnderTest final : public DirectoryUnderTest {
 public:
  RemoteUnderTest(const DirectorySettings& settings, std::size_t window_bytes)
      : local_(LocalMemoryFactory().make(settings)) {
    rpc::GrpcServerOptions server_options;
    server_options.listen = "127.0.0.1:0";
    server_options.gateway_token = model::Secret(kToken);
    // The engine outlives the server.
    const std::shared_ptr<Directory> engine(std::shared_ptr<void>(), &local_->directory());
    server_ = std::move(rpc::GrpcServer::Start(engine, std::move(server_options))).value();

    rpc::RemoteDirectoryOptions options;
    options.target = server_->address();
    options.token = model::Secret(kToken);
    options.max_pause = settings.engine.max_pause;
    options.search_window_bytes = window_bytes;
    remote_ = std::move(rpc::RemoteDirectory::Make(std::move(options))).value();
    EXPECT_TRUE(remote_->WaitUntilConnected(std::chrono::seconds(60)));
  }

  Directory& directory() override { return *remote_; }

 private:
  const std::unique_ptr<DirectoryUnderTest> local_;
  std::unique_ptr<rpc::GrpcServer> server_;
  std::unique_ptr<rpc::RemoteDirectory> remote_;
};

DirectoryFactory Remote(const std::string& name, std::size_t window_bytes) {
  return {name, [window_bytes](const DirectorySettings& settings) {
            return std::make_unique<RemoteUnderTest>(settings, window_bytes);
          }};
}

}  // namespace

// With the usual window small results are sent whole; with the tiny one every entry waits for
// credit.
INSTANTIATE_TEST_SUITE_P(Remote, DirectoryContract,
                         testing::Values(Remote("Window256KiB", 256u << 10),
                                         Remote("TinyWindow", 1)),
                         FactoryName);

}  // namespace twintree::directory
