import { INLINE_PRIMES, isolation, isolationInline } from "../../scenarios/isolation.ts";
import { primes } from "../../scenarios/primes.ts";
import { text } from "../../scenarios/text.ts";
import type { Server } from "../model/server.ts";

/**
 * Adds the isolation scenarios to a server. An isolation scenario measures `text` while other clients request
 * `primes`, which computes for long. A server gets it if it implements both. It also gets the scenario with
 * the suffix `-inline` if its manifest says that primes can run on the responding thread (`inline`).
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
