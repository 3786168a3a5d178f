import type { FaultId, FaultOutcome, FaultResult, WhyNoFault } from "../../model/fault.ts";
import { oneLine, share, UNKNOWN } from "../../model/text.ts";
import { rate, seconds } from "../format.ts";
import { column, type Row, type Table } from "../table.ts";

/** Names of the faults in tables. */
const NAMES: Readonly<Record<FaultId, string>> = {
  stall: "database stalls",
  restart: "database restarts",
  churn: "connections churn",
  aborts: "clients leave",
  overload: "twice its highest rate",
  sigterm: "SIGTERM under load",
};

const WHY_NOT: Readonly<Record<WhyNoFault, string>> = {
  "no-scenario": "not tried: the server has no scenario for it",
  "foreign-database": "not tried: it needs Stampede's embedded database",
};

/** Resolution of recovery times, in seconds: the interval between the monitor's requests. */
const STEP_S = 0.02;
/**
 * Minimum ratio of a request flood's rate to the server's rate in a closed loop. A request flood is planned
 * at a ratio of two. Below this minimum, a note says that the load generator could not send more.
 */
const MIN_FLOOD_RATIO = 1.5;
/**
 * Largest lateness of the monitor that is printed without a note, in seconds. Above it, the monitor's
 * own delay may make responses look late.
 */
const LONGEST_DELAY_S = 0.1;

/** What the client got instead of a right response, in words. */
const GOT: Readonly<Record<string, string>> = {
  late: "late",
  nothing: "no response",
  wrong: "wrong response",
};

/** Returns the name of a fault. */
export function faultName(id: FaultId): string {
  return NAMES[id];
}

/** Returns the table of one server, with a row for each fault. */
export function faultsTable(results: readonly FaultResult[]): Table {
  return {
    columns: [
      column("Fault", false),
      column("Scenario", false, 2),
      column("Requests", true, 1),
      column("Failed", true),
      column("Recovery", true),
      column("Details", false),
    ],
    rows: results.map(({ fault, outcome }) => rowOf(NAMES[fault], outcome)),
  };
}

/**
 * Returns an overview with a row for each server. For each fault it has the share of failed requests
 * and the recovery time.
 */
export function overviewOfFaults(results: readonly FaultResult[]): Table {
  const servers = [...new Set(results.map(({ server }) => server))];
  const faults = [...new Set(results.map(({ fault }) => fault))];
  return {
    columns: [
      column("Server", false),
      ...faults.map((fault) => column(NAMES[fault], true)),
    ],
    rows: servers.map((server) => ({
      server,
      cells: [
        server,
        ...faults.map((fault) => {
          const found = results.find((result) =>
            result.server === server && result.fault === fault
          );
          return found?.outcome.kind === "done" ? inShort(found.outcome) : UNKNOWN;
        }),
      ],
    })),
  };
}

function rowOf(name: string, outcome: FaultResult["outcome"]): Row {
  if (outcome.kind === "skipped") return { cells: [name], rest: WHY_NOT[outcome.why] };
  if (outcome.kind !== "done") return { cells: [name], rest: oneLine(outcome.message) };
  const { scenario, requests, failed, requestFlood, end, monitorLatenessS } = outcome;
  const got = Object.entries(failed).sort(([, a], [, b]) => b - a)
    .map(([what, times]) => `${times} × ${GOT[what] ?? what}`);
  const more = [
    ...got,
    ...(requestFlood === null ? [] : [
      `${requestFlood.scenario} at ${rate(requestFlood.sentPerS)}/s, closed loop ${
        rate(requestFlood.closedLoopPerS)
      }/s${
        requestFlood.sentPerS < MIN_FLOOD_RATIO * requestFlood.closedLoopPerS
          ? " (the load generator could not send more)"
          : ""
      }`,
    ]),
    ...(end === null
      ? []
      : [end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`]),
    ...(monitorLatenessS > LONGEST_DELAY_S
      ? [`the monitor itself was up to ${seconds(monitorLatenessS)} late`]
      : []),
  ];
  return {
    cells: [
      name,
      scenario,
      String(requests),
      shareOf(outcome),
      timeOf(outcome),
      more.join("; "),
    ],
  };
}

function inShort(outcome: FaultOutcome): string {
  const { end } = outcome;
  if (end?.signal) return `${shareOf(outcome)}, killed`;
  return `${shareOf(outcome)}, ${timeOf(outcome)}`;
}

function shareOf({ requests, failed }: FaultOutcome): string {
  const all = Object.values(failed).reduce((sum, times) => sum + times, 0);
  return requests === 0 ? UNKNOWN : share(all / requests);
}

/** Returns the recovery time, or the time until the server ended. */
function timeOf({ recoveryS, end }: FaultOutcome): string {
  if (end !== null) return `ended ${seconds(end.tookS)}`;
  if (recoveryS === null) return "not in 10 s";
  return recoveryS < STEP_S ? "at once" : seconds(STEP_S * Math.round(recoveryS / STEP_S));
}
