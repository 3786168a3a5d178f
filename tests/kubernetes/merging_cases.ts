/** Cases that compare the merged result of a cluster's runners with that of one k6 process. */
import { ok } from "node:assert/strict";
import type { DistributedScenario } from "../../src/model/distributed.ts";
import type { ClusterCase } from "./case.ts";
import { ANY_TIME, bucketsBetween, describeLoad, type Lab, merged, plain } from "./loads.ts";
import { type ServerName, startServer } from "./servers.ts";

/** Requests per second of all runners together. */
const PER_S = 400;
const DURATION_S = 10;
/** Largest relative difference between two rates. */
const RATE_TOLERANCE = 0.05;

/** A merged and a single load of the same script. */
interface Pair {
  readonly merged: DistributedScenario;
  readonly single: DistributedScenario;
}

/** Runs the same load in the cluster and in one k6 process. */
async function pair(
  lab: Lab,
  name: ServerName,
  scenario: string | null,
  parallelism: number,
): Promise<Pair> {
  await using server = await startServer(lab.scope, lab.cluster, name);
  const requests = scenario === null ? [`${server.origin}/`] : [scenario];
  const target = scenario === null ? [] : ["--target", server.origin];
  const args = [
    ...["--rate", String(PER_S), "--duration", String(DURATION_S)],
    ...["--parallelism", String(parallelism), ...ANY_TIME],
  ];
  const together = await merged(lab, [...requests, ...target, ...args]);
  return { merged: together, single: await plain(lab, server.origin) };
}

/** Checks rates and responses, and returns the figures. */
function compare({ merged, single }: Pair): string {
  for (const [name, { right, offered }] of Object.entries({ merged, single })) {
    ok(right === offered, `${name}: ${right} right responses to ${offered} requests`);
  }
  const ratio = merged.goodputPerS / single.goodputPerS;
  ok(Math.abs(ratio - 1) <= RATE_TOLERANCE, `the rates differ: ${ratio}`);
  const apart = (["p50", "p99"] as const).map((name) =>
    `${name} ${bucketsBetween(merged, single, name)}`
  );
  return `merged ${describeLoad(merged)}; single ${describeLoad(single)}; buckets apart: ${
    apart.join(", ")
  }`;
}

function assertSameBuckets({ merged, single }: Pair): void {
  for (const name of ["p50", "p99"] as const) {
    const apart = bucketsBetween(merged, single, name);
    ok(Math.abs(apart) <= 1, `${name}: ${apart} buckets apart`);
  }
}

function known(id: string): ClusterCase {
  return {
    id,
    what: "known percentiles: four runners, merged, agree with one k6 process",
    layout: "shared",
    run: async (lab) => {
      const both = await pair(lab, "known", null, 4);
      const figures = compare(both);
      assertSameBuckets(both);
      return figures;
    },
  };
}

function own(scenario: string): ClusterCase {
  return {
    id: scenario,
    what: `${scenario}: four runners, merged, reach the rate of one k6 process`,
    layout: "shared",
    run: async (lab) => compare(await pair(lab, "own", scenario, 4)),
  };
}

export const MERGING_CASES: readonly ClusterCase[] = [
  known("known"),
  known("known-again"),
  own("text"),
  own("json"),
];
