import type { CheckOutcome } from "../model/check_outcome.ts";

/** Returns a check of `bench verify`, or why there was none, as a phrase. */
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
