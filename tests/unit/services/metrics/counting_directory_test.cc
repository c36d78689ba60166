#include "services/metrics/counting_directory.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twintree::metrics {
namespace {

using namespace directory;  // NOLINT(google-build-using-namespace)
using model::ResultCode;

// Answers everything at once with one result.
class FixedDirectory : public Directory {
 public:
  explicit FixedDirectory(ResultCode code) : code_(code) {}
  void Bind(const RequestContext&, BindRequest, BindCallback done) override {
    done(BindOutcome{code_, "", {}});
  }
  std::shared_ptr<SearchOperation> Search(const RequestContext&, SearchRequest,
                                          std::shared_ptr<SearchSink> sink) override {
    sink->OnEntry("cn=x", {});
    SearchOutcome outcome;
    outcome.code = code_;
    outcome.entries = 1;
    sink->OnDone(outcome);
    return nullptr;
  }
  void Compare(const RequestContext&, CompareRequest, Callback done) override { Answer(done); }
  void Add(const RequestContext&, AddRequest, Callback done) override { Answer(done); }
  void Modify(const RequestContext&, ModifyRequest, Callback done) override { Answer(done); }
  void Delete(const RequestContext&, DeleteRequest, Callback done) override { Answer(done); }
  void ModifyDn(const RequestContext&, ModifyDnRequest, Callback done) override { Answer(done); }
  void ModifyPassword(const RequestContext&, ModifyPasswordRequest, Callback done) override {
    Answer(done);
  }

 private:
  void Answer(const Callback& done) const {
    Outcome outcome;
    outcome.code = code_;
    done(std::move(outcome));
  }
  const ResultCode code_;
};

class CollectingSink : public SearchSink {
 public:
  Flow OnEntry(std::string_view, std::span<const std::string_view>) override {
    ++entries;
    return Flow::kMore;
  }
  void OnDone(SearchOutcome outcome) override { code = outcome.code; }
  int entries = 0;
  ResultCode code = ResultCode::kOther;
};

double Total(const DirectoryMetrics& metrics, const std::string& operation,
             const std::string& result) {
  const prometheus::MetricFamily totals = metrics.Collect()[0];
  for (const auto& metric : totals.metric) {
    if (metric.label[0].value == operation && metric.label[1].value == result) {
      return metric.counter.value;
    }
  }
  return 0;
}

TEST(CountingDirectoryTest, CountsEachOperationUnderItsResult) {
  const auto metrics = std::make_shared<DirectoryMetrics>();
  CountingDirectory counting(std::make_shared<FixedDirectory>(ResultCode::kBusy), metrics);
  counting.Bind({}, {}, [](BindOutcome) {});
  counting.Compare({}, {}, [](Outcome) {});
  counting.Add({}, {}, [](Outcome) {});
  counting.Modify({}, {}, [](Outcome) {});
  counting.Delete({}, {}, [](Outcome) {});
  counting.ModifyDn({}, {}, [](Outcome) {});
  counting.ModifyPassword({}, {}, [](Outcome) {});
  for (const char* operation :
       {"bind", "compare", "add", "modify", "delete", "modify_dn", "modify_password"}) {
    EXPECT_EQ(Total(*metrics, operation, "busy"), 1) << operation;
    EXPECT_EQ(Total(*metrics, operation, "success"), 0) << operation;
  }
}

TEST(CountingDirectoryTest, CountsSearchesAndTheirEntries) {
  const auto metrics = std::make_shared<DirectoryMetrics>();
  CountingDirectory counting(std::make_shared<FixedDirectory>(ResultCode::kSizeLimitExceeded),
                             metrics);
  const auto sink = std::make_shared<CollectingSink>();
  counting.Search({}, {}, sink);
  EXPECT_EQ(sink->entries, 1);
  EXPECT_EQ(sink->code, ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(Total(*metrics, "search", "sizeLimitExceeded"), 1);
  EXPECT_EQ(metrics->Collect()[2].metric[0].counter.value, 1);
}

}  // namespace
}  // namespace twintree::metrics
