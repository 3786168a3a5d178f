/** Outcome of one check of a server, or of preparing the server. */
export type CheckOutcome =
  /** A check ran: its subject and name, and the problem if there is one. */
  | {
    readonly kind: "checked";
    readonly status: "pass" | "warn" | "fail";
    readonly subject: string;
    readonly name: string;
    readonly problem: string | null;
  }
  /** The server could not be built or started. */
  | { readonly kind: "build" | "start"; readonly status: "fail"; readonly problem: string }
  /** The server cannot run on this machine, for this reason. */
  | { readonly kind: "missing"; readonly status: "skip"; readonly problem: string }
  /** The server implements none of these scenarios. */
  | {
    readonly kind: "nothing-to-check";
    readonly status: "skip";
    readonly scenarios: readonly string[];
  };
