#include "load/client/grpc_call.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <charconv>
#include <utility>

namespace twintree::load {
namespace {

namespace v1 = directory::v1;
namespace health = grpc::health::v1;

constexpr int kCompareFalse = 5;
constexpr const char* kResultCodeKey = "ldap_result_code";

std::optional<int> ResultCodeIn(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return std::nullopt;
  for (const auto& any : details.details()) {
    google::rpc::ErrorInfo info;
    if (!any.Is<google::rpc::ErrorInfo>() || !any.UnpackTo(&info)) continue;
    const auto found = info.metadata().find(kResultCodeKey);
    if (found == info.metadata().end()) continue;
    const std::string& text = found->second;
    int code = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    if (error == std::errc() && end == text.data() + text.size()) return code;
  }
  return std::nullopt;
}

std::string FilterText(const Filter& filter, const Operation& operation) {
  const std::string value = filter.value.Text(operation.number, operation.value);
  switch (filter.kind) {
    case FilterKind::kPresent: return "(" + filter.attribute + "=*)";
    case FilterKind::kEqual: return "(" + filter.attribute + "=" + value + ")";
    case FilterKind::kPrefix: return "(" + filter.attribute + "=" + value + "*)";
    case FilterKind::kInfix: return "(" + filter.attribute + "=*" + value + "*)";
    case FilterKind::kSuffix: break;
  }
  return "(" + filter.attribute + "=*" + value + ")";
}

v1::SearchScope ScopeOf(Scope scope) {
  switch (scope) {
    case Scope::kBase: return v1::SEARCH_SCOPE_BASE;
    case Scope::kOne: return v1::SEARCH_SCOPE_ONE_LEVEL;
    case Scope::kSubtree: break;
  }
  return v1::SEARCH_SCOPE_SUBTREE;
}

// Reads the octets of a message field by field.
class FieldReader {
 public:
  explicit FieldReader(grpc::ByteBuffer* octets) : source_(octets), input_(&source_) {}

  // The next field with content of its own, which Enter(), Take() or Skip() is for; 0 at the end of
  // the message, or when it is none.
  std::uint32_t Next() {
    const std::uint32_t tag = input_.ReadTag();
    if ((tag & 7) != 2 || !input_.ReadVarint32(&size_)) return 0;
    return tag >> 3;
  }
  // The fields of this field come next, until its end.
  google::protobuf::io::CodedInputStream::Limit Enter() {
    return input_.PushLimit(static_cast<int>(size_));
  }
  bool Take(std::string* content) { return input_.ReadString(content, static_cast<int>(size_)); }
  bool Skip() { return input_.Skip(static_cast<int>(size_)); }
  // Was everything read that there is in the field that was entered?
  bool AtEnd() { return input_.ConsumedEntireMessage(); }

 private:
  grpc::ProtoBufferReader source_;
  google::protobuf::io::CodedInputStream input_;
  std::uint32_t size_ = 0;
};

struct ReadEntry {
  std::string dn;
  std::size_t attributes = 0;
};

// The entry of a GetEntryResponse; nullopt when there is none.
std::optional<ReadEntry> EntryOf(grpc::ByteBuffer* response) {
  FieldReader reader(response);
  if (reader.Next() != v1::GetEntryResponse::kEntryFieldNumber) return std::nullopt;
  reader.Enter();
  ReadEntry entry;
  while (const std::uint32_t field = reader.Next()) {
    if (field == v1::Entry::kAttributesFieldNumber) ++entry.attributes;
    const bool read = field == v1::Entry::kDnFieldNumber ? reader.Take(&entry.dn) : reader.Skip();
    if (!read) return std::nullopt;
  }
  if (!reader.AtEnd()) return std::nullopt;
  return entry;
}

// A call with one answer.
template <typename Response>
class UnaryCall : public GrpcCall {
 public:
  // `prepare(context, queue)` makes the call.
  template <typename Prepare>
  UnaryCall(const GrpcCaller& caller, void* tag, Prepare prepare) {
    if (!caller.authorization.empty()) {
      context_.AddMetadata("authorization", caller.authorization);
    }
    reader_ = prepare(&context_, caller.queue);
    reader_->StartCall();
    reader_->Finish(&response_, &status_, tag);
  }

  std::optional<CallEnd> Proceed(bool, StrandDriver* driver, Strand* strand,
                                 Nanoseconds now) override {
    CallEnd end = EndOf(status_);
    if (status_.ok()) Look(response_, driver, strand, now, &end);
    return end;
  }

 private:
  template <typename Other>
  static void Look(const Other&, StrandDriver*, Strand*, Nanoseconds, CallEnd*) {}
  static void Look(grpc::ByteBuffer& response, StrandDriver* driver, Strand* strand,
                   Nanoseconds now, CallEnd* end) {
    if (const std::optional<ReadEntry> entry = EntryOf(&response)) {
      driver->FoundEntry(strand, entry->dn, entry->attributes, now);
    } else {
      end->failure = "a response that is no entry";
    }
  }
  static void Look(const health::HealthCheckResponse& response, StrandDriver* driver,
                   Strand* strand, Nanoseconds now, CallEnd* end) {
    if (response.status() == health::HealthCheckResponse::SERVING) {
      driver->FoundEntry(strand, "", 0, now);
    } else {
      end->failure = "not serving";
    }
  }
  static void Look(const v1::CompareEntryResponse& response, StrandDriver*, Strand*, Nanoseconds,
                   CallEnd* end) {
    end->result = response.matches() ? kCompareTrue : kCompareFalse;
  }

  Response response_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader_;
};

class SearchCall : public GrpcCall {
 public:
  SearchCall(const v1::SearchEntriesRequest& request, DirectoryStub* stub, const GrpcCaller& caller,
             void* tag)
      : tag_(tag) {
    if (!caller.authorization.empty()) {
      context_.AddMetadata("authorization", caller.authorization);
    }
    reader_ = stub->PrepareAsyncSearchEntries(&context_, request, caller.queue);
    reader_->StartCall(tag);
  }

  std::optional<CallEnd> Proceed(bool ok, StrandDriver* driver, Strand* strand,
                                 Nanoseconds now) override {
    if (step_ == Step::kFinish) return End();
    if (ok && step_ == Step::kRead) {
      for (const v1::Entry& entry : message_.entries()) {
        driver->FoundEntry(strand, entry.dn(), static_cast<std::size_t>(entry.attributes_size()),
                           now);
      }
      if (message_.has_result()) result_ = message_.result().ldap_result_code();
    }
    if (ok) {
      step_ = Step::kRead;
      reader_->Read(&message_, tag_);
    } else {
      step_ = Step::kFinish;
      reader_->Finish(&status_, tag_);
    }
    return std::nullopt;
  }

 private:
  enum class Step { kStart, kRead, kFinish };

  CallEnd End() const {
    if (!status_.ok()) return EndOf(status_);
    if (!result_) return {0, "a stream without a result"};
    return {*result_, ""};
  }

  void* const tag_;
  Step step_ = Step::kStart;
  v1::SearchEntriesResponse message_;
  std::optional<int> result_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncReader<v1::SearchEntriesResponse>> reader_;
};

// Begins calls for one operation.
class CallStarter {
 public:
  CallStarter(const Operation& operation, const GrpcStubs& stubs, const GrpcCaller& caller,
              void* tag)
      : operation_(operation),
        action_(*operation.action),
        dn_(action_.dn.Text(operation.number, operation.value)),
        stubs_(stubs),
        caller_(caller),
        tag_(tag) {}

  std::unique_ptr<GrpcCall> Start() const {
    switch (action_.kind) {
      case OperationKind::kSearch: return Search();
      case OperationKind::kCompare: return Compare();
      case OperationKind::kBind: return Bind();
      case OperationKind::kModify: return Modify();
      case OperationKind::kAdd: return Add();
      case OperationKind::kDelete: return Delete();
      case OperationKind::kRename: return Rename();
      case OperationKind::kEmpty: break;
    }
    return CheckHealth();
  }

 private:
  std::string Value() const { return action_.value.Text(operation_.number, operation_.value); }

  template <typename Response, typename Request>
  std::unique_ptr<GrpcCall> Unary(const Request& request,
                                  std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> (
                                      DirectoryStub::*prepare)(grpc::ClientContext*, const Request&,
                                                               grpc::CompletionQueue*)) const {
    return std::make_unique<UnaryCall<Response>>(
        caller_, tag_, [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
          return (stubs_.directory.get()->*prepare)(context, request, queue);
        });
  }

  std::unique_ptr<GrpcCall> Search() const {
    if (action_.scope == Scope::kBase && action_.filter.kind == FilterKind::kPresent) {
      v1::GetEntryRequest request;
      request.set_dn(dn_);
      for (const std::string& attribute : action_.attributes) request.add_attributes(attribute);
      return std::make_unique<UnaryCall<grpc::ByteBuffer>>(
          caller_, tag_, [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
            return stubs_.reading->PrepareUnaryCall(
                context, "/twintree.directory.v1.DirectoryService/GetEntry", request, queue);
          });
    }
    v1::SearchEntriesRequest request;
    request.set_base_dn(dn_);
    request.set_scope(ScopeOf(action_.scope));
    request.set_filter(FilterText(action_.filter, operation_));
    for (const std::string& attribute : action_.attributes) request.add_attributes(attribute);
    return std::make_unique<SearchCall>(request, stubs_.directory.get(), caller_, tag_);
  }

  std::unique_ptr<GrpcCall> Compare() const {
    v1::CompareEntryRequest request;
    request.set_dn(dn_);
    request.set_attribute(action_.attribute);
    request.set_value(Value());
    return Unary(request, &DirectoryStub::PrepareAsyncCompareEntry);
  }

  std::unique_ptr<GrpcCall> Bind() const {
    v1::AuthenticateRequest request;
    request.set_dn(dn_);
    request.set_password(Value());
    return Unary(request, &DirectoryStub::PrepareAsyncAuthenticate);
  }

  std::unique_ptr<GrpcCall> Modify() const {
    v1::ModifyEntryRequest request;
    request.set_dn(dn_);
    v1::Modification* modification = request.add_modifications();
    modification->set_operation(v1::Modification::OPERATION_REPLACE);
    modification->set_attribute(action_.attribute);
    modification->add_values(Value());
    return Unary(request, &DirectoryStub::PrepareAsyncModifyEntry);
  }

  std::unique_ptr<GrpcCall> Add() const {
    v1::CreateEntryRequest request;
    request.mutable_entry()->set_dn(dn_);
    for (const NewAttribute& attribute :
         caller_.new_entries->Attributes(action_.new_entry, operation_.number, dn_)) {
      v1::Attribute* added = request.mutable_entry()->add_attributes();
      added->set_name(std::string(attribute.name));
      for (const std::string& value : attribute.values) added->add_values(value);
    }
    return Unary(request, &DirectoryStub::PrepareAsyncCreateEntry);
  }

  std::unique_ptr<GrpcCall> Delete() const {
    v1::DeleteEntryRequest request;
    request.set_dn(dn_);
    return Unary(request, &DirectoryStub::PrepareAsyncDeleteEntry);
  }

  std::unique_ptr<GrpcCall> Rename() const {
    v1::RenameEntryRequest request;
    request.set_dn(dn_);
    request.set_new_rdn(Value());
    return Unary(request, &DirectoryStub::PrepareAsyncRenameEntry);
  }

  std::unique_ptr<GrpcCall> CheckHealth() const {
    return std::make_unique<UnaryCall<health::HealthCheckResponse>>(
        caller_, tag_, [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
          return stubs_.health->PrepareAsyncCheck(context, health::HealthCheckRequest(), queue);
        });
  }

  const Operation& operation_;
  const Action& action_;
  const std::string dn_;
  const GrpcStubs& stubs_;
  const GrpcCaller& caller_;
  void* const tag_;
};

}  // namespace

CallEnd EndOf(const grpc::Status& status) {
  if (status.ok()) return {};
  if (const auto code = ResultCodeIn(status)) return {*code, ""};
  return {0, "gRPC status " + std::to_string(status.error_code()) + ": " + status.error_message()};
}

std::unique_ptr<GrpcCall> StartCall(const Operation& operation, const GrpcStubs& stubs,
                                    const GrpcCaller& caller, void* tag) {
  return CallStarter(operation, stubs, caller, tag).Start();
}

}  // namespace twintree::load
