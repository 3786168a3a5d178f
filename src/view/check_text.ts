import type { CheckOutcome } from "../model/check_outcome.ts";

/** Returns the outcome of a check of `bench verify` as a phrase, or why the check was not made. */
export function describeCheck(check: CheckOutcome): string {
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
