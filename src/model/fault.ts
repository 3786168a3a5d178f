/** What `bench faults` does to a server, and what its clients get meanwhile. */

/** Every fault, in the order in which a server gets them. */
export const FAULTS = ["stall", "restart", "churn", "aborts", "overload", "sigterm"] as const;
export type FaultId = typeof FAULTS[number];

/** Why a fault was not tried. */
export type WhyNoFault =
  /** The server implements no scenario that it could be tried on. */
  | "no-scenario"
  /** The database is not Stampede's own, and is left alone. */
  | "foreign-database";

/** What became of requests while a server had a fault. */
export interface FaultOutcome {
  readonly kind: "done";
  /** The scenario that was asked meanwhile. */
  readonly scenario: string;
  /**
   * Requests that fell due from the beginning of the fault until all was well again; where the server was told
   * to end, those that were under way then.
   */
  readonly requests: number;
  /** Those without a right response in time, by what came: a status, `wrong`, `late` or `nothing`. */
  readonly failed: Readonly<Record<string, number>>;
  /**
   * From the end of the fault until responses were right and quick again; null: not within ten seconds, or the
   * server was told to end.
   */
  readonly recoveryS: number | null;
  /** How much later than intended Stampede itself noticed that a request was due, at worst. */
  readonly monitorLatenessS: number;
  /** The requests that were the fault. Null if it was none of requests. */
  readonly requestFlood: RequestFlood | null;
  /** How the server ended, where it was told to. */
  readonly end: ServerEnd | null;
}

/** Requests that are a fault: more than a server can answer. */
export interface RequestFlood {
  readonly scenario: string;
  /** What the server can answer in a closed loop, and what was sent. */
  readonly capacityPerS: number;
  readonly sentPerS: number;
}

/** How a server ended. */
export interface ServerEnd {
  readonly code: number;
  readonly signal: string | null;
  readonly tookS: number;
}

/** One fault of one server. */
export interface FaultResult {
  readonly server: string;
  readonly fault: FaultId;
  readonly outcome:
    | FaultOutcome
    | { readonly kind: "skipped"; readonly why: WhyNoFault }
    /** The server lacks something on this machine. */
    | { readonly kind: "missing"; readonly message: string }
    | { readonly kind: "failed"; readonly message: string };
}
