/**
 * Surplus bytes: bytes that a server sends without a request. A load generator would count them as the
 * response to its next request. Each connection is therefore checked after its load.
 */

/**
 * Longest wait for pending responses before the check, in ms. A connection that is still waiting then
 * has no surplus bytes, because they would have completed its response.
 */
export const DRAIN_MS = 250;
/** How long an idle connection is watched, in ms: surplus bytes follow a response immediately. */
export const WATCH_MS = 20;
/** Text that the report shows in place of a wrong response if surplus bytes arrived. */
export const SURPLUS = "bytes after a response that belong to no request";
