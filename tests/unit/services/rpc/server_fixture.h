// A GrpcServer over a FakeDirectory on a port of its own.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_SERVER_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_SERVER_FIXTURE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "services/rpc/directory_client.h"
#include "services/rpc/grpc_server.h"
#include "services/rpc/remote_directory.h"
#include "tests/unit/services/rpc/fake_directory.h"

namespace twintree::rpc {

inline constexpr char kToken[] = "a secret that both know";

class ServerFixture : public testing::Test {
 protected:
  // Handlers may hold callbacks that hold the directory.
  ~ServerFixture() override {
    server_.reset();
    *directory_ = FakeDirectory();
  }

  static GrpcServerOptions Options() {
    GrpcServerOptions options;
    options.listen = "127.0.0.1:0";
    options.gateway_token = model::Secret(kToken);
    return options;
  }
  void StartServer(GrpcServerOptions options = Options()) {
    auto started = GrpcServer::Start(directory_, std::move(options));
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(started).value();
  }
  // The same address again, as a server that restarts.
  void RestartServer() {
    GrpcServerOptions options = Options();
    options.listen = server_->address();
    server_.reset();
    StartServer(std::move(options));
  }

  RemoteDirectoryOptions RemoteOptions() const {
    RemoteDirectoryOptions options;
    options.target = server_->address();
    options.token = model::Secret(kToken);
    options.streams = 1;
    return options;
  }
  std::unique_ptr<RemoteDirectory> Connect(RemoteDirectoryOptions options) const {
    auto remote = RemoteDirectory::Make(std::move(options));
    EXPECT_TRUE(remote.ok());
    return std::move(remote).value();
  }
  std::unique_ptr<RemoteDirectory> Connect() const {
    auto remote = Connect(RemoteOptions());
    EXPECT_TRUE(remote->WaitUntilConnected(kPatience));
    return remote;
  }
  std::unique_ptr<DirectoryClient> Client(const std::string& dn = "",
                                          const std::string& password = "") const {
    DirectoryClientOptions options;
    options.target = server_->address();
    options.bind_dn = dn;
    options.password = model::Secret(password);
    options.timeout = kPatience;
    return std::move(DirectoryClient::Make(std::move(options))).value();
  }

  const std::shared_ptr<FakeDirectory> directory_ = std::make_shared<FakeDirectory>();
  std::unique_ptr<GrpcServer> server_;
};

// The outcome of deleting `dn`, or kOther if none comes.
inline directory::Outcome DeleteAndWait(directory::Directory& directory, const std::string& dn,
                                        const directory::RequestContext& context = {}) {
  Later<directory::Outcome> outcome;
  directory.Delete(context, {dn, {}},
                   [outcome](directory::Outcome o) mutable { outcome.Set(std::move(o)); });
  return outcome.Get().value_or(
      directory::OutcomeOf({model::ResultCode::kOther, "no answer came", ""}));
}

// Waits until the reason why no directory is reached holds `text`, as it does once the server has
// turned the gateway away; the last reason, which tells another story if that does not happen.
inline std::string WaitForReason(const RemoteDirectory& remote, const std::string& text) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    std::string reason = remote.WhyUnreachable();
    if (reason.find(text) != std::string::npos) return reason;
    if (std::chrono::steady_clock::now() > give_up) return reason;
    std::this_thread::yield();
  }
}

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_SERVER_FIXTURE_H_
