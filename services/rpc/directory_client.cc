#include "services/rpc/directory_client.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

#include <utility>

#include "services/model/base64.h"
#include "services/rpc/credentials.h"
#include "services/rpc/error_translation.h"
#include "twintree/directory/v1/directory_service.grpc.pb.h"

namespace twintree::rpc {
namespace {

namespace directory_pb = ::twintree::directory::v1;

// An entry may be 64 MiB; what goes around it is less than another.
constexpr int kMaxMessageBytes = 65 << 20;

directory_pb::SearchScope ToProto(directory::Scope scope) {
  switch (scope) {
    case directory::Scope::kBase: return directory_pb::SEARCH_SCOPE_BASE;
    case directory::Scope::kOneLevel: return directory_pb::SEARCH_SCOPE_ONE_LEVEL;
    case directory::Scope::kSubtree: return directory_pb::SEARCH_SCOPE_SUBTREE;
    case directory::Scope::kSubordinate: return directory_pb::SEARCH_SCOPE_SUBORDINATE;
  }
  return directory_pb::SEARCH_SCOPE_UNSPECIFIED;
}

directory_pb::Modification::Operation ToProto(model::ModificationKind kind) {
  switch (kind) {
    case model::ModificationKind::kAdd: return directory_pb::Modification::OPERATION_ADD;
    case model::ModificationKind::kDelete: return directory_pb::Modification::OPERATION_DELETE;
    case model::ModificationKind::kReplace: return directory_pb::Modification::OPERATION_REPLACE;
    case model::ModificationKind::kIncrement:
      return directory_pb::Modification::OPERATION_INCREMENT;
  }
  return directory_pb::Modification::OPERATION_UNSPECIFIED;
}

ClientEntry TakeEntry(directory_pb::Entry* message) {
  ClientEntry entry;
  entry.dn = std::move(*message->mutable_dn());
  entry.etag = std::move(*message->mutable_etag());
  for (directory_pb::Attribute& attribute : *message->mutable_attributes()) {
    auto& raw = entry.attributes.emplace_back();
    raw.description = std::move(*attribute.mutable_name());
    for (std::string& value : *attribute.mutable_values()) raw.values.push_back(std::move(value));
  }
  return entry;
}

model::Error Incomplete() {
  return {model::ResultCode::kProtocolError, "the directory sent no result", ""};
}

class DirectoryClientImpl final : public DirectoryClient {
 public:
  DirectoryClientImpl(DirectoryClientOptions options, const std::shared_ptr<grpc::Channel>& channel)
      : options_(std::move(options)), stub_(directory_pb::DirectoryService::NewStub(channel)) {}

  model::Result<std::string> Authenticate() override;
  model::Result<directory::SearchOutcome> Search(
      const ClientQuery& query, const std::function<void(ClientEntry)>& on_entry) override;
  model::Result<ClientEntry> Get(const std::string& dn,
                                 const std::vector<std::string>& attributes) override;
  model::Result<bool> Compare(const std::string& dn, const std::string& attribute,
                              const std::string& value) override;
  model::Result<std::uint64_t> Add(const std::string& dn,
                                   const std::vector<model::RawAttribute>& attributes) override;
  model::Result<std::uint64_t> Modify(
      const std::string& dn, const std::vector<model::Modification>& modifications) override;
  model::Result<std::uint64_t> Delete(const std::string& dn) override;
  model::Result<std::uint64_t> Rename(const directory::ModifyDnRequest& request) override;
  model::Result<model::Secret> ChangePassword(
      const directory::ModifyPasswordRequest& request) override;

 private:
  using Stub = directory_pb::DirectoryService::Stub;

  void Prepare(grpc::ClientContext* context) const;
  template <typename Response, typename Request>
  model::Result<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                            Response*),
                               const Request& request) const;

  const DirectoryClientOptions options_;
  const std::unique_ptr<Stub> stub_;
};

void DirectoryClientImpl::Prepare(grpc::ClientContext* context) const {
  if (options_.timeout.count() > 0) {
    context->set_deadline(std::chrono::system_clock::now() + options_.timeout);
  }
  if (options_.bind_dn.empty()) return;
  const std::string pair = options_.bind_dn + ":" + std::string(options_.password.Reveal());
  context->AddMetadata("authorization", "Basic " + model::EncodeBase64(pair));
}

template <typename Response, typename Request>
model::Result<Response> DirectoryClientImpl::Call(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                               const Request&,
                                                                               Response*),
                                                  const Request& request) const {
  grpc::ClientContext context;
  Prepare(&context);
  Response response;
  const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

model::Result<std::string> DirectoryClientImpl::Authenticate() {
  directory_pb::AuthenticateRequest request;
  request.set_dn(options_.bind_dn);
  request.set_password(std::string(options_.password.Reveal()));
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::Authenticate, request));
  return response.dn();
}

model::Result<directory::SearchOutcome> DirectoryClientImpl::Search(
    const ClientQuery& query, const std::function<void(ClientEntry)>& on_entry) {
  directory_pb::SearchEntriesRequest request;
  request.set_base_dn(query.base);
  request.set_scope(ToProto(query.scope));
  request.set_filter(query.filter);
  for (const std::string& name : query.attributes) request.add_attributes(name);
  request.set_size_limit(query.size_limit);
  request.set_types_only(query.types_only);
  if (query.time_limit.count() > 0) {
    request.mutable_time_limit()->set_seconds(query.time_limit.count());
  }
  grpc::ClientContext context;
  Prepare(&context);
  const auto reader = stub_->SearchEntries(&context, request);
  std::optional<directory::SearchOutcome> outcome;
  directory_pb::SearchEntriesResponse response;
  while (reader->Read(&response)) {
    for (directory_pb::Entry& entry : *response.mutable_entries()) on_entry(TakeEntry(&entry));
    if (!response.has_result()) continue;
    outcome.emplace();
    outcome->code = static_cast<model::ResultCode>(response.result().ldap_result_code());
    outcome->diagnostic = response.result().diagnostic();
    outcome->entries = response.result().entry_count();
  }
  const grpc::Status status = reader->Finish();
  if (!status.ok()) return FromGrpcStatus(status);
  if (!outcome) return Incomplete();
  return *std::move(outcome);
}

model::Result<ClientEntry> DirectoryClientImpl::Get(const std::string& dn,
                                                    const std::vector<std::string>& attributes) {
  directory_pb::GetEntryRequest request;
  request.set_dn(dn);
  for (const std::string& name : attributes) request.add_attributes(name);
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::GetEntry, request));
  return TakeEntry(response.mutable_entry());
}

model::Result<bool> DirectoryClientImpl::Compare(const std::string& dn,
                                                 const std::string& attribute,
                                                 const std::string& value) {
  directory_pb::CompareEntryRequest request;
  request.set_dn(dn);
  request.set_attribute(attribute);
  request.set_value(value);
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::CompareEntry, request));
  return response.matches();
}

model::Result<std::uint64_t> DirectoryClientImpl::Add(
    const std::string& dn, const std::vector<model::RawAttribute>& attributes) {
  directory_pb::CreateEntryRequest request;
  request.mutable_entry()->set_dn(dn);
  for (const model::RawAttribute& attribute : attributes) {
    directory_pb::Attribute* message = request.mutable_entry()->add_attributes();
    message->set_name(attribute.description);
    for (const std::string& value : attribute.values) message->add_values(value);
  }
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::CreateEntry, request));
  return response.change_number();
}

model::Result<std::uint64_t> DirectoryClientImpl::Modify(
    const std::string& dn, const std::vector<model::Modification>& modifications) {
  directory_pb::ModifyEntryRequest request;
  request.set_dn(dn);
  for (const model::Modification& modification : modifications) {
    directory_pb::Modification* message = request.add_modifications();
    message->set_operation(ToProto(modification.kind));
    message->set_attribute(modification.attribute.description);
    for (const std::string& value : modification.attribute.values) message->add_values(value);
  }
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::ModifyEntry, request));
  return response.change_number();
}

model::Result<std::uint64_t> DirectoryClientImpl::Delete(const std::string& dn) {
  directory_pb::DeleteEntryRequest request;
  request.set_dn(dn);
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::DeleteEntry, request));
  return response.change_number();
}

model::Result<std::uint64_t> DirectoryClientImpl::Rename(const directory::ModifyDnRequest& rename) {
  directory_pb::RenameEntryRequest request;
  request.set_dn(rename.dn);
  request.set_new_rdn(rename.new_rdn);
  request.set_keep_old_rdn(!rename.delete_old_rdn);
  if (rename.new_superior) request.set_new_superior_dn(*rename.new_superior);
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::RenameEntry, request));
  return response.change_number();
}

model::Result<model::Secret> DirectoryClientImpl::ChangePassword(
    const directory::ModifyPasswordRequest& change) {
  directory_pb::ChangePasswordRequest request;
  request.set_dn(change.user);
  if (change.old_password) request.set_old_password(std::string(change.old_password->Reveal()));
  if (change.new_password) request.set_new_password(std::string(change.new_password->Reveal()));
  TT_ASSIGN_OR_RETURN(auto response, Call(&Stub::ChangePassword, request));
  return model::Secret(std::move(*response.mutable_generated_password()));
}

}  // namespace

model::Result<std::unique_ptr<DirectoryClient>> DirectoryClient::Make(
    DirectoryClientOptions options) {
  grpc::ChannelArguments arguments;
  TT_ASSIGN_OR_RETURN(const auto credentials, MakeChannelCredentials(options.tls, &arguments));
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  const auto channel = grpc::CreateCustomChannel(options.target, credentials, arguments);
  return std::unique_ptr<DirectoryClient>(
      std::make_unique<DirectoryClientImpl>(std::move(options), channel));
}

}  // namespace twintree::rpc
