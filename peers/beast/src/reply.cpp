#include "reply.hpp"

#include <boost/beast/version.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace {

/** Returns the value of the header Date: https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1 */
std::string_view date() {
  thread_local std::time_t made = 0;
  thread_local std::string text;
  const auto now = std::time(nullptr);
  if (now != made) {
    char buffer[32];
    std::tm parts;
    gmtime_r(&now, &parts);
    text.assign(buffer, std::strftime(buffer, sizeof buffer, "%a, %d %b %Y %H:%M:%S GMT", &parts));
    made = now;
  }
  return text;
}

}  // namespace

void prepare(http::response_header<>& head) {
  head.set(http::field::server, BOOST_BEAST_VERSION_STRING);
  head.set(http::field::date, date());
}

Reply reply(const Request& request, std::string_view type, std::string body, http::status status) {
  const auto finish = [&](auto response) {
    prepare(response);
    response.set(http::field::content_type, type);
    response.keep_alive(request.keep_alive());
    return response;
  };
  if (request.method() == http::verb::head) {
    auto response = finish(http::response<http::empty_body>{status, request.version()});
    response.content_length(body.size());
    return response;
  }
  auto response =
      finish(http::response<http::string_body>{status, request.version(), std::move(body)});
  response.prepare_payload();
  return response;
}

Reply reply(const Request& request, const json::value& value) {
  return reply(request, "application/json", json::serialize(value));
}

Reply reply(const Request& request, const Refused& refused) {
  return reply(request, "text/plain", refused.reason, refused.status);
}

int parameter(const urls::url_view& url, std::string_view name, int low, int high, int fallback) {
  const auto params = url.params();
  const auto found = params.find(name);
  if (found == params.end()) return fallback;
  const std::string text = (*found).value;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
    throw Refused{http::status::bad_request, "bad " + std::string{name}};
  }
  return value;
}

std::string iso(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto seconds = floor<std::chrono::seconds>(time);
  const auto at = system_clock::to_time_t(seconds);
  std::tm parts;
  gmtime_r(&at, &parts);
  char text[40];
  const auto length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const auto rest = static_cast<long>(duration_cast<microseconds>(time - seconds).count());
  std::snprintf(text + length, sizeof text - length, ".%06ldZ", rest);
  return text;
}
