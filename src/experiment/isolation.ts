import { INLINE_PRIMES, isolation, isolationInline } from "../../scenarios/isolation.ts";
import { primes } from "../../scenarios/primes.ts";
import { text } from "../../scenarios/text.ts";
import type { Server } from "../model/server.ts";

/**
 * A server that answers what is measured beside each other responses that, too. Where its manifest says how it
 * computes primes on the thread that answers (`inline`), there is that to compare with.
 */
export function withIsolation(server: Server): Server {
  const { scenarios } = server;
  if (!(text.id in scenarios && primes.id in scenarios)) return server;
  const hasInline = scenarios[primes.id]?.inline === INLINE_PRIMES;
  return {
    ...server,
    scenarios: {
      ...scenarios,
      [isolation.id]: {},
      ...(hasInline && { [isolationInline.id]: {} }),
    },
  };
}
