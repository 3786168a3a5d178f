/**
 * Logs rejections that nothing handles, and goes on: each would end the process. Deno has one that a
 * client can cause, by a WebSocket's message that is too long for a string.
 */
export function surviveRejections(): void {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    // deno-lint-ignore no-console -- the server's own log
    console.error(event.reason);
  });
}
