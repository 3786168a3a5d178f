#include "session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/url/parse.hpp>
#include <optional>

#include "routes.hpp"

namespace websocket = beast::websocket;
using net::use_awaitable;

namespace {

constexpr std::uint64_t MAX_BODY = 1'000'000;
/** The most bytes of a body that are read at once. 512 bytes would mean 2,000 reads for 1 MB. */
constexpr std::size_t READ_SIZE = 65'536;

/** Reads a request. Throws `Refused` if its body is too large, or if it is not HTTP. */
net::awaitable<Request> read(beast::tcp_stream& stream, beast::flat_buffer& buffer) {
  const auto check = [](beast::error_code error) {
    if (!error) return;
    if (error == http::error::body_limit) {
      throw Refused{http::status::payload_too_large, "the body is too large"};
    }
    const bool isInvalid = error.category() == make_error_code(http::error::bad_method).category();
    const bool isEnd =
        error == http::error::end_of_stream || error == http::error::partial_message;
    if (isInvalid && !isEnd) throw Refused{http::status::bad_request, error.message()};
    throw boost::system::system_error{error};
  };
  http::request_parser<http::string_body> parser;
  parser.body_limit(MAX_BODY);
  const auto [head, headSize] =
      co_await http::async_read_header(stream, buffer, parser, net::as_tuple(use_awaitable));
  check(head);
  if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
    http::response<http::empty_body> proceed{http::status::continue_, 11};
    co_await http::async_write(stream, proceed, use_awaitable);
  }
  if (!parser.is_done()) {
    // Beast reads 512 bytes at a time, or as many as the buffer has room for
    buffer.reserve(READ_SIZE);
    const auto [body, bodySize] =
        co_await http::async_read(stream, buffer, parser, net::as_tuple(use_awaitable));
    check(body);
  }
  co_return parser.release();
}

/** Answers a request. Returns whether the connection can have another request. Throws `Refused`. */
net::awaitable<bool> answer(beast::tcp_stream& stream, App& app, const Request& request) {
  const auto url = urls::parse_origin_form(request.target());
  if (!url) throw Refused{http::status::bad_request, "bad target"};
  const bool isGet = request.method() == http::verb::get || request.method() == http::verb::head;
  const std::string path = url->path();
  if (path == "/echo" && websocket::is_upgrade(request)) {
    co_await echo(std::move(stream), request);
    co_return false;
  }
  if (isGet && path == "/stream") {
    co_return co_await sendEvents(stream, request, *url);
  }
  Reply reply = co_await respond(app, request, *url);
  stream.expires_after(TIMEOUT);
  co_await beast::async_write(stream, std::move(reply), use_awaitable);
  co_return true;
}

net::awaitable<void> answerAll(beast::tcp_stream& stream, App& app) {
  beast::flat_buffer buffer;
  for (bool keepsAlive = true; keepsAlive;) {
    Request request;
    std::optional<Refused> problem;
    bool isRead = false;
    try {
      stream.expires_after(TIMEOUT);
      request = co_await read(stream, buffer);
      isRead = true;
      if (!co_await answer(stream, app, request)) co_return;
    } catch (const Refused& refused) {
      problem = refused;
    }
    keepsAlive = isRead && request.keep_alive();
    if (!problem) continue;
    if (!isRead) request.keep_alive(false);
    co_await beast::async_write(stream, reply(request, *problem), use_awaitable);
  }
}

}  // namespace

net::awaitable<void> serve(net::ip::tcp::socket socket, App& app) {
  // Otherwise the second write of a response waits for the acknowledgement of the first
  socket.set_option(net::ip::tcp::no_delay{true});
  beast::tcp_stream stream{std::move(socket)};
  co_await answerAll(stream, app);
  stream.socket().shutdown(net::ip::tcp::socket::shutdown_send);
}
