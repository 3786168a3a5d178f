import type { Result } from "../model/derived.ts";
import type { Distributed, DistributedScenario } from "../model/distributed.ts";
import { ofFigures } from "../model/figures.ts";
import { FORMAT, type Report } from "../model/report.ts";
import { TIMEOUT_S } from "./k6_options.ts";
import type { Merged } from "./merge_runners.ts";

/** Name of the server and the machine in a merged report, if no file contains it. */
const UNKNOWN = "unknown";

/** Identity of a report, and the command that made it. */
type ExportOrigin = Pick<Report, "id" | "program" | "command" | "versions">;

/**
 * Returns the report of a load by several load generators. The machines are unknown.
 *
 * @param createdAt time of the report in ISO 8601, if no file contains one
 */
export function reportOf(
  merged: Merged,
  distributed: Distributed,
  { id, program, command, versions }: ExportOrigin,
  createdAt: string,
): Report {
  const { runners } = merged;
  const target = [...new Set(runners.flatMap(({ target }) => target ?? []))].sort().join(", ");
  const variant = target.replaceAll(/https?:\/\//g, "") || UNKNOWN;
  const users = runners[0]?.users ?? 1;
  const longestS = Math.max(...distributed.scenarios.map(({ durationS }) => durationS ?? 0));
  const starts = runners.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const ends = runners.flatMap(({ endedAt }) => endedAt ?? []).sort();
  const [start, end] = [starts[0], ends.at(-1)];
  const tookS = start === undefined || end === undefined
    ? longestS
    : Math.max(0, Date.parse(end) - Date.parse(start)) / 1000;
  const generator = distributed.source;
  return {
    schemaVersion: FORMAT,
    id,
    createdAt: start ?? createdAt,
    program,
    command,
    complete: distributed.missing.length === 0 && distributed.leftOut.length === 0,
    tookS,
    measuredS: distributed.scenarios.reduce((sum, { durationS }) => sum + (durationS ?? 0), 0),
    host: {
      os: UNKNOWN,
      arch: UNKNOWN,
      kernel: UNKNOWN,
      cpuModel: UNKNOWN,
      cores: 1,
      memoryBytes: 0,
      findings: [],
    },
    commit: null,
    versions,
    database: null,
    experiment: {
      kind: "distributed",
      variants: [{ id: variant, label: variant, server: variant, generator, env: {} }],
      reference: null,
      scenarios: distributed.scenarios.map(({ scenario }) => scenario),
      load: {
        tls: null,
        connections: null,
        defaultConnections: users,
        shards: runners.length,
        durationS: longestS > 0 ? longestS : 1,
        requests: null,
        timeoutS: TIMEOUT_S,
        warmupS: 0,
        defaultWarmupS: 0,
        open: {
          perS: Object.fromEntries(
            distributed.scenarios.map(({ scenario, perS }) => [
              scenario,
              perS === null ? [] : [perS],
            ]),
          ),
          closedLoopPerS: {},
          arrivals: "even",
        },
      },
      design: {
        rounds: 1,
        maxRounds: 1,
        width: 0,
        budgetS: null,
        budgetShare: 0,
        ratiosOnly: false,
        slices: null,
        fallback: null,
        failOn: null,
        needsAll: false,
        pins: false,
        profileS: null,
        seed: 0,
      },
      search: null,
    },
    pinning: null,
    scenarios: [],
    generators: [],
    servers: [],
    launches: [],
    trialResults: [],
    blocks: [],
    results: distributed.scenarios.map((scenario) => resultOf(scenario, variant, users)),
    openChecks: [],
    openLoopResults: [],
    capacities: [],
    scaling: [],
    profiles: [],
    comparisons: [],
    noise: [],
    changes: null,
    distributed,
  };
}

function resultOf(of: DistributedScenario, variant: string, connections: number): Result {
  const { goodputPerS: median, failed, right, refused, wrong } = of;
  const responses = right + refused + wrong;
  return {
    variant,
    scenario: of.scenario,
    connections,
    perS: of.perS,
    status: "ok",
    reason: null,
    rounds: 1,
    failedRounds: 0,
    ...ofFigures(() => null),
    requestsPerS: median === null ? null : {
      median,
      min: median,
      max: median,
      confidenceInterval: null,
      cv: null,
      mad: 0,
      outlierRounds: [],
      minimumDetectableChange: null,
    },
    isTakenOver: false,
    isLowerBound: false,
    p50Us: of.p50?.us ?? null,
    p99Us: of.p99?.us ?? null,
    kinds: [],
    probe: null,
    probeAbsence: null,
    climbing: null,
    latencyAbsence: null,
    trend: null,
    bottleneck: null,
    rank: null,
    responses,
    checkedBodies: responses,
    errors: { transport: failed, timeout: null, non2xx: refused, probe: 0 },
  };
}
