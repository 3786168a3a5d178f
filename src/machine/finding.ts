import type { Finding } from "../model/report.ts";
import type { MachineFacts } from "./facts.ts";

/** What the run needs from the machine. */
export interface Needs {
  /** Number of connections that are open at once. */
  readonly connections: number;
}

/** A finding without the name of its aspect. */
export type UnnamedFinding = Omit<Finding, "name">;

/** Checks one aspect of the machine. */
export type Aspect = (facts: MachineFacts, needs: Needs) => UnnamedFinding;

/** Returns the finding that an aspect is fine. */
export function ok(found: string): UnnamedFinding {
  return { status: "ok", found, advice: null };
}

/** Returns the finding that an aspect makes measurements less exact. */
export function warn(found: string, advice: string): UnnamedFinding {
  return { status: "warn", found, advice };
}

/** Returns the finding that an aspect is unknown. */
export function unknown(found = "this system does not report it"): UnnamedFinding {
  return { status: "unknown", found, advice: null };
}
