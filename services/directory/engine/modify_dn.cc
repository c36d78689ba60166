// Modify DN: rename, move, or both; the subtree follows (RFC 4511 4.9).
#include <algorithm>
#include <memory>
#include <utility>

#include "services/directory/engine/aliases.h"
#include "services/directory/engine/assertion.h"
#include "services/directory/engine/change_record.h"
#include "services/directory/engine/new_entry.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/schema_check.h"
#include "services/directory/engine/write_task.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;
using storage::WriteTransaction;

constexpr std::string_view kRefused = "no right to rename this entry";

class ModifyDnTask final : public WriteTask {
 public:
  ModifyDnTask(Engine& engine, const RequestContext& context, ModifyDnRequest request,
               Directory::Callback done)
      : WriteTask(engine, context, std::move(done)), request_(std::move(request)) {}

 protected:
  Status Prepare() override {
    TT_ASSIGN_OR_RETURN(key_, schema().NormalizeDn(request_.dn));
    TT_ASSIGN_OR_RETURN(new_rdn_, model::Rdn::Parse(request_.new_rdn));
    TT_ASSIGN_OR_RETURN(new_rdn_key_, schema().NormalizeRdn(new_rdn_));
    if (!request_.new_superior) return {};
    TT_ASSIGN_OR_RETURN(superior_, schema().NormalizeDn(*request_.new_superior));
    if (engine().ContextOf(*superior_) != nullptr) return {};
    return Error{ResultCode::kAffectsMultipleDsas, "the new superior is not in this tree", {}};
  }

  Status Apply(WriteTransaction& transaction, Request& request) override {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, Find(request, key_));
    EntryTarget target(request);
    target.Show(*entry);
    TT_RETURN_IF_ERROR(CheckRights(request, *entry, target));
    TT_ASSIGN_OR_RETURN(const EntryId parent, FindParent(request, *entry, target));
    TT_RETURN_IF_ERROR(CheckAssertion(request_.controls, target));
    TT_RETURN_IF_ERROR(Read(target, request_.controls.pre_read, &outcome().pre_read));
    TT_RETURN_IF_ERROR(Rename(transaction, request, *entry, parent, target.dn()));
    return ReadBack(request, entry->id);
  }

 private:
  Status CheckRights(Request& request, const storage::StoredEntry& entry, EntryTarget& target) {
    if (request.unrestricted()) return {};
    bool allowed = target.MayWriteEntry() && entry.parent != kNoEntry;
    TT_ASSIGN_OR_RETURN(const model::Dn old_name, model::Dn::Parse(entry.rdn));
    for (const model::Ava& ava : new_rdn_.avas) allowed = allowed && MayWrite(target, ava);
    for (const model::Ava& ava : old_name.rdn(0).avas) {
      allowed = allowed && (!request_.delete_old_rdn || MayWrite(target, ava));
    }
    if (allowed) {
      TT_ASSIGN_OR_RETURN(const StoredEntryPtr parent, request.Get(entry.parent));
      EntryTarget above(request);
      above.Show(*parent);
      allowed = above.MayWriteChildren();
    }
    if (!allowed) return request.Refusal(target, entry.parent, kRefused);
    return target.status();
  }

  bool MayWrite(EntryTarget& target, const model::Ava& ava) const {
    const model::AttributeType* const type = schema().FindAttributeType(ava.type);
    return type != nullptr && target.May(access::kWrite, *type);
  }

  // The parent that the entry will have.
  Result<EntryId> FindParent(Request& request, const storage::StoredEntry& entry,
                             EntryTarget& target) {
    if (!superior_) {
      if (entry.parent != kNoEntry) return entry.parent;
      return CheckContextRename(target);
    }
    TT_ASSIGN_OR_RETURN(const Location location, request.Locate(*superior_));
    if (!location.found()) return request.NotFound(*superior_, location);
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr parent, request.Get(location.id));
    EntryTarget above(request);
    above.Show(*parent);
    if (!above.MayWriteChildren()) {
      return request.Refusal(above, parent->parent, "no right to move below the new superior");
    }
    if (IsAlias(parent->entry, schema())) {
      return Error{ResultCode::kAliasProblem, "an alias has no subordinates", {}};
    }
    if (entry.parent == kNoEntry) {
      return Error{
          ResultCode::kUnwillingToPerform, "the entry of a naming context cannot be moved", {}};
    }
    // Up from the new parent: the entry itself must not be met.
    for (EntryId at = parent->id; at != kNoEntry;) {
      if (at == entry.id) {
        return Error{ResultCode::kUnwillingToPerform, "an entry cannot be moved below itself", {}};
      }
      TT_ASSIGN_OR_RETURN(at, request.reader().ParentOf(at));
    }
    return parent->id;
  }

  // The entry of a naming context may get another spelling of its name, but no other name.
  Result<EntryId> CheckContextRename(EntryTarget& target) const {
    if (target.dn_key().rdn(0) == new_rdn_key_) return kNoEntry;
    return Error{ResultCode::kAffectsMultipleDsas, "the new name is not in this tree", {}};
  }

  Status Rename(WriteTransaction& transaction, Request& request, const storage::StoredEntry& entry,
                EntryId parent, const std::string& dn) {
    TT_ASSIGN_OR_RETURN(storage::NewEntry renamed, NewName(entry, parent));
    TT_ASSIGN_OR_RETURN(const EntryId holder, transaction.FindChild(parent, renamed.rdn_key));
    if (holder != kNoEntry && holder != entry.id) {
      return Error{ResultCode::kEntryAlreadyExists, "an entry of the new name exists", {}};
    }
    std::vector<Attribute> attributes = entry.entry.ToAttributes(schema());
    std::vector<BoundModification> record;
    TT_RETURN_IF_ERROR(ChangeNamingValues(entry, &attributes, &record));
    TT_RETURN_IF_ERROR(CheckChanged(entry.entry, attributes));
    TT_RETURN_IF_ERROR(Stamp(transaction, &attributes, &record));
    TT_ASSIGN_OR_RETURN(renamed.entry, EncodeEntry(attributes));

    storage::Change change = ChangeOf(storage::ChangeKind::kRename, entry, dn);
    change.new_dn = renamed.rdn;
    if (parent != kNoEntry) {
      TT_ASSIGN_OR_RETURN(const EntryNamePtr above, request.NameOf(parent));
      change.new_dn += "," + above->dn;
    }
    change.payload = EncodeModifications(record);
    TT_RETURN_IF_ERROR(transaction.Move(entry.id, std::move(renamed)));
    return transaction.AppendChange(std::move(change));
  }

  // Name and place; the attributes follow.
  Result<storage::NewEntry> NewName(const storage::StoredEntry& entry, EntryId parent) const {
    model::Entry nothing = model::Entry::Encode({}, schema());
    if (parent != kNoEntry) {
      return storage::NewEntry{parent, new_rdn_.text, new_rdn_key_, std::move(nothing)};
    }
    TT_ASSIGN_OR_RETURN(const model::Dn old_name, model::Dn::Parse(entry.rdn));
    std::string name = new_rdn_.text;
    for (std::size_t i = 1; i < old_name.size(); ++i) name += "," + old_name.rdn(i).text;
    return storage::NewEntry{kNoEntry, std::move(name), entry.rdn_key, std::move(nothing)};
  }

  // Takes the old naming values out if that is wanted, and puts the new ones in. What changed is
  // recorded as replacements.
  Status ChangeNamingValues(const storage::StoredEntry& entry, std::vector<Attribute>* attributes,
                            std::vector<BoundModification>* record) const {
    const std::vector<Attribute> before = *attributes;
    if (request_.delete_old_rdn) {
      TT_ASSIGN_OR_RETURN(const model::Dn old_name, model::Dn::Parse(entry.rdn));
      for (const model::Ava& ava : old_name.rdn(0).avas) RemoveValue(ava, attributes);
    }
    TT_RETURN_IF_ERROR(AddRdnValues(new_rdn_, schema(), attributes));
    for (const Attribute& attribute : *attributes) {
      const Attribute* const old = FindAttribute(before, attribute.description);
      if (old != nullptr && old->values == attribute.values) continue;
      record->push_back({model::ModificationKind::kReplace, attribute, {}});
    }
    for (const Attribute& attribute : before) {
      if (FindAttribute(*attributes, attribute.description) != nullptr) continue;
      record->push_back({model::ModificationKind::kReplace, {attribute.description, {}}, {}});
    }
    return {};
  }

  void RemoveValue(const model::Ava& ava, std::vector<Attribute>* attributes) const {
    const model::AttributeType* const type = schema().FindAttributeType(ava.type);
    if (type == nullptr || type->equality == nullptr) return;
    const Result<std::string> key = type->EqualityKey(ava.value);
    if (!key.ok()) return;
    for (Attribute& attribute : *attributes) {
      if (attribute.description.type != type || !attribute.description.options.empty()) continue;
      attribute.values.RemoveAll(
          [&](std::string_view value) { return type->equality->Equals(value, *key); });
    }
    std::erase_if(*attributes, [](const Attribute& one) { return one.values.empty(); });
  }

  Status ReadBack(Request& request, EntryId id) {
    if (!request_.controls.post_read) return {};
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr changed, request.Get(id));
    EntryTarget target(request);
    target.Show(*changed);
    return Read(target, request_.controls.post_read, &outcome().post_read);
  }

  ModifyDnRequest request_;
  model::DnKey key_;
  model::Rdn new_rdn_;
  std::string new_rdn_key_;
  std::optional<model::DnKey> superior_;
};

}  // namespace

void RunModifyDn(Engine& engine, const RequestContext& context, ModifyDnRequest request,
                 Directory::Callback done) {
  const std::size_t bytes = SizeOf(request);
  std::make_shared<ModifyDnTask>(engine, context, std::move(request), std::move(done))
      ->Start(bytes);
}

}  // namespace twintree::directory
