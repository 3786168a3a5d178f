import { INLINE, type Scenario } from "../src/model/scenario.ts";
import { ofMillion, primes } from "./primes.ts";
import { text } from "./text.ts";

/**
 * Number of connections that request primes: enough to keep two cores busy, with some requests
 * waiting.
 */
const CONNECTIONS = 4;
/** Rate of the measured requests, per second: low enough to be no load itself. */
const PER_S = 200;

/** Latency of simple requests while other requests need CPU time. */
export const isolation: Scenario = {
  ...text,
  id: "isolation",
  title: `${text.title} while ${CONNECTIONS} connections request primes`,
  beside: { scenario: primes, connections: CONNECTIONS, perS: PER_S },
  isDefault: false,
};

/** Path that makes servers with worker threads compute the primes on the thread that answers. */
export const INLINE_PRIMES = "/primes?offload=false";
const request = { ...primes.request, path: INLINE_PRIMES };
const inline: Scenario = { ...primes, request, checks: [ofMillion(request)] };
/** The scenario `isolation`, but the thread that answers computes the primes. */
export const isolationInline: Scenario = {
  ...isolation,
  id: `${isolation.id}${INLINE}`,
  title: `${isolation.title}, computed on the thread that answers`,
  beside: { scenario: inline, connections: CONNECTIONS, perS: PER_S },
};
