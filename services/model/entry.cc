#include "services/model/entry.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kHeadSize = 5;
constexpr std::size_t kMaxSize = std::size_t{1} << 30;
constexpr std::string_view kBinary = ";binary";
// What a thread keeps room for between two entries.
constexpr std::size_t kMaxKeptAttributes = 1024;

std::uint32_t ReadLittleEndian(const char* octets) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(octets[i]);
  return value;
}

void WriteLittleEndian(std::uint32_t value, char* octets) {
  for (int i = 0; i < 4; ++i) octets[i] = static_cast<char>(value >> (8 * i));
}

// Are these OCTET STRING elements, to the last octet? At least one: stored attributes have values.
bool AreValues(std::string_view elements) {
  const char* at = elements.data();
  const char* const end = at + elements.size();
  while (end - at >= 2 && at[0] == static_cast<char>(ber::kOctetString) && at[1] >= 0) {
    at += 2 + at[1];
  }
  if (at >= end) return at == end && !elements.empty();
  // What follows is long, or wrong.
  ber::Reader reader({at, end});
  ber::Element element;
  while (reader.Next(&element)) {
    if (element.tag != ber::kOctetString) return false;
  }
  return reader.ok();
}

bool IsOperational(const Attribute& attribute) {
  const AttributeType* type = attribute.description.type;
  return type != nullptr && type->operational();
}

void AppendSection(std::span<const Attribute> attributes, bool operational, std::string* out) {
  for (const Attribute& attribute : attributes) {
    if (attribute.values.empty() || IsOperational(attribute) != operational) continue;
    AppendPartialAttribute(attribute.description.text, attribute.values, out);
  }
}

std::size_t EncodedSizeBound(std::span<const Attribute> attributes) {
  constexpr std::size_t kHeads = 3 * 6;  // tag and length of the element, its name and its set
  std::size_t size = kHeadSize;
  for (const Attribute& attribute : attributes) {
    size += kHeads + attribute.description.text.size() + attribute.values.elements().size();
  }
  return size;
}

bool HasBinary(std::string_view description) {
  static const std::vector<std::string> kOption = {std::string(kBinary.substr(1))};
  return HasOptions(description, kOption);
}

// How an attribute of the schema is called in an entry: by the first name of its type, then the
// options as they were given, with ;binary where the syntax requires that, and without where it has
// no meaning.
std::string ProperDescription(const AttributeType& type, std::string_view options) {
  std::string text = type.name();
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(';', 1));
    options.remove_prefix(option.size());
    if (EqualsIgnoreCase(option, kBinary) && !type.syntax->takes_binary_transfer()) continue;
    text.append(option);
  }
  if (type.syntax->needs_binary_transfer() && !HasBinary(text)) text.append(kBinary);
  return text;
}

bool IsProper(const AttributeType& type, std::string_view description) {
  const std::string& name = type.name();
  if (!description.starts_with(name)) return false;
  const std::string_view options = description.substr(name.size());
  if (options.empty()) return !type.syntax->needs_binary_transfer();
  if (options.front() != ';') return false;
  return HasBinary(options) ? type.syntax->takes_binary_transfer()
                            : !type.syntax->needs_binary_transfer();
}

Error Damaged() { return Error{ResultCode::kOther, "the stored form of an entry is damaged", ""}; }

template <typename Found>
std::string_view DescriptionOf(const Found& found) {
  const std::size_t heads = found.description_offset + ber::HeaderSize(found.values_size);
  return found.element.substr(found.description_offset,
                              found.element.size() - found.values_size - heads);
}

// What the schema does not know is called as it is.
template <typename Found>
bool IsProperlyCalled(const Found& found) {
  return found.type == nullptr || IsProper(*found.type, DescriptionOf(found));
}

// One attribute out of some: those that one description was given for under several names.
struct Joined {
  std::string description;
  ValueList values;
};

void JoinAttribute(std::string description, std::string_view value_elements,
                   std::vector<Joined>* all) {
  const ValueRange values(value_elements);
  const auto same = std::find_if(all->begin(), all->end(), [&](const Joined& one) {
    return EqualsIgnoreCase(one.description, description);
  });
  if (same == all->end()) {
    all->push_back({std::move(description), ValueList(values)});
    return;
  }
  for (std::string_view value : values) {
    const auto& held = same->values;
    if (std::find(held.begin(), held.end(), value) == held.end()) same->values.Append(value);
  }
}

template <typename Found>
void AppendRespelled(std::span<const Found> attributes, std::string* out) {
  std::vector<Joined> all;
  for (const Found& found : attributes) {
    const std::string_view text = DescriptionOf(found);
    const std::string_view values = found.element.substr(found.element.size() - found.values_size);
    JoinAttribute(
        found.type == nullptr
            ? std::string(text)
            : ProperDescription(*found.type, text.substr(std::min(text.find(';'), text.size()))),
        values, &all);
  }
  for (const Joined& one : all) AppendPartialAttribute(one.description, one.values, out);
}

// The stored form of the same entry, each attribute under its proper description. Only entries of
// earlier versions, or of another schema, have others.
template <typename Found>
std::string Respelled(std::span<const Found> attributes, std::size_t user_count) {
  std::string octets(kHeadSize, '\0');
  octets[0] = kVersion;
  AppendRespelled(attributes.first(user_count), &octets);
  WriteLittleEndian(static_cast<std::uint32_t>(octets.size() - kHeadSize), octets.data() + 1);
  AppendRespelled(attributes.subspan(user_count), &octets);
  return octets;
}

}  // namespace

Result<Entry> Entry::Decode(std::string_view octets, const Schema& schema) {
  if (octets.size() < kHeadSize || octets.size() > kMaxSize || octets[0] != kVersion) {
    return Damaged();
  }
  const std::size_t user_size = ReadLittleEndian(octets.data() + 1);
  const std::string_view sections = octets.substr(kHeadSize);
  if (user_size > sections.size()) return Damaged();
  thread_local std::vector<Found> found;
  found.clear();
  if (found.capacity() > kMaxKeptAttributes) found.shrink_to_fit();
  if (!IndexSection(sections.substr(0, user_size), schema, &found)) return Damaged();
  Entry entry;
  entry.user_attribute_count_ = static_cast<std::uint32_t>(found.size());
  if (!IndexSection(sections.substr(user_size), schema, &found)) return Damaged();
  if (!std::all_of(found.begin(), found.end(), &IsProperlyCalled<Found>)) {
    return Decode(Respelled(std::span<const Found>(found), entry.user_attribute_count_), schema);
  }
  entry.user_size_ = static_cast<std::uint32_t>(user_size);
  entry.Keep(octets, found);
  return entry;
}

Entry Entry::Encode(std::span<const Attribute> attributes, const Schema& schema) {
  std::string octets;
  octets.reserve(EncodedSizeBound(attributes));
  octets.assign(kHeadSize, '\0');
  octets[0] = kVersion;
  AppendSection(attributes, /*operational=*/false, &octets);
  WriteLittleEndian(static_cast<std::uint32_t>(octets.size() - kHeadSize), octets.data() + 1);
  AppendSection(attributes, /*operational=*/true, &octets);
  // What was just written can be read.
  return Decode(octets, schema).value();
}

Entry& Entry::operator=(Entry&& other) noexcept {
  block_ = std::move(other.block_);
  octets_ = std::exchange(other.octets_, nullptr);
  size_ = std::exchange(other.size_, 0);
  user_size_ = std::exchange(other.user_size_, 0);
  attribute_count_ = std::exchange(other.attribute_count_, 0);
  user_attribute_count_ = std::exchange(other.user_attribute_count_, 0);
  return *this;
}

bool Entry::IndexSection(std::string_view section, const Schema& schema,
                         std::vector<Found>* found) {
  ber::Reader reader(section);
  ber::Element element;
  while (reader.Next(&element)) {
    if (element.tag != ber::kSequence) return false;
    if (!IndexAttribute(element, schema, &found->emplace_back())) return false;
  }
  return reader.ok();
}

bool Entry::IndexAttribute(const ber::Element& element, const Schema& schema, Found* found) {
  ber::Reader fields(element.content);
  std::string_view description;
  std::string_view values;
  if (!fields.Expect(ber::kOctetString, &description) || !fields.Expect(ber::kSet, &values) ||
      !fields.Finished() || !AreValues(values)) {
    return false;
  }
  // What is found again from the sizes has its shortest head.
  const std::size_t heads = element.whole.size() - description.size() - values.size();
  const auto offset = static_cast<std::size_t>(description.data() - element.whole.data());
  if (heads != offset + ber::HeaderSize(values.size()) || offset > UINT8_MAX) return false;
  const std::size_t options = description.find(';');
  found->has_options = options != std::string_view::npos;
  found->type = schema.FindAttributeType(description.substr(0, options));
  found->element = element.whole;
  found->description_offset = offset;
  found->values_size = values.size();
  return true;
}

void Entry::Keep(std::string_view octets, std::span<const Found> attributes) {
  static_assert(std::is_trivially_destructible_v<StoredAttribute>);
  const std::size_t index_size = attributes.size() * sizeof(StoredAttribute);
  block_ = std::make_unique_for_overwrite<std::byte[]>(index_size + octets.size());
  char* const kept = reinterpret_cast<char*>(block_.get() + index_size);
  std::memcpy(kept, octets.data(), octets.size());
  octets_ = kept;
  size_ = static_cast<std::uint32_t>(octets.size());
  attribute_count_ = static_cast<std::uint32_t>(attributes.size());
  std::byte* at = block_.get();
  for (const Found& found : attributes) {
    auto* const attribute = new (at) StoredAttribute;
    const char* const element = kept + (found.element.data() - octets.data());
    attribute->type_ = found.type;
    attribute->distance_ = static_cast<std::uint32_t>(element - reinterpret_cast<char*>(at));
    attribute->size_ = static_cast<std::uint32_t>(found.element.size());
    attribute->values_size_ = static_cast<std::uint32_t>(found.values_size);
    attribute->description_offset_ = static_cast<std::uint8_t>(found.description_offset);
    attribute->has_options_ = found.has_options;
    at += sizeof(StoredAttribute);
  }
}

std::span<const StoredAttribute> Entry::attributes() const {
  return {std::launder(reinterpret_cast<const StoredAttribute*>(block_.get())), attribute_count_};
}

std::string_view Entry::user_section() const {
  if (size_ < kHeadSize) return {};
  return octets().substr(kHeadSize, user_size_);
}

std::string_view Entry::operational_section() const {
  if (size_ < kHeadSize) return {};
  return octets().substr(kHeadSize + user_size_);
}

const StoredAttribute* Entry::Find(const AttributeType& type) const {
  for (const StoredAttribute& attribute : attributes()) {
    if (attribute.type() == &type && !attribute.has_options()) return &attribute;
  }
  return nullptr;
}

std::vector<Attribute> Entry::ToAttributes(const Schema& schema) const {
  std::vector<Attribute> attributes;
  attributes.reserve(attribute_count_);
  for (const StoredAttribute& stored : this->attributes()) {
    Attribute& attribute = attributes.emplace_back();
    Result<AttributeDescription> parsed = AttributeDescription::Parse(stored.description(), schema);
    if (parsed.ok()) attribute.description = std::move(parsed).value();
    // What a parser refuses stays as it is.
    attribute.description.text = std::string(stored.description());
    attribute.values = ValueList(stored.values());
  }
  return attributes;
}

std::size_t Entry::memory_size() const {
  return sizeof(Entry) + size_ + attribute_count_ * sizeof(StoredAttribute);
}

std::vector<const ObjectClass*> ObjectClassesOf(const Entry& entry, const Schema& schema) {
  std::vector<const ObjectClass*> classes;
  const StoredAttribute* attribute = entry.Find(*schema.well_known().object_class);
  if (attribute == nullptr) return classes;
  for (const std::string_view value : attribute->values()) {
    const ObjectClass* object_class = schema.FindObjectClass(value);
    if (object_class != nullptr) classes.push_back(object_class);
  }
  return classes;
}

void AppendPartialAttribute(std::string_view description, const ValueList& values,
                            std::string* out) {
  const std::string_view elements = values.elements();
  const std::size_t content_size = ber::HeaderSize(description.size()) + description.size() +
                                   ber::HeaderSize(elements.size()) + elements.size();
  ber::Writer writer(out);
  writer.Header(ber::kSequence, content_size);
  writer.OctetString(description);
  writer.Header(ber::kSet, elements.size());
  writer.Raw(elements);
}

}  // namespace twintree::model
