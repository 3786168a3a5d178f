//! Finds the handler of a request, and answers the simple ones.
const std = @import("std");
const http = std.http;
const Context = @import("Context.zig");
const files = @import("files.zig");
const live = @import("live.zig");
const schema = @import("schema.zig");

const Handler = *const fn (*Context) anyerror!void;
const Route = struct { method: http.Method = .GET, handler: Handler };

const routes: std.StaticStringMap(Route) = .initComptime(.{
    .{ "/", Route{ .handler = text } },
    .{ "/json", Route{ .handler = greet } },
    .{ "/plaintext", Route{ .handler = plaintext } },
    .{ "/delay", Route{ .handler = delay } },
    .{ "/primes", Route{ .handler = primes } },
    .{ "/schema", Route{ .method = .POST, .handler = schema.answer } },
    .{ "/upload", Route{ .method = .POST, .handler = files.upload } },
    .{ "/stream", Route{ .handler = live.stream } },
    .{ "/echo", Route{ .handler = live.echo } },
});

/// Sends the response to a request, including those with an error.
pub fn answer(context: *Context) !void {
    route(context) catch |err| switch (err) {
        error.NotFound => try refuse(context, .not_found),
        error.BadRequest => try refuse(context, .bad_request),
        error.UnsupportedMediaType => try refuse(context, .unsupported_media_type),
        error.StreamTooLong => try refuse(context, .payload_too_large),
        else => return err,
    };
}

fn route(context: *Context) !void {
    const found: Route = if (std.mem.startsWith(u8, context.path, "/static/"))
        .{ .handler = files.static }
    else
        routes.get(context.path) orelse return error.NotFound;
    const method = context.request.head.method;
    if (method != found.method and !(method == .HEAD and found.method == .GET)) {
        const allow = if (found.method == .GET) "GET, HEAD" else "POST";
        return context.request.respond("", try context.respondOptions(
            .method_not_allowed,
            "text/plain",
            &.{.{ .name = "allow", .value = allow }},
        ));
    }
    try found.handler(context);
}

fn refuse(context: *Context, status: http.Status) !void {
    var options = try context.respondOptions(status, "text/plain", &.{});
    // The rest of a body that is too long is not read
    options.keep_alive = status != .payload_too_large;
    try context.request.respond(status.phrase().?, options);
}

fn text(context: *Context) !void {
    try context.send("text/plain;charset=UTF-8", "Hello world");
}

fn plaintext(context: *Context) !void {
    try context.send("text/plain", "Hello, World!");
}

fn greet(context: *Context) !void {
    const at = context.now();
    const ts = try std.fmt.allocPrint(
        context.arena,
        "{d}-{d:0>2}-{d:0>2}T{d:0>2}:{d:0>2}:{d:0>2}.{d:0>6}Z",
        .{ at.year, at.month, at.day, at.hour, at.minute, at.second, at.microsecond },
    );
    try context.sendJson(.{ .message = "Hello world", .ts = ts });
}

fn delay(context: *Context) !void {
    const ms = try context.integer("ms", 0, 60_000, 2000);
    const every = try context.integer("every", 1, 1_000_000, 10);
    const app = context.app;
    if ((app.delays.fetchAdd(1, .monotonic) + 1) % every == 0) {
        try app.io.sleep(.fromMilliseconds(ms), .awake);
    }
    try context.send("text/html;charset=utf-8", try files.read(context, app.hello_html));
}

fn primes(context: *Context) !void {
    const limit = try context.integer("limit", 2, 10_000_000, 1_000_000);
    try context.sendJson(.{ .numbers = try sieve(context.arena, limit), .from = "Zig" });
}

/// Returns the primes up to a limit: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes
fn sieve(arena: std.mem.Allocator, limit: usize) ![]const u32 {
    const is_composite = try arena.alloc(bool, limit + 1); // a bool is a byte
    @memset(is_composite, false);
    var numbers: std.ArrayList(u32) = .empty;
    for (2..limit + 1) |n| {
        if (is_composite[n]) continue;
        try numbers.append(arena, @intCast(n));
        var multiple = n * n;
        while (multiple <= limit) : (multiple += n) is_composite[multiple] = true;
    }
    return numbers.items;
}
