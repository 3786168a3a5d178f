import { setImmediate } from "node:timers";
import { LIMITS } from "../limits.ts";
import { integerParameter } from "../problem.ts";
import type { RouteHandler } from "../router.ts";

/**
 * Divides the event loop's time: each turn does a limited number of work units, such as events.
 * Further units wait for later turns, first in, first out. Short requests are answered in between.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isCounting = false;

  constructor(perTurn: number) {
    this.#perTurn = this.#left = perTurn;
  }

  /** Returns null if the caller may do a unit now, else a promise that resolves in a later turn. */
  take(): Promise<void> | null {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setImmediate(this.#begin);
    }
    if (this.#left > 0) {
      this.#left--;
      return null;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #begin = (): void => {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - next.length;
    this.#isCounting = next.length > 0;
    if (this.#isCounting) setImmediate(this.#begin);
    for (const resolve of next) resolve();
  };
}

const EVENTS = { headers: { "content-type": "text/event-stream;charset=utf-8" } };
const encoder = new TextEncoder();

/** Returns the handler of `GET /stream`: it sends server-sent events, each written separately. */
export function stream(): RouteHandler {
  const turns = new Turns(LIMITS.EVENTS_PER_TURN);
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
