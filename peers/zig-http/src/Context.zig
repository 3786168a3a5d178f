//! A request with what its handler needs.
const std = @import("std");
const http = std.http;
const Context = @This();

/// The parts that all connections share.
pub const App = struct {
    io: std.Io,
    gpa: std.mem.Allocator,
    hello_html: []const u8,
    static_folder: []const u8,
    /// Requests to /delay so far.
    delays: std.atomic.Value(u64) = .init(0),
};

app: *App,
/// Memory until the response is sent.
arena: std.mem.Allocator,
request: *http.Server.Request,
path: []const u8,
query: []const u8,

pub fn init(app: *App, arena: std.mem.Allocator, request: *http.Server.Request) Context {
    const target = request.head.target;
    const end = std.mem.indexOfScalar(u8, target, '?') orelse target.len;
    return .{
        .app = app,
        .arena = arena,
        .request = request,
        .path = target[0..end],
        .query = target[@min(end + 1, target.len)..],
    };
}

/// Returns a header of the request, or null without it. Only before the body is read.
pub fn header(context: *const Context, name: []const u8) ?[]const u8 {
    var headers = context.request.iterateHeaders();
    while (headers.next()) |found| {
        if (std.ascii.eqlIgnoreCase(found.name, name)) return found.value;
    }
    return null;
}

/// Returns a parameter of the query, or null without it.
pub fn parameter(context: *const Context, name: []const u8) !?[]const u8 {
    var pairs = std.mem.splitScalar(u8, context.query, '&');
    while (pairs.next()) |pair| {
        const end = std.mem.indexOfScalar(u8, pair, '=') orelse pair.len;
        if (!std.mem.eql(u8, pair[0..end], name)) continue;
        const value = try context.arena.dupe(u8, pair[@min(end + 1, pair.len)..]);
        return std.Uri.percentDecodeInPlace(value);
    }
    return null;
}

/// Returns a parameter that is a whole number, or `fallback` without it.
pub fn integer(context: *const Context, name: []const u8, low: u32, high: u32, fallback: u32) !u32 {
    const text = try context.parameter(name) orelse return fallback;
    const value = std.fmt.parseInt(u32, text, 10) catch return error.BadRequest;
    return if (value < low or value > high) error.BadRequest else value;
}

/// Reads the body. Returns `error.StreamTooLong` if it is longer than `limit`.
pub fn body(context: *Context, limit: usize) ![]u8 {
    var buffer: [4096]u8 = undefined;
    const reader = try context.request.readerExpectContinue(&buffer);
    return reader.allocRemaining(context.arena, .limited(limit));
}

pub fn send(context: *Context, content_type: []const u8, content: []const u8) !void {
    try context.request.respond(content, try context.respondOptions(.ok, content_type, &.{}));
}

pub fn sendJson(context: *Context, value: anytype) !void {
    try context.send("application/json", try std.json.Stringify.valueAlloc(context.arena, value, .{}));
}

/// Returns a status with the headers that every response has, and others.
pub fn respondOptions(
    context: *const Context,
    status: http.Status,
    content_type: []const u8,
    others: []const http.Header,
) !http.Server.Request.RespondOptions {
    const usual = [_]http.Header{
        .{ .name = "server", .value = "Zig" },
        .{ .name = "date", .value = try context.date() },
        .{ .name = "content-type", .value = content_type },
    };
    return .{
        .version = context.request.head.version,
        .status = status,
        .extra_headers = try std.mem.concat(context.arena, http.Header, &.{ &usual, others }),
    };
}

pub const Moment = struct {
    year: u16,
    month: u4,
    day: u5,
    /// From 0, a Sunday.
    weekday: u3,
    hour: u5,
    minute: u6,
    second: u6,
    microsecond: u32,
};

pub fn now(context: *const Context) Moment {
    const us = std.Io.Clock.real.now(context.app.io).toMicroseconds();
    const epoch: std.time.epoch.EpochSeconds = .{ .secs = @intCast(@divFloor(us, std.time.us_per_s)) };
    const date_of = epoch.getEpochDay().calculateYearDay();
    const month = date_of.calculateMonthDay();
    const time = epoch.getDaySeconds();
    return .{
        .year = date_of.year,
        .month = month.month.numeric(),
        .day = month.day_index + 1,
        .weekday = @intCast((epoch.getEpochDay().day + 4) % 7), // 1 January 1970 was a Thursday
        .hour = time.getHoursIntoDay(),
        .minute = time.getMinutesIntoHour(),
        .second = time.getSecondsIntoMinute(),
        .microsecond = @intCast(@mod(us, std.time.us_per_s)),
    };
}

/// Returns the value of the header Date: https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1
fn date(context: *const Context) ![]const u8 {
    const days = "SunMonTueWedThuFriSat";
    const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const at = context.now();
    return std.fmt.allocPrint(context.arena, "{s}, {d:0>2} {s} {d} {d:0>2}:{d:0>2}:{d:0>2} GMT", .{
        days[3 * @as(usize, at.weekday) ..][0..3],
        at.day,
        months[3 * (@as(usize, at.month) - 1) ..][0..3],
        at.year,
        at.hour,
        at.minute,
        at.second,
    });
}
