// What runs for every request: finding a type, normalising a name, comparing a value.
#include <benchmark/benchmark.h>

#include <string>

#include "services/model/matching_rule.h"
#include "services/model/schema.h"

namespace twintree::model {
namespace {

void NormalizeDn(benchmark::State& state) {
  const auto schema = Schema::Standard();
  for (auto _ : state) {
    benchmark::DoNotOptimize(schema->NormalizeDn("uid=user.123,ou=People,dc=example,dc=com"));
  }
}
BENCHMARK(NormalizeDn);

void NormalizeEscapedDn(benchmark::State& state) {
  const auto schema = Schema::Standard();
  for (auto _ : state) {
    benchmark::DoNotOptimize(schema->NormalizeDn("cn=Doe\\, J\xc3\xbcrgen,ou=People,dc=example"));
  }
}
BENCHMARK(NormalizeEscapedDn);

void DnEquals(benchmark::State& state) {
  const auto schema = Schema::Standard();
  const std::string key = "uid=user.123,ou=people,dc=example,dc=com";
  for (auto _ : state) {
    benchmark::DoNotOptimize(schema->DnEquals("uid=user.123,ou=People,dc=example,dc=com", key));
  }
}
BENCHMARK(DnEquals);

void FindAttributeType(benchmark::State& state) {
  const auto schema = Schema::Standard();
  for (auto _ : state) benchmark::DoNotOptimize(schema->FindAttributeType("telephoneNumber"));
}
BENCHMARK(FindAttributeType);

void EqualsIgnoringCase(benchmark::State& state) {
  const auto schema = Schema::Standard();
  const MatchingRule& rule = *schema->FindMatchingRule("caseIgnoreMatch");
  for (auto _ : state) benchmark::DoNotOptimize(rule.Equals("Aaren  Atp Jr", "aaren atp jr"));
}
BENCHMARK(EqualsIgnoringCase);

void BuildSchema(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Schema::StandardWith(""));
}
BENCHMARK(BuildSchema)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twintree::model
