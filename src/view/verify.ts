/** What `bench verify` prints. */

/** What became of one check of a server, or of the server itself. */
export type Checked =
  | {
    readonly kind: "checked";
    readonly subject: string;
    readonly name: string;
    readonly problem: string | null;
  }
  | { readonly kind: "build" | "start" | "missing"; readonly problem: string }
  | { readonly kind: "nothing-to-check"; readonly scenarios: readonly string[] };

/** A check, or why there is none, as a phrase. */
export function describeCheck(check: Checked): string {
  switch (check.kind) {
    case "checked": {
      const { subject, name, problem } = check;
      return `${subject}: ${name}${problem === null ? "" : `: ${problem}`}`;
    }
    case "build":
    case "start":
      return `${check.kind}: ${check.problem}`;
    case "missing":
      return `skipped: ${check.problem}`;
    case "nothing-to-check":
      return `implements none of ${check.scenarios.join(", ")}`;
  }
}
