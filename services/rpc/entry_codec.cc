#include "services/rpc/entry_codec.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "services/model/filter.h"
#include "services/rpc/entry_message.h"

namespace twintree::rpc {
namespace {

using google::protobuf::RepeatedPtrField;

constexpr char kEtagAttribute[] = "entryCSN";
constexpr std::uint32_t kMaxInt = 2147483647;  // RFC 4511 4.1.1

bool SameIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [lower](char x, char y) {
           return lower(x) == lower(y);
         });
}

std::vector<std::string> ToStrings(const RepeatedPtrField<std::string>& field) {
  return {field.begin(), field.end()};
}

void SetEtagCondition(const std::string& etag, directory::Controls* controls) {
  if (etag.empty()) return;
  auto filter = std::make_shared<model::Filter>();
  filter->kind = model::FilterKind::kEquality;
  filter->attribute = kEtagAttribute;
  filter->value = etag;
  controls->assertion = std::move(filter);
}

// The entry afterwards: its name and etag in any case, and the attributes asked for.
void SetPostRead(const RepeatedPtrField<std::string>& wanted, directory::Controls* controls) {
  auto& attributes = controls->post_read.emplace().attributes;
  attributes = ToStrings(wanted);
  attributes.emplace_back(kEtagAttribute);
}

std::chrono::seconds WholeSeconds(const google::protobuf::Duration& duration) {
  const std::int64_t seconds = duration.seconds() + (duration.nanos() > 0 ? 1 : 0);
  // Zero would mean no limit; a limit that has passed already is the shortest there is.
  return std::chrono::seconds(
      std::clamp<std::int64_t>(seconds, 1, std::numeric_limits<std::int32_t>::max()));
}

model::Result<directory::Scope> ToScope(directory_pb::SearchScope scope) {
  switch (scope) {
    case directory_pb::SEARCH_SCOPE_BASE: return directory::Scope::kBase;
    case directory_pb::SEARCH_SCOPE_ONE_LEVEL: return directory::Scope::kOneLevel;
    case directory_pb::SEARCH_SCOPE_UNSPECIFIED:
    case directory_pb::SEARCH_SCOPE_SUBTREE: return directory::Scope::kSubtree;
    case directory_pb::SEARCH_SCOPE_SUBORDINATE: return directory::Scope::kSubordinate;
    default: break;
  }
  return model::Error{model::ResultCode::kProtocolError, "unknown scope", ""};
}

model::Result<model::ModificationKind> ToKind(directory_pb::Modification::Operation operation) {
  switch (operation) {
    case directory_pb::Modification::OPERATION_ADD: return model::ModificationKind::kAdd;
    case directory_pb::Modification::OPERATION_DELETE: return model::ModificationKind::kDelete;
    case directory_pb::Modification::OPERATION_REPLACE: return model::ModificationKind::kReplace;
    case directory_pb::Modification::OPERATION_INCREMENT:
      return model::ModificationKind::kIncrement;
    default: break;
  }
  return model::Error{model::ResultCode::kProtocolError, "a modification without operation", ""};
}

}  // namespace

AttributeSelection SelectWithEtag(const RepeatedPtrField<std::string>& wanted) {
  AttributeSelection selection;
  selection.attributes = ToStrings(wanted);
  const bool has_csn = std::any_of(wanted.begin(), wanted.end(), [](const std::string& name) {
    return name == "+" || SameIgnoringCase(name, kEtagAttribute);
  });
  if (has_csn) return selection;
  selection.hide_csn = true;
  if (wanted.empty()) selection.attributes.emplace_back("*");
  selection.attributes.emplace_back(kEtagAttribute);
  return selection;
}

model::Status CheckSelection(const RepeatedPtrField<std::string>& wanted) {
  if (wanted.size() <= kMaxSelectedAttributes) return model::OkStatus();
  return model::Error{
      model::ResultCode::kAdminLimitExceeded,
      "more than " + std::to_string(kMaxSelectedAttributes) + " attributes are asked for", ""};
}

model::Status FillEntry(std::string_view dn, std::string_view elements, bool hide_csn,
                        directory_pb::Entry* entry) {
  EntryMessage message;
  TT_RETURN_IF_ERROR(message.Read(dn, {&elements, 1}, hide_csn));
  if (entry->ParseFromString(message.ToString())) return model::OkStatus();
  return model::Error{model::ResultCode::kOther, "an entry that cannot be shown", ""};
}

model::Status CheckLimit(const directory_pb::SearchEntriesRequest& request,
                         std::string_view field) {
  const auto wrong = [field](const char* what) {
    return model::Error{model::ResultCode::kProtocolError, std::string(field) + what, ""};
  };
  if (field == "size_limit") {
    // A negative number becomes one of these when a client casts it.
    if (request.size_limit() <= kMaxInt) return model::OkStatus();
    return wrong(" is negative or larger than 2147483647");
  }
  if (request.time_limit().seconds() < 0 || request.time_limit().nanos() < 0) {
    return wrong(" is negative");
  }
  if (request.time_limit().nanos() > 999'999'999) return wrong(" has nanos beyond a second");
  return model::OkStatus();
}

model::Result<directory::SearchRequest> ToSearchRequest(
    const directory_pb::SearchEntriesRequest& request, const AttributeSelection& selection) {
  directory::SearchRequest search;
  TT_ASSIGN_OR_RETURN(search.scope, ToScope(request.scope()));
  model::Filter filter = model::PresentFilter("objectClass");
  if (!request.filter().empty()) {
    TT_ASSIGN_OR_RETURN(filter, model::Filter::Parse(request.filter()));
  }
  search.filter = std::make_shared<const model::Filter>(std::move(filter));
  search.base = request.base_dn();
  search.attributes = selection.attributes;
  search.size_limit = request.size_limit();
  search.types_only = request.types_only();
  if (request.has_time_limit()) search.time_limit = WholeSeconds(request.time_limit());
  return search;
}

directory::SearchRequest ToSearchRequest(const directory_pb::GetEntryRequest& request,
                                         const AttributeSelection& selection) {
  directory::SearchRequest search;
  search.base = request.dn();
  search.scope = directory::Scope::kBase;
  search.filter = std::make_shared<const model::Filter>(model::PresentFilter("objectClass"));
  search.attributes = selection.attributes;
  return search;
}

model::Result<directory::ModifyRequest> ToModifyRequest(
    const directory_pb::ModifyEntryRequest& request) {
  directory::ModifyRequest modify;
  modify.dn = request.dn();
  for (const directory_pb::Modification& change : request.modifications()) {
    TT_ASSIGN_OR_RETURN(const model::ModificationKind kind, ToKind(change.operation()));
    modify.modifications.push_back(
        {kind, model::RawAttribute{change.attribute(), ToStrings(change.values())}});
  }
  SetEtagCondition(request.etag(), &modify.controls);
  SetPostRead(request.return_attributes(), &modify.controls);
  return modify;
}

directory::AddRequest ToAddRequest(const directory_pb::CreateEntryRequest& request) {
  directory::AddRequest add;
  add.dn = request.entry().dn();
  for (const directory_pb::Attribute& attribute : request.entry().attributes()) {
    add.attributes.push_back({attribute.name(), ToStrings(attribute.values())});
  }
  SetPostRead(request.return_attributes(), &add.controls);
  return add;
}

directory::DeleteRequest ToDeleteRequest(const directory_pb::DeleteEntryRequest& request) {
  directory::DeleteRequest remove;
  remove.dn = request.dn();
  SetEtagCondition(request.etag(), &remove.controls);
  return remove;
}

directory::ModifyDnRequest ToModifyDnRequest(const directory_pb::RenameEntryRequest& request) {
  directory::ModifyDnRequest rename;
  rename.dn = request.dn();
  rename.new_rdn = request.new_rdn();
  rename.delete_old_rdn = !request.keep_old_rdn();
  if (request.has_new_superior_dn()) rename.new_superior = request.new_superior_dn();
  SetEtagCondition(request.etag(), &rename.controls);
  rename.controls.post_read.emplace().attributes = {"1.1"};
  return rename;
}

directory::ModifyPasswordRequest ToModifyPasswordRequest(
    const directory_pb::ChangePasswordRequest& request) {
  directory::ModifyPasswordRequest change;
  change.user = request.dn();
  if (request.has_old_password()) change.old_password.emplace(request.old_password());
  if (request.has_new_password()) change.new_password.emplace(request.new_password());
  return change;
}

}  // namespace twintree::rpc
