/** Cases that compare the merged result of a cluster's runners with that of one k6 process. */
import { ok } from "node:assert/strict";
import { pause } from "../../src/process/pause.ts";
import type { ClusterCase } from "./case.ts";
import { startIdlePod } from "./idle_pod.ts";
import {
  ANY_TIME,
  bucketOf,
  describeLoad,
  exported,
  type Figures,
  type Lab,
  merged,
  mergedOf,
  plain,
  sumOf,
} from "./loads.ts";
import { connectionsAt, type ServerName, type ServerUnderLoad, startServer } from "./servers.ts";

/** Requests per second of all runners together. */
const PER_S = 400;
const DURATION_S = 10;
/** Largest relative difference between two rates. */
const RATE_TOLERANCE = 0.05;
const PERCENTILES = [0.5, 0.99];
/**
 * Seconds of a load in which the start is far less than a hundredth: the server's code is not compiled
 * yet, and the operator ends the pod that has started the runner. In 60 s, p99 was up to two buckets apart.
 */
const LONG_S = 180;
const POLL_MS = 20;

/** Merged and single loads of the same script. */
interface Pair {
  readonly merged: Figures;
  readonly single: Figures;
}

/** Returns the arguments of an export. */
function exportOf(
  server: ServerUnderLoad,
  scenario: string | null,
  options: readonly string[],
): string[] {
  const requests = scenario === null
    ? [`${server.origin}/`]
    : [scenario, "--target", server.origin];
  return [...requests, ...ANY_TIME, ...options];
}

/** Runs the same load in the cluster, and then in one k6 process. */
async function pair(lab: Lab, name: ServerName, scenario: string | null): Promise<Pair> {
  await using server = await startServer(lab.scope, lab.cluster, name);
  const load = ["--rate", String(PER_S), "--duration", String(DURATION_S), "--parallelism", "4"];
  const many = await merged(lab, exportOf(server, scenario, load));
  const one = await plain(lab, server.origin);
  return { merged: sumOf([many]), single: sumOf([one]) };
}

/**
 * Runs the same load by a runner and by a k6 process, at the same time, so that the noise of the machine
 * is the same for both. They share the runner's processor, and reach the server by equal paths.
 */
async function pairAtOnce(lab: Lab): Promise<Pair> {
  const { cluster, abort } = lab;
  await using server = await startServer(lab.scope, cluster, "own");
  await using pod = await startIdlePod(cluster, abort);
  const load = ["--rate", String(PER_S / 2), "--duration", String(LONG_S), "--users", "64"];
  const run = await exported(lab, exportOf(server, "text", [...load, "--parallelism", "1"]));
  const ended = new AbortController();
  const begun = async (): Promise<void> => {
    const signal = AbortSignal.any([abort, ended.signal]);
    while (connectionsAt(server) === 0) await pause(POLL_MS, signal);
  };
  const [many, one] = await Promise.all([
    mergedOf(lab, run).finally(() => ended.abort()),
    plain(lab, server.origin, { pod: pod.pid, start: begun() }),
  ]);
  return { merged: sumOf([many]), single: sumOf([one]) };
}

/** Checks rates and responses, and returns the figures. */
function compare({ merged, single }: Pair): string {
  for (const [name, { right, offered, dropped }] of Object.entries({ merged, single })) {
    const sent = offered - dropped;
    ok(right === sent, `${name}: ${right} right responses to ${sent} requests`);
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
      const both = await pair(lab, "known", null);
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
    run: async (lab) => compare(await pair(lab, "own", scenario)),
  };
}

export const MERGING_CASES: readonly ClusterCase[] = [
  known("known"),
  known("known-again"),
  own("text"),
  own("json"),
  {
    id: "core",
    what: "text: a runner and a k6 process on a separate processor agree at the same time",
    layout: "separate",
    run: async (lab) => {
      const both = await pairAtOnce(lab);
      assertSameBuckets(both);
      return compare(both);
    },
  },
];
