/**
 * Logs unhandled rejections, which would otherwise end the process. A client can cause one in Deno with
 * a WebSocket message that is too long for a string.
 */
export function surviveRejections(): void {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    // deno-lint-ignore no-console -- the server's own log
    console.error(event.reason);
  });
}
