/** What became of one check of one server, or of the server itself. */
export type CheckOutcome =
  /** It was checked: what, and what is wrong with it, if anything. */
  | {
    readonly kind: "checked";
    readonly status: "pass" | "warn" | "fail";
    readonly subject: string;
    readonly name: string;
    readonly problem: string | null;
  }
  /** It could not be built, or started. */
  | { readonly kind: "build" | "start"; readonly status: "fail"; readonly problem: string }
  /** It is not here, for a reason. */
  | { readonly kind: "missing"; readonly status: "skip"; readonly problem: string }
  /** It implements none of these scenarios. */
  | {
    readonly kind: "nothing-to-check";
    readonly status: "skip";
    readonly scenarios: readonly string[];
  };
