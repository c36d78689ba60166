#include "services/directory/engine/modifications.h"

#include <functional>
#include <map>
#include <utility>

#include "services/directory/engine/attribute_changes.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::AttributeDescription;
using model::Status;

using Attributes = std::vector<Attribute>;

struct Earlier {
  bool operator()(const AttributeDescription* a, const AttributeDescription* b) const {
    return a->type != b->type ? std::less<>()(a->type, b->type) : a->options < b->options;
  }
};

// Modifications by the attribute that they change.
class ModificationSet {
 public:
  ModificationSet(std::span<const BoundModification> modifications, PasswordMatches* matches,
                  Attributes* attributes)
      : attributes_(*attributes), gone_(attributes->size()) {
    shared_.matches = matches;
    shared_.next_place = attributes->size();
    for (const BoundModification& one : modifications) {
      const auto place = changes_.try_emplace(&one.attribute.description, &shared_).first;
      place->second.Plan(one);
      order_.push_back(&place->second);
    }
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
      const auto changes = changes_.find(&attributes_[i].description);
      if (changes == changes_.end() || changes->second.present()) continue;
      changes->second.Take(std::move(attributes_[i]), i);
      gone_[i] = true;
    }
  }

  Status Apply() {
    Status status;
    for (auto next = order_.begin(); next != order_.end() && status.ok(); ++next) {
      status = (*next)->ApplyNext();
    }
    PutBack();
    return status;
  }

 private:
  void PutBack() {
    std::map<std::size_t, Attribute> added;  // by place
    for (auto& [description, changes] : changes_) {
      changes.Finish();
      if (!changes.present()) continue;
      const std::size_t place = changes.place();
      if (place < gone_.size()) {
        attributes_[place] = *std::move(changes.present());
        gone_[place] = false;
      } else {
        added.emplace(place, *std::move(changes.present()));
      }
    }
    std::size_t place = 0;
    std::erase_if(attributes_, [&](const Attribute&) { return gone_[place++]; });
    for (auto& [number, attribute] : added) attributes_.push_back(std::move(attribute));
  }

  Attributes& attributes_;
  std::vector<bool> gone_;
  AttributeChanges::Shared shared_;
  std::map<const AttributeDescription*, AttributeChanges, Earlier> changes_;
  std::vector<AttributeChanges*> order_;
};

}  // namespace

Status ApplyModifications(std::span<const BoundModification> modifications,
                          PasswordMatches* matches, Attributes* attributes) {
  return ModificationSet(modifications, matches, attributes).Apply();
}

Status ApplyModification(const BoundModification& modification, PasswordMatches* matches,
                         Attributes* attributes) {
  return ApplyModifications({&modification, 1}, matches, attributes);
}

}  // namespace twintree::directory
