#include "services/directory/engine/request.h"

#include <utility>
#include <vector>

#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/group_membership.h"
#include "services/directory/engine/recent_parents.h"

namespace twintree::directory {

using model::Error;
using model::Result;
using model::ResultCode;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;

Request::Request(Engine& engine, storage::ReadTransaction& reader, const Subject& subject,
                 Names names)
    : engine_(engine),
      reader_(reader),
      subject_(subject),
      cached_names_(names == Names::kCached),
      unrestricted_(subject.kind == Subject::Kind::kRoot) {}

access::RequestAccess& Request::access() {
  if (access_ == nullptr) {
    access_ = engine_.policy().ForRequest(
        subject_, [this](std::string_view group_key, std::string_view subject_key) {
          return IsGroupMember(*this, group_key, subject_key);
        });
  }
  return *access_;
}

Result<Location> Request::Locate(const model::DnKey& key) {
  Location location;
  const NamingContext* const context = engine_.ContextOf(key);
  if (context == nullptr) return location;
  location.in_tree = true;
  location.missing = key.size() - context->key.size() + 1;
  const EntryId parent = location.missing > 1 ? KnownId(key.parent()) : kNoEntry;
  EntryId id = parent;
  if (id != kNoEntry) {
    location.missing = 2;
  } else {
    TT_ASSIGN_OR_RETURN(id, reader_.FindChild(kNoEntry, context->key.text()));
  }
  while (id != kNoEntry) {
    location.nearest = id;
    if (--location.missing == 0) {
      location.id = id;
      break;
    }
    if (location.missing == 1 && id != parent) KeepId(key.parent(), id);
    TT_ASSIGN_OR_RETURN(id, reader_.FindChild(id, key.rdn(location.missing - 1)));
  }
  return location;
}

EntryId Request::KnownId(std::string_view key) const {
  return cached_names_ ? RecentParents(engine_.serial(), reader_.version()).FindId(key) : kNoEntry;
}

void Request::KeepId(std::string_view key, EntryId id) const {
  if (cached_names_) RecentParents(engine_.serial(), reader_.version()).KeepId(key, id);
}

Result<StoredEntryPtr> Request::Get(EntryId id) {
  TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, reader_.Get(id));
  if (entry == nullptr) {
    return Error{ResultCode::kOther, "an entry of the hierarchy is missing", {}};
  }
  return entry;
}

Result<EntryNamePtr> Request::NameOf(EntryId id) {
  if (id == last_id_) return last_name_;
  if (!cached_names_) return FindName(id);
  const RecentParents recent(engine_.serial(), reader_.version());
  if (const EntryNamePtr* const name = recent.FindName(id)) return *name;
  TT_ASSIGN_OR_RETURN(EntryNamePtr name, FindName(id));
  recent.KeepName(id, name);
  return name;
}

Result<EntryNamePtr> Request::FindName(EntryId id) {
  const storage::ChangeNumber version = cached_names_ ? reader_.hierarchy_version() : 0;
  std::vector<StoredEntryPtr> path;
  EntryNamePtr name;
  for (EntryId above = id; above != kNoEntry; above = path.back()->parent) {
    if (path.size() > model::Dn::kMaxRdns) {
      return Error{ResultCode::kOther, "the hierarchy is damaged", {}};
    }
    TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, Get(above));
    if (cached_names_) name = engine_.names().Find(*entry, version);
    if (name != nullptr) break;
    path.push_back(std::move(entry));
  }
  for (; !path.empty(); path.pop_back()) {
    name = std::make_shared<const EntryName>(ChildName(*path.back(), name.get()));
    if (cached_names_) engine_.names().Put(*path.back(), version, name);
  }
  last_id_ = id;
  last_name_ = name;
  return name;
}

Result<std::string> Request::DisclosedName(EntryId id) {
  EntryTarget target(*this);
  for (EntryId at = id; at != kNoEntry;) {
    TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, Get(at));
    target.Show(*entry);
    const bool disclosed = target.MayReadEntry();
    TT_RETURN_IF_ERROR(target.status());
    if (disclosed) return target.dn();
    at = entry->parent;
  }
  return std::string();
}

Error Request::NotFound(const model::DnKey& key, const Location& location) {
  const NamingContext* const context = engine_.ContextOf(key);
  if (context == nullptr) {
    return Error{ResultCode::kNoSuchObject, "no naming context holds this name", {}};
  }
  if (location.nearest == kNoEntry) {
    return Error{ResultCode::kNoSuchObject,
                 "the entry of the naming context " + context->text + " does not exist yet",
                 {}};
  }
  return NoSuchObject(location.nearest);
}

Error Request::NoSuchObject(EntryId nearest) {
  Result<std::string> matched = DisclosedName(nearest);
  if (!matched.ok()) return std::move(matched).error();
  return Error{ResultCode::kNoSuchObject, "no such entry", std::move(matched).value()};
}

Error Request::Refusal(EntryTarget& target, EntryId parent, std::string_view what) {
  if (!target.MayReadEntry()) return NoSuchObject(parent);
  return Error{ResultCode::kInsufficientAccessRights, std::string(what), {}};
}

}  // namespace twintree::directory
