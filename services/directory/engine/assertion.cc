#include "services/directory/engine/assertion.h"

#include "services/directory/engine/engine.h"

namespace twintree::directory {

model::Status CheckAssertion(const Controls& controls, EntryTarget& target) {
  if (controls.assertion == nullptr) return {};
  const model::Schema& schema = target.request().engine().schema();
  const auto filter = model::CompiledFilter::Compile(*controls.assertion, schema);
  const model::Truth truth = filter.Evaluate(target, schema);
  TT_RETURN_IF_ERROR(target.status());
  if (truth == model::Truth::kTrue) return {};
  return model::Error{model::ResultCode::kAssertionFailed, "the assertion is not true", {}};
}

}  // namespace twintree::directory
