#include "tests/unit/services/directory/engine/engine_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <utility>

namespace twintree::directory {

std::vector<model::Attribute> ParseAttributes(std::string_view lines, const model::Schema& schema) {
  std::vector<model::Attribute> attributes;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    auto description = model::AttributeDescription::Parse(line.substr(0, colon), schema);
    EXPECT_TRUE(description.ok()) << line;
    if (!description.ok()) continue;
    const std::string_view value = line.substr(colon + 2);
    if (!attributes.empty() && attributes.back().description.SameAs(*description)) {
      attributes.back().values.Append(value);
    } else {
      attributes.push_back({*std::move(description), {value}});
    }
  }
  return attributes;
}

std::shared_ptr<storage::EntryStore> MakeMemoryStore(
    const std::vector<storage::IndexSpec>& indexes) {
  auto set = storage::IndexSet::Make(indexes, *model::Schema::Standard());
  EXPECT_TRUE(set.ok());
  return storage::MakeMemoryEntryStore(*std::move(set));
}

storage::EntryId Insert(storage::EntryStore& store, storage::EntryId parent, std::string rdn,
                        std::string_view attribute_lines) {
  const auto schema = model::Schema::Standard();
  const auto key = schema->NormalizeDn(rdn);
  EXPECT_TRUE(key.ok()) << rdn;
  storage::EntryId id = storage::kNoEntry;
  std::promise<model::Status> done;
  store.Submit(
      [&](storage::WriteTransaction& transaction) -> model::Status {
        TT_ASSIGN_OR_RETURN(
            id, transaction.Insert(
                    {parent, rdn, key->text(),
                     model::Entry::Encode(ParseAttributes(attribute_lines, *schema), *schema)}));
        return {};
      },
      [&](model::Status status) { done.set_value(std::move(status)); });
  EXPECT_TRUE(done.get_future().get().ok());
  return id;
}

LocalDirectory::Parts MakeParts(std::shared_ptr<storage::EntryStore> store,
                                std::shared_ptr<Executor> executor) {
  LocalDirectory::Parts parts;
  parts.schema = model::Schema::Standard();
  parts.store = std::move(store);
  parts.access = access::AccessPolicy::Open(parts.schema);
  parts.executor = std::move(executor);
  return parts;
}

EngineOptions MakeOptions() {
  EngineOptions options;
  options.suffixes = {"dc=example,dc=com"};
  options.root_dn = "cn=admin,dc=example,dc=com";
  options.root_password = model::Secret("secret");
  options.password_scheme = passwords::Scheme::kSsha;
  return options;
}

}  // namespace twintree::directory
