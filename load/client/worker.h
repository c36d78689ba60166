// A thread that keeps some connections to the server busy.
//
//   worker->Connect();          // in any thread
//   std::thread([&] { worker->Run(); });
//
// Errors:        Connect throws std::runtime_error when a connection cannot be opened or bound, Run
//                when the thread cannot go on; anything that the server does wrong is recorded
// Thread-safety: confined, but recorder() may be asked by any thread and cpu() after Run()
#ifndef TWINTREE_LOAD_CLIENT_WORKER_H_
#define TWINTREE_LOAD_CLIENT_WORKER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "load/client/strand.h"
#include "load/client/target.h"
#include "load/measure/pacer.h"
#include "load/measure/recorder.h"

namespace twintree::load {

struct Credentials {
  std::string dn;  // empty: anonymous
  std::string password;
};

// Connections of one kind that a worker has.
struct ConnectionPlan {
  Workload* workload;
  bool paced;
  int depth;                    // operations under way at a time
  std::uint64_t random_stream;  // that of the first strand; the others count up from it
};

struct WorkerPlan {
  Target target;
  Credentials credentials;
  std::uint64_t seed = 1;
  std::vector<ConnectionPlan> connections;
  Pacer pacer = Pacer::ClosedLoop();
};

class Worker {
 public:
  Worker(PhaseControl* control, std::size_t labels) : control_(control), recorder_(labels) {}
  virtual ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  virtual void Connect() = 0;
  // Until the window is over, the budget used, or nothing left to do, and all answers have come.
  virtual void Run() = 0;

  const Recorder& recorder() const { return recorder_; }
  Recorder& recorder() { return recorder_; }
  std::uint64_t missed() const { return missed_; }

 protected:
  PhaseControl* const control_;
  Recorder recorder_;
  std::uint64_t missed_ = 0;
};

// For ldap:// and ldapi://, and for grpc://.
std::unique_ptr<Worker> MakeLdapWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels);
std::unique_ptr<Worker> MakeGrpcWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_WORKER_H_
