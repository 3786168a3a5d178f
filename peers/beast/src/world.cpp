// The routes of TechEmpower's benchmarks that need rows.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <kainjow/mustache.hpp>
#include <random>
#include <unordered_map>

#include "handlers.hpp"

namespace mustache = kainjow::mustache;

namespace {

constexpr int WORLDS = 10'000, MAX_ROWS = 500;
/** The rows of cached_world by their ids. */
using Worlds = std::unordered_map<std::int64_t, json::value>;

/** Returns a random id, or number, of the table world. */
int randomNumber() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return std::uniform_int_distribution{1, WORLDS}(generator);
}

/** Returns the requested number of rows: 1 for anything but digits. */
int countOf(const urls::url_view& url) {
  const auto params = url.params();
  const auto found = params.find("queries");
  if (found == params.end()) return 1;
  const std::string text = (*found).value;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::result_out_of_range && !text.starts_with('-')) return MAX_ROWS;
  if (error != std::errc{} || end != text.data() + text.size()) return 1;
  return std::clamp(count, 1, MAX_ROWS);
}

Parameters ids(int count) {
  Parameters all(count);
  std::generate(all.begin(), all.end(), [] { return std::to_string(randomNumber()); });
  return all;
}

/** Returns a column of rows as an array of PostgreSQL, such as `{1,2}`. */
std::string columnOf(const json::array& rows, std::string_view name) {
  std::string text;
  for (const auto& row : rows) {
    text += text.empty() ? '{' : ',';
    text += std::to_string(row.at(name).as_int64());
  }
  return text + '}';
}

mustache::mustache readTemplate() {
  std::ifstream file{"templates/fortunes.mustache"};
  return {std::string{std::istreambuf_iterator<char>{file}, {}}};
}

}  // namespace

net::awaitable<Reply> world(App& app, const Request& request, const urls::url_view&) {
  const auto rows = co_await app.database->rows(Statement::world, ids(1));
  co_return reply(request, rows.at(0));
}

net::awaitable<Reply> queries(App& app, const Request& request, const urls::url_view& url) {
  auto connection = co_await app.database->lend();
  auto rows = co_await connection->each(Statement::world, ids(countOf(url)));
  co_return reply(request, std::move(rows));
}

net::awaitable<Reply> updates(App& app, const Request& request, const urls::url_view& url) {
  auto connection = co_await app.database->lend();
  auto rows = co_await connection->each(Statement::world, ids(countOf(url)));
  for (auto& row : rows) row.at("randomNumber") = randomNumber();
  // Updates that lock rows in the same order cannot wait for each other
  std::sort(rows.begin(), rows.end(), [](const json::value& a, const json::value& b) {
    return a.at("id").as_int64() < b.at("id").as_int64();
  });
  Parameters columns{columnOf(rows, "id"), columnOf(rows, "randomNumber")};
  co_await connection->rows(Statement::update_world, std::move(columns));
  co_return reply(request, std::move(rows));
}

net::awaitable<Reply> cached(App& app, const Request& request, const urls::url_view& url) {
  static std::atomic<std::shared_ptr<const Worlds>> cache;
  auto worlds = cache.load();
  if (!worlds) {
    Worlds all;
    for (const auto& row : co_await app.database->rows(Statement::cached_world)) {
      all.emplace(row.at("id").as_int64(), row);
    }
    worlds = std::make_shared<const Worlds>(std::move(all));
    cache.store(worlds);
  }
  json::array rows;
  for (int i = countOf(url); i > 0; i--) rows.push_back(worlds->at(randomNumber()));
  co_return reply(request, std::move(rows));
}

net::awaitable<Reply> fortunes(App& app, const Request& request, const urls::url_view&) {
  auto rows = co_await app.database->rows(Statement::fortunes);
  rows.push_back({{"id", 0}, {"message", "Brewed for this very request."}});
  std::sort(rows.begin(), rows.end(), [](const json::value& a, const json::value& b) {
    return a.at("message").as_string() < b.at("message").as_string();
  });
  mustache::data list{mustache::data::type::list};
  for (const auto& row : rows) {
    mustache::data item;
    item.set("id", std::to_string(row.at("id").as_int64()));
    item.set("message", std::string{row.at("message").as_string()});
    list.push_back(std::move(item));
  }
  thread_local auto page = readTemplate();  // a template may not be rendered by two threads at once
  co_return reply(request, "text/html; charset=utf-8", page.render({"fortunes", list}));
}
