import { INLINE, type Scenario } from "../src/model/scenario.ts";
import { ofMillion, primes } from "./primes.ts";
import { text } from "./text.ts";

/** As many as keep two cores busy, and some waiting. */
const CONNECTIONS = 4;
/** So few that they are no load of their own. */
const PER_S = 200;

/** Whether work on the processor holds up what has nothing to do with it. */
export const isolation: Scenario = {
  ...text,
  id: "isolation",
  title: `${text.title} while ${CONNECTIONS} connections ask for primes`,
  beside: { scenario: primes, connections: CONNECTIONS, perS: PER_S },
  isDefault: false,
};

/** Where servers that have another place for it do that work on the thread that answers. */
export const INLINE_PRIMES = "/primes?offload=false";
const request = { ...primes.request, path: INLINE_PRIMES };
const inline: Scenario = { ...primes, request, checks: [ofMillion(request)] };
export const isolationInline: Scenario = {
  ...isolation,
  id: `${isolation.id}${INLINE}`,
  title: `${isolation.title}, which are computed on the thread that answers`,
  beside: { scenario: inline, connections: CONNECTIONS, perS: PER_S },
};
