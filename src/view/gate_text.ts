import { isInconclusive, isRegression } from "../analysis/judge_changes.ts";
import type { Change, Changes } from "../model/derived.ts";
import { share } from "../model/format.ts";

/** The options --fail-on and --strict. */
export interface Gate {
  /** The largest slowdown that passes, as a share: 0.05 is 5 %; null without --fail-on. */
  readonly failOn: number | null;
  /**
   * Whether a slowdown beyond the threshold fails the gate even if it is neither proven nor excluded.
   */
  readonly strict: boolean;
}

/** Returns the result of --fail-on, in sentences; empty without --fail-on. */
export function gateNotes({ changes }: Pick<Changes, "changes">, gate: Gate): string[] {
  const { failOn, strict } = gate;
  if (failOn === null) return [];
  const named = (which: (change: Change) => boolean): string =>
    [...new Set(changes.filter(which).map(({ variant, scenario }) => `${scenario} of ${variant}`))]
      .join(
        ", ",
      );
  const broken = named(({ isBroken }) => isBroken);
  const regressed = named((change) => !change.isBroken && isRegression(change, failOn));
  const vanished = named(({ isConfirmed }) => isConfirmed === false);
  const open = named((change) => isInconclusive(change, failOn));
  const limit = share(failOn);
  return [
    ...(broken === "" ? [] : [`Broken in head, but not in base: ${broken}.`]),
    regressed === ""
      ? `No slowdown is proven to exceed ${limit}.`
      : `Proven to be more than ${limit} slower: ${regressed}.`,
    ...(vanished === ""
      ? []
      : [`More than ${limit} slower at first, but not in fresh rounds: ${vanished}.`]),
    ...(open === "" ? [] : [
      `A slowdown of more than ${limit} is neither proven nor excluded: ${open}${
        strict ? " (--strict fails)" : ""
      }.`,
    ]),
  ];
}
