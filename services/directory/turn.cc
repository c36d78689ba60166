#include "services/directory/turn.h"

namespace twintree::directory {
namespace {

thread_local Turn* current_turn = nullptr;

}  // namespace

Turn::Scope::Scope(Turn* turn) : previous_(std::exchange(current_turn, turn)) {}

Turn::Scope::~Scope() { current_turn = previous_; }

Turn* Turn::Current() { return current_turn; }

void Turn::PutOff(std::shared_ptr<Work> work) {
  put_off_.push_back(std::move(work));
  if (put_off_.size() == 1) schedule_();
}

void Turn::End() {
  ending_.swap(put_off_);
  for (const std::shared_ptr<Work>& work : ending_) work->OnTurnEnd();
  ending_.clear();
}

}  // namespace twintree::directory
