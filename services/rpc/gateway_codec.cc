#include "services/rpc/gateway_codec.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using directory::Subject;
using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::size_t kOutcomeOverheadBytes = 48;
// A century: anything longer is no deadline, and adding it to a clock cannot overflow.
constexpr microseconds kLongestTimeout = std::chrono::hours(24 * 365 * 100);

void SetBytes(std::string_view value, std::string* field) { field->assign(value); }

// Both sides count enumerations from the same start but for the zero that protobuf reserves.
template <typename To, typename From>
To Shifted(From value, int by) {
  return static_cast<To>(static_cast<int>(value) + by);
}

void EncodeSubject(const Subject& subject, gateway_pb::Subject* message) {
  message->set_kind(Shifted<gateway_pb::Subject::Kind>(subject.kind, 1));
  SetBytes(subject.dn, message->mutable_dn());
  SetBytes(subject.dn_key, message->mutable_dn_key());
}

// A kind that is unknown is nobody.
Subject DecodeSubject(gateway_pb::Subject* message) {
  Subject subject;
  if (message->kind() != gateway_pb::Subject::KIND_USER &&
      message->kind() != gateway_pb::Subject::KIND_ROOT) {
    return subject;
  }
  subject.kind = Shifted<Subject::Kind>(message->kind(), -1);
  subject.dn = std::move(*message->mutable_dn());
  subject.dn_key = std::move(*message->mutable_dn_key());
  return subject;
}

void EncodeSelection(const directory::ReadEntry& read, gateway_pb::AttributeSelection* message) {
  for (const std::string& name : read.attributes) message->add_attributes(name);
}

std::vector<std::string> TakeStrings(google::protobuf::RepeatedPtrField<std::string>* field) {
  std::vector<std::string> strings;
  strings.reserve(static_cast<std::size_t>(field->size()));
  for (std::string& text : *field) strings.push_back(std::move(text));
  return strings;
}

void EncodePaged(const directory::PagedResults& paged, gateway_pb::PagedResults* message) {
  message->set_size(paged.size);
  SetBytes(paged.cookie, message->mutable_cookie());
}

directory::PagedResults DecodePaged(gateway_pb::PagedResults* message) {
  return {message->size(), std::move(*message->mutable_cookie())};
}

void EncodeControls(const directory::Controls& controls, gateway_pb::Operation* operation) {
  if (controls.assertion == nullptr && !controls.paged && !controls.pre_read &&
      !controls.post_read && !controls.manage_dsa_it) {
    return;
  }
  gateway_pb::Controls* message = operation->mutable_controls();
  if (controls.assertion != nullptr) controls.assertion->Encode(message->mutable_assertion());
  if (controls.paged) EncodePaged(*controls.paged, message->mutable_paged());
  if (controls.pre_read) EncodeSelection(*controls.pre_read, message->mutable_pre_read());
  if (controls.post_read) EncodeSelection(*controls.post_read, message->mutable_post_read());
  message->set_manage_dsa_it(controls.manage_dsa_it);
}

model::Result<std::shared_ptr<const model::Filter>> DecodeFilter(std::string_view element) {
  TT_ASSIGN_OR_RETURN(model::Filter filter, model::Filter::Decode(element));
  return std::shared_ptr<const model::Filter>(
      std::make_shared<const model::Filter>(std::move(filter)));
}

model::Status DecodeControls(gateway_pb::Operation* operation, directory::Controls* controls) {
  if (!operation->has_controls()) return model::OkStatus();
  gateway_pb::Controls* message = operation->mutable_controls();
  if (!message->assertion().empty()) {
    TT_ASSIGN_OR_RETURN(controls->assertion, DecodeFilter(message->assertion()));
  }
  if (message->has_paged()) controls->paged = DecodePaged(message->mutable_paged());
  if (message->has_pre_read()) {
    controls->pre_read.emplace().attributes =
        TakeStrings(message->mutable_pre_read()->mutable_attributes());
  }
  if (message->has_post_read()) {
    controls->post_read.emplace().attributes =
        TakeStrings(message->mutable_post_read()->mutable_attributes());
  }
  controls->manage_dsa_it = message->manage_dsa_it();
  return model::OkStatus();
}

void EncodeAttribute(const model::RawAttribute& attribute, gateway_pb::RawAttribute* message) {
  SetBytes(attribute.description, message->mutable_description());
  for (const std::string& value : attribute.values) message->add_values(value);
}

model::RawAttribute DecodeAttribute(gateway_pb::RawAttribute* message) {
  return {std::move(*message->mutable_description()), TakeStrings(message->mutable_values())};
}

std::vector<model::RawAttribute> DecodeAttributes(
    google::protobuf::RepeatedPtrField<gateway_pb::RawAttribute>* field) {
  std::vector<model::RawAttribute> attributes;
  attributes.reserve(static_cast<std::size_t>(field->size()));
  for (gateway_pb::RawAttribute& message : *field) attributes.push_back(DecodeAttribute(&message));
  return attributes;
}

model::Error OutOfRange(std::string_view field) {
  return {model::ResultCode::kProtocolError,
          "gateway sent an unknown value of " + std::string(field), ""};
}

void EncodeReadEntry(directory::ReadEntryResult entry, gateway_pb::ReadEntry* message) {
  *message->mutable_dn() = std::move(entry.dn);
  *message->mutable_attributes() = std::move(entry.attributes);
}

directory::ReadEntryResult DecodeReadEntry(gateway_pb::ReadEntry* message) {
  return {std::move(*message->mutable_dn()), std::move(*message->mutable_attributes())};
}

// Fields that every outcome has.
template <typename AnyOutcome>
void DecodeCommon(gateway_pb::Outcome* message, AnyOutcome* outcome) {
  outcome->code = static_cast<model::ResultCode>(message->result_code());
  outcome->diagnostic = std::move(*message->mutable_diagnostic());
}

}  // namespace

void EncodeContext(const RequestContext& context, steady_clock::time_point now,
                   gateway_pb::Operation* operation) {
  EncodeSubject(context.subject, operation->mutable_subject());
  if (context.client != 0) operation->set_client(context.client);
  if (context.deadline == steady_clock::time_point::max()) return;
  const auto left = std::chrono::duration_cast<microseconds>(context.deadline - now).count();
  operation->set_timeout_micros(left < 1 ? 1 : static_cast<std::uint64_t>(left));
}

RequestContext DecodeContext(gateway_pb::Operation* operation, steady_clock::time_point now) {
  RequestContext context;
  context.subject = DecodeSubject(operation->mutable_subject());
  const std::uint64_t timeout = operation->timeout_micros();
  if (timeout != 0 && timeout < static_cast<std::uint64_t>(kLongestTimeout.count())) {
    context.deadline = now + microseconds(timeout);
  }
  return context;
}

void EncodeRequest(const directory::BindRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::Bind* message = operation->mutable_bind();
  SetBytes(request.dn, message->mutable_dn());
  SetBytes(request.password.Reveal(), message->mutable_password());
}

void EncodeRequest(const directory::SearchRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::Search* message = operation->mutable_search();
  SetBytes(request.base, message->mutable_base());
  message->set_scope(Shifted<gateway_pb::Search::Scope>(request.scope, 1));
  message->set_deref(Shifted<gateway_pb::Search::Deref>(request.deref, 1));
  message->set_size_limit(request.size_limit);
  message->set_time_limit_seconds(static_cast<std::uint32_t>(request.time_limit.count()));
  message->set_types_only(request.types_only);
  request.filter->Encode(message->mutable_filter());
  for (const std::string& name : request.attributes) message->add_attributes(name);
  EncodeControls(request.controls, operation);
  const bool root_dse = request.scope == directory::Scope::kBase && request.base.empty();
  if (!root_dse || request.door_attributes == nullptr) return;
  for (const model::RawAttribute& attribute : *request.door_attributes) {
    EncodeAttribute(attribute, message->add_door_attributes());
  }
}

void EncodeRequest(const directory::CompareRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::Compare* message = operation->mutable_compare();
  SetBytes(request.dn, message->mutable_dn());
  SetBytes(request.attribute, message->mutable_attribute());
  SetBytes(request.value, message->mutable_value());
  EncodeControls(request.controls, operation);
}

void EncodeRequest(const directory::AddRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::Add* message = operation->mutable_add();
  SetBytes(request.dn, message->mutable_dn());
  for (const model::RawAttribute& attribute : request.attributes) {
    EncodeAttribute(attribute, message->add_attributes());
  }
  EncodeControls(request.controls, operation);
}

void EncodeRequest(const directory::ModifyRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::Modify* message = operation->mutable_modify();
  SetBytes(request.dn, message->mutable_dn());
  for (const model::Modification& modification : request.modifications) {
    gateway_pb::Modification* change = message->add_modifications();
    change->set_kind(Shifted<gateway_pb::Modification::Kind>(modification.kind, 1));
    EncodeAttribute(modification.attribute, change->mutable_attribute());
  }
  EncodeControls(request.controls, operation);
}

void EncodeRequest(const directory::DeleteRequest& request, gateway_pb::Operation* operation) {
  SetBytes(request.dn, operation->mutable_delete_()->mutable_dn());
  EncodeControls(request.controls, operation);
}

void EncodeRequest(const directory::ModifyDnRequest& request, gateway_pb::Operation* operation) {
  gateway_pb::ModifyDn* message = operation->mutable_modify_dn();
  SetBytes(request.dn, message->mutable_dn());
  SetBytes(request.new_rdn, message->mutable_new_rdn());
  message->set_delete_old_rdn(request.delete_old_rdn);
  if (request.new_superior) SetBytes(*request.new_superior, message->mutable_new_superior());
  EncodeControls(request.controls, operation);
}

void EncodeRequest(const directory::ModifyPasswordRequest& request,
                   gateway_pb::Operation* operation) {
  gateway_pb::ModifyPassword* message = operation->mutable_modify_password();
  SetBytes(request.user, message->mutable_user());
  if (request.old_password) {
    SetBytes(request.old_password->Reveal(), message->mutable_old_password());
  }
  if (request.new_password) {
    SetBytes(request.new_password->Reveal(), message->mutable_new_password());
  }
}

bool IsWrite(const gateway_pb::Operation& operation) {
  return !operation.has_bind() && !operation.has_search() && !operation.has_compare();
}

directory::BindRequest DecodeBind(gateway_pb::Operation* operation) {
  gateway_pb::Bind* message = operation->mutable_bind();
  return {std::move(*message->mutable_dn()),
          model::Secret(std::move(*message->mutable_password()))};
}

model::Result<directory::SearchRequest> DecodeSearch(gateway_pb::Operation* operation) {
  gateway_pb::Search* message = operation->mutable_search();
  if (message->scope() < gateway_pb::Search::SCOPE_BASE ||
      message->scope() > gateway_pb::Search::SCOPE_SUBORDINATE) {
    return OutOfRange("scope");
  }
  if (message->deref() < gateway_pb::Search::DEREF_NEVER ||
      message->deref() > gateway_pb::Search::DEREF_ALWAYS) {
    return OutOfRange("deref");
  }
  directory::SearchRequest request;
  TT_ASSIGN_OR_RETURN(request.filter, DecodeFilter(message->filter()));
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.base = std::move(*message->mutable_base());
  request.scope = Shifted<directory::Scope>(message->scope(), -1);
  request.deref = Shifted<directory::DerefAliases>(message->deref(), -1);
  request.size_limit = message->size_limit();
  request.time_limit = std::chrono::seconds(message->time_limit_seconds());
  request.types_only = message->types_only();
  request.attributes = TakeStrings(message->mutable_attributes());
  if (message->door_attributes_size() > 0) {
    request.door_attributes = std::make_shared<const std::vector<model::RawAttribute>>(
        DecodeAttributes(message->mutable_door_attributes()));
  }
  return request;
}

model::Result<directory::CompareRequest> DecodeCompare(gateway_pb::Operation* operation) {
  gateway_pb::Compare* message = operation->mutable_compare();
  directory::CompareRequest request;
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.dn = std::move(*message->mutable_dn());
  request.attribute = std::move(*message->mutable_attribute());
  request.value = std::move(*message->mutable_value());
  return request;
}

model::Result<directory::AddRequest> DecodeAdd(gateway_pb::Operation* operation) {
  gateway_pb::Add* message = operation->mutable_add();
  directory::AddRequest request;
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.dn = std::move(*message->mutable_dn());
  request.attributes = DecodeAttributes(message->mutable_attributes());
  return request;
}

model::Result<directory::ModifyRequest> DecodeModify(gateway_pb::Operation* operation) {
  gateway_pb::Modify* message = operation->mutable_modify();
  directory::ModifyRequest request;
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.dn = std::move(*message->mutable_dn());
  request.modifications.reserve(static_cast<std::size_t>(message->modifications_size()));
  for (gateway_pb::Modification& change : *message->mutable_modifications()) {
    if (change.kind() < gateway_pb::Modification::KIND_ADD ||
        change.kind() > gateway_pb::Modification::KIND_INCREMENT) {
      return OutOfRange("kind");
    }
    request.modifications.push_back({Shifted<model::ModificationKind>(change.kind(), -1),
                                     DecodeAttribute(change.mutable_attribute())});
  }
  return request;
}

model::Result<directory::DeleteRequest> DecodeDelete(gateway_pb::Operation* operation) {
  directory::DeleteRequest request;
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.dn = std::move(*operation->mutable_delete_()->mutable_dn());
  return request;
}

model::Result<directory::ModifyDnRequest> DecodeModifyDn(gateway_pb::Operation* operation) {
  gateway_pb::ModifyDn* message = operation->mutable_modify_dn();
  directory::ModifyDnRequest request;
  TT_RETURN_IF_ERROR(DecodeControls(operation, &request.controls));
  request.dn = std::move(*message->mutable_dn());
  request.new_rdn = std::move(*message->mutable_new_rdn());
  request.delete_old_rdn = message->delete_old_rdn();
  if (message->has_new_superior()) {
    request.new_superior = std::move(*message->mutable_new_superior());
  }
  return request;
}

directory::ModifyPasswordRequest DecodeModifyPassword(gateway_pb::Operation* operation) {
  gateway_pb::ModifyPassword* message = operation->mutable_modify_password();
  directory::ModifyPasswordRequest request;
  request.user = std::move(*message->mutable_user());
  if (message->has_old_password()) {
    request.old_password.emplace(std::move(*message->mutable_old_password()));
  }
  if (message->has_new_password()) {
    request.new_password.emplace(std::move(*message->mutable_new_password()));
  }
  return request;
}

void AppendSearchEntry(std::string_view dn, std::span<const std::string_view> attribute_pieces,
                       std::string* out) {
  std::size_t attributes = 0;
  for (const std::string_view piece : attribute_pieces) attributes += piece.size();
  const auto sized = [](std::size_t size) { return ber::HeaderSize(size) + size; };
  ber::Writer writer(out);
  writer.Header(kSearchResultEntryTag, sized(dn.size()) + sized(attributes));
  writer.OctetString(dn);
  writer.Header(ber::kSequence, attributes);
  for (const std::string_view piece : attribute_pieces) writer.Raw(piece);
}

void EncodeOutcome(directory::BindOutcome outcome, gateway_pb::Outcome* message) {
  message->set_result_code(static_cast<int>(outcome.code));
  *message->mutable_diagnostic() = std::move(outcome.diagnostic);
  EncodeSubject(outcome.subject, message->mutable_subject());
}

void EncodeOutcome(directory::SearchOutcome outcome, gateway_pb::Outcome* message) {
  message->set_result_code(static_cast<int>(outcome.code));
  *message->mutable_matched_dn() = std::move(outcome.matched_dn);
  *message->mutable_diagnostic() = std::move(outcome.diagnostic);
  message->set_entries(outcome.entries);
  if (outcome.paged) EncodePaged(*outcome.paged, message->mutable_paged());
}

void EncodeOutcome(directory::Outcome outcome, gateway_pb::Outcome* message) {
  message->set_result_code(static_cast<int>(outcome.code));
  *message->mutable_matched_dn() = std::move(outcome.matched_dn);
  *message->mutable_diagnostic() = std::move(outcome.diagnostic);
  message->set_change_number(outcome.change_number);
  if (outcome.pre_read) EncodeReadEntry(std::move(*outcome.pre_read), message->mutable_pre_read());
  if (outcome.post_read) {
    EncodeReadEntry(std::move(*outcome.post_read), message->mutable_post_read());
  }
  if (outcome.generated_password) {
    SetBytes(outcome.generated_password->Reveal(), message->mutable_generated_password());
  }
}

directory::BindOutcome DecodeBindOutcome(gateway_pb::Outcome* message) {
  directory::BindOutcome outcome;
  DecodeCommon(message, &outcome);
  if (outcome.code == model::ResultCode::kSuccess) {
    outcome.subject = DecodeSubject(message->mutable_subject());
  }
  return outcome;
}

directory::SearchOutcome DecodeSearchOutcome(gateway_pb::Outcome* message) {
  directory::SearchOutcome outcome;
  DecodeCommon(message, &outcome);
  outcome.matched_dn = std::move(*message->mutable_matched_dn());
  outcome.entries = message->entries();
  if (message->has_paged()) outcome.paged = DecodePaged(message->mutable_paged());
  return outcome;
}

directory::Outcome DecodeOutcome(gateway_pb::Outcome* message) {
  directory::Outcome outcome;
  DecodeCommon(message, &outcome);
  outcome.matched_dn = std::move(*message->mutable_matched_dn());
  outcome.change_number = message->change_number();
  if (message->has_pre_read()) outcome.pre_read = DecodeReadEntry(message->mutable_pre_read());
  if (message->has_post_read()) outcome.post_read = DecodeReadEntry(message->mutable_post_read());
  if (message->has_generated_password()) {
    outcome.generated_password.emplace(std::move(*message->mutable_generated_password()));
  }
  return outcome;
}

std::size_t EstimateBytes(const directory::BindOutcome& outcome) {
  return kOutcomeOverheadBytes + outcome.diagnostic.size() + outcome.subject.dn.size() +
         outcome.subject.dn_key.size();
}

std::size_t EstimateBytes(const directory::SearchOutcome& outcome) {
  return kOutcomeOverheadBytes + outcome.matched_dn.size() + outcome.diagnostic.size() +
         (outcome.paged ? outcome.paged->cookie.size() : 0);
}

std::size_t EstimateBytes(const directory::Outcome& outcome) {
  std::size_t bytes = kOutcomeOverheadBytes + outcome.matched_dn.size() + outcome.diagnostic.size();
  for (const auto* read : {&outcome.pre_read, &outcome.post_read}) {
    if (*read) bytes += (*read)->dn.size() + (*read)->attributes.size();
  }
  if (outcome.generated_password) bytes += outcome.generated_password->Reveal().size();
  return bytes;
}

}  // namespace twintree::rpc
