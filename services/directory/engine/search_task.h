// One search on its way.
//
// It begins on the caller's thread and, when it is short, ends there. Otherwise it goes on in
// slices on the executor, so that many long searches share its threads. A search whose sink is full
// is parked: it holds its snapshot, and no thread.
//
// Whoever has `kActive` works on the search; nobody else touches anything but the state. It is
// given up by parking, and taken again by Resume, by Cancel, or by the registry. A search that has
// to wait for its turn is parked too, without a snapshot: it prepares itself anew.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_TASK_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_TASK_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "services/directory/budget.h"
#include "services/directory/directory.h"
#include "services/directory/engine/answer.h"
#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/paging.h"
#include "services/directory/engine/search_plan.h"
#include "services/directory/engine/selection.h"

namespace twintree::directory {

class SearchTask final : public LongSearch, public std::enable_shared_from_this<SearchTask> {
 public:
  SearchTask(Engine& engine, const RequestContext& context, SearchRequest request,
             std::shared_ptr<SearchSink> sink);

  // Called once, by the thread that made it.
  void Start();

  void Resume() override;
  void Cancel() override;
  TimePoint ExpireIfDue(TimePoint now, std::chrono::seconds max_pause) override;
  bool EndIfPaused() override;
  void Begin() override;

 private:
  // State bits.
  static constexpr std::uint32_t kActive = 1;   // somebody works on it, or it is queued
  static constexpr std::uint32_t kResumed = 2;  // Resume() since the last entry was sent
  static constexpr std::uint32_t kCanceled = 4;
  static constexpr std::uint32_t kDone = 8;

  // How far a step got.
  enum class Progress {
    kMore,   // go on
    kOver,   // finished or parked: the task is not ours any more
    kYield,  // the slice is used up
  };

  // search_task.cc: states and threads
  bool TryPark();
  bool Claim();
  void HandOver();
  void ForgetPreparation();
  void Schedule();
  // False if there is no room for what the search holds.
  bool Register();
  std::size_t HeldBytes() const;
  void Run();
  Progress Slice();
  Progress Take(const storage::StoredEntryPtr& entry);
  Progress Send(storage::EntryId id);
  void Finish(model::Error how);
  void FinishOk() { Finish({model::ResultCode::kSuccess, {}, {}}); }
  void FinishPage();
  void FinishEstimate();
  void AnswerSpecial();
  bool Canceled() const { return (state_.load(std::memory_order_relaxed) & kCanceled) != 0; }
  // kCanceled or kTimeLimitExceeded when it is time to stop.
  model::Status CheckGoingOn(TimePoint now) const;

  // search_prepare.cc: from the request to a plan
  model::Status Prepare();
  void SetLimits(const RequestContext& context);
  model::Status ReadPageMark(std::string_view base_key);
  model::Status PrepareSpecial(const model::DnKey& key);
  model::Status PrepareBase(const model::DnKey& key);
  model::Result<Location> LocateBase(const model::DnKey& key);
  model::Status PreparePlan();
  model::Status PrepareFully();
  void UsePlan(SearchPlan plan);
  bool FilterMatches();
  model::Result<bool> Matches(const storage::StoredEntry& entry);

  Engine& engine_;
  const Subject subject_;
  SearchRequest request_;
  std::shared_ptr<SearchSink> sink_;
  TimePoint deadline_;
  std::uint64_t size_limit_ = 0;  // over all pages; 0: none
  std::uint64_t page_size_ = 0;   // 0: not paged

  std::atomic<std::uint32_t> state_{kActive};
  // Of the last pause; nothing while the search waits for its turn. Belongs to whoever is active.
  std::optional<TimePoint> paused_at_;

  // Belong to whoever is active, and are given up when the search is done.
  std::unique_ptr<storage::ReadTransaction> reader_;
  std::optional<Request> snapshot_;
  std::optional<EntryTarget> target_;

  model::CompiledFilter filter_;
  AttributeSelection selection_;
  SearchScope scope_;
  storage::EntryId base_ = storage::kNoEntry;
  bool expand_aliases_ = false;
  bool prepared_ = false;
  bool planned_ = false;
  bool counted_ = false;  // among the indexed or unindexed searches
  bool matches_everything_ = false;
  bool large_filter_ = false;  // evaluating it may take long, even once
  SearchPlan plan_;
  storage::StoredEntryPtr base_entry_;           // null if the base is special
  std::shared_ptr<const model::Entry> special_;  // the root DSE or the subschema, as base
  bool only_special_ = false;                    // nothing but `special_` can be found
  bool special_in_scope_ = false;

  std::uint64_t search_hash_ = 0;
  PageMark mark_;
  SearchOutcome outcome_;
  std::uint64_t looked_at_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t flushed_ = 0;  // of those
  Answer answer_;
  bool registered_ = false;
  Budget::Share share_;  // none for a small search
  SearchRegistry::Ticket ticket_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_TASK_H_
