#include "storage/sqlite/tables.h"

namespace twintree::storage::sqlite {

Status CheckLogReaches(const StoreState& state, ChangeNumber after) {
  if (after >= state.log_floor) return model::OkStatus();
  return model::Error{model::ResultCode::kNoSuchObject,
                      "the change log begins after " + std::to_string(state.log_floor), ""};
}

Result<StoreState> StateTable::Read() {
  Query query(read_);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row) {
    return model::Error{model::ResultCode::kOther, "the store's state is missing", ""};
  }
  return StoreState{query.Int(0), query.Int(1), query.Int(2),
                    query.Int(3), query.Int(4), query.Int(5)};
}

Status StateTable::Write(const StoreState& state) {
  return Query(write_)
      .Bind(state.version)
      .Bind(state.hierarchy_version)
      .Bind(state.log_floor)
      .Bind(state.last_id)
      .Bind(state.entries)
      .Bind(state.log_records)
      .Run();
}

Result<std::optional<std::string>> SettingTable::Get(std::string_view name) {
  Query query(get_);
  query.BindBlob(name);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row) return std::optional<std::string>();
  return std::optional<std::string>(query.Blob(0));
}

Status SettingTable::Put(std::string_view name, std::string_view value) {
  return Query(put_).BindBlob(name).BindBlob(value).Run();
}

}  // namespace twintree::storage::sqlite
