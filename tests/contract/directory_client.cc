#include "tests/contract/directory_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <future>
#include <sstream>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/model/ldif.h"
#include "services/model/schema.h"

namespace twintree::directory {
namespace {

// Calls `start` with a callback and waits until that is called.
template <typename Answer, typename Start>
Answer Await(Start start) {
  auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> answer = promise->get_future();
  start([promise](Answer value) { promise->set_value(std::move(value)); });
  return answer.get();
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

model::Modification Change(model::ModificationKind kind, std::string attribute,
                           std::vector<std::string> values) {
  return {kind, {std::move(attribute), std::move(values)}};
}

}  // namespace

std::vector<std::string> Found::dns() const {
  std::vector<std::string> names;
  for (const FoundEntry& entry : entries) names.push_back(entry.dn);
  return names;
}

AttributeMap DecodeAttributes(std::string_view elements) {
  AttributeMap attributes;
  ber::Reader list(elements);
  std::string_view attribute;
  while (!list.at_end() && list.Expect(ber::kSequence, &attribute)) {
    ber::Reader parts(attribute);
    std::string_view name;
    std::string_view set;
    EXPECT_TRUE(parts.Expect(ber::kOctetString, &name) && parts.Expect(ber::kSet, &set) &&
                parts.Finished());
    EXPECT_FALSE(attributes.contains(LowerCase(name))) << name << " came twice";
    std::vector<std::string>& values = attributes[LowerCase(name)];
    ber::Reader items(set);
    std::string_view value;
    while (!items.at_end() && items.Expect(ber::kOctetString, &value)) values.emplace_back(value);
    EXPECT_TRUE(items.Finished());
  }
  EXPECT_TRUE(list.Finished());
  return attributes;
}

SearchSink::Flow CollectingSink::OnEntry(std::string_view dn,
                                         std::span<const std::string_view> attribute_pieces) {
  std::string elements;
  for (std::string_view piece : attribute_pieces) elements.append(piece);
  std::lock_guard lock(mutex_);
  EXPECT_EQ(done_, 0) << "an entry after the end";
  found_.entries.push_back({std::string(dn), DecodeAttributes(elements)});
  if (full_after_ == 0 || found_.entries.size() % full_after_ != 0) return Flow::kMore;
  ++full_;
  changed_.notify_all();
  return Flow::kFull;
}

void CollectingSink::OnDone(SearchOutcome outcome) {
  std::lock_guard lock(mutex_);
  EXPECT_EQ(++done_, 1) << "the search ended twice";
  found_.outcome = std::move(outcome);
  changed_.notify_all();
}

Found CollectingSink::Wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_ > 0; });
  return found_;
}

bool CollectingSink::WaitUntilFull() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return full_ > full_seen_ || done_ > 0; });
  if (full_ == full_seen_) return false;
  ++full_seen_;
  return true;
}

std::size_t CollectingSink::entries() const {
  std::lock_guard lock(mutex_);
  return found_.entries.size();
}

bool CollectingSink::done() const {
  std::lock_guard lock(mutex_);
  return done_ > 0;
}

Subject SubjectOf(std::string_view dn) {
  if (dn.empty()) return {};
  const auto key = model::Schema::Standard()->NormalizeDn(dn);
  EXPECT_TRUE(key.ok()) << dn;
  return {Subject::Kind::kUser, std::string(dn), key.ok() ? key->text() : ""};
}

Subject RootSubject() {
  Subject subject = SubjectOf("cn=admin,dc=example,dc=com");
  subject.kind = Subject::Kind::kRoot;
  return subject;
}

BindOutcome DirectoryClient::Bind(std::string_view dn, std::string_view password) {
  return Await<BindOutcome>([&](auto done) {
    directory_->Bind(context_, {std::string(dn), model::Secret(std::string(password))}, done);
  });
}

Found DirectoryClient::Search(SearchRequest request) {
  auto sink = std::make_shared<CollectingSink>();
  directory_->Search(context_, std::move(request), sink);
  return sink->Wait();
}

Found DirectoryClient::Search(std::string_view base, Scope scope, std::string_view filter,
                              std::vector<std::string> attributes) {
  return Search(MakeSearch(base, scope, filter, std::move(attributes)));
}

AttributeMap DirectoryClient::Get(std::string_view dn, std::vector<std::string> attributes) {
  Found found = Search(dn, Scope::kBase, "(objectClass=*)", std::move(attributes));
  EXPECT_EQ(found.code(), model::ResultCode::kSuccess) << dn << ": " << found.outcome.diagnostic;
  EXPECT_EQ(found.entries.size(), 1u) << dn;
  return found.entries.empty() ? AttributeMap() : found.entries.front().attributes;
}

bool DirectoryClient::Exists(std::string_view dn) {
  return Search(dn, Scope::kBase).code() == model::ResultCode::kSuccess;
}

Outcome DirectoryClient::Compare(std::string_view dn, std::string_view attribute,
                                 std::string_view value, Controls controls) {
  return Await<Outcome>([&](auto done) {
    directory_->Compare(
        context_, {std::string(dn), std::string(attribute), std::string(value), controls}, done);
  });
}

Outcome DirectoryClient::Add(std::string_view dn, std::vector<model::RawAttribute> attributes,
                             Controls controls) {
  return Await<Outcome>([&](auto done) {
    directory_->Add(context_, {std::string(dn), std::move(attributes), std::move(controls)}, done);
  });
}

Outcome DirectoryClient::Modify(std::string_view dn, std::vector<model::Modification> modifications,
                                Controls controls) {
  return Await<Outcome>([&](auto done) {
    directory_->Modify(context_, {std::string(dn), std::move(modifications), std::move(controls)},
                       done);
  });
}

Outcome DirectoryClient::Delete(std::string_view dn, Controls controls) {
  return Await<Outcome>([&](auto done) {
    directory_->Delete(context_, {std::string(dn), std::move(controls)}, done);
  });
}

Outcome DirectoryClient::Rename(std::string_view dn, std::string_view new_rdn, bool delete_old_rdn,
                                std::optional<std::string> new_superior, Controls controls) {
  return Await<Outcome>([&](auto done) {
    directory_->ModifyDn(context_,
                         {std::string(dn), std::string(new_rdn), delete_old_rdn,
                          std::move(new_superior), std::move(controls)},
                         done);
  });
}

Outcome DirectoryClient::SetPassword(std::string_view user, std::optional<std::string> old_password,
                                     std::optional<std::string> new_password) {
  ModifyPasswordRequest request;
  request.user = user;
  if (old_password) request.old_password.emplace(*std::move(old_password));
  if (new_password) request.new_password.emplace(*std::move(new_password));
  return Await<Outcome>(
      [&](auto done) { directory_->ModifyPassword(context_, std::move(request), done); });
}

void DirectoryClient::Load(std::string_view ldif) {
  std::istringstream stream{std::string(ldif)};
  model::LdifReader reader(stream, {});
  for (;;) {
    auto record = reader.Next();
    ASSERT_TRUE(record.ok()) << record.error().message;
    if (!record->has_value()) return;
    const Outcome outcome = Add((*record)->dn, (*record)->attributes);
    ASSERT_EQ(outcome.code, model::ResultCode::kSuccess)
        << (*record)->dn << ": " << outcome.diagnostic;
  }
}

std::shared_ptr<const model::Filter> MakeFilter(std::string_view text) {
  auto filter = model::Filter::Parse(text);
  EXPECT_TRUE(filter.ok()) << text;
  return std::make_shared<model::Filter>(filter.ok() ? *std::move(filter)
                                                     : model::PresentFilter("objectClass"));
}

SearchRequest MakeSearch(std::string_view base, Scope scope, std::string_view filter,
                         std::vector<std::string> attributes) {
  SearchRequest request;
  request.base = base;
  request.scope = scope;
  request.filter = MakeFilter(filter);
  request.attributes = std::move(attributes);
  return request;
}

model::Modification AddValues(std::string attribute, std::vector<std::string> values) {
  return Change(model::ModificationKind::kAdd, std::move(attribute), std::move(values));
}
model::Modification DeleteValues(std::string attribute, std::vector<std::string> values) {
  return Change(model::ModificationKind::kDelete, std::move(attribute), std::move(values));
}
model::Modification ReplaceValues(std::string attribute, std::vector<std::string> values) {
  return Change(model::ModificationKind::kReplace, std::move(attribute), std::move(values));
}
model::Modification IncrementBy(std::string attribute, std::vector<std::string> values) {
  return Change(model::ModificationKind::kIncrement, std::move(attribute), std::move(values));
}

}  // namespace twintree::directory
