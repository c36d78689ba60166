#include "load/generate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "load/random.h"

namespace twintree::load {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr std::uint32_t kGroups = 100;
constexpr std::uint64_t kMaxMembers = 50;
constexpr std::uint64_t kFirstUidNumber = 10000;

// Streams of random numbers beyond those of the people.
constexpr std::uint64_t kGroupStreams = kMaxEntries;

constexpr std::string_view kHead =
    "version: 1\n"
    "\n"
    "dn: dc=example,dc=com\n"
    "objectClass: top\n"
    "objectClass: dcObject\n"
    "objectClass: organization\n"
    "dc: example\n"
    "o: Example\n"
    "\n"
    "dn: ou=People,dc=example,dc=com\n"
    "objectClass: top\n"
    "objectClass: organizationalUnit\n"
    "ou: People\n"
    "\n";

constexpr std::string_view kGroupsUnit =
    "dn: ou=Groups,dc=example,dc=com\n"
    "objectClass: top\n"
    "objectClass: organizationalUnit\n"
    "ou: Groups\n"
    "\n";

constexpr std::string_view kPersonClasses =
    "objectClass: top\n"
    "objectClass: person\n"
    "objectClass: organizationalPerson\n"
    "objectClass: inetOrgPerson\n"
    "objectClass: posixAccount\n";

constexpr std::array<std::string_view, 32> kSyllables = {
    "ba", "be", "bo", "da", "de", "do", "fa", "fe", "ga", "go", "ha", "ho", "ja", "ka", "ke", "ko",
    "la", "le", "lo", "ma", "mo", "na", "no", "pa", "po", "ra", "ro", "sa", "so", "ta", "va", "wo"};

constexpr std::array<std::string_view, 8> kTitles = {"Engineer", "Analyst", "Manager", "Operator",
                                                     "Designer", "Planner", "Clerk",   "Advisor"};

constexpr std::array<std::string_view, 4> kEmployeeTypes = {"staff", "contract", "intern", "guest"};

constexpr std::array<std::string_view, 8> kStates = {"CA", "NY", "TX", "WA",
                                                     "MA", "IL", "CO", "FL"};

template <std::size_t N>
std::string_view Pick(const std::array<std::string_view, N>& list, Random& random) {
  return list[random.Below(N)];
}

// A word of the given number of syllables with a capital first letter.
std::string Word(int syllables, Random& random) {
  std::string word;
  for (int i = 0; i < syllables; ++i) word += Pick(kSyllables, random);
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

// `number` in at least `width` digits.
std::string Digits(std::uint64_t number, std::size_t width = 1) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string PhoneNumber(Random& random) {
  const std::string area = Digits(200 + random.Below(800));
  const std::string exchange = Digits(random.Below(1000), 3);
  return "+1 " + area + " " + exchange + " " + Digits(random.Below(10000), 4);
}

void AppendLine(std::string_view name, std::string_view value, std::string& out) {
  out += name;
  out += ": ";
  out += value;
  out += '\n';
}

std::string UserId(std::uint64_t number) { return "user." + Digits(number); }

std::string UserDn(std::uint64_t number) {
  return "uid=" + UserId(number) + ",ou=People,dc=example,dc=com";
}

void AppendNames(std::uint64_t number, Random& random, std::string& out) {
  const std::string given_name = Word(2, random);
  const std::string surname = Word(3, random);
  AppendLine("uid", UserId(number), out);
  AppendLine("cn", "User " + Digits(number), out);
  AppendLine("sn", surname, out);
  AppendLine("givenName", given_name, out);
  AppendLine("initials", given_name.substr(0, 1) + surname.substr(0, 1), out);
  AppendLine("displayName", given_name + " " + surname, out);
  AppendLine("mail", UserId(number) + "@example.com", out);
}

void AppendPhones(Random& random, std::string& out) {
  for (const std::string_view name : {"telephoneNumber", "homePhone", "mobile", "pager"}) {
    AppendLine(name, PhoneNumber(random), out);
  }
}

void AppendWork(std::uint64_t number, Random& random, std::string& out) {
  AppendLine("employeeNumber", Digits(number), out);
  AppendLine("employeeType", Pick(kEmployeeTypes, random), out);
  AppendLine("departmentNumber", Digits(random.Below(1000)), out);
  AppendLine("title", Pick(kTitles, random), out);
  AppendLine("description", "Entry " + Digits(number), out);
}

void AppendAddress(Random& random, std::string& out) {
  const std::string street = Digits(1 + random.Below(9999)) + " " + Word(2, random) + " St";
  const std::string city = Word(3, random);
  const std::string_view state = Pick(kStates, random);
  const std::string postal_code = Digits(random.Below(100000), 5);
  AppendLine("street", street, out);
  AppendLine("l", city, out);
  AppendLine("st", state, out);
  AppendLine("postalCode", postal_code, out);
  AppendLine("postalAddress", street + "$" + city, out);
}

void AppendAccount(std::uint64_t number, Random& random, std::string& out) {
  AppendLine("uidNumber", Digits(kFirstUidNumber + number), out);
  AppendLine("gidNumber", Digits(100 + random.Below(100)), out);
  AppendLine("homeDirectory", "/home/" + UserId(number), out);
  AppendLine("loginShell", "/bin/sh", out);
}

// `count` different numbers below `bound`, by Floyd's algorithm: no more draws than numbers.
std::set<std::uint32_t> Sample(std::uint32_t count, std::uint32_t bound, Random& random) {
  std::set<std::uint32_t> numbers;
  for (std::uint32_t last = bound - count; last < bound; ++last) {
    const std::uint32_t drawn = random.Below(last + 1);
    if (!numbers.insert(drawn).second) numbers.insert(last);
  }
  return numbers;
}

void AppendGroup(const GenerateOptions& options, std::uint32_t number, std::string& out) {
  Random random(options.seed, kGroupStreams + number);
  const auto most = static_cast<std::uint32_t>(std::min(options.entries, kMaxMembers));
  const std::uint32_t size = 1 + random.Below(most);
  const std::string name = "group." + Digits(number);
  AppendLine("dn", "cn=" + name + ",ou=Groups,dc=example,dc=com", out);
  out += "objectClass: top\nobjectClass: groupOfNames\n";
  AppendLine("cn", name, out);
  for (const std::uint32_t member :
       Sample(size, static_cast<std::uint32_t>(options.entries), random)) {
    AppendLine("member", UserDn(member), out);
  }
  out += '\n';
}

// Gathers records and hands them on in large pieces.
class BufferedSink {
 public:
  explicit BufferedSink(const LdifSink& sink) : sink_(sink) { buffer_.reserve(2 * kBufferBytes); }

  std::string& buffer() { return buffer_; }

  bool FlushWhenFull() { return buffer_.size() < kBufferBytes || Flush(); }

  bool Flush() {
    const bool taken = sink_(buffer_);
    buffer_.clear();
    return taken;
  }

 private:
  const LdifSink& sink_;
  std::string buffer_;
};

}  // namespace

void PersonWriter::AppendTo(std::uint64_t number, std::string& out) {
  Random random(seed_, number);
  AppendLine("dn", UserDn(number), out);
  out += kPersonClasses;
  AppendNames(number, random, out);
  AppendPhones(random, out);
  AppendWork(number, random, out);
  AppendAddress(random, out);
  AppendAccount(number, random, out);
  const std::string password = "password" + Digits(number);
  out += "userPassword: ";
  if (passwords_ == PasswordForm::kHashed) {
    hash_.AppendTo(password, random.Next(), out);
  } else {
    out += password;
  }
  out += "\n\n";
}

bool WriteDirectory(const GenerateOptions& options, const LdifSink& sink) {
  BufferedSink output(sink);
  output.buffer() += kHead;
  PersonWriter people(options.seed, options.passwords);
  for (std::uint64_t i = 0; i < options.entries; ++i) {
    people.AppendTo(i, output.buffer());
    if (!output.FlushWhenFull()) return false;
  }
  output.buffer() += kGroupsUnit;
  for (std::uint32_t i = 0; i < kGroups; ++i) {
    AppendGroup(options, i, output.buffer());
    if (!output.FlushWhenFull()) return false;
  }
  return output.Flush();
}

}  // namespace twintree::load
