#include "services/model/entry.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace twintree::model {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kHeadSize = 5;

std::uint32_t ReadLittleEndian(const char* octets) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(octets[i]);
  return value;
}

void WriteLittleEndian(std::uint32_t value, char* octets) {
  for (int i = 0; i < 4; ++i) octets[i] = static_cast<char>(value >> (8 * i));
}

// Elements of a section, by their heads alone.
std::size_t CountElements(std::string_view section) {
  ber::Reader reader(section);
  ber::Element element;
  std::size_t count = 0;
  while (reader.Next(&element)) ++count;
  return count;
}

// Are these OCTET STRING elements, to the last octet? At least one: stored attributes have values.
bool AreValues(std::string_view elements) {
  ber::Reader reader(elements);
  ber::Element element;
  while (reader.Next(&element)) {
    if (element.tag != ber::kOctetString) return false;
  }
  return reader.ok() && !elements.empty();
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

Error Damaged() { return Error{ResultCode::kOther, "the stored form of an entry is damaged", ""}; }

}  // namespace

Result<Entry> Entry::Decode(std::string octets, const Schema& schema) {
  if (octets.size() < kHeadSize || octets[0] != kVersion) return Damaged();
  if (ReadLittleEndian(octets.data() + 1) > octets.size() - kHeadSize) return Damaged();
  Entry entry;
  entry.size_ = octets.size();
  entry.octets_ = std::make_unique_for_overwrite<char[]>(octets.size());
  std::memcpy(entry.octets_.get(), octets.data(), octets.size());
  if (!entry.Index(schema)) return Damaged();
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
  return Decode(std::move(octets), schema).value();
}

Entry::Entry(Entry&& other) noexcept
    : octets_(std::move(other.octets_)),
      size_(std::exchange(other.size_, 0)),
      attributes_(std::move(other.attributes_)),
      user_attribute_count_(std::exchange(other.user_attribute_count_, 0)) {}

Entry& Entry::operator=(Entry&& other) noexcept {
  octets_ = std::move(other.octets_);
  size_ = std::exchange(other.size_, 0);
  attributes_ = std::move(other.attributes_);
  user_attribute_count_ = std::exchange(other.user_attribute_count_, 0);
  return *this;
}

bool Entry::Index(const Schema& schema) {
  const std::string_view user = user_section();
  const std::string_view operational = operational_section();
  attributes_.reserve(CountElements(user) + CountElements(operational));
  if (!IndexSection(user, schema)) return false;
  user_attribute_count_ = attributes_.size();
  return IndexSection(operational, schema);
}

bool Entry::IndexSection(std::string_view section, const Schema& schema) {
  ber::Reader reader(section);
  ber::Element element;
  while (reader.Next(&element)) {
    if (element.tag != ber::kSequence) return false;
    StoredAttribute attribute;
    attribute.encoded = element.whole;
    ber::Reader fields(element.content);
    if (!fields.Expect(ber::kOctetString, &attribute.description) ||
        !fields.Expect(ber::kSet, &attribute.value_elements) || !fields.Finished() ||
        !AreValues(attribute.value_elements)) {
      return false;
    }
    const std::size_t options = attribute.description.find(';');
    attribute.has_options = options != std::string_view::npos;
    attribute.type = schema.FindAttributeType(attribute.description.substr(0, options));
    attributes_.push_back(attribute);
  }
  return reader.ok();
}

std::string_view Entry::user_section() const {
  if (size_ < kHeadSize) return {};
  return octets().substr(kHeadSize, ReadLittleEndian(octets_.get() + 1));
}

std::string_view Entry::operational_section() const {
  if (size_ < kHeadSize) return {};
  return octets().substr(kHeadSize + ReadLittleEndian(octets_.get() + 1));
}

const StoredAttribute* Entry::Find(const AttributeType& type) const {
  for (const StoredAttribute& attribute : attributes_) {
    if (attribute.type == &type && !attribute.has_options) return &attribute;
  }
  return nullptr;
}

std::vector<Attribute> Entry::ToAttributes(const Schema& schema) const {
  std::vector<Attribute> attributes;
  attributes.reserve(attributes_.size());
  for (const StoredAttribute& stored : attributes_) {
    Attribute& attribute = attributes.emplace_back();
    Result<AttributeDescription> parsed = AttributeDescription::Parse(stored.description, schema);
    if (parsed.ok()) attribute.description = std::move(parsed).value();
    // The entry keeps its spelling, whatever a parser would make of it.
    attribute.description.text = std::string(stored.description);
    attribute.values = ValueList(stored.values());
  }
  return attributes;
}

std::size_t Entry::memory_size() const {
  return sizeof(Entry) + size_ + attributes_.capacity() * sizeof(StoredAttribute);
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
