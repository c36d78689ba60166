// A connection to a database and its prepared statements.
#ifndef TWINTREE_STORAGE_SQLITE_CONNECTION_H_
#define TWINTREE_STORAGE_SQLITE_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "services/model/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace twintree::storage::sqlite {

// Thread-safety: confined (one thread at a time; may move between threads).
class Connection {
 public:
  enum class Access {
    kCreate,     // read and write, made when missing
    kWrite,      // read and write
    kFill,       // makes a file that nobody else uses and that counts only once it is whole
    kMaintain,   // read and write, with the journal that the file has
    kQueryOnly,  // reads beside a writer of this process
    kReadOnly,   // opens the file for reading only
    kImmutable,  // the same for a file that nobody can be changing and whose log is empty
  };
  struct Settings {
    std::int64_t cache_bytes = 2 << 20;  // SQLite's own page cache, this connection's
    std::int64_t mmap_bytes = 0;         // how much of the file is read by memory map
    bool durable = true;                 // every commit reaches the disk before it returns
    int page_size = 4096;                // of a file that is made
  };

  static model::Result<std::unique_ptr<Connection>> Open(const std::string& path, Access access,
                                                         const Settings& settings);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs one or more statements that give no rows that matter.
  model::Status Execute(const std::string& sql);
  // The first column of the first row; 0 when there is none.
  model::Result<std::int64_t> QueryInt(const std::string& sql);
  bool in_transaction() const;
  // Is its file no longer the one at the path it was opened with?
  bool HasMoved() const;
  // How long locks of other processes are waited for, also after another busy handler was set.
  void SetBusyTimeout();
  sqlite3* handle() const { return handle_; }

 private:
  explicit Connection(sqlite3* handle) : handle_(handle) {}
  model::Status Configure(Access access, const Settings& settings);

  sqlite3* const handle_;
};

// A statement that is prepared when it is first used and kept.
//
// REQUIRES: is destroyed before its connection; `sql` is a literal.
class Statement {
 public:
  Statement(Connection& connection, const char* sql) : connection_(connection), sql_(sql) {}
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

 private:
  friend class Query;
  Connection& connection_;
  const char* const sql_;
  sqlite3_stmt* prepared_ = nullptr;
};

// One use of a statement: bind, step, read columns. The statement is free again afterwards.
//
//   Query query(find_);
//   query.Bind(id);
//   TT_ASSIGN_OR_RETURN(const bool found, query.Step());
//   if (found) use(query.Int(0));
//
// Octets that are bound must stay until the query ends; those that are read, until the next step.
class Query {
 public:
  explicit Query(Statement& statement);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Parameters in order.
  Query& Bind(std::uint64_t value);
  Query& Bind(std::int64_t value);
  Query& BindBlob(std::string_view octets);
  Query& BindText(std::string_view text);
  Query& BindNull();

  // True: a row is there. False: done.
  model::Result<bool> Step();
  // Runs a statement that gives no rows.
  model::Status Run();
  // Makes the statement ready to be bound and run again.
  void Again();

  std::uint64_t Int(int column) const;
  std::string_view Blob(int column) const;
  bool IsNull(int column) const;

 private:
  void Check(int code);

  Statement& statement_;
  int parameter_ = 0;
  int failure_ = 0;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_CONNECTION_H_
