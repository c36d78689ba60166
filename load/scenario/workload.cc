#include "load/scenario/workload.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace twintree::load {
namespace {

std::uint64_t DrawBelow(std::uint64_t bound, Client& client) {
  // The population is limited to a thousand million people, so that the bound fits.
  return client.random.Below(static_cast<std::uint32_t>(bound));
}

std::uint64_t DrawTriple(Client& client) {
  return kFirstTriple + DrawBelow(kTripleEnd - kFirstTriple, client);
}

}  // namespace

void OwnEntries::Give(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  numbers_.push_back(number);
}

std::optional<std::uint64_t> OwnEntries::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (numbers_.empty()) return std::nullopt;
  const std::uint64_t number = numbers_.front();
  numbers_.pop_front();
  return number;
}

std::size_t OwnEntries::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return numbers_.size();
}

DrawnWorkload::DrawnWorkload(const Population& population, std::vector<Choice> choices,
                             OwnEntries* own, Options options)
    : population_(population),
      choices_(std::move(choices)),
      own_(own),
      options_(std::move(options)),
      prefixes_(PrefixesOf(population.people)) {
  for (const Choice& choice : choices_) {
    weights_ += choice.weight;
    if (choice.subject == Subject::kInfix) infixes_ = CountWithInfix(population.people);
  }
}

bool DrawnWorkload::Next(Client& client, Operation* operation) {
  if (!TakeTurn()) return false;
  const bool first = options_.first && client.operations % (options_.period + 1) == 0;
  ++client.operations;
  return Fill(first ? *options_.first : Draw(client), client, operation);
}

void DrawnWorkload::Done(const Operation& operation, bool succeeded) {
  switch (operation.action->kind) {
    case OperationKind::kAdd:
      if (succeeded && operation.action->new_entry == NewEntryKind::kPerson) {
        own_->Give(operation.number);
      }
      break;
    case OperationKind::kRename: own_->Give(succeeded ? operation.value : operation.number); break;
    default: break;  // nothing of the run's own remains to be done with
  }
}

const Choice& DrawnWorkload::Draw(Client& client) const {
  if (choices_.size() == 1) return choices_.front();
  std::uint32_t drawn = client.random.Below(weights_);
  for (const Choice& choice : choices_) {
    if (drawn < choice.weight) return choice;
    drawn -= choice.weight;
  }
  return choices_.back();
}

bool DrawnWorkload::Fill(const Choice& choice, Client& client, Operation* operation) {
  *operation = Operation{choice.action, 0, 0, 1};
  switch (choice.subject) {
    case Subject::kPerson:
      operation->number = DrawBelow(population_.people, client);
      operation->value = client.random.Below(std::numeric_limits<std::uint32_t>::max());
      break;
    case Subject::kPrefix:
      operation->number = prefixes_.first + DrawBelow(prefixes_.end - prefixes_.first, client);
      operation->entries = CountWithPrefix(operation->number, population_.people);
      break;
    case Subject::kInfix:
      operation->number = DrawTriple(client);
      operation->entries = infixes_[operation->number];
      break;
    case Subject::kSuffix:
      operation->number = DrawTriple(client);
      operation->entries = CountWithSuffix(operation->number, population_.people);
      break;
    case Subject::kEverybody: operation->entries = population_.people + 1; break;
    case Subject::kNewEntry: operation->number = own_->NewNumber(); break;
    case Subject::kNothing: break;
    case Subject::kOwnEntry:
    case Subject::kRenamed: return FillOwn(choice, operation);
  }
  return true;
}

bool DrawnWorkload::FillOwn(const Choice& choice, Operation* operation) {
  if (const auto own = own_->Take()) {
    operation->number = *own;
    if (choice.subject == Subject::kRenamed) operation->value = own_->NewNumber();
    return true;
  }
  if (choice.otherwise == nullptr) return false;
  operation->action = choice.otherwise;
  operation->number = own_->NewNumber();
  return true;
}

bool DrawnWorkload::TakeTurn() {
  return options_.limit == 0 || turns_.fetch_add(1, std::memory_order_relaxed) < options_.limit;
}

}  // namespace twintree::load
