import { EVENTS_PER_TURN } from "../limits.ts";
import { integerParameter } from "../parameters.ts";
import type { RouteHandler } from "../router.ts";
import { Turns } from "../turns.ts";

const EVENTS = { headers: { "content-type": "text/event-stream;charset=utf-8" } };
const encoder = new TextEncoder();

/** Returns the handler of `GET /stream`: it sends server-sent events, each written separately. */
export function stream(): RouteHandler {
  const turns = new Turns(EVENTS_PER_TURN);
  return (_request, url) => {
    const count = integerParameter(url, "events", { min: 1, max: 10_000, fallback: 100 });
    const ms = integerParameter(url, "ms", { min: 0, max: 1000, fallback: 0 });
    let event = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller): Promise<void> {
        if (ms > 0 && event > 0) await new Promise((resolve) => setTimeout(resolve, ms));
        const later = turns.take();
        if (later !== null) await later;
        controller.enqueue(encoder.encode(`data: ${++event}\n\n`));
        if (event === count) controller.close();
      },
    });
    return new Response(body, EVENTS);
  };
}
