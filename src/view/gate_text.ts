import { isInconclusive, isRegression } from "../analysis/judge_changes.ts";
import type { Change, Changes } from "../model/derived.ts";
import { share } from "./format.ts";

/** What a comparison fails on. */
export interface Gate {
  /** The largest change for the worse that passes, as a share: 0.05 is 5 %; null: there is no gate. */
  readonly failOn: number | null;
  /** Whether it also fails on what can neither be proven nor excluded. */
  readonly strict: boolean;
}

/** What a gate found, in sentences; none without a gate. */
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
    ...(broken === "" ? [] : [`Fine before, and broken now: ${broken}.`]),
    regressed === ""
      ? `Nothing is proven to be more than ${limit} slower.`
      : `More than ${limit} slower, proven: ${regressed}.`,
    ...(vanished === ""
      ? []
      : [`More than ${limit} slower at first, and not found again in fresh rounds: ${vanished}.`]),
    ...(open === "" ? [] : [
      `Not proven and not excluded: ${open}${strict ? ", which --strict does not accept" : ""}.`,
    ]),
  ];
}
