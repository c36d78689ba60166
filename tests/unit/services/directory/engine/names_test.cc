#include "services/directory/engine/names.h"

#include <gtest/gtest.h>

#include "services/model/schema.h"

namespace twintree::directory {
namespace {

storage::StoredEntry MakeEntry(storage::EntryId id, storage::EntryId parent, std::string rdn) {
  return {id, parent, rdn, rdn, model::Entry::Encode({}, *model::Schema::Standard())};
}

EntryNamePtr Name(std::string dn) { return std::make_shared<EntryName>(EntryName{dn, dn}); }

TEST(NameCacheTest, KnowsNamesOfOneHierarchyVersion) {
  NameCache cache;
  const auto entry = MakeEntry(7, 1, "ou=a");
  cache.Put(entry, 3, Name("ou=a,dc=x"));
  ASSERT_NE(cache.Find(entry, 3), nullptr);
  EXPECT_EQ(cache.Find(entry, 3)->dn, "ou=a,dc=x");
  EXPECT_EQ(cache.Find(entry, 4), nullptr);
}

TEST(NameCacheTest, ForgetsEntriesRenamedWithoutChildren) {
  NameCache cache;
  cache.Put(MakeEntry(7, 1, "ou=a"), 3, Name("ou=a,dc=x"));
  EXPECT_EQ(cache.Find(MakeEntry(7, 1, "ou=b"), 3), nullptr);
  EXPECT_EQ(cache.Find(MakeEntry(7, 1, "ou"), 3), nullptr);
  EXPECT_EQ(cache.Find(MakeEntry(7, 2, "ou=a"), 3), nullptr);
}

TEST(NameCacheTest, OlderSnapshotsDoNotReplaceNewerNames) {
  NameCache cache;
  const auto entry = MakeEntry(7, 1, "ou=a");
  cache.Put(entry, 5, Name("ou=a,dc=new"));
  cache.Put(entry, 3, Name("ou=a,dc=old"));
  EXPECT_EQ(cache.Find(entry, 5)->dn, "ou=a,dc=new");
}

TEST(ChildNameTest, PutsTheRdnInFront) {
  const EntryName parent{"OU=B,dc=x", "ou=b,dc=x"};
  EXPECT_EQ(ChildName(MakeEntry(7, 1, "cn=a"), &parent).dn, "cn=a,OU=B,dc=x");
  EXPECT_EQ(ChildName(MakeEntry(7, 1, "cn=a"), &parent).key, "cn=a,ou=b,dc=x");
  EXPECT_EQ(ChildName(MakeEntry(7, 0, "dc=x,dc=y"), nullptr).dn, "dc=x,dc=y");
}

}  // namespace
}  // namespace twintree::directory
