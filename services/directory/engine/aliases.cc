#include "services/directory/engine/aliases.h"

#include <set>
#include <utility>

#include "services/directory/engine/candidates.h"
#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/operational.h"
#include "services/directory/engine/planner.h"
#include "services/model/filter.h"

namespace twintree::directory {
namespace {

using model::CompiledFilter;
using model::DnKey;
using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;

// Aliases followed for one name.
constexpr int kMaxSteps = 32;
// Aliases in one search, beyond which all entries are looked at for them.
constexpr std::size_t kMaxListed = 100'000;
constexpr std::size_t kMaxLookups = 64;

CompiledFilter AliasFilter(const model::Schema& schema) {
  model::Filter filter;
  filter.kind = model::FilterKind::kEquality;
  filter.attribute = "objectClass";
  filter.value = "alias";
  return CompiledFilter::Compile(filter, schema);
}

Result<DnKey> AliasedName(Request& request, const storage::StoredEntry& alias) {
  const model::AttributeType* const type = request.engine().relations().aliased_object_name();
  if (type == nullptr) {
    return Error{ResultCode::kAliasDereferencingProblem, "the schema has no aliasedObjectName", {}};
  }
  Result<DnKey> key = request.engine().schema().NormalizeDn(FirstValue(alias.entry, *type));
  if (key.ok()) return key;
  return Error{ResultCode::kAliasDereferencingProblem, "an alias does not hold a name", {}};
}

Error NamesNothing() {
  return {ResultCode::kAliasProblem, "an alias names an entry that does not exist", {}};
}

Result<bool> IsHidden(Request& request, const storage::StoredEntry& entry) {
  EntryTarget target(request);
  target.Show(entry);
  const bool hidden = !target.MayReadEntry();
  TT_RETURN_IF_ERROR(target.status());
  return hidden;
}

// Whoever follows an alias learns what it holds.
Status CheckMayFollow(Request& request, const storage::StoredEntry& alias) {
  const model::AttributeType* const type = request.engine().relations().aliased_object_name();
  EntryTarget target(request);
  target.Show(alias);
  const bool may_follow = type == nullptr || target.May(access::kRead, *type);
  TT_RETURN_IF_ERROR(target.status());
  if (may_follow) return {};
  return Error{ResultCode::kAliasDereferencingProblem, "no right to read what an alias names", {}};
}

// `below` RDNs of `key`, put in front of `above`.
DnKey Replace(const DnKey& key, std::size_t below, const DnKey& above) {
  std::string text;
  for (std::size_t i = 0; i < below; ++i) {
    text.append(key.rdn(i));
    if (i + 1 < below || !above.empty()) text.append(1, ',');
  }
  return DnKey::FromNormalized(text + above.text());
}

// Walks down until the end or the first alias; in the latter case sets `alias` and leaves in
// `missing` how many RDNs follow it.
Result<Location> LocateFirstAlias(Request& request, const DnKey& key, StoredEntryPtr* alias) {
  Location location;
  const NamingContext* const context = request.engine().ContextOf(key);
  if (context == nullptr) return location;
  location.in_tree = true;
  location.missing = key.size() - context->key.size() + 1;
  TT_ASSIGN_OR_RETURN(EntryId id, request.reader().FindChild(kNoEntry, context->key.text()));
  while (id != kNoEntry) {
    location.nearest = id;
    --location.missing;
    TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, request.Get(id));
    if (IsAlias(entry->entry, request.engine().schema())) {
      *alias = std::move(entry);
      return location;
    }
    if (location.missing == 0) {
      location.id = id;
      return location;
    }
    TT_ASSIGN_OR_RETURN(id, request.reader().FindChild(id, key.rdn(location.missing - 1)));
  }
  return location;
}

// Every alias entry, by index or else by looking at all.
Result<CandidateStream> AllAliases(Request& request, const CompiledFilter& filter) {
  Planner planner(request.engine().schema(), request.engine().relations(),
                  request.engine().store().indexes(), request.reader());
  std::vector<EntryId> ids;
  TT_ASSIGN_OR_RETURN(const PlanState state,
                      planner.Candidates(filter, kMaxListed, kMaxLookups, &ids));
  if (state == PlanState::kFound) return CandidateStream::OfIds(std::move(ids));
  return CandidateStream::OfAll();
}

Result<std::vector<StoredEntryPtr>> ReadAliases(Request& request) {
  TT_ASSIGN_OR_RETURN(CandidateStream stream,
                      AllAliases(request, AliasFilter(request.engine().schema())));
  std::vector<StoredEntryPtr> aliases;
  for (;;) {
    TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, stream.Next(request.reader()));
    if (entry == nullptr) return aliases;
    if (!IsAlias(entry->entry, request.engine().schema())) continue;
    if (aliases.size() == kMaxListed) {
      return Error{ResultCode::kAdminLimitExceeded, "too many aliases to dereference", {}};
    }
    aliases.push_back(std::move(entry));
  }
}

// Where an alias within a search's scope leads; kNoEntry for nowhere.
Result<EntryId> TargetOf(Request& request, const storage::StoredEntry& alias) {
  TT_ASSIGN_OR_RETURN(const bool hidden, IsHidden(request, alias));
  if (hidden || !CheckMayFollow(request, alias).ok()) return kNoEntry;
  Result<DnKey> name = AliasedName(request, alias);
  if (!name.ok()) return kNoEntry;
  Result<Location> location = LocateThroughAliases(request, *name);
  if (location.ok()) return location->id;
  const ResultCode code = location.code();
  const bool dangling = code == ResultCode::kAliasProblem || code == ResultCode::kLoopDetect ||
                        code == ResultCode::kAliasDereferencingProblem;
  if (dangling) return kNoEntry;
  return std::move(location).error();
}

}  // namespace

bool IsAlias(const model::Entry& entry, const model::Schema& schema) {
  const model::StoredAttribute* const classes = entry.Find(*schema.well_known().object_class);
  if (classes == nullptr) return false;
  for (std::string_view name : classes->values()) {
    const model::ObjectClass* const found = schema.FindObjectClass(name);
    if (found != nullptr && found->IsSubclassOf(*schema.well_known().alias)) return true;
  }
  return false;
}

Result<bool> MayHoldAliases(Request& request) {
  const storage::IndexedAttribute* const index =
      request.engine().store().indexes().Find(*request.engine().schema().well_known().object_class);
  if (index == nullptr || (index->kinds & storage::kEqualityIndex) == 0) return true;
  std::vector<EntryId> ids;
  for (const std::string& key :
       request.engine().relations().KeysWithin(*request.engine().schema().well_known().alias)) {
    storage::IndexQuery query;
    query.attribute = index->number;
    query.key = storage::CutIndexKey(key);
    TT_ASSIGN_OR_RETURN(const storage::LookupState state, request.reader().Lookup(query, 1, &ids));
    if (state != storage::LookupState::kComplete || !ids.empty()) return true;
  }
  return false;
}

Result<Location> LocateThroughAliases(Request& request, const DnKey& key) {
  DnKey name = key;
  for (int step = 0; step < kMaxSteps; ++step) {
    StoredEntryPtr alias;
    TT_ASSIGN_OR_RETURN(const Location location, LocateFirstAlias(request, name, &alias));
    if (alias == nullptr) {
      if (step == 0) return location;
      if (!location.found()) return NamesNothing();
      TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, request.Get(location.id));
      TT_ASSIGN_OR_RETURN(const bool hidden, IsHidden(request, *entry));
      if (hidden) return NamesNothing();
      return location;
    }
    TT_ASSIGN_OR_RETURN(const bool hidden, IsHidden(request, *alias));
    if (hidden && step == 0) return location;
    if (hidden) return NamesNothing();
    TT_RETURN_IF_ERROR(CheckMayFollow(request, *alias));
    TT_ASSIGN_OR_RETURN(const DnKey aliased, AliasedName(request, *alias));
    if (location.missing + aliased.size() > model::Dn::kMaxRdns) break;
    name = Replace(name, location.missing, aliased);
  }
  return Error{ResultCode::kLoopDetect, "aliases lead in a circle", {}};
}

Status AddAliasedPlaces(Request& request, SearchScope* scope) {
  // Aliases below a base are one level away, or anywhere below; what they lead to is searched
  // likewise, but without its children in the former case (RFC 4511 4.5.1.3).
  const Scope found_scope =
      scope->only_scope() == Scope::kOneLevel ? Scope::kBase : Scope::kSubtree;
  const EntryId base = *scope->only_base();
  TT_ASSIGN_OR_RETURN(std::vector<StoredEntryPtr> aliases, ReadAliases(request));
  std::set<EntryId> visited;
  for (bool grew = true; grew;) {
    grew = false;
    for (StoredEntryPtr& alias : aliases) {
      if (alias == nullptr || alias->id == base) continue;
      TT_ASSIGN_OR_RETURN(const bool within, scope->Holds(request.reader(), *alias));
      if (!within) continue;
      TT_ASSIGN_OR_RETURN(const EntryId target, TargetOf(request, *alias));
      alias = nullptr;
      if (target == kNoEntry || !visited.insert(target).second) continue;
      scope->Add(target, found_scope);
      grew = true;
    }
  }
  return {};
}

}  // namespace twintree::directory
