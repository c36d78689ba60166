// search: asks a directory over gRPC and prints LDIF.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/cli/addresses.h"
#include "services/cli/commands.h"
#include "services/cli/environment.h"
#include "services/cli/input_files.h"
#include "services/cli/settings.h"
#include "services/cli/value_checks.h"
#include "services/model/attribute.h"
#include "services/model/ldif.h"
#include "services/rpc/directory_client.h"

namespace twintree::cli {
namespace {

using directory::Scope;

struct SearchSettings {
  std::string server = "127.0.0.1:8389";
  std::string ca_file;
  std::string bind_dn;
  std::string password_file;
  std::string base;
  std::string scope = "sub";
  std::string filter = "(objectClass=*)";
  const CLI::Option* filter_option = nullptr;
  std::vector<std::string> attributes;  // a filter may stand before them
  std::uint32_t size_limit = 0;
  std::uint32_t time_limit_seconds = 0;
  std::uint32_t timeout_seconds = 300;
  bool types_only = false;
  std::string config_file;
};

Scope ScopeOf(const std::string& name) {
  if (name == "base") return Scope::kBase;
  if (name == "one") return Scope::kOneLevel;
  if (name == "children") return Scope::kSubordinate;
  return Scope::kSubtree;
}

model::Result<std::unique_ptr<rpc::DirectoryClient>> MakeClient(const SearchSettings& settings) {
  rpc::DirectoryClientOptions options;
  TT_RETURN_IF_ERROR(CheckServerAddress("--server", settings.server));
  TT_RETURN_IF_ERROR(CheckReadable("--tls-ca", settings.ca_file));
  options.target = settings.server;
  if (!settings.ca_file.empty()) options.tls = rpc::ClientTls{settings.ca_file, "", "", ""};
  options.bind_dn = settings.bind_dn;
  options.timeout = std::chrono::seconds(settings.timeout_seconds);
  if (!settings.password_file.empty()) {
    TT_ASSIGN_OR_RETURN(options.password,
                        ReadSecretFile("--password-file", settings.password_file));
  }
  auto client = rpc::DirectoryClient::Make(std::move(options));
  if (!client.ok()) return Named("--tls-ca", client.error());
  return client;
}

// Of a search for types alone, an attribute is printed as ldapsearch does: "cn:".
void Print(rpc::ClientEntry entry) {
  for (model::RawAttribute& attribute : entry.attributes) {
    if (attribute.values.empty()) attribute.values.emplace_back();
  }
  std::string text;
  model::AppendLdifEntry(entry.dn, entry.attributes, &text);
  std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
}

bool LooksLikeFilter(std::string_view word) {
  return word.starts_with('(') || word.find('=') != std::string_view::npos;
}

// As ldapsearch does: a filter may be written without its outermost parentheses.
std::string WithParentheses(const std::string& filter) {
  return filter.starts_with('(') ? filter : "(" + filter + ")";
}

bool IsAttribute(std::string_view word) {
  if (word == "*" || word == "+" || word == "1.1") return true;
  if (word.starts_with('@')) word.remove_prefix(1);  // all attributes of a class: RFC 4529
  return model::IsAttributeDescription(word);
}

// Takes the filter from where ldapsearch has it: no attribute's name looks so.
model::Status TakeFilter(SearchSettings* settings) {
  const auto wrong = [](std::string text) {
    return model::Error{model::ResultCode::kOther, std::move(text), ""};
  };
  std::vector<std::string>& words = settings->attributes;
  bool has_filter = settings->filter_option->count() > 0;
  if (!has_filter && !words.empty() && LooksLikeFilter(words.front())) {
    settings->filter = std::move(words.front());
    words.erase(words.begin());
    has_filter = true;
  }
  for (const std::string& word : words) {
    if (LooksLikeFilter(word)) {
      return has_filter ? wrong("two filters: '" + settings->filter + "' and '" + word + "'")
                        : wrong("the filter '" + word + "' must stand before the attributes");
    }
    if (!IsAttribute(word)) return wrong("'" + word + "' is neither a filter nor an attribute");
  }
  settings->filter = WithParentheses(settings->filter);
  return model::OkStatus();
}

int Search(const CLI::App& app, const SearchSettings& settings) {
  auto client = MakeClient(settings);
  if (!client.ok()) return FailUsage(app, client.error().message);
  rpc::ClientQuery query;
  query.base = settings.base;
  query.scope = ScopeOf(settings.scope);
  query.filter = settings.filter;
  query.attributes = settings.attributes;
  query.size_limit = settings.size_limit;
  query.time_limit = std::chrono::seconds(settings.time_limit_seconds);
  query.types_only = settings.types_only;
  std::ios::sync_with_stdio(false);
  const auto outcome = (*client)->Search(query, Print);
  std::cout.flush();
  if (!std::cout) return Fail(app, "cannot write to standard output");
  const model::ResultCode code = outcome.ok() ? outcome->code : outcome.code();
  if (code == model::ResultCode::kSuccess) return kExitOk;
  std::string message = std::string(model::ResultCodeName(code)) + " (" +
                        std::to_string(static_cast<int>(code)) + ")";
  const std::string& detail = outcome.ok() ? outcome->diagnostic : outcome.error().message;
  if (!detail.empty()) {
    message += ": " + WithTlsHint(detail, "--tls-ca", !settings.ca_file.empty());
  }
  const std::string& matched = outcome.ok() ? outcome->matched_dn : outcome.error().matched_dn;
  if (!matched.empty()) message += "; the nearest entry is '" + matched + "'";
  PrintError(app, message);
  return ExitStatusOf(code);
}

}  // namespace

Command MakeSearch(CLI::App& parent) {
  const auto settings = std::make_shared<SearchSettings>();
  CLI::App* app = parent.add_subcommand("search", "Searches a directory over gRPC; prints LDIF");
  app->add_option("--server", settings->server, "The directory's gRPC address")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  app->add_option("--tls-ca", settings->ca_file,
                  "Authorities of the server's certificate, PEM; without it plain text is spoken")
      ->type_name("FILE");
  app->add_option("--bind-dn,-D", settings->bind_dn, "Who asks; nobody: anonymous")
      ->type_name("DN");
  app->add_option("--password-file,-y", settings->password_file,
                  "File with the password of --bind-dn")
      ->type_name("FILE");
  app->add_option("--base,-b", settings->base, "Where to begin; empty: the root DSE")
      ->type_name("DN");
  AddTimeoutFlag(app, &settings->timeout_seconds);
  app->add_option("--scope,-s", settings->scope, "base, one, sub or children")
      ->capture_default_str()
      ->transform(CLI::IsMember({"base", "one", "sub", "children"}, CLI::ignore_case))
      ->type_name("SCOPE");
  settings->filter_option =
      app->add_option("--filter,-f", settings->filter, "What to find, as RFC 4515 writes it")
          ->capture_default_str()
          ->type_name("FILTER");
  app->add_option("--size-limit,-z", settings->size_limit, "Most entries; 0: the directory's limit")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("N");
  app->add_option("--time-limit,-l", settings->time_limit_seconds,
                  "Most seconds; 0: the directory's limit")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("SECONDS");
  app->add_flag("--types-only,-A", settings->types_only, "Names of attributes without values")
      ->check(TrueOrFalse());
  app->add_option("attributes", settings->attributes,
                  "What to find, when the first one begins with '(' or holds '='; attributes to "
                  "print; * all user attributes, + all operational ones, @CLASS those of a class, "
                  "1.1 none")
      ->type_name("ATTR");
  AddConfigFlag(app, &settings->config_file);
  // In servers these are what nobody may exceed.
  NameEnvironment(app, {"--size-limit", "--time-limit"});
  app->footer(
      "Examples:\n"
      "  twintree search --base dc=example,dc=com uid=alice cn mail\n"
      "  twintree search --base dc=example,dc=com --filter '(|(uid=alice)(uid=bob))' cn mail\n"
      "  twintree search --base '' --scope base '*' +\n"
      "Exit status: 0, or the LDAP result code (32: no such entry), 2 for wrong usage.");
  const auto run = [app, settings] {
    const model::Status usage = TakeFilter(settings.get());
    return usage.ok() ? Search(*app, *settings) : FailUsage(*app, usage.error().message);
  };
  return {app, run};
}

}  // namespace twintree::cli
