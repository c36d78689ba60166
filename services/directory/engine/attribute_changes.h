// One attribute of an entry while the modifications of a request are made to it.
//
// Values come and go by their keys. The first time that matters the attribute's values are looked
// through for all the keys that the request names; from then on a change of one value costs the
// same however many values there are. Those that go are only marked until Finish().
//
//   AttributeChanges member(&shared);
//   for (...) member.Plan(modification);              // all that concern this attribute, in order
//   member.Take(std::move(attribute), place);         // if the entry has it
//   for (...) TT_RETURN_IF_ERROR(member.ApplyNext(...));
//   member.Finish();
//
// Source: RFC 4511 4.6; RFC 4525.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ATTRIBUTE_CHANGES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ATTRIBUTE_CHANGES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "services/directory/engine/modifications.h"
#include "services/directory/engine/password_values.h"
#include "services/model/attribute.h"
#include "services/model/key_search.h"
#include "services/model/result.h"

namespace twintree::directory {

// Thread-safety: confined.
class AttributeChanges {
 public:
  // What the modifications of one request share.
  struct Shared {
    PasswordMatches* matches = nullptr;
    std::size_t next_place = 0;         // for attributes that appear
    std::size_t incremented_bytes = 0;  // so far
    bool incremented = false;
  };

  explicit AttributeChanges(Shared* shared) : shared_(shared) {}
  AttributeChanges(const AttributeChanges&) = delete;
  AttributeChanges& operator=(const AttributeChanges&) = delete;

  // REQUIRES: outlives this.
  void Plan(const BoundModification& modification) { planned_.push_back({&modification, 0}); }
  // The attribute as the entry has it, and its place among the entry's attributes.
  void Take(model::Attribute attribute, std::size_t place);

  // Makes the next of the planned modifications. Errors: as ApplyModifications.
  model::Status ApplyNext();

  // Removes for good what is marked.
  void Finish();
  // Nullopt: the entry does not have it (any more).
  std::optional<model::Attribute>& present() { return present_; }
  // Attributes are in the order of their places; one that was gone in between has a new place.
  std::size_t place() const { return place_; }

 private:
  static constexpr std::size_t kNoKey = static_cast<std::size_t>(-1);

  struct Planned {
    const BoundModification* modification;
    std::size_t first_key;  // of its values, in key_numbers_
  };
  // Where the values with one key are, in order; most keys have none or one.
  struct Places {
    std::size_t round = 0;  // another one than round_: from before, so none
    std::size_t begin = 0;
    std::vector<std::size_t> all;
  };

  model::Status Add(const Planned& planned);
  model::Status AddPasswords(const BoundModification& modification);
  model::Status Delete(const Planned& planned);
  model::Status DeletePasswords(const BoundModification& modification);
  model::Status DeleteValues(const Planned& planned);
  void Replace(const model::Attribute& replacement);
  model::Status Increment(const model::Attribute& increment);

  void Appear(const model::Attribute& attribute);
  void Disappear();
  // The values are others now.
  void Renew();
  // Finds the places of keys, if they are not known.
  void Look();
  void NumberKeys();
  std::span<const std::size_t> KeysOf(const Planned& planned) const;
  model::Status CheckKeys(const Planned& planned) const;
  Places& PlacesOf(std::size_t key);
  bool IsThere(std::size_t key);
  model::Result<std::optional<std::size_t>> FindPassword(std::string_view value,
                                                         std::optional<std::size_t> clear);

  Shared* const shared_;
  std::vector<Planned> planned_;
  std::size_t next_ = 0;  // of planned_
  std::optional<model::Attribute> present_;
  std::size_t place_ = 0;

  std::vector<std::string> keys_;  // that the request names, each once
  std::vector<std::size_t>
      key_numbers_;  // of values by value: places in keys_; kNoKey: it has none
  std::optional<model::KeySearch> search_;
  std::vector<Places> places_;  // of each of keys_
  std::size_t round_ = 0;
  bool looked_ = false;     // places_ hold for the values
  std::vector<bool> gone_;  // values that are to be removed
  std::size_t left_ = 0;    // values that are not
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ATTRIBUTE_CHANGES_H_
