//! The body of /schema, by scenarios/schema_contract.json.
const std = @import("std");
const Context = @import("Context.zig");
const Value = std.json.Value;

const max_bytes = 65_536;

pub fn answer(context: *Context) !void {
    const content_type = context.request.head.content_type orelse "";
    const end = std.mem.indexOfScalar(u8, content_type, ';') orelse content_type.len;
    const media_type = std.mem.trim(u8, content_type[0..end], " ");
    if (!std.ascii.eqlIgnoreCase(media_type, "application/json")) return error.UnsupportedMediaType;
    if (context.header("x-foo") == null) return error.BadRequest;
    if (try context.parameter("excitement")) |text| {
        if (!isWhole(text)) return error.BadRequest;
    }
    const body = try context.body(max_bytes);
    const value = std.json.parseFromSliceLeaky(Value, context.arena, body, .{}) catch
        return error.BadRequest;
    if (!isValid(value)) return error.BadRequest;
    try context.sendJson(.{ .message = "Hello, World" });
}

/// Returns whether a text is `-?[0-9]+`.
fn isWhole(text: []const u8) bool {
    const digits = if (std.mem.startsWith(u8, text, "-")) text[1..] else text;
    for (digits) |c| if (!std.ascii.isDigit(c)) return false;
    return digits.len > 0;
}

fn isValid(value: Value) bool {
    if (value != .object) return false;
    const body = value.object;
    if (!isShortListOfIntegers(body.get("requiredKey") orelse return false)) return false;
    if (body.get("someKey")) |v| if (v != .string) return false;
    if (body.get("someOtherKey")) |v| if (!isNumber(v)) return false;
    if (body.get("nullableKey")) |v| if (v != .null and !isNumber(v)) return false;
    if (body.get("multipleTypesKey")) |v| if (v != .bool and !isNumber(v)) return false;
    if (body.get("multipleRestrictedTypesKey")) |v| if (!isShortOrLarge(v)) return false;
    if (body.get("enumKey")) |v| {
        if (v != .string) return false;
        return std.mem.eql(u8, v.string, "John") or std.mem.eql(u8, v.string, "Foo");
    }
    return true;
}

/// Returns a number; null for other values. An integer beyond 64 bits is a `number_string`.
fn numberOf(value: Value) ?f64 {
    return switch (value) {
        .integer => |n| @floatFromInt(n),
        .float => |n| n,
        .number_string => |digits| std.fmt.parseFloat(f64, digits) catch null,
        else => null,
    };
}

fn isNumber(value: Value) bool {
    return numberOf(value) != null;
}

fn isShortListOfIntegers(value: Value) bool {
    if (value != .array or value.array.items.len > 3) return false;
    for (value.array.items) |item| {
        const number = numberOf(item) orelse return false;
        if (@trunc(number) != number) return false;
    }
    return true;
}

fn isShortOrLarge(value: Value) bool {
    if (value == .string) return (std.unicode.utf8CountCodepoints(value.string) catch return false) <= 5;
    return (numberOf(value) orelse return false) >= 10;
}
