// The setting has a line for each definition, sorted: `a` (attribute type) or `c` (object class),
// OID and first name, with a space between.
#include "services/cli/store_definitions.h"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/log/log.h"

namespace twintree::cli {
namespace {

using model::Result;
using model::Schema;
using model::Status;

constexpr std::string_view kSetting = "schema definitions";
constexpr std::string_view kAttributeType = "a";
constexpr std::string_view kObjectClass = "c";
constexpr std::size_t kMaxNamesShown = 5;

using Lines = std::set<std::string>;

struct Line {
  std::string_view kind;
  std::string_view oid;
  std::string_view name;
};

Line Split(std::string_view text) {
  const std::size_t first = std::min(text.find(' '), text.size());
  const std::size_t second = std::min(text.find(' ', first + 1), text.size());
  Line line;
  line.kind = text.substr(0, first);
  if (first < second) line.oid = text.substr(first + 1, second - first - 1);
  if (second < text.size()) line.name = text.substr(second + 1);
  return line;
}

std::string Join(std::string_view kind, const std::string& oid, const std::string& name) {
  return std::string(kind) + " " + oid + " " + name;
}

// What `schema` has beyond the standard content.
Lines DefinitionsOf(const Schema& schema) {
  const Schema& standard = *Schema::Standard();
  Lines lines;
  for (const auto& type : schema.attribute_types()) {
    if (standard.FindAttributeType(type->oid) != nullptr) continue;
    lines.insert(Join(kAttributeType, type->oid, type->name()));
  }
  for (const auto& object_class : schema.object_classes()) {
    if (standard.FindObjectClass(object_class->oid) != nullptr) continue;
    lines.insert(Join(kObjectClass, object_class->oid, object_class->name()));
  }
  return lines;
}

// By OID or by name: entries name both.
bool IsMissing(std::string_view text, const Schema& schema) {
  const Line line = Split(text);
  if (line.kind == kAttributeType) {
    return schema.FindAttributeType(line.oid) == nullptr &&
           schema.FindAttributeType(line.name) == nullptr;
  }
  return schema.FindObjectClass(line.oid) == nullptr &&
         schema.FindObjectClass(line.name) == nullptr;
}

Result<Lines> ReadLines(storage::EntryStore& store) {
  TT_ASSIGN_OR_RETURN(const auto reader, store.Read());
  TT_ASSIGN_OR_RETURN(const std::optional<std::string> text, reader->GetSetting(kSetting));
  Lines lines;
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find('\n'), rest.size());
    if (size > 0) lines.emplace(rest.substr(0, size));
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return lines;
}

Status WriteLines(storage::EntryStore& store, const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const auto promise = std::make_shared<std::promise<Status>>();
  store.Submit([text = std::move(text)](
                   storage::WriteTransaction& work) { return work.PutSetting(kSetting, text); },
               [promise](Status status) { promise->set_value(std::move(status)); });
  return promise->get_future().get();
}

void WarnOfMissing(const Lines& lines, const Schema& schema) {
  std::size_t count = 0;
  std::string names;
  for (const std::string& line : lines) {
    if (!IsMissing(line, schema)) continue;
    if (++count > kMaxNamesShown) continue;
    names += (names.empty() ? "" : ", ") + std::string(Split(line).name);
  }
  if (count == 0) return;
  if (count > kMaxNamesShown) names += ", ...";
  log::Warning("schema_definitions_missing")
      .With("count", count)
      .With("names", names)
      .With("reason", "the store was used with these definitions, and the schema lacks them now")
      .With("effect", "filters by them find nothing, and entries of such classes cannot be changed")
      .With("remedy", "give the same --schema files as before");
}

}  // namespace

Status CompareDefinitions(storage::EntryStore& store, const Schema& schema, bool may_write) {
  TT_ASSIGN_OR_RETURN(Lines lines, ReadLines(store));
  WarnOfMissing(lines, schema);
  if (!may_write) return model::OkStatus();
  const std::size_t before = lines.size();
  lines.merge(DefinitionsOf(schema));
  if (lines.size() == before) return model::OkStatus();
  const Status written = WriteLines(store, lines);
  if (!written.ok()) {
    log::Warning("schema_definitions_not_kept")
        .With("reason", written.error().message)
        .With("effect", "a start without these --schema files will not be noticed");
  }
  return model::OkStatus();
}

Result<std::size_t> ForgetMissingDefinitions(storage::EntryStore& store, const Schema& schema) {
  TT_ASSIGN_OR_RETURN(Lines lines, ReadLines(store));
  const std::size_t forgotten =
      std::erase_if(lines, [&](const std::string& line) { return IsMissing(line, schema); });
  if (forgotten > 0) TT_RETURN_IF_ERROR(WriteLines(store, lines));
  return forgotten;
}

}  // namespace twintree::cli
