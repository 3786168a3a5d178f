/** Outcome of one check of a server, or of preparing the server for its checks. */
export type CheckOutcome =
  /** A check ran. `subject` is what it checked, such as a scenario; `problem` is null if it found none. */
  | {
    readonly kind: "checked";
    readonly status: "pass" | "warn" | "fail";
    readonly subject: string;
    readonly name: string;
    readonly problem: string | null;
  }
  /** The server could not be built or started. */
  | { readonly kind: "build" | "start"; readonly status: "fail"; readonly problem: string }
  /** The server cannot run on this machine; `problem` says why. */
  | { readonly kind: "missing"; readonly status: "skip"; readonly problem: string }
  /** The server implements none of `scenarios`, the ones to check. */
  | {
    readonly kind: "nothing-to-check";
    readonly status: "skip";
    readonly scenarios: readonly string[];
  };
