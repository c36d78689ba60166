#include <algorithm>
#include <chrono>
#include <utility>

#include "services/directory/engine/aliases.h"
#include "services/directory/engine/assertion.h"
#include "services/directory/engine/search_task.h"

namespace twintree::directory {

using model::DnKey;
using model::Result;
using model::Status;
using storage::kNoEntry;

namespace {

// More than this is not for a thread that serves others too.
constexpr std::size_t kFewItems = 256;

// The stricter of two limits where 0 is none.
std::uint64_t Stricter(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

// Items up to about `at_most`.
std::size_t CountItems(const model::CompiledFilter& filter, std::size_t at_most) {
  std::size_t items = 1;
  for (const model::CompiledFilter& child : filter.children) {
    if (items > at_most) break;
    items += CountItems(child, at_most);
  }
  return items;
}

bool Includes(DerefAliases deref, DerefAliases which) {
  return deref == which || deref == DerefAliases::kAlways;
}

}  // namespace

void SearchTask::SetLimits(const RequestContext& context) {
  const bool root = subject_.kind == Subject::Kind::kRoot;
  const EngineOptions& options = engine_.options();
  const auto max_size = root ? 0 : std::uint64_t{options.max_size_limit};
  const auto max_seconds = root ? 0 : static_cast<std::uint64_t>(options.max_time_limit.count());
  const std::uint64_t seconds =
      Stricter(max_seconds,
               static_cast<std::uint64_t>(std::max<std::int64_t>(request_.time_limit.count(), 0)));
  deadline_ = context.deadline;
  // A time limit of many years is none, and would overflow.
  constexpr std::uint64_t kEndlessSeconds = 1u << 30;
  if (seconds != 0 && seconds < kEndlessSeconds) {
    deadline_ = std::min(deadline_, std::chrono::steady_clock::now() +
                                        std::chrono::seconds(static_cast<std::int64_t>(seconds)));
  }
  size_limit_ = Stricter(request_.size_limit, max_size);
  if (request_.controls.paged) page_size_ = request_.controls.paged->size;
}

Status SearchTask::Prepare() {
  TT_ASSIGN_OR_RETURN(const DnKey key, engine_.schema().NormalizeDn(request_.base));
  // A search that is prepared anew goes on behind the last entry that it has sent.
  if (request_.controls.paged && sent_ == 0) TT_RETURN_IF_ERROR(ReadPageMark(key.text()));
  TT_ASSIGN_OR_RETURN(reader_, engine_.store().Read());
  snapshot_.emplace(engine_, *reader_, subject_, Request::Names::kCached);
  target_.emplace(*snapshot_);
  target_->set_going_on([this] { return CheckGoingOn(std::chrono::steady_clock::now()); });
  filter_ = model::CompiledFilter::Compile(*request_.filter, engine_.schema());
  matches_everything_ = filter_.MatchesEverything(engine_.schema());
  large_filter_ = CountItems(filter_, kFewItems) > kFewItems;
  selection_ = AttributeSelection::Make(request_.attributes, engine_.schema());
  TT_RETURN_IF_ERROR(key.empty() || key.text() == kSubschemaKey ? PrepareSpecial(key)
                                                                : PrepareBase(key));
  TT_RETURN_IF_ERROR(CheckAssertion(request_.controls, *target_));
  return only_special_ ? Status() : PreparePlan();
}

Status SearchTask::ReadPageMark(std::string_view base_key) {
  search_hash_ = HashOfSearch(request_, base_key, subject_);
  const std::string& cookie = request_.controls.paged->cookie;
  if (cookie.empty()) return {};
  TT_ASSIGN_OR_RETURN(mark_, PageMark::FromCookie(cookie, search_hash_, engine_.cookie_key()));
  return {};
}

// Shows the root DSE or the subschema. The root is also what all naming contexts are below, but
// the root DSE itself is found by a base search only (RFC 4512 5.1).
Status SearchTask::PrepareSpecial(const DnKey& key) {
  const SpecialEntries& entries = engine_.special_entries();
  if (key.empty()) {
    TT_ASSIGN_OR_RETURN(special_, entries.RootDse(request_.door_attributes));
    target_->ShowSpecial(*special_, {});
    only_special_ = request_.scope == Scope::kBase;
    special_in_scope_ = only_special_;
  } else {
    special_ = entries.subschema();
    target_->ShowSpecial(*special_, {std::string(kSubschemaDn), std::string(kSubschemaKey)});
    only_special_ = true;
    special_in_scope_ = request_.scope == Scope::kBase || request_.scope == Scope::kSubtree;
  }
  if (!target_->MayReadEntry()) return snapshot_->NoSuchObject(kNoEntry);
  return {};
}

Result<Location> SearchTask::LocateBase(const DnKey& key) {
  if (!Includes(request_.deref, DerefAliases::kFindingBase)) return snapshot_->Locate(key);
  TT_ASSIGN_OR_RETURN(const bool aliases, MayHoldAliases(*snapshot_));
  return aliases ? LocateThroughAliases(*snapshot_, key) : snapshot_->Locate(key);
}

// Finds the base and shows it.
Status SearchTask::PrepareBase(const DnKey& key) {
  TT_ASSIGN_OR_RETURN(const Location location, LocateBase(key));
  if (!location.found()) return snapshot_->NotFound(key, location);
  base_ = location.id;
  TT_ASSIGN_OR_RETURN(base_entry_, snapshot_->Get(base_));
  target_->Show(*base_entry_);
  if (!target_->MayReadEntry()) return snapshot_->NoSuchObject(base_entry_->parent);
  return {};
}

Status SearchTask::PreparePlan() {
  if (request_.scope == Scope::kBase) {
    UsePlan({CandidateStream::OfEntry(base_entry_), true, false});
    return {};
  }
  scope_.Add(base_, request_.scope);
  if (Includes(request_.deref, DerefAliases::kInSearching)) {
    TT_ASSIGN_OR_RETURN(expand_aliases_, MayHoldAliases(*snapshot_));
    if (expand_aliases_) return {};
  }
  TT_ASSIGN_OR_RETURN(std::optional<SearchPlan> plan, PlanQuickly(*snapshot_, scope_, filter_));
  if (plan) UsePlan(*std::move(plan));
  return {};
}

Status SearchTask::PrepareFully() {
  if (expand_aliases_) TT_RETURN_IF_ERROR(AddAliasedPlaces(*snapshot_, &scope_));
  const auto go_on = [this] { return CheckGoingOn(std::chrono::steady_clock::now()); };
  TT_ASSIGN_OR_RETURN(SearchPlan plan, PlanThoroughly(*snapshot_, scope_, filter_, go_on));
  UsePlan(std::move(plan));
  return {};
}

void SearchTask::UsePlan(SearchPlan plan) {
  plan_ = std::move(plan);
  planned_ = true;
  if (mark_.last_id != kNoEntry) plan_.candidates.SkipTo(mark_.last_id);
  if (request_.scope == Scope::kBase || std::exchange(counted_, true)) return;
  if (plan_.indexed) {
    engine_.counters().CountPlan(true);
  } else if (!matches_everything_) {
    engine_.counters().CountPlan(false);
  }
}

bool SearchTask::FilterMatches() {
  const model::Schema& schema = engine_.schema();
  // The filter of most searches for one entry: every entry has object classes.
  if (matches_everything_ && target_->MaySearch(*schema.well_known().object_class)) return true;
  return filter_.Evaluate(*target_, schema) == model::Truth::kTrue;
}

// Shows the entry, and tells whether it is to be sent.
Result<bool> SearchTask::Matches(const storage::StoredEntry& entry) {
  if (!plan_.all_in_scope) {
    TT_ASSIGN_OR_RETURN(const bool within, scope_.Holds(*reader_, entry));
    if (!within) return false;
  }
  // An alias below the base stands for what it names.
  if (expand_aliases_ && entry.id != base_ && IsAlias(entry.entry, engine_.schema())) return false;
  target_->Show(entry);
  const bool matches = target_->MayReadEntry() && FilterMatches();
  TT_RETURN_IF_ERROR(target_->status());
  return matches;
}

}  // namespace twintree::directory
