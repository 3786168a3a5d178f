// The handlers of routes, by file. Each answers one request, or throws `Refused`.
#pragma once

#include "app.hpp"
#include "reply.hpp"

using Handler = net::awaitable<Reply>(App&, const Request&, const urls::url_view&);

// primes.cpp
Handler primes;

// schema.cpp
Handler schema;

// world.cpp
Handler world, queries, updates, cached, fortunes;

// files.cpp
Handler static_file, upload;
