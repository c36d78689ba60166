// What the server itself wants to know. It is not counted with what clients ask.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "services/directory/engine/engine.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/request.h"

namespace twintree::directory {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Secret;

// So that parts cannot run into each other.
void AppendPart(std::string_view part, std::string* state) {
  state->append(std::to_string(part.size())).append(":").append(part);
}

}  // namespace

Result<Secret> ReadPasswordState(Engine& engine, std::string_view dn) {
  TT_ASSIGN_OR_RETURN(const model::DnKey key, engine.schema().NormalizeDn(dn));
  std::string state;
  const bool has_root_password = engine.IsRoot(key) && !engine.options().root_password.empty();
  if (has_root_password) {
    AppendPart("root", &state);
    AppendPart(engine.options().root_password.Reveal(), &state);
  }
  TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader,
                      engine.store().Read());
  const Subject anonymous;
  Request snapshot(engine, *reader, anonymous, Request::Names::kCached);
  TT_ASSIGN_OR_RETURN(const Location location, snapshot.Locate(key));
  if (!location.found() && has_root_password) return Secret(std::move(state));
  if (!location.found()) return Error{ResultCode::kNoSuchObject, "no such entry", {}};
  TT_ASSIGN_OR_RETURN(const storage::StoredEntryPtr entry, snapshot.Get(location.id));
  const model::Schema::WellKnown& known = engine.schema().well_known();
  for (const model::AttributeType* const type : {known.entry_uuid, known.user_password}) {
    const model::StoredAttribute* const stored = entry->entry.Find(*type);
    if (stored == nullptr) continue;
    std::vector<std::string_view> values;
    for (std::string_view value : stored->values()) values.push_back(value);
    std::sort(values.begin(), values.end());
    for (std::string_view value : values) AppendPart(value, &state);
  }
  return Secret(std::move(state));
}

Result<bool> HasEntry(Engine& engine, std::string_view dn) {
  TT_ASSIGN_OR_RETURN(const model::DnKey key, engine.schema().NormalizeDn(dn));
  TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader,
                      engine.store().Read());
  const Subject anonymous;
  Request snapshot(engine, *reader, anonymous, Request::Names::kCached);
  TT_ASSIGN_OR_RETURN(const Location location, snapshot.Locate(key));
  return location.found();
}

}  // namespace twintree::directory
