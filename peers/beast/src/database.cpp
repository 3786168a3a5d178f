#include "database.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/endian/conversion.hpp>
#include <boost/json/object.hpp>
#include <stdexcept>

#include "reply.hpp"

namespace {

/** SQL by the number of its `Statement`. */
constexpr const char* SQL[] = {
    "SELECT now() AS ts",
    "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
    "SELECT * FROM books",
    R"(SELECT id, random_number AS "randomNumber" FROM world WHERE id = $1)",
    "UPDATE world SET random_number = changed.number "
    "FROM unnest($1::int[], $2::int[]) AS changed (id, number) WHERE world.id = changed.id",
    R"(SELECT id, random_number AS "randomNumber" FROM cached_world)",
    "SELECT id, message FROM fortune",
};

// Numbers of PostgreSQL's types: SELECT oid, typname FROM pg_type
constexpr Oid INT4 = 23, TEXT = 25, TIMESTAMPTZ = 1184;

std::string nameOf(int statement) { return "s" + std::to_string(statement); }

json::value valueOf(const PGresult* result, int row, int column) {
  const auto bytes = reinterpret_cast<const unsigned char*>(PQgetvalue(result, row, column));
  switch (PQftype(result, column)) {
    case INT4:
      return boost::endian::load_big_s32(bytes);
    case TEXT:
      return json::string(reinterpret_cast<const char*>(bytes), PQgetlength(result, row, column));
    case TIMESTAMPTZ: {
      using namespace std::chrono;
      // PostgreSQL counts microseconds from this day
      constexpr sys_days EPOCH = year{2000} / January / 1;
      return json::string(iso(EPOCH + microseconds{boost::endian::load_big_s64(bytes)}));
    }
    default:
      throw std::runtime_error{"a column has a type that the server does not know"};
  }
}

json::object objectOf(const PGresult* result, int row) {
  json::object object;
  for (int column = 0; column < PQnfields(result); column++) {
    object.emplace(PQfname(result, column), valueOf(result, row, column));
  }
  return object;
}

}  // namespace

Connection::Connection(net::io_context& context, std::string url)
    : url_{std::move(url)}, socket_{context} {
  connect();
}

Connection::~Connection() { close(); }

void Connection::close() {
  if (socket_.is_open()) socket_.release();  // libpq closes it
  PQfinish(handle_);
  handle_ = nullptr;
}

void Connection::fail() const { throw std::runtime_error{PQerrorMessage(handle_)}; }

void Connection::connect() {
  handle_ = PQconnectdb(url_.c_str());
  if (PQstatus(handle_) != CONNECTION_OK) fail();
  int number = 0;
  for (const char* sql : SQL) {
    const Result result{PQprepare(handle_, nameOf(number++).c_str(), sql, 0, nullptr)};
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) fail();
  }
  if (PQsetnonblocking(handle_, 1) != 0) fail();
  socket_.assign(PQsocket(handle_));
}

void Connection::restore() {
  // A connection with unread results, after an exception, cannot be used
  if (PQstatus(handle_) == CONNECTION_OK && PQtransactionStatus(handle_) == PQTRANS_IDLE) return;
  close();
  connect();
}

void Connection::send(Statement statement, const Parameters& parameters) {
  std::vector<const char*> values;
  for (const auto& value : parameters) values.push_back(value.c_str());
  const auto name = nameOf(static_cast<int>(statement));
  const int count = static_cast<int>(values.size());
  constexpr int BINARY = 1;
  if (!PQsendQueryPrepared(handle_, name.c_str(), count, values.data(), nullptr, nullptr, BINARY)) {
    fail();
  }
}

net::awaitable<void> Connection::flush() {
  for (;;) {
    const int left = PQflush(handle_);
    if (left < 0) fail();
    if (left == 0) co_return;
    co_await socket_.async_wait(net::posix::stream_descriptor::wait_write, net::use_awaitable);
  }
}

net::awaitable<Connection::Result> Connection::next() {
  while (PQisBusy(handle_)) {
    co_await socket_.async_wait(net::posix::stream_descriptor::wait_read, net::use_awaitable);
    if (!PQconsumeInput(handle_)) fail();
  }
  co_return Result{PQgetResult(handle_)};
}

net::awaitable<json::array> Connection::rows(Statement statement, Parameters parameters) {
  send(statement, parameters);
  co_await flush();
  json::array found;
  std::string problem;
  for (;;) {
    const Result result = co_await next();
    if (!result) break;
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK) {
      for (int row = 0; row < PQntuples(result.get()); row++) {
        found.push_back(objectOf(result.get(), row));
      }
    } else if (status != PGRES_COMMAND_OK) {
      problem = PQresultErrorMessage(result.get());
    }
  }
  if (!problem.empty()) throw std::runtime_error{problem};
  co_return found;
}

net::awaitable<json::array> Connection::each(Statement statement, Parameters parameters) {
  if (!PQenterPipelineMode(handle_)) fail();
  for (auto& parameter : parameters) send(statement, {parameter});
  if (!PQpipelineSync(handle_)) fail();
  co_await flush();
  json::array found;
  std::string problem;
  for (;;) {
    const Result result = co_await next();
    if (!result) {
      if (PQstatus(handle_) != CONNECTION_OK) fail();
      continue;  // ends the results of one query
    }
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_PIPELINE_SYNC) break;
    if (status == PGRES_TUPLES_OK && PQntuples(result.get()) > 0) {
      found.push_back(objectOf(result.get(), 0));
    } else {
      problem = PQresultErrorMessage(result.get());
    }
  }
  PQexitPipelineMode(handle_);
  if (found.size() < parameters.size()) throw std::runtime_error{"rows are missing: " + problem};
  co_return found;
}

Database::Database(net::io_context& context, const std::string& url, std::size_t size)
    : idle_{context, size} {
  for (std::size_t i = 0; i < size; i++) {
    auto& connection = connections_.emplace_back(std::make_unique<Connection>(context, url));
    idle_.try_send(boost::system::error_code{}, connection.get());
  }
}

net::awaitable<Database::Lease> Database::lend() {
  Connection* connection = co_await idle_.async_receive(net::use_awaitable);
  Lease lease{*this, *connection};
  connection->restore();
  co_return lease;
}

net::awaitable<json::array> Database::rows(Statement statement, Parameters parameters) {
  auto lease = co_await lend();
  co_return co_await lease->rows(statement, std::move(parameters));
}
