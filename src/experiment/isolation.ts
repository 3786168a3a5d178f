import { INLINE_PRIMES, isolation, isolationInline } from "../../scenarios/isolation.ts";
import { primes } from "../../scenarios/primes.ts";
import { text } from "../../scenarios/text.ts";
import type { Server } from "../model/server.ts";

/**
 * Adds the isolation scenarios to a server. An isolation scenario measures `text` while other clients request
 * `primes`, which takes much CPU time. Only servers that implement both get this scenario. If the manifest
 * says that primes can run on the responding thread (`inline`), the server also gets the scenario with the
 * suffix `-inline`.
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
