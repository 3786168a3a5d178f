/** Makes the notes for the table of changes. */
import type {
  AnyChange,
  Change,
  Changes,
  ConfidenceInterval,
  CostChange,
} from "../../model/derived.ts";
import { slicesOf } from "../../model/figures.ts";
import { count, nonEmpty, share } from "../../model/text.ts";
import { distinct, rate } from "../format.ts";
import { headingOf, nameOf, percent, whereOf } from "./changes_table.ts";
import { restOfVerdict } from "./changes_verdict.ts";

/** Smallest noise floor that the notes mention, as a share: a smaller one hardly affects a verdict. */
const SMALLEST_FLOOR = 0.005;

/** Returns the notes for the table of changes. */
export function changesNotes(
  { changes, costs, machineRatio, neededRounds, noiseSource }: Changes,
): string[] {
  const tested = changes.filter(({ pValue }) => pValue !== null);
  const ofCosts = costs.filter(({ pValue }) => pValue !== null);
  const floors = tested.filter(({ floor, method, metric }) =>
    floor >= SMALLEST_FLOOR &&
    !(method === "slices" && metric !== "relativeCpu" && floor === slicesOf(metric).floor)
  );
  const windows = tested.filter(({ method }) => method === "windows");
  const comparisons = count(tested.length + ofCosts.length, "comparison");
  const drift = (machineRatio ?? 1) - 1;
  const drifted = `${share(Math.abs(drift))} ${drift > 0 ? "slower" : "faster"}`;
  const floorTexts = floors.map(({ scenario, floor }) => `${scenario} ${share(floor)}`);
  const byWindows = scenariosOf(windows);
  const ofCpu = windows.filter(({ metric }) => metric === "serverCpuUs");
  const byCpu = scenariosOf(ofCpu.filter(({ perS }) => perS === null));
  const atRate = scenariosOf(ofCpu.filter(({ perS }) => perS !== null));
  return nonEmpty(
    ...restOfVerdict({ changes, costs }),
    tested.length + ofCosts.length > 0 &&
      "Change: Hodges-Lehmann estimate of the rounds' ratios; Head: Base times that ratio. Detectable: minimum detectable change, found by four of five such runs.",
    ...[...tested, ...ofCosts].map((change) => whySame(change, comparisons)),
    ...costNotes(costs),
    ...methodNotes(changes),
    byCpu !== "" &&
      `${byCpu}: compared by CPU/req (less is better), because the server was not known to be the bottleneck. An idle server shows less of a change than a saturated one.`,
    atRate !== "" &&
      `${atRate}: compared by CPU/req (less is better), because both had the same rate. Compare the response times too.`,
    Math.abs(drift) >= SMALLEST_FLOOR && windows.length > 0 &&
      `The machine was ${drifted} in HEAD, by a fixed computation before each window: ignore smaller changes of ${byWindows}.`,
    floors.length > 0 &&
      `Changes must exceed a floor (${originOf(floors)}): ${floorTexts.join(", ")}.`,
    noiseSource !== null && `The noise floor comes from ${noiseSource}.`,
    neededRounds !== null &&
      `Too few rounds to prove a change in ${comparisons}: use --rounds ${neededRounds}, or fewer scenarios${
        ofCosts.length > 0 ? " or costs" : ""
      }.`,
  );
}

function costNotes(costs: readonly CostChange[]): string[] {
  const loaded = costs.filter(({ perS }) => perS !== null);
  const loads = distinct(loaded.map(({ scenario, perS }) => `${scenario} ${rate(perS)}/s`));
  const late = loaded.filter(({ lateRounds }) => lateRounds > 0)
    .map((change) => `${nameOf(change)} ${change.lateRounds}`);
  return nonEmpty(
    costs.some(({ perS, pValue }) => perS === null && pValue !== null) &&
      "Start-up, memory and idle costs are measured in a fresh process of each round; start-up is the median of five starts.",
    loads.length > 0 &&
      `Tails are those of an open loop at a tenth of the slower side's rate: ${
        loads.join(", ")
      }. Peaks include a closed loop before it.`,
    late.length > 0 && `Rounds left out, because the load generator was late: ${late.join(", ")}.`,
  );
}

function scenariosOf(changes: readonly Change[]): string {
  return distinct(changes.map(({ scenario }) => scenario)).join(", ");
}

/** Smallest unproven change that the notes explain, as a share: readers would take it for a proven one. */
const LOOKS_LIKE_ONE = 0.05;

function whySame(change: AnyChange, comparisons: string): string | null {
  const { verdict, ratio, confidenceInterval, familyConfidenceInterval, floor, pValue } = change;
  if (verdict !== "same" || ratio === null || confidenceInterval === null) return null;
  const { low, high } = confidenceInterval;
  const isAside = low > 1 || high < 1;
  if (!isAside && Math.abs(ratio - 1) < LOOKS_LIKE_ONE) return null;
  const overlapsFloor = ({ low, high }: ConfidenceInterval): boolean =>
    low <= 1 + floor && high >= 1 - floor;
  const within = floor === 0 ? "includes 0 %" : `overlaps the floor of ${share(floor)}`;
  const why = !isAside
    ? "its 95 % CI includes 0 %"
    : overlapsFloor(confidenceInterval)
    ? `its 95 % CI ${within}`
    : familyConfidenceInterval !== null && overlapsFloor(familyConfidenceInterval)
    ? `its CI, wider for ${comparisons}, ${within}`
    : `p is ${(pValue ?? 1).toPrecision(2)} after Holm's correction for ${comparisons}, above 0.05`;
  const figure = `${percent(ratio)} ${headingOf(change)}`;
  return `${whereOf(change)}${figure} is no detectable change, because ${why}.`;
}

function originOf(floors: readonly Change[]): string {
  return nonEmpty(
    "noise",
    floors.some(({ metric }) => metric === "relativeCpu") &&
      "the run-to-run difference of relative CPU times of the same code",
    floors.some(({ metric }) => metric !== "relativeCpu") &&
      "the change of the machine's speed, or of the load generator's CPU time",
  ).join(", or ");
}

function methodNotes(changes: readonly Change[]): string[] {
  const of = (isWanted: (change: Change) => boolean): string =>
    scenariosOf(changes.filter((change) => change.reasons.length === 0 && isWanted(change)));
  const relativeCpu = of(({ metric }) => metric === "relativeCpu");
  const slices = of(({ metric, method }) => method === "slices" && metric !== "relativeCpu");
  const windows = of(({ method }) => method === "windows");
  if (slices === "" && relativeCpu === "") return [];
  const cpuFloor = share(slicesOf("serverCpuUs").floor);
  const floor = share(slicesOf("requestsPerS").floor);
  const why = slices === ""
    ? "one of the reports has no relative CPU time"
    : "responses come in waves";
  return nonEmpty(
    slices !== "" &&
      "Measured in slices: both servers run, and the load alternates between them. " +
        "Ratios are precise; Base and Head come from slices, in which CPU/req is a little higher than alone. " +
        `Two folders with the same code can differ by ${cpuFloor} in CPU/req and ${floor} in other metrics: smaller changes are not proven.`,
    relativeCpu !== "" &&
      `${relativeCpu}: compared by CPU time per response relative to the reference server in the same slices, so that the machine's speed cancels out.`,
    windows !== "" && `${windows}: compared by windows, because ${why}.`,
  );
}
