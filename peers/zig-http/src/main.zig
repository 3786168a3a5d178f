//! A server of std.http.Server, with a thread for each connection:
//! https://ziglang.org/documentation/master/std/#std.http.Server
const std = @import("std");
const Io = std.Io;
const http = std.http;
const Context = @import("Context.zig");
const routes = @import("routes.zig");

/// Holds the head of a request, or a whole WebSocket message: 64 KiB and its header.
const receive_bytes = 68 * 1024;
const send_bytes = 16 * 1024;
/// Memory of a request that its connection keeps for the next one.
const kept_bytes = 64 * 1024;

pub fn main(init: std.process.Init) !void {
    const env = init.environ_map;
    const io = init.io;
    var app: Context.App = .{
        .io = io,
        .gpa = init.gpa,
        .hello_html = env.get("HELLO_HTML") orelse "",
        .static_folder = env.get("STATIC_FOLDER") orelse "",
    };
    const port = try std.fmt.parseInt(u16, env.get("PORT") orelse "8000", 10);
    const address: Io.net.IpAddress = try .parse(env.get("HOST") orelse "127.0.0.1", port);
    var listener = try address.listen(io, .{ .reuse_address = true });
    var connections: Io.Group = .init;
    while (true) {
        const stream = listener.accept(io) catch |err| switch (err) {
            error.ConnectionAborted => continue,
            else => return err,
        };
        connections.concurrent(io, serve, .{ &app, stream }) catch stream.close(io);
    }
}

/// Answers the requests of one connection, until one side closes it.
fn serve(app: *Context.App, stream: Io.net.Stream) void {
    defer stream.close(app.io);
    // Otherwise the second write of a response waits for the acknowledgement of the first
    std.posix.setsockopt(
        stream.socket.handle,
        std.posix.IPPROTO.TCP,
        std.posix.TCP.NODELAY,
        &std.mem.toBytes(@as(c_int, 1)),
    ) catch {};
    var receive_buffer: [receive_bytes]u8 = undefined;
    var send_buffer: [send_bytes]u8 = undefined;
    var reader = stream.reader(app.io, &receive_buffer);
    var writer = stream.writer(app.io, &send_buffer);
    var server: http.Server = .init(&reader.interface, &writer.interface);
    var arena: std.heap.ArenaAllocator = .init(app.gpa);
    defer arena.deinit();
    while (server.reader.state == .ready) {
        var request = server.receiveHead() catch return;
        var context: Context = .init(app, arena.allocator(), &request);
        routes.answer(&context) catch return;
        _ = arena.reset(.{ .retain_with_limit = kept_bytes });
    }
}
