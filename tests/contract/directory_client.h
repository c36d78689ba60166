// A client of a Directory for tests: waits for each answer and decodes entries.
#ifndef TWINTREE_TESTS_CONTRACT_DIRECTORY_CLIENT_H_
#define TWINTREE_TESTS_CONTRACT_DIRECTORY_CLIENT_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/directory/directory.h"

namespace twintree::directory {

// Attribute names in lower case, values in the order they came.
using AttributeMap = std::map<std::string, std::vector<std::string>>;

struct FoundEntry {
  std::string dn;
  AttributeMap attributes;
};

struct Found {
  SearchOutcome outcome;
  std::vector<FoundEntry> entries;

  model::ResultCode code() const { return outcome.code; }
  // In the order they came.
  std::vector<std::string> dns() const;
};

AttributeMap DecodeAttributes(std::string_view elements);

// Collects entries, says kFull after every `full_after` of them (0: never).
//
// Thread-safety: safe.
class CollectingSink : public SearchSink {
 public:
  explicit CollectingSink(std::size_t full_after = 0) : full_after_(full_after) {}

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> attribute_pieces) override;
  void OnDone(SearchOutcome outcome) override;

  // Waits for the end.
  Found Wait();
  // Waits until OnEntry() has said kFull once more than before; false when the search ended.
  bool WaitUntilFull();
  std::size_t entries() const;
  bool done() const;

 private:
  const std::size_t full_after_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Found found_;
  std::size_t full_ = 0;       // times that kFull was said
  std::size_t full_seen_ = 0;  // times that WaitUntilFull() returned
  int done_ = 0;
};

// The subject of a bound user; kAnonymous for an empty name.
Subject SubjectOf(std::string_view dn);
Subject RootSubject();

class DirectoryClient {
 public:
  DirectoryClient(Directory& directory, Subject subject) : directory_(&directory) {
    context_.subject = std::move(subject);
  }

  RequestContext& context() { return context_; }

  BindOutcome Bind(std::string_view dn, std::string_view password);
  Found Search(SearchRequest request);
  Found Search(std::string_view base, Scope scope, std::string_view filter = "(objectClass=*)",
               std::vector<std::string> attributes = {});
  // A base search that must find the entry; its attributes.
  AttributeMap Get(std::string_view dn, std::vector<std::string> attributes = {});
  bool Exists(std::string_view dn);

  Outcome Compare(std::string_view dn, std::string_view attribute, std::string_view value,
                  Controls controls = {});
  Outcome Add(std::string_view dn, std::vector<model::RawAttribute> attributes,
              Controls controls = {});
  Outcome Modify(std::string_view dn, std::vector<model::Modification> modifications,
                 Controls controls = {});
  Outcome Delete(std::string_view dn, Controls controls = {});
  Outcome Rename(std::string_view dn, std::string_view new_rdn, bool delete_old_rdn = true,
                 std::optional<std::string> new_superior = {}, Controls controls = {});
  Outcome SetPassword(std::string_view user, std::optional<std::string> old_password,
                      std::optional<std::string> new_password);
  // Adds LDIF content records; every one must succeed.
  void Load(std::string_view ldif);

 private:
  Directory* directory_;
  RequestContext context_;
};

SearchRequest MakeSearch(std::string_view base, Scope scope,
                         std::string_view filter = "(objectClass=*)",
                         std::vector<std::string> attributes = {});
std::shared_ptr<const model::Filter> MakeFilter(std::string_view text);

// Modifications in short.
model::Modification AddValues(std::string attribute, std::vector<std::string> values);
model::Modification DeleteValues(std::string attribute, std::vector<std::string> values = {});
model::Modification ReplaceValues(std::string attribute, std::vector<std::string> values = {});
model::Modification IncrementBy(std::string attribute, std::vector<std::string> values);

}  // namespace twintree::directory

#endif  // TWINTREE_TESTS_CONTRACT_DIRECTORY_CLIENT_H_
