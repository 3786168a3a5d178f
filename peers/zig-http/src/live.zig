//! Responses in several parts, and WebSockets.
const std = @import("std");
const Context = @import("Context.zig");

pub fn stream(context: *Context) !void {
    const events = try context.integer("events", 1, 10_000, 100);
    const ms = try context.integer("ms", 0, 1000, 0);
    var options = try context.respondOptions(.ok, "text/event-stream", &.{});
    // HTTP/1.0 has no chunks: the end of the connection is the end of the response
    if (options.version == .@"HTTP/1.0") options.transfer_encoding = .none;
    var buffer: [64]u8 = undefined; // longer than an event
    var response = try context.request.respondStreaming(&buffer, .{ .respond_options = options });
    for (1..events + 1) |event| {
        if (ms > 0 and event > 1) try context.app.io.sleep(.fromMilliseconds(ms), .awake);
        try response.writer.print("data: {d}\n\n", .{event});
        try response.writer.flush();
        try response.flush();
    }
    try response.end();
}

pub fn echo(context: *Context) !void {
    const key = switch (context.request.upgradeRequested()) {
        .websocket => |key| key orelse return error.BadRequest,
        else => return error.BadRequest,
    };
    var socket = try context.request.respondWebSocket(.{ .key = key });
    try socket.flush();
    while (true) {
        const message = socket.readSmallMessage() catch |err| {
            if (err == error.ConnectionClose) try socket.writeMessage("", .connection_close);
            return err;
        };
        try socket.writeMessage(message.data, if (message.opcode == .ping) .pong else message.opcode);
    }
}
