// The operations of the engine, one .cc each. Each keeps the promises of directory.h.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONS_H_

#include <memory>

#include "services/directory/directory.h"

namespace twintree::directory {

class Engine;

// As LocalDirectory::PasswordState.
model::Result<model::Secret> ReadPasswordState(Engine& engine, std::string_view dn);
// As LocalDirectory::HasEntry.
model::Result<bool> HasEntry(Engine& engine, std::string_view dn);

void RunBind(Engine& engine, const RequestContext& context, BindRequest request,
             Directory::BindCallback done);
std::shared_ptr<SearchOperation> RunSearch(Engine& engine, const RequestContext& context,
                                           SearchRequest request, std::shared_ptr<SearchSink> sink);
void RunCompare(Engine& engine, const RequestContext& context, const CompareRequest& request,
                const Directory::Callback& done);
void RunAdd(Engine& engine, const RequestContext& context, AddRequest request,
            Directory::Callback done);
void RunModify(Engine& engine, const RequestContext& context, ModifyRequest request,
               Directory::Callback done);
void RunDelete(Engine& engine, const RequestContext& context, DeleteRequest request,
               Directory::Callback done);
void RunModifyDn(Engine& engine, const RequestContext& context, ModifyDnRequest request,
                 Directory::Callback done);
void RunModifyPassword(Engine& engine, const RequestContext& context, ModifyPasswordRequest request,
                       Directory::Callback done);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONS_H_
