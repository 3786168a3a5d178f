// Responses in several parts, and WebSockets.
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/websocket.hpp>

#include "session.hpp"

namespace websocket = beast::websocket;
using net::use_awaitable;

namespace {

constexpr std::size_t MAX_MESSAGE = 1 << 20;

}  // namespace

net::awaitable<bool> sendEvents(beast::tcp_stream& stream, const Request& request, const urls::url_view& url) {
  const int count = parameter(url, "events", 1, 10'000, 100);
  const std::chrono::milliseconds pause{parameter(url, "ms", 0, 1000, 0)};
  http::response<http::empty_body> response{http::status::ok, request.version()};
  prepare(response);
  response.set(http::field::content_type, "text/event-stream");
  // Without chunks, the end of the connection is the end of the body
  const bool isChunked = request.version() == 11;
  response.keep_alive(request.keep_alive() && isChunked);
  response.chunked(isChunked);
  http::response_serializer<http::empty_body> serializer{response};
  co_await http::async_write_header(stream, serializer, use_awaitable);
  if (request.method() == http::verb::head) co_return isChunked;

  net::steady_timer timer{co_await net::this_coro::executor};
  for (int i = 1; i <= count; i++) {
    if (pause.count() > 0 && i > 1) {
      timer.expires_after(pause);
      co_await timer.async_wait(use_awaitable);
      stream.expires_after(TIMEOUT);
    }
    const std::string event = "data: " + std::to_string(i) + "\n\n";
    if (isChunked) {
      co_await net::async_write(stream, http::make_chunk(net::buffer(event)), use_awaitable);
    } else {
      co_await net::async_write(stream, net::buffer(event), use_awaitable);
    }
  }
  if (isChunked) co_await net::async_write(stream, http::make_chunk_last(), use_awaitable);
  co_return isChunked;
}

net::awaitable<void> echo(beast::tcp_stream stream, const Request& request) {
  stream.expires_never();  // the WebSocket has its own timeouts
  websocket::stream<beast::tcp_stream> socket{std::move(stream)};
  socket.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
  socket.read_message_max(MAX_MESSAGE);
  co_await socket.async_accept(request, use_awaitable);
  beast::flat_buffer message;
  for (;;) {
    co_await socket.async_read(message, use_awaitable);
    socket.text(socket.got_text());
    co_await socket.async_write(message.data(), use_awaitable);
    message.consume(message.size());
  }
}
