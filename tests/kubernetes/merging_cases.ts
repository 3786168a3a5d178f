/** Cases that compare the merged result of a cluster's runners with that of one k6 process. */
import { ok } from "node:assert/strict";
import type { DistributedScenario } from "../../src/model/distributed.ts";
import type { ClusterCase } from "./case.ts";
import {
  ANY_TIME,
  bucketOf,
  describeLoad,
  type Figures,
  type Lab,
  merged,
  plain,
  sumOf,
} from "./loads.ts";
import { type ServerName, startServer } from "./servers.ts";

/** Requests per second of all runners together. */
const PER_S = 400;
const DURATION_S = 10;
/** Largest relative difference between two rates. */
const RATE_TOLERANCE = 0.05;
const PERCENTILES = [0.5, 0.99];
/** 0.4 % of these requests are the first one of a virtual user, which is slow. By default it is 6 %. */
const STEADY = ["--users", "32", "--duration", "20"];

/** Merged and single loads of the same script. */
interface Pair {
  readonly merged: Figures;
  readonly single: Figures;
}

/** The runners of a comparison. */
interface Size {
  readonly parallelism: number;
  /** Loads of each kind. */
  readonly times: number;
  /** Further options of the export. */
  readonly options?: readonly string[];
}

/** Runs the same load several times in the cluster and in one k6 process, in turn. */
async function pair(
  lab: Lab,
  name: ServerName,
  scenario: string | null,
  { parallelism, times, options = [] }: Size,
): Promise<Pair> {
  await using server = await startServer(lab.scope, lab.cluster, name);
  const requests = scenario === null
    ? [`${server.origin}/`]
    : [scenario, "--target", server.origin];
  const load = ["--rate", String(PER_S), "--duration", String(DURATION_S), ...ANY_TIME];
  const args = [...requests, ...load, "--parallelism", String(parallelism), ...options];
  const runs: { merged: DistributedScenario; single: DistributedScenario }[] = [];
  for (let i = 0; i < times; i++) {
    runs.push({
      merged: await merged(lab, args),
      single: await plain(lab, server.origin),
    });
  }
  return {
    merged: sumOf(runs.map(({ merged }) => merged)),
    single: sumOf(runs.map(({ single }) => single)),
  };
}

/** Checks rates and responses, and returns the figures. */
function compare({ merged, single }: Pair): string {
  for (const [name, { right, offered }] of Object.entries({ merged, single })) {
    ok(right === offered, `${name}: ${right} right responses to ${offered} requests`);
  }
  const ratio = merged.perS / single.perS;
  ok(Math.abs(ratio - 1) <= RATE_TOLERANCE, `the rates differ: ${ratio}`);
  return `merged ${describeLoad(merged)}; single ${describeLoad(single)}`;
}

/** Checks that percentiles are in the same bucket, or in neighbours. */
function assertSameBuckets({ merged, single }: Pair): void {
  for (const one of PERCENTILES) {
    const apart = bucketOf(merged, one) - bucketOf(single, one);
    ok(
      Math.abs(apart) <= 1,
      `p${100 * one}: ${apart} buckets apart; merged ${describeLoad(merged)}; single ${
        describeLoad(single)
      }`,
    );
  }
}

function known(id: string): ClusterCase {
  return {
    id,
    what: "known percentiles: four runners, merged, agree with one k6 process",
    layout: "shared",
    run: async (lab) => {
      const both = await pair(lab, "known", null, { parallelism: 4, times: 1 });
      assertSameBuckets(both);
      return compare(both);
    },
  };
}

function own(scenario: string): ClusterCase {
  return {
    id: scenario,
    what: `${scenario}: four runners, merged, reach the rate of one k6 process`,
    layout: "shared",
    run: async (lab) => compare(await pair(lab, "own", scenario, { parallelism: 4, times: 1 })),
  };
}

export const MERGING_CASES: readonly ClusterCase[] = [
  known("known"),
  known("known-again"),
  own("text"),
  own("json"),
  {
    id: "core",
    what: "text: a runner with its own processor agrees with a k6 process on that processor",
    layout: "separate",
    run: async (lab) => {
      const both = await pair(lab, "own", "text", { parallelism: 1, times: 3, options: STEADY });
      assertSameBuckets(both);
      return compare(both);
    },
  },
];
