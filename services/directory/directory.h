// The directory port: what can be asked of a directory.
//
// `LocalDirectory` (the engine) answers from a store; `RemoteDirectory` (services/rpc) asks another
// process over the gateway stream; wrappers count. Both doors know only this interface.
//
// Every call is asynchronous: it may answer before it returns (short operations run to completion
// on the caller's thread) or later, from any thread, but exactly once. Callbacks must not block.
// Names arrive as strings, octet for octet as the client sent them; the directory parses them.
//
// Thread-safety: safe.
// Source: RFC 4511 section 4; RFC 3062; RFC 4528; RFC 2696.
#ifndef TWINTREE_SERVICES_DIRECTORY_DIRECTORY_H_
#define TWINTREE_SERVICES_DIRECTORY_DIRECTORY_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/directory/interest.h"
#include "services/model/attribute.h"
#include "services/model/filter.h"
#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::directory {

// Who asks.
struct Subject {
  enum class Kind { kAnonymous, kUser, kRoot };
  Kind kind = Kind::kAnonymous;
  std::string dn;      // string form as it is shown ("dn:" + this is the authzId); empty: anonymous
  std::string dn_key;  // normalised (model::DnKey::text()); empty: anonymous

  bool anonymous() const { return kind == Kind::kAnonymous; }
};

// What goes with every request.
struct RequestContext {
  Subject subject;
  // When the answer is of no use any more; max(): never. A search that runs into it ends with
  // kTimeLimitExceeded.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Who asks, among those that take turns where requests have to wait: requests of one connection
  // have the same number. Requests without a client (0) are one client's.
  std::uint64_t client = 0;
  // Does anybody wait for the answer? What takes long and has not begun need not be done when
  // nobody does. Null: somebody does.
  std::shared_ptr<Interest> interest = nullptr;
  std::uint64_t interest_number = 0;

  bool IsUnwanted() const { return interest != nullptr && interest->IsLost(interest_number); }
};

// Controls that the directory honours. The doors decode them; an unknown critical control never
// gets here.
struct PagedResults {
  std::uint32_t size = 0;  // entries a page; 0: an estimate only
  std::string cookie;      // empty: first page
};
struct ReadEntry {  // pre-read and post-read, RFC 4527
  std::vector<std::string> attributes;
};
struct Controls {
  std::shared_ptr<const model::Filter> assertion;  // RFC 4528; null: none
  std::optional<PagedResults> paged;               // RFC 2696
  std::optional<ReadEntry> pre_read;
  std::optional<ReadEntry> post_read;
  bool manage_dsa_it = false;  // RFC 3296
};

struct BindRequest {
  std::string dn;          // empty with an empty password: anonymous
  model::Secret password;  // simple authentication
};
struct BindOutcome {
  model::ResultCode code = model::ResultCode::kSuccess;
  std::string diagnostic;
  Subject subject;  // who is bound now; anonymous unless code is kSuccess
};

enum class Scope { kBase = 0, kOneLevel = 1, kSubtree = 2, kSubordinate = 3 };
enum class DerefAliases { kNever = 0, kInSearching = 1, kFindingBase = 2, kAlways = 3 };

struct SearchRequest {
  std::string base;
  Scope scope = Scope::kBase;
  DerefAliases deref = DerefAliases::kNever;
  std::uint32_t size_limit = 0;        // entries; 0: none of the client's
  std::chrono::seconds time_limit{0};  // 0: none of the client's
  bool types_only = false;
  std::shared_ptr<const model::Filter> filter;  // never null
  std::vector<std::string> attributes;          // as sent; empty: all user attributes
  Controls controls;
  // What the door adds to the root DSE (supportedControl, supportedExtension, ...). Looked at only
  // for a base search of the empty name.
  std::shared_ptr<const std::vector<model::RawAttribute>> door_attributes;
};

// How a search ended.
struct SearchOutcome {
  model::ResultCode code = model::ResultCode::kSuccess;
  std::string matched_dn;
  std::string diagnostic;
  std::uint64_t entries = 0;          // sent
  std::optional<PagedResults> paged;  // size: the server's estimate, 0 if unknown; cookie
};

// Takes what a search finds.
//
// Calls for one search never overlap, and may come before Search() has returned.
class SearchSink {
 public:
  enum class Flow {
    kMore,  // go on
    kFull,  // the entry was taken; wait for SearchOperation::Resume() before the next one
  };
  virtual ~SearchSink() = default;

  // One entry. `attribute_pieces`, joined, are PartialAttribute elements (RFC 4511 4.1.7), ready
  // for the wire; both views end with the call.
  // The sink may keep entries back, to pass on several at a time, until Flush() or OnDone().
  virtual Flow OnEntry(std::string_view dn, std::span<const std::string_view> attribute_pieces) = 0;
  // The next entry may be some time away: pass on what was kept back. Not called after kFull.
  virtual void Flush() {}
  // Exactly once, last. Also after Cancel() (kCanceled).
  virtual void OnDone(SearchOutcome outcome) = 0;
};

// A search under way. May outlive it: calls after OnDone do nothing.
//
// Thread-safety: safe.
class SearchOperation {
 public:
  virtual ~SearchOperation() = default;
  // Room again. May come at any time after OnEntry returned kFull, even before the searcher has
  // noticed; never blocks for the rest of the search.
  virtual void Resume() = 0;
  // Stop soon; OnDone follows (from here or from another thread) unless it was already called.
  virtual void Cancel() = 0;
};

struct CompareRequest {
  std::string dn;
  std::string attribute;
  std::string value;
  Controls controls;
};
struct AddRequest {
  std::string dn;
  std::vector<model::RawAttribute> attributes;
  Controls controls;
};
struct ModifyRequest {
  std::string dn;
  std::vector<model::Modification> modifications;
  Controls controls;
};
struct DeleteRequest {
  std::string dn;
  Controls controls;
};
struct ModifyDnRequest {
  std::string dn;
  std::string new_rdn;
  bool delete_old_rdn = false;
  std::optional<std::string> new_superior;
  Controls controls;
};
// RFC 3062. `user` empty: the subject itself. It is a DN, or "dn:" and a DN.
struct ModifyPasswordRequest {
  std::string user;
  std::optional<model::Secret> old_password;
  std::optional<model::Secret> new_password;  // nullopt: the server makes one up
};

// An entry that a pre-read or post-read control returns: name and PartialAttribute elements.
struct ReadEntryResult {
  std::string dn;
  std::string attributes;
};

// How anything but a bind or a search ended.
struct Outcome {
  model::ResultCode code = model::ResultCode::kSuccess;
  std::string matched_dn;
  std::string diagnostic;
  std::uint64_t change_number = 0;  // of a successful write
  std::optional<ReadEntryResult> pre_read;
  std::optional<ReadEntryResult> post_read;
  std::optional<model::Secret> generated_password;
};

inline Outcome OutcomeOf(model::Error error) {
  Outcome outcome;
  outcome.code = error.code;
  outcome.matched_dn = std::move(error.matched_dn);
  outcome.diagnostic = std::move(error.message);
  return outcome;
}

class Directory {
 public:
  using BindCallback = std::function<void(BindOutcome)>;
  using Callback = std::function<void(Outcome)>;

  virtual ~Directory() = default;

  virtual void Bind(const RequestContext& context, BindRequest request, BindCallback done) = 0;
  // `sink` is kept until OnDone.
  virtual std::shared_ptr<SearchOperation> Search(const RequestContext& context,
                                                  SearchRequest request,
                                                  std::shared_ptr<SearchSink> sink) = 0;
  virtual void Compare(const RequestContext& context, CompareRequest request, Callback done) = 0;
  virtual void Add(const RequestContext& context, AddRequest request, Callback done) = 0;
  virtual void Modify(const RequestContext& context, ModifyRequest request, Callback done) = 0;
  virtual void Delete(const RequestContext& context, DeleteRequest request, Callback done) = 0;
  virtual void ModifyDn(const RequestContext& context, ModifyDnRequest request, Callback done) = 0;
  virtual void ModifyPassword(const RequestContext& context, ModifyPasswordRequest request,
                              Callback done) = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_DIRECTORY_H_
