#include "services/directory/engine/local_directory.h"

#include <utility>

#include "services/directory/engine/engine.h"
#include "services/directory/engine/operations.h"

namespace twintree::directory {
namespace {

class EngineDirectory final : public LocalDirectory {
 public:
  explicit EngineDirectory(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  void Bind(const RequestContext& context, BindRequest request, BindCallback done) override {
    RunBind(*engine_, context, std::move(request), std::move(done));
  }
  std::shared_ptr<SearchOperation> Search(const RequestContext& context, SearchRequest request,
                                          std::shared_ptr<SearchSink> sink) override {
    return RunSearch(*engine_, context, std::move(request), std::move(sink));
  }
  void Compare(const RequestContext& context, CompareRequest request, Callback done) override {
    RunCompare(*engine_, context, request, done);
  }
  void Add(const RequestContext& context, AddRequest request, Callback done) override {
    RunAdd(*engine_, context, std::move(request), std::move(done));
  }
  void Modify(const RequestContext& context, ModifyRequest request, Callback done) override {
    RunModify(*engine_, context, std::move(request), std::move(done));
  }
  void Delete(const RequestContext& context, DeleteRequest request, Callback done) override {
    RunDelete(*engine_, context, std::move(request), std::move(done));
  }
  void ModifyDn(const RequestContext& context, ModifyDnRequest request, Callback done) override {
    RunModifyDn(*engine_, context, std::move(request), std::move(done));
  }
  void ModifyPassword(const RequestContext& context, ModifyPasswordRequest request,
                      Callback done) override {
    RunModifyPassword(*engine_, context, std::move(request), std::move(done));
  }

  model::Result<model::Secret> PasswordState(std::string_view dn) const override {
    return ReadPasswordState(*engine_, dn);
  }
  model::Result<bool> HasEntry(std::string_view dn) const override {
    return directory::HasEntry(*engine_, dn);
  }

  EngineStatistics Statistics() const override { return engine_->counters().Read(); }

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace

model::Result<std::unique_ptr<LocalDirectory>> LocalDirectory::Make(Parts parts,
                                                                    EngineOptions options) {
  TT_ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine,
                      Engine::Make(std::move(parts), std::move(options)));
  return std::unique_ptr<LocalDirectory>(std::make_unique<EngineDirectory>(std::move(engine)));
}

}  // namespace twintree::directory
