// PostgreSQL by libpq without blocking: https://www.postgresql.org/docs/current/libpq-async.html
#pragma once

#include <libpq-fe.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/json/array.hpp>
#include <memory>
#include <string>
#include <vector>

/** The statements, which each connection prepares. */
enum class Statement { now, users, books, world, update_world, cached_world, fortunes };

using Parameters = std::vector<std::string>;

/** A connection, used by one coroutine at a time. */
class Connection {
 public:
  Connection(boost::asio::io_context& context, std::string url);
  ~Connection();

  /** Connects again if the connection was lost. Blocks. Throws `std::runtime_error`. */
  void restore();

  /** Returns the rows of a statement: a list of objects. */
  boost::asio::awaitable<boost::json::array> rows(Statement statement, Parameters parameters);

  /** Sends a statement once for each parameter in one pipeline. Returns the first row of each. */
  boost::asio::awaitable<boost::json::array> each(Statement statement, Parameters parameters);

 private:
  struct Cleared {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Result = std::unique_ptr<PGresult, Cleared>;

  void connect();
  void close();
  void send(Statement statement, const Parameters& parameters);
  boost::asio::awaitable<void> flush();
  boost::asio::awaitable<Result> next();
  [[noreturn]] void fail() const;

  std::string url_;
  PGconn* handle_ = nullptr;
  boost::asio::posix::stream_descriptor socket_;
};

/** A fixed number of connections. A coroutine that finds none waits for one. */
class Database {
 public:
  Database(boost::asio::io_context& context, const std::string& url, std::size_t size);

  /** Lends a connection, which returns to the pool when the caller drops it. */
  class Lease {
   public:
    Lease(Database& from, Connection& connection) : from_{&from}, connection_{&connection} {}
    Lease(Lease&& other) noexcept
        : from_{other.from_}, connection_{std::exchange(other.connection_, nullptr)} {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (connection_) from_->idle_.try_send(boost::system::error_code{}, connection_);
    }
    Connection* operator->() const { return connection_; }

   private:
    Database* from_;
    Connection* connection_;
  };

  boost::asio::awaitable<Lease> lend();
  boost::asio::awaitable<boost::json::array> rows(Statement statement, Parameters parameters = {});

 private:
  std::vector<std::unique_ptr<Connection>> connections_;
  boost::asio::experimental::concurrent_channel<void(boost::system::error_code, Connection*)> idle_;
};
