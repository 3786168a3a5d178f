/** Finds out why a run cannot be resumed: the rounds of all parts count as if they had been measured at once. */
import { UsageError } from "../model/errors.ts";
import type { LoadPlan } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import {
  allVersionDifferences,
  type Difference,
  differs,
  hostDifferences,
  loadProperty,
  PINNING,
  type Property,
  referenceOf,
  request,
} from "./comparable.ts";

/** Properties that the parts of a run have in common. */
const OF_PARTS: readonly Property[] = [
  ["commit", ({ commit }) => commit && commit.id + (commit.isDirty ? " with changes" : "")],
  ["kind", ({ experiment }) => experiment.kind],
  ["servers", ({ experiment }) => experiment.variants.map(({ id }) => id).join(", ")],
  [
    "servers that cannot be measured",
    ({ servers }) =>
      servers.filter(({ skipped, failure }) => (skipped ?? failure) !== null)
        .map(({ id }) => id).join(", "),
  ],
  ["reference", referenceOf],
  ["scenarios", ({ experiment }) => experiment.scenarios.join(", ")],
  ...([
    ...["tls", "connections", "defaultConnections", "shards", "durationS", "requests"],
    ...["timeoutS", "warmupS", "defaultWarmupS", "open"],
  ] as (keyof LoadPlan)[]).map(loadProperty),
  ["slices", ({ experiment }) => experiment.design.slices],
  ["costs", ({ experiment }) => experiment.design.costs],
  ["seed", ({ experiment }) => experiment.design.seed],
  // The embedded one has another port in each run
  ["database", ({ database }) => database?.replace(/:\d+\//, "/")],
  PINNING,
];

/**
 * Checks that a run can be resumed. `now` is a report of the part that would resume it, without measurements.
 *
 * @throws {UsageError} with a line for each difference.
 */
export function assertResumable(resumed: Report, now: Report): void {
  const shown = (value: string | null): string =>
    value === null || ["", "null"].includes(value) ? "none" : value;
  const differences = differencesOf(resumed, now).map(({ what, was, is }) =>
    `${what}: ${shown(was)}, now ${shown(is)}`
  );
  if (differences.length === 0) return;
  throw new UsageError(
    ["Cannot resume a run that differs from this one", ...differences].join("\n"),
  );
}

function differencesOf(base: Report, now: Report): Difference[] {
  return [
    ...hostDifferences(base.host, now.host),
    ...allVersionDifferences(base, now),
    ...OF_PARTS.flatMap(([what, of]) => differs(what, of(base), of(now))),
    ...now.experiment.variants.flatMap(({ id, env, generator }) => {
      const was = base.experiment.variants.find((one) => one.id === id);
      return was === undefined ? [] : [
        ...differs(`load generator of ${id}`, was.generator, generator),
        ...differs(`variables of ${id}`, was.env, env),
      ];
    }),
    ...now.scenarios.flatMap((is) => {
      const was = base.scenarios.find(({ id }) => id === is.id);
      return was === undefined ? [] : differs(`request of ${is.id}`, request(was), request(is));
    }),
  ];
}
