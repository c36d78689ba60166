// Certificates, lists and assertions that are damaged: nothing is read beyond them, and what is
// read of them is sound.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/x509_check.h"
#include "tests/unit/services/model/x509_values.h"

namespace twintree::model {
namespace {

using namespace std::string_view_literals;

// A name with a value of each kind of string.
std::string ManyStrings() {
  std::string sequence;
  for (const auto& [tag, value] :
       std::vector<std::pair<ber::Tag, std::string_view>>{{0x0c, "\xc3\xa9"sv},
                                                          {0x12, "12 3"sv},
                                                          {0x13, "a, b+c"sv},
                                                          {0x14, "\xe9"sv},
                                                          {0x16, "user@example.com"sv},
                                                          {0x1c, "\0\0\0a"sv},
                                                          {0x1e, "\0a\x20\xac"sv}}) {
    sequence +=
        Wrap(ber::kSet, Wrap(ber::kSequence, Wrap(0x06, "\x55\x04\x03") + Wrap(tag, value)));
  }
  return sequence;
}

std::vector<std::string> Samples() {
  return {MakeCertificate("\x12\x67", "Example CA"),
          MakeCertificateOf("\xff\x01\x80", ManyStrings()),
          MakeRevocationList("Example CA", "260102030405Z"),
          "{ serialNumber 4711, issuer rdnSequence:\"CN=Example CA,O=A \\\"\"B\\\"\" C\" }",
          "{ issuer rdnSequence:\"CN=Example CA\", thisUpdate utcTime:\"260102030405Z\" }",
          "{thisUpdate generalTime:\"20260102030405Z\",issuer rdnSequence:\"\"}",
          ManyStrings()};
}

class X509RandomTest : public testing::Test {
 protected:
  // In memory of exactly their size, so that a sanitizer sees every step beyond.
  void Check(std::string_view octets) {
    const std::unique_ptr<char[]> memory(new char[octets.size()]);
    std::memcpy(memory.get(), octets.data(), octets.size());
    if (const char* claim = check_({memory.get(), octets.size()})) {
      ADD_FAILURE() << "does not hold: " << claim << ", of "
                    << testing::PrintToString(std::string(octets.substr(0, 300))) << ", seed "
                    << seed_;
    }
  }
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  const fuzz::X509Check check_{};
  const unsigned seed_ = std::random_device()();
  std::mt19937 random_{seed_};
};

TEST_F(X509RandomTest, SamplesAreRead) {
  EXPECT_TRUE(ReadCertificate(Samples()[0]) && ReadCertificate(Samples()[1]));
  EXPECT_TRUE(ReadCertificateList(Samples()[2]));
  EXPECT_TRUE(ParseCertificateAssertion(Samples()[3]));
  EXPECT_TRUE(ParseCertificateListAssertion(Samples()[4]));
  EXPECT_TRUE(ParseCertificateListAssertion(Samples()[5]));
  EXPECT_TRUE(DnOf(Samples()[6]));
  for (const std::string& sample : Samples()) Check(sample);
}

TEST_F(X509RandomTest, CutOffAnywhere) {
  for (const std::string& sample : Samples()) {
    for (std::size_t size = 0; size < sample.size(); ++size) {
      const std::string_view cut = std::string_view(sample).substr(0, size);
      EXPECT_FALSE(IsSigned(cut)) << size;
      EXPECT_FALSE(ParseCertificateAssertion(cut) || ParseCertificateListAssertion(cut)) << size;
      Check(cut);
    }
  }
}

TEST_F(X509RandomTest, AnyOctetChanged) {
  for (const std::string& sample : Samples()) {
    for (std::size_t i = 0; i < sample.size(); ++i) {
      for (const int value : {0, 1, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xff, sample[i] + 1,
                              sample[i] - 1, static_cast<int>(Below(256))}) {
        std::string changed = sample;
        changed[i] = static_cast<char>(value);
        Check(changed);
      }
    }
  }
}

TEST_F(X509RandomTest, SeveralPiecesMoved) {
  const std::vector<std::string> samples = Samples();
  for (int i = 0; i < 20000; ++i) {
    std::string mixed = samples[Below(samples.size())];
    for (std::size_t changes = 1 + Below(4); changes > 0; --changes) {
      const std::string& other = samples[Below(samples.size())];
      const std::size_t from = Below(other.size());
      const std::size_t to = Below(mixed.size() + 1);
      mixed.replace(to, Below(8), other.substr(from, Below(24)));
    }
    Check(mixed);
  }
}

TEST_F(X509RandomTest, RandomOctets) {
  for (int i = 0; i < 20000; ++i) {
    std::string octets(Below(80), '\0');
    for (char& octet : octets) octet = static_cast<char>(Below(256));
    Check(octets);
    if (!octets.empty()) octets[0] = '\x30';
    Check(octets);
  }
}

TEST_F(X509RandomTest, HugeLengths) {
  for (const std::string_view length :
       {"\x80"sv, "\x82\xff\xff"sv, "\x84\x7f\xff\xff\xff"sv, "\x84\xff\xff\xff\xff"sv,
        "\x88\x7f\xff\xff\xff\xff\xff\xff\xff"sv, "\x88\xff\xff\xff\xff\xff\xff\xff\xff"sv,
        "\x89\1\0\0\0\0\0\0\0\0"sv, "\xff"sv}) {
    for (const std::string& sample : Samples()) {
      for (std::size_t i = 1; i < sample.size(); ++i) {
        Check(sample.substr(0, i) + std::string(length) + sample.substr(i + 1));
      }
    }
  }
}

TEST_F(X509RandomTest, DeepNesting) {
  std::string nested;
  for (int depth = 0; depth < 5000; ++depth) nested = Wrap(ber::kSequence, nested);
  Check(nested);
  Check(Sign(nested));
  Check(MakeCertificateOf("\1", nested));
  Check(Wrap(ber::kSet, nested));
  Check("{ issuer rdnSequence:" + std::string(100000, '"') + " }");
  Check(std::string(100000, '{'));
  // A name within a name within a name.
  std::string name = "cn=a";
  for (int depth = 0; depth < 10; ++depth) {
    std::string quoted;
    for (const char c : name)
      quoted += c == ',' || c == '=' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    name = "member=" + quoted;
  }
  Check("{ serialNumber 1, issuer rdnSequence:\"" + name + "\" }");
}

TEST_F(X509RandomTest, LongValuesTakeNoLongTime) {
  std::string rdns;
  const std::string rdn = IssuerNamed("x");
  while (rdns.size() < (256u << 10)) rdns += rdn;
  Check(MakeCertificateOf(std::string(256u << 10, '\x7f'), rdns));
  Check("{ serialNumber " + std::string(256u << 10, '9') + ", issuer rdnSequence:\"cn=a\" }");
  Check("{" + std::string(256u << 10, ' ') + "}");
}

}  // namespace
}  // namespace twintree::model
