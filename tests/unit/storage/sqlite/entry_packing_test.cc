#include "storage/sqlite/entry_packing.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/storage/sqlite/database_fixture.h"

namespace twintree::storage::sqlite {
namespace {

using model::ResultCode;
using testing::HasSubstr;

// A form of the kind that entries have: version 1, much that is alike, a little that is not.
std::string Form(int number) {
  const std::string text = std::to_string(number);
  return "\x01objectClass top person organizationalPerson inetOrgPerson uid user." + text +
         " cn User " + text + " mail user." + text + "@example.com homeDirectory /home/user." +
         text + " telephoneNumber +1 " + std::to_string(number * 7919 % 1'000'003);
}

std::vector<std::string> Forms(int count) {
  std::vector<std::string> forms;
  for (int i = 0; i < count; ++i) forms.push_back(Form(i));
  return forms;
}

std::string RandomOctets(std::size_t size) {
  std::mt19937 random(1);
  std::string octets(size, '\0');
  for (char& octet : octets) octet = static_cast<char>(random());
  return octets;
}

class EntryPackingTest : public DatabaseFixture {
 protected:
  std::string Packed(EntryPacking& packing, std::string_view form) {
    return std::string(packing.Pack(form).value());
  }
  std::string Unpacked(EntryPacking& packing, std::string_view kept) {
    return std::string(packing.Unpack(kept).value());
  }
  void AddDictionary(EntryPacking& packing) {
    ASSERT_TRUE(packing.AddDictionary(Forms(500)).ok());
    ASSERT_TRUE(packing.HasDictionary().value());
  }

  DictionaryPool pool_;
};

TEST_F(EntryPackingTest, LeavesFormsAsTheyAreWithoutADictionary) {
  EntryPacking packing(*connection_, pool_);
  EXPECT_FALSE(packing.HasDictionary().value());
  EXPECT_EQ(Packed(packing, Form(1)), Form(1));
  EXPECT_EQ(Unpacked(packing, Form(1)), Form(1));
  EXPECT_EQ(Unpacked(packing, ""), "");
}

TEST_F(EntryPackingTest, PacksWhatIsAlike) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  for (const int number : {3, 1000, 123'456}) {
    const std::string kept = Packed(packing, Form(number));
    EXPECT_LT(kept.size(), Form(number).size() / 3);
    EXPECT_EQ(Unpacked(packing, kept), Form(number));
  }
}

TEST_F(EntryPackingTest, LeavesWhatWouldNotGetSmaller) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  const std::string form = "\x01" + RandomOctets(1000);
  EXPECT_EQ(Packed(packing, form), form);
}

TEST_F(EntryPackingTest, PacksLargeForms) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  std::string form = "\x01";
  for (int i = 0; i < 20'000; ++i) form += Form(i);
  EXPECT_EQ(Unpacked(packing, Packed(packing, form)), form);
  EXPECT_EQ(Unpacked(packing, Packed(packing, Form(7))), Form(7));
}

TEST_F(EntryPackingTest, ReadsWhatOlderDictionariesPacked) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  const std::string older = Packed(packing, Form(1));
  AddDictionary(packing);
  const std::string newer = Packed(packing, Form(1));
  EXPECT_NE(older.front(), newer.front());
  EntryPacking another(*connection_, pool_);
  EXPECT_EQ(Unpacked(another, older), Form(1));
  EXPECT_EQ(Unpacked(another, newer), Form(1));
  EXPECT_EQ(Packed(another, Form(1)), newer);
}

TEST_F(EntryPackingTest, NeedsTheDictionary) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  std::string kept = Packed(packing, Form(1));
  kept.front() = '\x85';
  const auto form = packing.Unpack(kept);
  EXPECT_EQ(form.code(), ResultCode::kOther);
  EXPECT_THAT(form.error().message, HasSubstr("no dictionary 5"));
}

// Nothing but an error or other octets may come of them.
TEST_F(EntryPackingTest, SurvivesDamage) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  const std::string kept = Packed(packing, Form(1));
  for (std::size_t size = 1; size < kept.size(); ++size) {
    EXPECT_EQ(packing.Unpack(kept.substr(0, size)).code(), ResultCode::kOther) << size;
  }
  for (std::size_t bit = 8; bit < kept.size() * 8; ++bit) {
    std::string damaged = kept;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto form = packing.Unpack(damaged);
    EXPECT_TRUE(form.ok() || form.code() == ResultCode::kOther) << bit;
  }
}

TEST_F(EntryPackingTest, DoesNotBelieveAnySize) {
  EntryPacking packing(*connection_, pool_);
  AddDictionary(packing);
  // A frame of RFC 8878, 3.1.1.1, in one segment of 2^40 octets.
  const std::string frame = std::string("\x81\x28\xb5\x2f\xfd\xe0", 6) +
                            std::string("\0\0\0\0\0\1\0\0", 8) + std::string(8, '\0');
  EXPECT_EQ(packing.Unpack(frame).code(), ResultCode::kOther);
}

TEST_F(EntryPackingTest, MakesNoDictionaryOfNothing) {
  EntryPacking packing(*connection_, pool_);
  EXPECT_TRUE(packing.AddDictionary({}).ok());
  EXPECT_TRUE(packing.AddDictionary(std::vector<std::string>(3, "a")).ok());
  EXPECT_FALSE(packing.HasDictionary().value());
}

TEST_F(EntryPackingTest, KeepsItsLastDictionary) {
  ASSERT_TRUE(
      connection_->Execute("INSERT INTO dictionary VALUES(127, CAST('objectClass person' AS BLOB))")
          .ok());
  EntryPacking packing(*connection_, pool_);
  EXPECT_TRUE(packing.AddDictionary(Forms(500)).ok());
  EXPECT_EQ(connection_->QueryInt("SELECT count(*) FROM dictionary").value(), 1);
  const std::string kept = Packed(packing, Form(1));
  EXPECT_EQ(kept.front(), '\xff');
  EXPECT_EQ(Unpacked(packing, kept), Form(1));
}

TEST(DictionaryPoolTest, SharesWhatIsInUse) {
  DictionaryPool pool;
  auto first = pool.Find("objectClass top person");
  EXPECT_EQ(pool.Find("objectClass top person"), first);
  EXPECT_NE(pool.Find("objectClass top domain"), first);
  const std::weak_ptr<const Dictionary> watched = first;
  first.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace twintree::storage::sqlite
