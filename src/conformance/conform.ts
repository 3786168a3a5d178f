/** The checks of `stampede verify` in addition to the checks of scenarios. */
import { messageOf, Mismatch } from "../model/errors.ts";
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { askOnce, type ConformanceCheck, type Context, Wire } from "./http.ts";
import { HTTP_CHECKS } from "./http_checks.ts";
import { ROUTE_CHECKS } from "./routes.ts";

/** The result of one check. */
interface Conformance {
  readonly id: string;
  readonly name: string;
  readonly status: "pass" | "warn" | "fail";
  /** The expected and the actual value, and the reason of an exception; null if the check passed. */
  readonly message: string | null;
}

/** All checks, in order. */
export const CHECKS: readonly ConformanceCheck[] = [...HTTP_CHECKS, ...ROUTE_CHECKS];

/** Returns the checks that apply to a server, in order. */
export function checksFor({ http, scenarios: own }: Server): ConformanceCheck[] {
  return CHECKS.filter(({ scenarios = ["text"], isMinimal = false }) =>
    (isMinimal || http === "full") && scenarios.some((id) => id in own)
  );
}

/**
 * Runs every check that applies to a server, one after the other. `facts` include the server's
 * database if one of its scenarios needs it.
 *
 * @throws the reason of `abort` if that signal is aborted, and errors of Stampede or its database.
 */
export async function* conform(
  server: Server,
  origin: string,
  facts: Facts,
  abort: AbortSignal = new AbortController().signal,
): AsyncGenerator<Conformance> {
  for (const check of checksFor(server)) {
    abort.throwIfAborted();
    yield await outcomeOf(check, { origin, server, facts, abort });
  }
  for (const id of Object.keys(server.exceptions)) {
    if (CHECKS.some((check) => check.id === id)) continue;
    yield { id, name: "is excepted", status: "fail", message: "no check has this name" };
  }
}

/** Runs one check on a server. Throws as {@linkcode conform} does. */
export async function outcomeOf(
  check: ConformanceCheck,
  context: Omit<Context, "ask" | "open">,
): Promise<Conformance> {
  const { origin, server, abort } = context;
  const { id, name, isAdvice = false } = check;
  try {
    await check.run({
      ...context,
      ask: (request) => askOnce(origin, request, abort),
      open: () => Wire.open(origin, abort),
    });
    return { id, name, status: "pass", message: null };
  } catch (error) {
    // A TypeError means JSON of an unexpected shape
    if (!(error instanceof Mismatch || error instanceof TypeError)) throw error;
    const problem = error instanceof Mismatch
      ? error.message
      : `no usable response: ${messageOf(error)}`;
    const reason = server.exceptions[id];
    if (reason === undefined) {
      return { id, name, status: isAdvice ? "warn" : "fail", message: problem };
    }
    return { id, name, status: "warn", message: `${problem} (excepted: ${reason})` };
  }
}
