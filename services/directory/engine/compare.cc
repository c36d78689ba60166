// Compare (RFC 4511 4.10).
#include <algorithm>
#include <memory>
#include <utility>

#include "services/directory/engine/assertion.h"
#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/request.h"

namespace twintree::directory {
namespace {

using model::CompiledFilter;
using model::Error;
using model::Result;
using model::ResultCode;
using storage::StoredEntryPtr;

// Binds the assertion, telling what is wrong with it where a filter would be Undefined.
Result<CompiledFilter> BindAssertion(const CompareRequest& request, const model::Schema& schema) {
  TT_ASSIGN_OR_RETURN(const model::AttributeDescription description,
                      model::AttributeDescription::Parse(request.attribute, schema));
  if (description.type->equality == nullptr) {
    return Error{ResultCode::kInappropriateMatching,
                 description.text + " has no equality matching rule",
                 {}};
  }
  model::Filter filter;
  filter.kind = model::FilterKind::kEquality;
  filter.attribute = request.attribute;
  filter.value = request.value;
  CompiledFilter compiled = CompiledFilter::Compile(filter, schema);
  if (!compiled.undefined) return compiled;
  // No entry is of a class that nobody knows, but its name may be well-formed.
  if (description.type == schema.well_known().object_class &&
      description.type->AssertionKey(request.value).ok()) {
    return compiled;
  }
  return Error{ResultCode::kInvalidAttributeSyntax, "the value is none of " + description.text, {}};
}

// Is the attribute, or a subtype of it, there at all?
bool HasAttribute(EntryTarget& target, const CompiledFilter& assertion,
                  const model::Schema& schema) {
  const model::AttributeDescription& wanted = assertion.description;
  if (wanted.options.empty() && !target.DerivedValues(*wanted.type).empty()) return true;
  const auto attributes = target.entry().attributes();
  return std::any_of(
      attributes.begin(), attributes.end(), [&](const model::StoredAttribute& attribute) {
        if (attribute.type() == nullptr || !attribute.type()->IsSubtypeOf(*wanted.type)) {
          return false;
        }
        if (wanted.options.empty()) return true;
        const auto description =
            model::AttributeDescription::Parse(attribute.description(), schema);
        return description.ok() && description->IsSubtypeOf(wanted);
      });
}

// Shows the entry, which `entry` or `special` then holds.
model::Status ShowEntry(Request& snapshot, const model::DnKey& key, EntryTarget* target,
                        StoredEntryPtr* entry, std::shared_ptr<const model::Entry>* special) {
  const SpecialEntries& specials = snapshot.engine().special_entries();
  if (key.empty()) {
    TT_ASSIGN_OR_RETURN(*special, specials.RootDse(nullptr));
    target->ShowSpecial(**special, {});
  } else if (key.text() == kSubschemaKey) {
    *special = specials.subschema();
    target->ShowSpecial(**special, {std::string(kSubschemaDn), std::string(kSubschemaKey)});
  } else {
    TT_ASSIGN_OR_RETURN(const Location location, snapshot.Locate(key));
    if (!location.found()) return snapshot.NotFound(key, location);
    TT_ASSIGN_OR_RETURN(*entry, snapshot.Get(location.id));
    target->Show(**entry);
  }
  return {};
}

Result<bool> Compare(Engine& engine, const RequestContext& context, const CompareRequest& request) {
  const model::Schema& schema = engine.schema();
  TT_ASSIGN_OR_RETURN(const model::DnKey key, schema.NormalizeDn(request.dn));
  TT_ASSIGN_OR_RETURN(const CompiledFilter assertion, BindAssertion(request, schema));
  TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader,
                      engine.store().Read());
  Request snapshot(engine, *reader, context.subject, Request::Names::kCached);
  EntryTarget target(snapshot, access::kCompare);
  StoredEntryPtr entry;
  std::shared_ptr<const model::Entry> special;
  TT_RETURN_IF_ERROR(ShowEntry(snapshot, key, &target, &entry, &special));
  const storage::EntryId parent = entry == nullptr ? storage::kNoEntry : entry->parent;
  if (!target.May(access::kCompare, *assertion.description.type)) {
    return snapshot.Refusal(target, parent, "no right to compare this attribute");
  }
  if (request.controls.assertion != nullptr) {
    EntryTarget searched(snapshot);
    if (entry != nullptr) {
      searched.Show(*entry);
    } else {
      searched.ShowSpecial(*special, {target.dn(), target.dn_key().text()});
    }
    TT_RETURN_IF_ERROR(CheckAssertion(request.controls, searched));
  }
  if (!HasAttribute(target, assertion, schema)) {
    return Error{ResultCode::kNoSuchAttribute, "the entry does not have this attribute", {}};
  }
  const bool matches = assertion.Evaluate(target, schema) == model::Truth::kTrue;
  TT_RETURN_IF_ERROR(target.status());
  return matches;
}

}  // namespace

void RunCompare(Engine& engine, const RequestContext& context, const CompareRequest& request,
                const Directory::Callback& done) {
  Result<bool> matches = Compare(engine, context, request);
  if (!matches.ok()) return done(OutcomeOf(std::move(matches).error()));
  Outcome outcome;
  outcome.code = *matches ? ResultCode::kCompareTrue : ResultCode::kCompareFalse;
  done(std::move(outcome));
}

}  // namespace twintree::directory
