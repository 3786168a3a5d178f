// Requests and replies.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/json/value.hpp>
#include <boost/url/url_view.hpp>
#include <chrono>
#include <string>
#include <string_view>

namespace beast = boost::beast;
namespace http = beast::http;
namespace json = boost::json;
namespace net = boost::asio;
namespace urls = boost::urls;

using Request = http::request<http::string_body>;
using Reply = http::message_generator;

/** Why a request gets an error, and with which status. */
struct Refused {
  http::status status;
  std::string reason;
};

/** Sets the fields that every response has: Server, Date, and whether the connection stays open. */
void prepare(http::response_header<>& head);

/** Returns a reply with a body; without the body for HEAD. */
Reply reply(const Request& request, std::string_view type, std::string body,
            http::status status = http::status::ok);
Reply reply(const Request& request, const json::value& value);
Reply reply(const Request& request, const Refused& refused);

/** Returns a parameter that is a whole number, or `fallback` without it. Throws `Refused`. */
int parameter(const urls::url_view& url, std::string_view name, int low, int high, int fallback);

/** Returns a time as ISO 8601, in UTC with microseconds. */
std::string iso(std::chrono::system_clock::time_point time);
