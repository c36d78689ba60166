// One write on its way: what add, modify, delete, rename and password change have in common.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_WRITE_TASK_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_WRITE_TASK_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/directory/budget.h"
#include "services/directory/directory.h"
#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/in_flight.h"
#include "services/directory/engine/modifications.h"
#include "services/directory/engine/password_values.h"
#include "services/directory/engine/request.h"

namespace twintree::directory {

// Prepares on the caller's thread or the executor, changes in the store's writer, answers from
// there. Nothing of the engine is used once it has answered.
//
// Thread-safety: confined (it moves between threads).
class WriteTask : public std::enable_shared_from_this<WriteTask> {
 public:
  WriteTask(Engine& engine, const RequestContext& context, Directory::Callback done);
  WriteTask(const WriteTask&) = delete;
  WriteTask& operator=(const WriteTask&) = delete;
  virtual ~WriteTask() = default;

  // `bytes`: what the request takes (SizeOf).
  void Start(std::size_t bytes);

 protected:
  // What can be checked without the store.
  virtual model::Status Prepare() = 0;
  // Is there something slow to do before the writer is asked?
  virtual bool NeedsSlowPreparation() const { return false; }
  // Done on the executor when NeedsSlowPreparation(), else on the caller's thread.
  virtual model::Status PrepareSlowly() { return {}; }
  // The write itself. May be called again after it failed.
  virtual model::Status Apply(storage::WriteTransaction& transaction, Request& request) = 0;

  Engine& engine() const { return engine_; }
  const model::Schema& schema() const { return engine_.schema(); }
  const Subject& subject() const { return context_.subject; }
  Outcome& outcome() { return outcome_; }
  PasswordMatches& matches() { return matches_; }

  // An entry to be changed, as the writer finds it.
  // Errors: kNoSuchObject; kUnwillingToPerform for the root DSE and the subschema.
  model::Result<storage::StoredEntryPtr> Find(Request& request, const model::DnKey& key);

  // The server's attributes of a changed entry; adds what it sets to `record`.
  model::Status Stamp(storage::WriteTransaction& transaction,
                      std::vector<model::Attribute>* attributes,
                      std::vector<BoundModification>* record);
  // Structural class of the attributes, which must be that of the entry.
  // Errors: those of CheckEntry; kObjectClassModsProhibited.
  model::Status CheckChanged(const model::Entry& entry,
                             std::span<const model::Attribute> attributes) const;
  // Errors: kAdminLimitExceeded for an entry larger than the limit.
  model::Result<model::Entry> EncodeEntry(std::span<const model::Attribute> attributes) const;
  // The entry shown, as a pre-read or post-read control wants it.
  model::Status Read(EntryTarget& target, const std::optional<ReadEntry>& control,
                     std::optional<ReadEntryResult>* result);
  storage::Change ChangeOf(storage::ChangeKind kind, const storage::StoredEntry& entry,
                           std::string dn) const;

 private:
  model::Status CheckDeadline() const;
  // Is it worth while to begin what takes long?
  model::Status CheckWanted() const;
  void PrepareAndSubmit();
  void SubmitWork();
  model::Status Work(storage::WriteTransaction& transaction);
  void Finish(model::Status status);
  // Runs on the executor; answers busy when it is full.
  void Post(std::function<void()> work);
  void Fail(model::Error error);

  Engine& engine_;
  const RequestContext context_;
  Directory::Callback done_;
  Outcome outcome_;
  PasswordMatches matches_;
  int attempts_ = 0;
  Budget::Share share_;  // none for a small request
  InFlight::Pass pass_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_WRITE_TASK_H_
