// A server of Boost.Beast, after its examples: https://www.boost.org/libs/beast/
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "reply.hpp"
#include "session.hpp"

using net::ip::tcp;

namespace {

std::string variable(const char* name, const char* fallback = "") {
  const char* value = std::getenv(name);
  return value ? value : fallback;
}

/** Reports why a connection ended, unless the client closed it. */
void onEnd(std::exception_ptr end) {
  if (!end) return;
  try {
    std::rethrow_exception(end);
  } catch (const boost::system::system_error&) {
    // the client has gone
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
}

net::awaitable<void> accept(net::io_context& context, tcp::endpoint endpoint, App& app) {
  tcp::acceptor acceptor{context, endpoint};
  for (;;) {
    auto socket = co_await acceptor.async_accept(net::make_strand(context), net::use_awaitable);
    const auto executor = socket.get_executor();
    net::co_spawn(executor, serve(std::move(socket), app), onEnd);
  }
}

void run() {
  const int workers = std::stoi(variable("WORKERS", "1"));
  net::io_context context{workers};
  const auto cores = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  App app{.cpu = net::thread_pool(std::stoul(variable("CPU_WORKERS", cores.c_str()))),
          .database = nullptr,
          .hello_html = variable("HELLO_HTML"),
          .static_folder = variable("STATIC_FOLDER")};
  if (const auto url = variable("DATABASE_URL"); !url.empty()) {
    app.database = std::make_unique<Database>(context, url, std::stoul(variable("DB_POOL", "10")));
  }
  const auto port = static_cast<unsigned short>(std::stoi(variable("PORT", "8000")));
  const tcp::endpoint endpoint{net::ip::make_address(variable("HOST", "127.0.0.1")), port};
  net::co_spawn(context, accept(context, endpoint, app),
                [](std::exception_ptr end) {
                  if (end) std::rethrow_exception(end);
                });
  net::signal_set signals{context, SIGINT, SIGTERM};
  signals.async_wait([&](beast::error_code, int) { context.stop(); });
  std::vector<std::thread> threads;
  for (int i = 1; i < workers; i++) threads.emplace_back([&] { context.run(); });
  context.run();
  for (auto& thread : threads) thread.join();
  // Without destructors: coroutines that wait would give connections back to a pool that is gone
  std::exit(EXIT_SUCCESS);
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
