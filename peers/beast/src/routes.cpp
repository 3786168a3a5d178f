#include "routes.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <unordered_map>

#include "handlers.hpp"

namespace {

constexpr int LAST_OFFSET = 200'000 - 10;

net::awaitable<Reply> text(App&, const Request& request, const urls::url_view&) {
  co_return reply(request, "text/plain;charset=UTF-8", "Hello world");
}

net::awaitable<Reply> plaintext(App&, const Request& request, const urls::url_view&) {
  co_return reply(request, "text/plain", "Hello, World!");
}

net::awaitable<Reply> greet(App&, const Request& request, const urls::url_view&) {
  const auto now = iso(std::chrono::system_clock::now());
  co_return reply(request, json::value{{"message", "Hello world"}, {"ts", now}});
}

net::awaitable<Reply> now(App& app, const Request& request, const urls::url_view&) {
  const auto rows = co_await app.database->rows(Statement::now);
  co_return reply(request, rows.at(0));
}

net::awaitable<Reply> users(App& app, const Request& request, const urls::url_view&) {
  thread_local std::mt19937 generator{std::random_device{}()};
  Parameters offset{std::to_string(std::uniform_int_distribution{0, LAST_OFFSET}(generator))};
  co_return reply(request, co_await app.database->rows(Statement::users, std::move(offset)));
}

net::awaitable<Reply> books(App& app, const Request& request, const urls::url_view&) {
  auto rows = co_await app.database->rows(Statement::books);
  co_return reply(request, json::value{{"from", "Boost.Beast"}, {"data", std::move(rows)}});
}

net::awaitable<Reply> delay(App& app, const Request& request, const urls::url_view& url) {
  const int ms = parameter(url, "ms", 0, 60'000, 2000);
  const int every = parameter(url, "every", 1, 1'000'000, 10);
  if (++app.delays % every == 0) {
    net::steady_timer timer{co_await net::this_coro::executor, std::chrono::milliseconds{ms}};
    co_await timer.async_wait(net::use_awaitable);
  }
  std::ifstream file{app.hello_html};
  std::string html{std::istreambuf_iterator<char>{file}, {}};
  co_return reply(request, "text/html;charset=utf-8", std::move(html));
}

/** Answers requests that the session leaves: /echo without a handshake. */
net::awaitable<Reply> unserved(App&, const Request&, const urls::url_view&) {
  throw Refused{http::status::upgrade_required, "a WebSocket handshake is needed"};
  co_return reply({}, "", "");
}

struct Route {
  Handler* handler;
  http::verb method = http::verb::get;
  bool isOfDatabase = false;
};

const std::unordered_map<std::string_view, Route> ROUTES{
    {"/", {text}},
    {"/json", {greet}},
    {"/sql1", {now, http::verb::get, true}},
    {"/sql2", {users, http::verb::get, true}},
    {"/books", {books, http::verb::get, true}},
    {"/delay", {delay}},
    {"/primes", {primes}},
    {"/schema", {schema, http::verb::post}},
    {"/plaintext", {plaintext}},
    {"/db", {world, http::verb::get, true}},
    {"/queries", {queries, http::verb::get, true}},
    {"/updates", {updates, http::verb::get, true}},
    {"/cached", {cached, http::verb::get, true}},
    {"/fortunes", {fortunes, http::verb::get, true}},
    {"/upload", {upload, http::verb::post}},
    {"/stream", {unserved}},
    {"/echo", {unserved}},
};

Route routeOf(std::string_view path) {
  if (path.starts_with("/static/")) return {static_file};
  const auto found = ROUTES.find(path);
  if (found == ROUTES.end()) throw Refused{http::status::not_found, "not found"};
  return found->second;
}

Reply notAllowed(const Request& request, http::verb allowed) {
  http::response<http::empty_body> response{http::status::method_not_allowed, request.version()};
  prepare(response);
  response.set(http::field::allow, allowed == http::verb::get ? "GET, HEAD" : "POST");
  response.keep_alive(request.keep_alive());
  response.prepare_payload();
  return response;
}

}  // namespace

net::awaitable<Reply> respond(App& app, const Request& request, const urls::url_view& url) {
  try {
    const auto route = routeOf(url.path());
    const auto asked = request.method() == http::verb::head ? http::verb::get : request.method();
    if (asked != route.method) co_return notAllowed(request, route.method);
    if (route.isOfDatabase && !app.database) {
      throw Refused{http::status::service_unavailable, "there is no database"};
    }
    co_return co_await route.handler(app, request, url);
  } catch (const Refused& refused) {
    co_return reply(request, refused);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    co_return reply(request, Refused{http::status::internal_server_error, "internal error"});
  }
}
