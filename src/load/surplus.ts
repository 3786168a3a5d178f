/**
 * Surplus bytes: bytes that a server sends without a request. A load generator would count them as the response to
 * its next request, so each connection is checked after its load.
 */

/**
 * Longest wait for pending responses before connections are checked, in ms. A connection that still waits then has
 * received no surplus bytes: they would have completed its response.
 */
export const DRAIN_MS = 250;
/** How long an idle connection is watched, in ms: surplus bytes follow a response immediately. */
export const WATCH_MS = 20;
/** Example of a wrong response that a report shows for surplus bytes. */
export const SURPLUS = "bytes after a response, which no request asked for";
