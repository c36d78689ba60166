#include "tests/unit/ldap_gateway/testing/messages.h"

#include <gtest/gtest.h>

#include "services/model/filter.h"

namespace twintree::ldap::testing {
namespace {

// Runs `fill` with a writer inside a constructed element.
template <typename Fill>
std::string Constructed(ber::Tag tag, Fill fill) {
  std::string out;
  ber::Writer writer(&out);
  const std::size_t mark = writer.Begin(tag);
  fill(writer);
  writer.End(mark);
  return out;
}

void WriteAttribute(ber::Writer& writer, std::string_view type, const Values& values) {
  const std::size_t mark = writer.Begin(ber::kSequence);
  writer.OctetString(type);
  const std::size_t set = writer.Begin(ber::kSet);
  for (const std::string& value : values) writer.OctetString(value);
  writer.End(set);
  writer.End(mark);
}

bool ReadControls(std::string_view content, Response* response) {
  ber::Reader list(content);
  std::string_view item;
  while (!list.at_end()) {
    std::string_view oid;
    if (!list.Expect(ber::kSequence, &item)) return false;
    ber::Reader control(item);
    if (!control.Expect(ber::kOctetString, &oid)) return false;
    const auto value = control.Optional(ber::kOctetString);
    if (!control.Finished()) return false;
    response->controls.emplace_back(std::string(oid), std::string(value.value_or("")));
  }
  return true;
}

bool ReadEntry(ber::Reader* reader, Response* response) {
  std::string_view dn;
  std::string_view attributes;
  if (!reader->Expect(ber::kOctetString, &dn) || !reader->Expect(ber::kSequence, &attributes)) {
    return false;
  }
  response->dn = dn;
  response->attributes = attributes;
  return reader->Finished();
}

bool ReadResult(ber::Reader* reader, Response* response) {
  std::string_view matched;
  std::string_view diagnostic;
  if (!reader->ExpectInteger(&response->code, ber::kEnumerated) ||
      !reader->Expect(ber::kOctetString, &matched) ||
      !reader->Expect(ber::kOctetString, &diagnostic)) {
    return false;
  }
  response->matched_dn = matched;
  response->diagnostic = diagnostic;
  if (auto name = reader->Optional(ber::Context(10, false))) response->name = *name;
  if (auto value = reader->Optional(ber::Context(11, false))) response->value = *value;
  return reader->Finished();
}

bool ReadResponse(std::string_view message, Response* response) {
  ber::Reader outer(message);
  std::string_view body;
  if (!outer.Expect(ber::kSequence, &body)) return false;
  ber::Reader reader(body);
  ber::Element operation;
  if (!reader.ExpectInteger(&response->id) || !reader.Next(&operation)) return false;
  response->tag = operation.tag;
  ber::Reader inner(operation.content);
  const bool read =
      operation.tag == kSearchEntry ? ReadEntry(&inner, response) : ReadResult(&inner, response);
  if (!read) return false;
  if (auto controls = reader.Optional(ber::Context(0, true))) {
    if (!ReadControls(*controls, response)) return false;
  }
  return reader.Finished();
}

}  // namespace

std::string Octets(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string digits;
  for (char c : hex) {
    if (c != ' ' && c != '\n') digits += c;
  }
  std::string octets;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    octets += static_cast<char>(digit(digits[i]) << 4 | digit(digits[i + 1]));
  }
  return octets;
}

std::string Control(std::string_view oid, bool critical, std::optional<std::string_view> value) {
  return Constructed(ber::kSequence, [&](ber::Writer& writer) {
    writer.OctetString(oid);
    if (critical) writer.Boolean(true);
    if (value) writer.OctetString(*value);
  });
}

std::string PagedValue(std::int64_t size, std::string_view cookie) {
  return Constructed(ber::kSequence, [&](ber::Writer& writer) {
    writer.Integer(size);
    writer.OctetString(cookie);
  });
}

std::string Message(std::int64_t id, std::string_view operation, std::string_view controls) {
  return Constructed(ber::kSequence, [&](ber::Writer& writer) {
    writer.Integer(id);
    writer.Raw(operation);
    if (!controls.empty()) writer.OctetString(controls, ber::Context(0, true));
  });
}

std::string Bind(std::int64_t id, std::string_view dn, std::string_view password,
                 std::int64_t version, std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(0, true),
                             [&](ber::Writer& writer) {
                               writer.Integer(version);
                               writer.OctetString(dn);
                               writer.OctetString(password, ber::Context(0, false));
                             }),
                 controls);
}

std::string SaslBind(std::int64_t id, std::string_view mechanism) {
  return Message(id, Constructed(ber::Application(0, true), [&](ber::Writer& writer) {
                   writer.Integer(3);
                   writer.OctetString("");
                   const std::size_t mark = writer.Begin(ber::Context(3, true));
                   writer.OctetString(mechanism);
                   writer.End(mark);
                 }));
}

std::string Unbind(std::int64_t id) {
  std::string operation;
  ber::Writer(&operation).Null(ber::Application(2, false));
  return Message(id, operation);
}

std::string Search(std::int64_t id, const SearchFields& fields, std::string_view controls) {
  std::string filter;
  model::Filter::Parse(fields.filter).value().Encode(&filter);
  return Message(id,
                 Constructed(ber::Application(3, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(fields.base);
                               writer.Enumerated(fields.scope);
                               writer.Enumerated(fields.deref);
                               writer.Integer(fields.size_limit);
                               writer.Integer(fields.time_limit);
                               writer.Boolean(fields.types_only);
                               writer.Raw(filter);
                               const std::size_t mark = writer.Begin(ber::kSequence);
                               for (const std::string& name : fields.attributes)
                                 writer.OctetString(name);
                               writer.End(mark);
                             }),
                 controls);
}

std::string Add(std::int64_t id, std::string_view dn, const Attributes& attributes,
                std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(8, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(dn);
                               const std::size_t mark = writer.Begin(ber::kSequence);
                               for (const auto& [type, values] : attributes) {
                                 WriteAttribute(writer, type, values);
                               }
                               writer.End(mark);
                             }),
                 controls);
}

std::string Modify(std::int64_t id, std::string_view dn, const std::vector<Change>& changes,
                   std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(6, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(dn);
                               const std::size_t mark = writer.Begin(ber::kSequence);
                               for (const Change& change : changes) {
                                 const std::size_t item = writer.Begin(ber::kSequence);
                                 writer.Enumerated(change.kind);
                                 WriteAttribute(writer, change.attribute, change.values);
                                 writer.End(item);
                               }
                               writer.End(mark);
                             }),
                 controls);
}

std::string Delete(std::int64_t id, std::string_view dn, std::string_view controls) {
  std::string operation;
  ber::Writer(&operation).OctetString(dn, ber::Application(10, false));
  return Message(id, operation, controls);
}

std::string ModifyDn(std::int64_t id, std::string_view dn, std::string_view rdn, bool delete_old,
                     std::optional<std::string_view> superior, std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(12, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(dn);
                               writer.OctetString(rdn);
                               writer.Boolean(delete_old);
                               if (superior) writer.OctetString(*superior, ber::Context(0, false));
                             }),
                 controls);
}

std::string Compare(std::int64_t id, std::string_view dn, std::string_view attribute,
                    std::string_view value, std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(14, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(dn);
                               const std::size_t mark = writer.Begin(ber::kSequence);
                               writer.OctetString(attribute);
                               writer.OctetString(value);
                               writer.End(mark);
                             }),
                 controls);
}

std::string Abandon(std::int64_t id, std::int64_t target) {
  std::string operation;
  ber::Writer(&operation).Integer(target, ber::Application(16, false));
  return Message(id, operation);
}

std::string Extended(std::int64_t id, std::string_view oid, std::optional<std::string_view> value,
                     std::string_view controls) {
  return Message(id,
                 Constructed(ber::Application(23, true),
                             [&](ber::Writer& writer) {
                               writer.OctetString(oid, ber::Context(0, false));
                               if (value) writer.OctetString(*value, ber::Context(1, false));
                             }),
                 controls);
}

std::string Cancel(std::int64_t id, std::int64_t target) {
  return Extended(id, "1.3.6.1.1.8", Constructed(ber::kSequence, [&](ber::Writer& writer) {
                    writer.Integer(target);
                  }));
}

std::vector<Response> TakeResponses(std::string* octets) {
  std::vector<Response> responses;
  std::size_t used = 0;
  while (used < octets->size()) {
    const std::string_view rest = std::string_view(*octets).substr(used);
    const ber::Header header = ber::PeekHeader(rest);
    if (header.state != ber::HeaderState::kComplete) break;
    const std::size_t size = header.size + static_cast<std::size_t>(header.length);
    if (size > rest.size()) break;
    Response response;
    if (!ReadResponse(rest.substr(0, size), &response)) {
      ADD_FAILURE() << "a response cannot be read";
      break;
    }
    responses.push_back(std::move(response));
    used += size;
  }
  octets->erase(0, used);
  return responses;
}

std::vector<Response> Responses(std::string_view octets) {
  std::string rest(octets);
  std::vector<Response> responses = TakeResponses(&rest);
  EXPECT_TRUE(rest.empty()) << rest.size() << " octets after the last whole response";
  return responses;
}

std::string EncodeAttributes(const Attributes& attributes) {
  std::string out;
  ber::Writer writer(&out);
  for (const auto& [type, values] : attributes) WriteAttribute(writer, type, values);
  return out;
}

}  // namespace twintree::ldap::testing
