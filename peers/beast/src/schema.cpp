// The body of /schema, by scenarios/schema_contract.json.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <cmath>

#include "handlers.hpp"

namespace {

constexpr std::size_t MAX_BYTES = 65'536;

[[noreturn]] void refuse(std::string_view what) {
  throw Refused{http::status::bad_request, "bad " + std::string{what}};
}

/** Returns the number of code points in a text: bytes that continue one do not count. */
std::size_t lengthOf(const json::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

bool isNumber(const json::value& value) { return value.is_number(); }

bool isInteger(const json::value& value) {
  if (const double* number = value.if_double()) return std::trunc(*number) == *number;
  return value.is_number();
}

bool isShortListOfIntegers(const json::value& value) {
  const auto* list = value.if_array();
  return list && list->size() <= 3 && std::all_of(list->begin(), list->end(), isInteger);
}

bool isShortOrLarge(const json::value& value) {
  if (const auto* text = value.if_string()) return lengthOf(*text) <= 5;
  return isNumber(value) && value.to_number<double>() >= 10;
}

struct Rule {
  std::string_view key;
  bool (*isValid)(const json::value&);
};

constexpr Rule OPTIONAL[] = {
    {"someKey", [](const json::value& v) { return v.is_string(); }},
    {"someOtherKey", isNumber},
    {"nullableKey", [](const json::value& v) { return v.is_null() || isNumber(v); }},
    {"multipleTypesKey", [](const json::value& v) { return v.is_bool() || isNumber(v); }},
    {"multipleRestrictedTypesKey", isShortOrLarge},
    {"enumKey", [](const json::value& v) { return v == "John" || v == "Foo"; }},
};

/** Returns whether a text is a whole number, such as `-12`. */
bool isWhole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

bool isJson(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return beast::iequals(type, "application/json");
}

void validate(const Request& request, const urls::url_view& url) {
  if (!isJson(request[http::field::content_type])) {
    throw Refused{http::status::unsupported_media_type, "not application/json"};
  }
  if (request.body().size() > MAX_BYTES) {
    throw Refused{http::status::payload_too_large, "the body is too large"};
  }
  if (request.find("x-foo") == request.end()) refuse("x-foo: there is none");
  const auto params = url.params();
  const auto excitement = params.find("excitement");
  if (excitement != params.end() && !isWhole((*excitement).value)) {
    refuse("excitement");
  }
  boost::system::error_code error;
  const auto value = json::parse(request.body(), error);
  const auto* body = value.if_object();
  if (error || !body) refuse("JSON: not an object");
  const auto* required = body->if_contains("requiredKey");
  if (!required || !isShortListOfIntegers(*required)) refuse("requiredKey");
  for (const auto& rule : OPTIONAL) {
    const auto* found = body->if_contains(rule.key);
    if (found && !rule.isValid(*found)) refuse(rule.key);
  }
}

}  // namespace

net::awaitable<Reply> schema(App&, const Request& request, const urls::url_view& url) {
  validate(request, url);
  co_return reply(request, json::value{{"message", "Hello, World"}});
}
