//! Files and uploads.
const std = @import("std");
const Context = @import("Context.zig");
const Dir = std.Io.Dir;
const Sha256 = std.crypto.hash.sha2.Sha256;

const max_upload = 1_000_000;
/// Longest file that is read as a whole, in bytes.
const max_file = 1 << 20;

pub fn read(context: *Context, path: []const u8) ![]u8 {
    return Dir.cwd().readFileAlloc(context.app.io, path, context.arena, .limited(max_file));
}

pub fn static(context: *Context) !void {
    const io = context.app.io;
    const name = std.Uri.percentDecodeInPlace(try context.arena.dupe(u8, context.path["/static/".len..]));
    if (!isInside(name)) return error.NotFound;
    const path = try std.fs.path.join(context.arena, &.{ context.app.static_folder, name });
    const file = Dir.cwd().openFile(io, path, .{}) catch return error.NotFound;
    defer file.close(io);
    const stat = try file.stat(io);
    if (stat.kind != .file) return error.NotFound;

    const tag = try std.fmt.allocPrint(
        context.arena,
        "\"{x}-{x}\"",
        .{ stat.mtime.toMicroseconds(), stat.size },
    );
    const known = context.header("if-none-match") orelse "";
    const is_known = std.mem.indexOf(u8, known, tag) != null;
    const options = try context.respondOptions(
        if (is_known) .not_modified else .ok,
        "text/plain",
        &.{.{ .name = "etag", .value = tag }},
    );
    // std.http leaves out a body only in a response to HEAD
    if (is_known) context.request.head.method = .HEAD;
    var send_buffer: [4096]u8 = undefined;
    var response = try context.request.respondStreaming(&send_buffer, .{
        .content_length = stat.size,
        .respond_options = options,
    });
    var read_buffer: [4096]u8 = undefined;
    var reader = file.reader(io, &read_buffer);
    _ = try response.writer.sendFileAll(&reader, .unlimited);
    try response.end();
}

/// Returns whether a relative path stays in its folder.
fn isInside(name: []const u8) bool {
    if (name.len == 0 or name[0] == '/' or std.mem.indexOfScalar(u8, name, 0) != null) return false;
    var parts = std.mem.splitScalar(u8, name, '/');
    while (parts.next()) |part| if (std.mem.eql(u8, part, "..")) return false;
    return true;
}

pub fn upload(context: *Context) !void {
    const body = try context.body(max_upload);
    var digest: [Sha256.digest_length]u8 = undefined;
    Sha256.hash(body, &digest, .{});
    try context.sendJson(.{ .bytes = body.len, .sha256 = &std.fmt.bytesToHex(digest, .lower) });
}
