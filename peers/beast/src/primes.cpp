#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <vector>

#include "handlers.hpp"

namespace {

/** Returns the primes up to a limit: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes */
std::vector<int> sieve(int limit) {
  std::vector<char> is_composite(limit + 1);
  std::vector<int> numbers;
  for (long n = 2; n <= limit; n++) {
    if (is_composite[n]) continue;
    numbers.push_back(static_cast<int>(n));
    for (long multiple = n * n; multiple <= limit; multiple += n) is_composite[multiple] = 1;
  }
  return numbers;
}

net::awaitable<std::string> computed(int limit) {
  co_return json::serialize(
      json::value{{"numbers", json::value_from(sieve(limit))}, {"from", "Boost.Beast"}});
}

}  // namespace

net::awaitable<Reply> primes(App& app, const Request& request, const urls::url_view& url) {
  const int limit = parameter(url, "limit", 2, 10'000'000, 1'000'000);
  co_return reply(request, "application/json",
                  co_await net::co_spawn(app.cpu, computed(limit), net::use_awaitable));
}
