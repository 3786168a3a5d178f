// Finds the handler of a request.
#pragma once

#include "app.hpp"
#include "reply.hpp"

/** Returns the response to a request, including those with an error. */
net::awaitable<Reply> respond(App& app, const Request& request, const urls::url_view& url);
