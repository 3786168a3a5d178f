/** The faults of `bench faults`, and their effect on clients. */

/** Every fault, in the order of injection. */
export const FAULTS = ["stall", "restart", "churn", "aborts", "overload", "sigterm"] as const;
export type FaultId = typeof FAULTS[number];

/** Why a fault was not injected. */
export type WhyNoFault =
  /** The server implements no suitable scenario. */
  | "no-scenario"
  /** The database was not started by Stampede, so it is not disturbed. */
  | "foreign-database";

/** Outcome of the requests during a fault. */
export interface FaultOutcome {
  readonly kind: "done";
  /** Scenario of the monitor's requests. */
  readonly scenario: string;
  /**
   * Number of requests scheduled from the start of the fault until recovery. For SIGTERM, the requests that
   * were pending at the signal.
   */
  readonly requests: number;
  /** Requests without a right response in time, by cause: a status, `wrong`, `late` or `nothing`. */
  readonly failed: Readonly<Record<string, number>>;
  /**
   * Seconds from the end of the fault until responses were right and fast again. Null if that took more than
   * ten seconds, and for SIGTERM.
   */
  readonly recoveryS: number | null;
  /** Maximum lateness of the monitor itself, in seconds. */
  readonly monitorLatenessS: number;
  /** The requests that caused the fault; null for other faults. */
  readonly requestFlood: RequestFlood | null;
  /** The end of the server after SIGTERM; null for other faults. */
  readonly end: ServerEnd | null;
}

/** A fault that sends more requests than a server can answer. */
export interface RequestFlood {
  readonly scenario: string;
  /** Capacity in a closed loop, and the rate that was sent. */
  readonly capacityPerS: number;
  readonly sentPerS: number;
}

/** The end of a server. */
export interface ServerEnd {
  readonly code: number;
  readonly signal: string | null;
  readonly tookS: number;
}

/** Result of one fault for one server. */
export interface FaultResult {
  readonly server: string;
  readonly fault: FaultId;
  readonly outcome:
    | FaultOutcome
    | { readonly kind: "skipped"; readonly why: WhyNoFault }
    /** The server cannot run on this machine. */
    | { readonly kind: "missing"; readonly message: string }
    | { readonly kind: "failed"; readonly message: string };
}
