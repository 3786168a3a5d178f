// The parts that all connections share.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "database.hpp"

struct App {
  boost::asio::thread_pool cpu;       // threads that compute primes
  std::unique_ptr<Database> database; // null without DATABASE_URL
  std::string hello_html;
  std::string static_folder;
  std::atomic<std::uint64_t> delays{0}; // requests to /delay so far
};
