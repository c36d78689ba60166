#include "services/rpc/authenticator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/model/base64.h"
#include "tests/unit/services/rpc/fake_directory.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string Basic(const std::string& pair) { return "Basic " + model::EncodeBase64(pair); }

class AuthenticatorTest : public testing::Test {
 protected:
  // Right: the password "right", whoever asks.
  void SetUp() override {
    directory_->on_bind = [this](const auto&, const directory::BindRequest& request,
                                 const directory::Directory::BindCallback& done) {
      ++binds_;
      if (request.password.Reveal() != "right") {
        return done({ResultCode::kInvalidCredentials, "wrong", {}});
      }
      done({ResultCode::kSuccess, "", User(request.dn)});
    };
  }

  std::shared_ptr<Authenticator> Make(AuthenticationOptions options = {}) {
    return std::make_shared<Authenticator>(directory_, std::move(options));
  }
  static model::Result<directory::Subject> Resolve(Authenticator& authenticator,
                                                   std::optional<std::string> authorization) {
    std::optional<model::Result<directory::Subject>> result;
    authenticator.Resolve(authorization, {}, [&](auto subject) { result = std::move(subject); });
    return *std::move(result);
  }

  std::shared_ptr<FakeDirectory> directory_ = std::make_shared<FakeDirectory>();
  int binds_ = 0;
};

TEST_F(AuthenticatorTest, WithoutMetadataIsAnonymous) {
  const auto subject = Resolve(*Make(), std::nullopt);
  ASSERT_TRUE(subject.ok());
  EXPECT_TRUE(subject->anonymous());
}

TEST_F(AuthenticatorTest, BasicBinds) {
  const auto subject = Resolve(*Make(), Basic("cn=a,dc=b:right"));
  ASSERT_TRUE(subject.ok());
  EXPECT_EQ(subject->dn, "cn=a,dc=b");
}

TEST_F(AuthenticatorTest, ThePasswordMayHaveColons) {
  std::string seen;
  directory_->on_bind = [&](const auto&, const directory::BindRequest& request, const auto& done) {
    seen = std::string(request.password.Reveal());
    done({ResultCode::kSuccess, "", User(request.dn)});
  };
  EXPECT_TRUE(Resolve(*Make(), Basic("cn=a:x:y:")).ok());
  EXPECT_EQ(seen, "x:y:");
}

TEST_F(AuthenticatorTest, RemembersARightPassword) {
  const auto authenticator = Make();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Resolve(*authenticator, Basic("cn=a:right")).ok());
  EXPECT_EQ(binds_, 1);
  EXPECT_EQ(Resolve(*authenticator, Basic("cn=a:wrong")).code(), ResultCode::kInvalidCredentials);
}

TEST_F(AuthenticatorTest, NeverRemembersAWrongOne) {
  const auto authenticator = Make();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Resolve(*authenticator, Basic("cn=a:wrong")).code(), ResultCode::kInvalidCredentials);
  }
  EXPECT_EQ(binds_, 3);
}

TEST_F(AuthenticatorTest, ZeroMemoryBindsEachTime) {
  AuthenticationOptions options;
  options.remember_credentials = milliseconds(0);
  const auto authenticator = Make(std::move(options));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Resolve(*authenticator, Basic("cn=a:right")).ok());
  EXPECT_EQ(binds_, 3);
}

class PasswordStateTest : public AuthenticatorTest {
 protected:
  std::shared_ptr<Authenticator> MakeWithState() {
    AuthenticationOptions options;
    options.password_state = [this](std::string_view) -> model::Result<model::Secret> {
      if (state_.empty()) return model::Error{ResultCode::kNoSuchObject, "", ""};
      return model::Secret(state_);
    };
    return Make(std::move(options));
  }
  static std::string TokenOf(Authenticator& authenticator) {
    std::string token;
    authenticator.LogIn("cn=a", model::Secret("right"), {},
                        [&](auto login) { token = login->token; });
    return "Bearer " + token;
  }

  std::string state_ = "one";  // empty: no entry
};

TEST_F(PasswordStateTest, AChangedPasswordIsAskedForAgain) {
  const auto authenticator = MakeWithState();
  EXPECT_TRUE(Resolve(*authenticator, Basic("cn=a:right")).ok());
  EXPECT_TRUE(Resolve(*authenticator, Basic("cn=a:right")).ok());
  EXPECT_EQ(binds_, 1);
  state_ = "two";
  EXPECT_TRUE(Resolve(*authenticator, Basic("cn=a:right")).ok());
  EXPECT_EQ(binds_, 2);
}

TEST_F(PasswordStateTest, AChangedPasswordEndsTokens) {
  const auto authenticator = MakeWithState();
  const std::string token = TokenOf(*authenticator);
  EXPECT_TRUE(Resolve(*authenticator, token).ok());
  state_ = "two";
  EXPECT_EQ(Resolve(*authenticator, token).code(), ResultCode::kInvalidCredentials);
  EXPECT_TRUE(Resolve(*authenticator, TokenOf(*authenticator)).ok());
}

TEST_F(PasswordStateTest, ARemovedEntryEndsTokens) {
  const auto authenticator = MakeWithState();
  const std::string token = TokenOf(*authenticator);
  state_ = "";
  EXPECT_EQ(Resolve(*authenticator, token).code(), ResultCode::kInvalidCredentials);
}

TEST_F(PasswordStateTest, APasswordChangedDuringTheBindGivesNoGoodToken) {
  const auto authenticator = MakeWithState();
  directory_->on_bind = [this](const auto&, const auto& request, const auto& done) {
    state_ = "two";
    done({ResultCode::kSuccess, "", User(request.dn)});
  };
  const std::string token = TokenOf(*authenticator);
  EXPECT_EQ(Resolve(*authenticator, token).code(), ResultCode::kInvalidCredentials);
}

TEST_F(PasswordStateTest, ACallAfterTheChangeDoesNotShareABindBeforeIt) {
  std::vector<directory::Directory::BindCallback> waiting;
  directory_->on_bind = [&](const auto&, const auto&, const auto& done) {
    waiting.push_back(done);
  };
  const auto authenticator = MakeWithState();
  std::vector<bool> right;
  for (const char* state : {"one", "two"}) {
    state_ = state;
    authenticator->Resolve(Basic("cn=a:right"), {},
                           [&](auto subject) { right.push_back(subject.ok()); });
  }
  ASSERT_EQ(waiting.size(), 2u);
  waiting[0]({ResultCode::kSuccess, "", User("cn=a")});
  waiting[1]({ResultCode::kInvalidCredentials, "", {}});
  EXPECT_EQ(right, (std::vector<bool>{true, false}));
  EXPECT_EQ(Resolve(*authenticator, "Basic ???").code(), ResultCode::kInvalidCredentials);
}

TEST_F(AuthenticatorTest, CallsAtOnceShareOneBind) {
  std::vector<directory::Directory::BindCallback> waiting;
  directory_->on_bind = [&](const auto&, const auto&, const auto& done) {
    waiting.push_back(done);
  };
  const auto authenticator = Make();
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) {
    authenticator->Resolve(Basic("cn=a:right"), {},
                           [&](auto subject) { names.push_back(subject->dn); });
  }
  ASSERT_EQ(waiting.size(), 1u);
  waiting[0]({ResultCode::kSuccess, "", User("cn=a")});
  EXPECT_EQ(names, std::vector<std::string>(5, "cn=a"));
}

// Binds that end when the test says so.
class WaitingCallsTest : public AuthenticatorTest {
 protected:
  struct UnderWay {
    directory::RequestContext context;
    directory::Directory::BindCallback done;
  };
  void SetUp() override {
    directory_->on_bind = [this](const auto& context, const auto&, const auto& done) {
      binds_under_way_.push_back({context, done});
    };
  }
  WaitingCall Resolve(const std::string& pair, std::size_t body_bytes = 0) {
    WaitingCall call;
    call.interest = std::make_shared<directory::SingleInterest>();
    call.body_bytes = body_bytes;
    authenticator_->Resolve(Basic(pair), call,
                            [this](auto subject) { codes_.push_back(subject.code()); });
    return call;
  }

  const std::shared_ptr<Authenticator> authenticator_ = Make();
  std::vector<UnderWay> binds_under_way_;
  std::vector<ResultCode> codes_;  // of the calls that have ended
};

TEST_F(WaitingCallsTest, TheLastThatLeavesTakesTheInterestInTheBindAlong) {
  const WaitingCall one = Resolve("cn=a:right");
  const WaitingCall other = Resolve("cn=a:right");
  ASSERT_EQ(binds_under_way_.size(), 1u);
  one.interest->Lose();
  EXPECT_FALSE(binds_under_way_[0].context.IsUnwanted());
  EXPECT_EQ(codes_, std::vector{ResultCode::kCanceled});
  other.interest->Lose();
  EXPECT_TRUE(binds_under_way_[0].context.IsUnwanted());
  EXPECT_EQ(codes_, std::vector(2, ResultCode::kCanceled));
}

TEST_F(WaitingCallsTest, ABindIsItsClients) {
  authenticator_->Resolve(Basic("cn=a:right"), {nullptr, [] { return 7; }, 0}, [](const auto&) {});
  EXPECT_EQ(binds_under_way_.at(0).context.client, 7u);
}

TEST_F(WaitingCallsTest, BodiesThatWaitAreBounded) {
  const std::size_t half = AuthenticationOptions().max_waiting_bytes / 2;
  const WaitingCall first = Resolve("cn=a:1", half);
  Resolve("cn=a:2", half);
  Resolve("cn=a:3", half);
  EXPECT_EQ(codes_, std::vector{ResultCode::kAdminLimitExceeded});
  Resolve("cn=a:4", 100);
  first.interest->Lose();
  Resolve("cn=a:5", half);
  binds_under_way_.at(1).done({ResultCode::kSuccess, "", User("cn=a")});
  Resolve("cn=a:6", half);
  EXPECT_EQ(binds_under_way_.size(), 5u);
  EXPECT_EQ(codes_, (std::vector{ResultCode::kAdminLimitExceeded, ResultCode::kCanceled,
                                 ResultCode::kSuccess}));
}

TEST_F(WaitingCallsTest, ALateAnswerToABindThatAllHaveLeftIsNobodysAnswer) {
  Resolve("cn=a:right").interest->Lose();
  Resolve("cn=a:right");
  ASSERT_EQ(binds_under_way_.size(), 2u);
  binds_under_way_[0].done({ResultCode::kCanceled, "nobody waits", {}});
  binds_under_way_[1].done({ResultCode::kSuccess, "", User("cn=a")});
  EXPECT_EQ(codes_, (std::vector{ResultCode::kCanceled, ResultCode::kSuccess}));
}

TEST_F(WaitingCallsTest, ACallThatIsCancelledBeforeItWaitsIsAnswered) {
  WaitingCall call;
  call.interest = std::make_shared<directory::SingleInterest>();
  call.interest->Lose();
  authenticator_->Resolve(Basic("cn=a:right"), call,
                          [this](auto subject) { codes_.push_back(subject.code()); });
  EXPECT_EQ(codes_, std::vector{ResultCode::kCanceled});
  EXPECT_TRUE(binds_under_way_[0].context.IsUnwanted());
}

TEST_F(AuthenticatorTest, RefusesWhatItCannotRead) {
  const auto authenticator = Make();
  for (const std::string bad :
       {"", "Basic", "Basic ", "Basic ???", "Digest x", "Bearer", "Bearer a.b", "Bearer ."}) {
    EXPECT_EQ(Resolve(*authenticator, bad).code(), ResultCode::kInvalidCredentials) << bad;
  }
  EXPECT_EQ(Resolve(*authenticator, Basic("no colon")).code(), ResultCode::kInvalidCredentials);
  EXPECT_EQ(binds_, 0);
}

TEST_F(AuthenticatorTest, SchemeNamesHaveNoCase) {
  EXPECT_TRUE(Resolve(*Make(), "bASIC " + model::EncodeBase64("cn=a:right")).ok());
}

TEST_F(AuthenticatorTest, ATokenStandsForItsOwner) {
  const auto authenticator = Make();
  std::optional<Login> login;
  authenticator->LogIn("cn=a", model::Secret("right"), {}, [&](auto result) { login = *result; });
  ASSERT_TRUE(login.has_value());
  const auto subject = Resolve(*authenticator, "Bearer " + login->token);
  ASSERT_TRUE(subject.ok());
  EXPECT_EQ(subject->dn, "cn=a");
  EXPECT_EQ(subject->dn_key, "cn=a");
  EXPECT_EQ(subject->kind, directory::Subject::Kind::kUser);
  EXPECT_EQ(binds_, 1);
}

TEST_F(AuthenticatorTest, NoTokenForAWrongPassword) {
  std::optional<ResultCode> code;
  Make()->LogIn("cn=a", model::Secret("wrong"), {}, [&](auto result) { code = result.code(); });
  EXPECT_EQ(code, ResultCode::kInvalidCredentials);
}

TEST(TokenSignerTest, ATokenExpires) {
  const TokenSigner signer(model::Secret("key"));
  const auto now = std::chrono::system_clock::now();
  const std::string token =
      signer.Sign(User("cn=a"), signer.DigestOf(model::Secret("s")), now + seconds(10));
  EXPECT_TRUE(signer.Verify(token, now + seconds(8)).ok());
  EXPECT_EQ(signer.Verify(token, now + seconds(10)).code(), ResultCode::kInvalidCredentials);
}

TEST(TokenSignerTest, OnlyTheSameKeyVerifies) {
  const auto now = std::chrono::system_clock::now();
  const TokenSigner signer(model::Secret("key"));
  const std::string token =
      signer.Sign(User("cn=a"), signer.DigestOf(model::Secret("s")), now + seconds(10));
  EXPECT_TRUE(TokenSigner(model::Secret("key")).Verify(token, now).ok());
  EXPECT_EQ(TokenSigner(model::Secret("other")).Verify(token, now).code(),
            ResultCode::kInvalidCredentials);
  EXPECT_EQ(TokenSigner(model::Secret()).Verify(token, now).code(),
            ResultCode::kInvalidCredentials);
}

TEST(TokenSignerTest, NoCharacterCanBeChanged) {
  const TokenSigner signer(model::Secret("key"));
  const auto now = std::chrono::system_clock::now();
  const std::string token =
      signer.Sign(User("cn=a"), signer.DigestOf(model::Secret("s")), now + seconds(10));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(signer.Verify(changed, now).code(), ResultCode::kInvalidCredentials) << i;
  }
}

TEST(CredentialCacheTest, ForgetsByTime) {
  CredentialCache cache(milliseconds(1000), 10);
  const auto now = CredentialCache::Clock::now();
  const std::string key = cache.KeyOf("cn=a", model::Secret("x"));
  cache.Store(key, "state", User("cn=a"), now);
  EXPECT_TRUE(cache.Find(key, "state", now + milliseconds(999)).has_value());
  EXPECT_FALSE(cache.Find(key, "other", now + milliseconds(999)).has_value());
  EXPECT_FALSE(cache.Find(key, "state", now + milliseconds(1000)).has_value());
}

TEST(CredentialCacheTest, TellsApartWhereNamesEnd) {
  const CredentialCache cache(milliseconds(1000), 10);
  EXPECT_NE(cache.KeyOf("cn=a", model::Secret("bc")), cache.KeyOf("cn=ab", model::Secret("c")));
}

TEST(CredentialCacheTest, NeverGrowsBeyondItsBound) {
  CredentialCache cache(milliseconds(1000), 10);
  const auto now = CredentialCache::Clock::now();
  for (int i = 0; i < 100; ++i) cache.Store(std::to_string(i), "", User("cn=a"), now);
  EXPECT_EQ(cache.size(), 10u);
  EXPECT_TRUE(cache.Find("99", "", now).has_value());
}

}  // namespace
}  // namespace twintree::rpc
