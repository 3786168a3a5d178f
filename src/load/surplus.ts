/**
 * Bytes that a server sends without a request. A load generator would count them as the response to its next
 * request, so each connection is checked once more after its load.
 */

/**
 * How long the responses to requests under way are waited for before connections are checked, in milliseconds. On a
 * connection that still waits then, there are no surplus bytes: they would have counted as its response.
 */
export const DRAIN_MS = 250;
/** How long an idle connection is watched, in milliseconds: surplus bytes follow right after a response. */
export const WATCH_MS = 20;
/** The wrong response that a report names if there are such bytes. */
export const SURPLUS = "bytes after a response, which no request asked for";
