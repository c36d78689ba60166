#include "services/directory/engine/engine.h"

#include <sodium.h>

#include <algorithm>
#include <utility>

#include "services/directory/engine/operational.h"

namespace twintree::directory {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;

Engine::Engine(LocalDirectory::Parts parts, EngineOptions options)
    : parts_(std::move(parts)),
      options_(std::move(options)),
      relations_(*parts_.schema),
      write_budget_(options_.max_waiting_write_bytes),
      search_budget_(options_.max_long_search_bytes),
      password_line_(parts_.password_executor != nullptr ? *parts_.password_executor
                                                         : *parts_.executor),
      searches_(options_.max_pause, SearchRegistry::LimitsFor(parts_.store->max_snapshots())) {}

Engine::~Engine() {
  searches_.CancelAll();
  in_flight_.Wait();
}

Result<std::unique_ptr<Engine>> Engine::Make(LocalDirectory::Parts parts, EngineOptions options) {
  std::unique_ptr<Engine> engine(new Engine(std::move(parts), std::move(options)));
  TT_RETURN_IF_ERROR(engine->ReadNames());
  TT_RETURN_IF_ERROR(engine->ChooseCookieKey());
  std::vector<std::string> context_names;
  for (const NamingContext& context : engine->contexts_) context_names.push_back(context.text);
  TT_ASSIGN_OR_RETURN(
      engine->special_entries_,
      SpecialEntries::Make(engine->parts_.schema, context_names, engine->options_.vendor_version,
                           GeneralizedTime(engine->Now())));
  return engine;
}

Status Engine::ReadNames() {
  for (const std::string& text : options_.suffixes) {
    TT_ASSIGN_OR_RETURN(model::Dn dn, model::Dn::Parse(text));
    TT_ASSIGN_OR_RETURN(model::DnKey key, schema().NormalizeDn(dn));
    if (key.empty()) return Error{ResultCode::kInvalidDnSyntax, "an empty name is no suffix", {}};
    for (const NamingContext& other : contexts_) {
      if (key.IsWithin(other.key) || other.key.IsWithin(key)) {
        return Error{ResultCode::kUnwillingToPerform,
                     "suffix " + text + " lies within or above suffix " + other.text,
                     {}};
      }
    }
    contexts_.push_back({dn.ToString(), std::move(key)});
  }
  if (contexts_.empty()) return Error{ResultCode::kInvalidDnSyntax, "no suffix is given", {}};
  if (options_.root_dn.empty()) return {};
  TT_ASSIGN_OR_RETURN(model::Dn root, model::Dn::Parse(options_.root_dn));
  TT_ASSIGN_OR_RETURN(root_key_, schema().NormalizeDn(root));
  options_.root_dn = root.ToString();
  return {};
}

Status Engine::ChooseCookieKey() {
  if (options_.cookie_key.empty()) {
    if (sodium_init() < 0) return Error{ResultCode::kOther, "no source of randomness", {}};
    randombytes_buf(cookie_key_.data(), cookie_key_.size());
    return {};
  }
  if (options_.cookie_key.size() != cookie_key_.size()) {
    return Error{ResultCode::kOther, "the key of cookies has another length", {}};
  }
  std::copy(options_.cookie_key.begin(), options_.cookie_key.end(), cookie_key_.begin());
  return {};
}

std::uint64_t Engine::NextSerial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

const NamingContext* Engine::ContextOf(const model::DnKey& key) const {
  for (const NamingContext& context : contexts_) {
    if (key.IsWithin(context.key)) return &context;
  }
  return nullptr;
}

std::chrono::system_clock::time_point Engine::Now() const {
  return parts_.clock.now ? parts_.clock.now() : std::chrono::system_clock::now();
}

}  // namespace twintree::directory
