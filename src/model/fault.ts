/** The faults that `stampede faults` injects, and their effect on clients. */
import type { OneOf } from "./schema.ts";

/** Every fault, in the order of injection. */
export const FAULTS = ["stall", "restart", "churn", "aborts", "overload", "sigterm"] as const;
export type FaultId = typeof FAULTS[number];

/** Result of one fault for one server. If it is `missing`, the server cannot run on this machine. */
export interface FaultResult {
  readonly server: string;
  readonly fault: FaultId;
  readonly outcome: FaultOutcome | NoEffect;
}

type NoEffect = OneOf<{
  /** The server implements no suitable scenario, or Stampede did not start the database to disturb. */
  skipped: { why: "no-scenario" | "foreign-database" };
  missing: { message: string };
  failed: { message: string };
}>;

/** Effect of one fault on the requests of the monitor, which sends them at a fixed rate. */
export interface FaultOutcome {
  readonly kind: "done";
  /** Id of the scenario that the monitor requests. */
  readonly scenario: string;
  /** Requests scheduled from the start of the fault until recovery; those pending at SIGTERM. */
  readonly requests: number;
  /** Requests without a right response in time, by status, or `wrong`, `late`, `nothing`. */
  readonly failed: Readonly<Record<string, number>>;
  /** Seconds from the fault's end to right, fast responses; null after 10 s, or SIGTERM. */
  readonly recoveryS: number | null;
  /** Maximum lateness of the monitor's own requests, in seconds. */
  readonly monitorLatenessS: number;
  /** The load that caused the fault, with more requests than the server can answer; null if the fault is not a load. */
  readonly requestFlood: RequestFlood | null;
  /** The server's end after SIGTERM; null for other faults. `signal` is null if it ended by itself. */
  readonly end: Readonly<{ code: number; signal: string | null; tookS: number }> | null;
}

interface RequestFlood {
  readonly scenario: string;
  /** The server's rate in a closed loop before the fault, in responses per second. */
  readonly closedLoopPerS: number;
  /** The rate of the load, in requests per second. */
  readonly sentPerS: number;
}
