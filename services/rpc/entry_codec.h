// Requests of the public API to the directory port, and entries in its answers.
#ifndef TWINTREE_SERVICES_RPC_ENTRY_CODEC_H_
#define TWINTREE_SERVICES_RPC_ENTRY_CODEC_H_

#include <string>
#include <string_view>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/result.h"
#include "twintree/directory/v1/directory_service.pb.h"

namespace twintree::rpc {

namespace directory_pb = ::twintree::directory::v1;

// Which attributes to ask for, and whether entryCSN is among them only for the etag.
struct AttributeSelection {
  std::vector<std::string> attributes;
  bool hide_csn = false;
};
AttributeSelection SelectWithEtag(const google::protobuf::RepeatedPtrField<std::string>& wanted);

// As many names as over LDAP. Errors: kAdminLimitExceeded.
inline constexpr int kMaxSelectedAttributes = 4096;
model::Status CheckSelection(const google::protobuf::RepeatedPtrField<std::string>& wanted);

// What EntryMessage makes of a name and PartialAttribute elements, as a message object.
// Errors: kOther for elements that are none.
model::Status FillEntry(std::string_view dn, std::string_view elements, bool hide_csn,
                        directory_pb::Entry* entry);

// Errors: kProtocolError for a filter or an enumeration's value that is none.
// Is the limit of this name, "size_limit" or "time_limit", one? Errors: kProtocolError for what is
// negative or larger than LDAP's largest number.
model::Status CheckLimit(const directory_pb::SearchEntriesRequest& request, std::string_view field);

model::Result<directory::SearchRequest> ToSearchRequest(
    const directory_pb::SearchEntriesRequest& request, const AttributeSelection& selection);
directory::SearchRequest ToSearchRequest(const directory_pb::GetEntryRequest& request,
                                         const AttributeSelection& selection);
model::Result<directory::ModifyRequest> ToModifyRequest(
    const directory_pb::ModifyEntryRequest& request);
directory::AddRequest ToAddRequest(const directory_pb::CreateEntryRequest& request);
directory::DeleteRequest ToDeleteRequest(const directory_pb::DeleteEntryRequest& request);
directory::ModifyDnRequest ToModifyDnRequest(const directory_pb::RenameEntryRequest& request);
directory::ModifyPasswordRequest ToModifyPasswordRequest(
    const directory_pb::ChangePasswordRequest& request);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_ENTRY_CODEC_H_
