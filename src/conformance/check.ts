import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";

/** What a check has at hand. */
export interface Context {
  readonly origin: string;
  readonly server: Server;
  readonly facts: Facts;
  /** Ends what the check waits for, by throwing its reason. */
  readonly abort: AbortSignal;
  /** Sends one request on a connection of its own; throws a `Mismatch` if it is not answered. */
  readonly ask: (request: HttpRequest) => Promise<HttpResponse>;
}

/** One thing that every server does to which it applies. */
export interface ConformanceCheck {
  /** What a manifest's `exceptions` call it. */
  readonly id: string;
  readonly name: string;
  /** A `must` that fails fails the server, unless its manifest excepts it; a `should` warns. */
  readonly level: "must" | "should";
  /** Whether the server is asked for it at all. */
  applies(server: Server): boolean;
  /** Throws a `Mismatch` if the server is wrong. */
  run(context: Context): Promise<void>;
}

/** Whether a server is asked for more of HTTP than its scenarios need: by `GET /`, if it has that. */
export function isFull({ http, scenarios }: Server): boolean {
  return http === "full" && "text" in scenarios;
}

/** For checks of a scenario's own route. */
export function implementing(...ids: readonly string[]): (server: Server) => boolean {
  return ({ http, scenarios }) => http === "full" && ids.some((id) => id in scenarios);
}

/** The scenarios of the suite that a server implements and that are asked by HTTP. */
export function scenariosOf({ scenarios }: Server): Scenario[] {
  return SCENARIOS.filter(({ id, protocol }) => id in scenarios && protocol === "http");
}

/** The id of the check for {@linkcode unknownPath}: a server that excepts it answers every path alike. */
export const UNKNOWN_PATH = "unknown-path";

/** A path at which surely nothing is. */
export function unknownPath(): string {
  return `/nothing-${crypto.randomUUID()}`;
}
