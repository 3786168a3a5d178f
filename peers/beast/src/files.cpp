#include <openssl/evp.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>

#include "handlers.hpp"

namespace fs = std::filesystem;

namespace {

constexpr std::string_view PREFIX = "/static/";

/** Returns the path of a file in the folder. Throws `Refused` if there is none. */
fs::path pathOf(const std::string& folder, std::string_view decoded) {
  const auto root = fs::path{folder}.lexically_normal();
  const auto path = (root / decoded.substr(PREFIX.size())).lexically_normal();
  const auto below = path.lexically_relative(root);
  std::error_code error;
  if (below.empty() || *below.begin() == ".." || !fs::is_regular_file(path, error)) {
    throw Refused{http::status::not_found, "not found"};
  }
  return path;
}

/** Returns an ETag of the time of change and the size. */
std::string tagOf(const fs::path& path, std::uint64_t size) {
  struct stat info {};
  stat(path.c_str(), &info);
  const auto ns = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec;
  return '"' + std::to_string(ns) + '-' + std::to_string(size) + '"';
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  constexpr char HEX[] = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < length; i++) {
    hex += HEX[digest[i] >> 4];
    hex += HEX[digest[i] & 15];
  }
  return hex;
}

}  // namespace

net::awaitable<Reply> static_file(App& app, const Request& request, const urls::url_view& url) {
  const auto path = pathOf(app.static_folder, url.path());
  http::file_body::value_type file;
  beast::error_code error;
  file.open(path.c_str(), beast::file_mode::scan, error);
  if (error) throw Refused{http::status::not_found, "not found"};
  const auto size = file.size();
  const auto tag = tagOf(path, size);

  const auto finish = [&](auto& response) {
    prepare(response);
    response.set(http::field::content_type, "text/plain");
    response.set(http::field::etag, tag);
    response.keep_alive(request.keep_alive());
  };
  if (request[http::field::if_none_match].find(tag) != beast::string_view::npos) {
    http::response<http::empty_body> response{http::status::not_modified, request.version()};
    finish(response);
    co_return response;
  }
  if (request.method() == http::verb::head) {
    http::response<http::empty_body> response{http::status::ok, request.version()};
    finish(response);
    response.content_length(size);
    co_return response;
  }
  http::response<http::file_body> response{
      std::piecewise_construct, std::make_tuple(std::move(file)),
      std::make_tuple(http::status::ok, request.version())};
  finish(response);
  response.content_length(size);
  co_return response;
}

net::awaitable<Reply> upload(App&, const Request& request, const urls::url_view&) {
  const auto& body = request.body();
  co_return reply(request, json::value{{"bytes", body.size()}, {"sha256", sha256(body)}});
}
