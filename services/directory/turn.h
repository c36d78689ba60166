// What a thread does in one turn of its event loop, seen as a whole.
//
// A thread that starts many operations in a row says so with a Turn. What is better done once for
// all of them than once for each, above all writing them to another process, is put off until the
// turn ends. A thread without a turn does everything at once.
//
//   Turn turn([&] { PostToMyEventLoop([&] { turn.End(); }); });   // one for the thread
//   const Turn::Scope scope(&turn);                               // while its event loop runs
//
// Thread-safety: compatible; a turn belongs to one thread.
#ifndef TWINTREE_SERVICES_DIRECTORY_TURN_H_
#define TWINTREE_SERVICES_DIRECTORY_TURN_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace twintree::directory {

class Turn {
 public:
  class Work {
   public:
    virtual ~Work() = default;
    virtual void OnTurnEnd() = 0;
  };

  // Makes `turn` the calling thread's for as long as this lives.
  class Scope {
   public:
    explicit Scope(Turn* turn);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Turn* const previous_;
  };

  // `schedule` is called when the first work is put off, and must see to it that End() is called
  // soon, on the same thread and not from within the call.
  explicit Turn(std::function<void()> schedule) : schedule_(std::move(schedule)) {}

  // The calling thread's turn; null if it has none.
  static Turn* Current();

  void PutOff(std::shared_ptr<Work> work);
  // Does what was put off. What that puts off is for the next turn.
  void End();

 private:
  const std::function<void()> schedule_;
  std::vector<std::shared_ptr<Work>> put_off_;
  std::vector<std::shared_ptr<Work>> ending_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_TURN_H_
