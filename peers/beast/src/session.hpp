// A connection of a client.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "app.hpp"
#include "reply.hpp"

/** Longest time of each read and write. */
constexpr std::chrono::seconds TIMEOUT{30};

/** Answers the requests of one connection, until one side closes it. */
net::awaitable<void> serve(net::ip::tcp::socket socket, App& app);

/**
 * Sends events, each by a separate write. Returns whether the connection can have another request. Throws
 * `Refused`.
 */
net::awaitable<bool> sendEvents(beast::tcp_stream& stream, const Request& request,
                                const urls::url_view& url);

/** Sends each message of a WebSocket back, until it ends. */
net::awaitable<void> echo(beast::tcp_stream stream, const Request& request);
