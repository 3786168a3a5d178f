import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";

/** The parts of a run that a check uses. */
export interface Context {
  readonly origin: string;
  readonly server: Server;
  readonly facts: Facts;
  /** Aborts pending operations; they throw its reason. */
  readonly abort: AbortSignal;
  /** Sends one request on a new connection; throws a `Mismatch` without a response. */
  readonly ask: (request: HttpRequest) => Promise<HttpResponse>;
}

/** One requirement that servers must meet. */
export interface ConformanceCheck {
  /** Name in the `exceptions` of a manifest. */
  readonly id: string;
  readonly name: string;
  /**
   * A failed `must` fails the server unless its manifest excepts it; a failed `should` is a warning.
   */
  readonly level: "must" | "should";
  /** Returns whether the check applies to a server. */
  applies(server: Server): boolean;
  /** Throws a `Mismatch` if the server does not meet the requirement. */
  run(context: Context): Promise<void>;
}

/**
 * Returns whether a server is checked for more of HTTP than its scenarios need. The checks use `GET /`,
 * so it must have that route.
 */
export function isFull({ http, scenarios }: Server): boolean {
  return http === "full" && "text" in scenarios;
}

/**
 * Returns a function that tests whether a server gets the full HTTP checks and implements one of
 * the scenarios.
 */
export function implementing(...ids: readonly string[]): (server: Server) => boolean {
  return ({ http, scenarios }) => http === "full" && ids.some((id) => id in scenarios);
}

/** Returns the built-in HTTP scenarios that a server implements. */
export function scenariosOf({ scenarios }: Server): Scenario[] {
  return SCENARIOS.filter(({ id, protocol }) => id in scenarios && protocol === "http");
}

/**
 * Id of the check that uses {@linkcode unknownPath}. A server with this exception answers every path in
 * the same way.
 */
export const UNKNOWN_PATH = "unknown-path";

/** Returns a random path that no server has. */
export function unknownPath(): string {
  return `/nothing-${crypto.randomUUID()}`;
}
