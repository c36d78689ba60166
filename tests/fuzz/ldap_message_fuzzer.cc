// A whole session: whatever comes, in whatever portions, the answers are the same and well-formed.
#include <memory>
#include <string>
#include <utility>

#include "ldap_gateway/protocol/envelope.h"
#include "ldap_gateway/session/session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/ldap_gateway/testing/fake_directory.h"

namespace {

using twintree::fuzz::Check;
namespace ldap = twintree::ldap;

class Conversation {
 public:
  Conversation() {
    session_ = std::make_shared<ldap::Session>(
        std::make_shared<const ldap::Door>(directory_, nullptr, ldap::SessionLimits(), true),
        ldap::SessionPeer());
  }
  ~Conversation() { session_->Close(); }

  void Send(std::string_view octets) {
    session_->Receive(octets);
    TakeOutput();
    while (session_->next() == ldap::Session::Next::kStartTls) {
      session_->TlsStarted();
      TakeOutput();
    }
  }
  const std::string& answers() const { return answers_; }

 private:
  void TakeOutput() {
    while (!session_->output().empty()) {
      answers_.append(session_->output());
      session_->Consume(session_->output().size());
    }
  }

  std::shared_ptr<ldap::testing::FakeDirectory> directory_ =
      std::make_shared<ldap::testing::FakeDirectory>();
  std::shared_ptr<ldap::Session> session_;
  std::string answers_;
};

void CheckFrame(std::string_view octets) {
  const ldap::Frame frame = ldap::NextFrame(octets, ldap::kMaxMessageBytes);
  if (frame.state != ldap::Frame::State::kComplete) return;
  Check(frame.size <= octets.size(), "a complete frame is there");
  Check(frame.size <= ldap::kMaxMessageBytes, "a complete frame is within the limit");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view octets = twintree::fuzz::Octets(data, size);
  CheckFrame(octets);
  Conversation whole;
  whole.Send(octets);
  Check(ldap::IsWellFormed(whole.answers()), "answers are well-formed");
  // StartTLS looks at whether octets follow it at once, so portions matter there and only there.
  if (octets.find("1.3.6.1.4.1.1466.20037") != std::string_view::npos) return 0;
  Conversation portions;
  const std::size_t portion = octets.empty() ? 1 : data[size - 1] % 16 + 1;
  for (std::size_t i = 0; i < octets.size(); i += portion) portions.Send(octets.substr(i, portion));
  Check(portions.answers() == whole.answers(), "portions make no difference");
  return 0;
}
