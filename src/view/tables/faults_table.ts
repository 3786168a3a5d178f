import type { FaultId, FaultOutcome, FaultResult, WhyNoFault } from "../../model/fault.ts";
import { oneLine } from "../../model/text.ts";
import { rate, seconds, share, UNKNOWN } from "../format.ts";
import type { Row, Table } from "../table.ts";

/** Each fault in words. */
const NAMES: Readonly<Record<FaultId, string>> = {
  stall: "database stalls",
  restart: "database restarts",
  churn: "connections churn",
  aborts: "clients leave",
  overload: "twice the capacity",
  sigterm: "SIGTERM under load",
};

const WHY_NOT: Readonly<Record<WhyNoFault, string>> = {
  "no-scenario": "not tried: it has no scenario for it",
  "foreign-database": "not tried: the database is not Stampede's own",
};

/** What is asked in steps is known in steps. */
const STEP_S = 0.02;
/** Less is not what it is called. */
const TWICE = 1.5;
/** More makes responses late that were not. */
const LONGEST_DELAY_S = 0.1;

/** What came instead of right responses. */
const GOT: Readonly<Record<string, string>> = {
  late: "late",
  nothing: "no response",
  wrong: "wrong response",
};

/** What a fault is called. */
export function faultName(id: FaultId): string {
  return NAMES[id];
}

/** What became of one server's requests, a row for each fault. */
export function faultsTable(results: readonly FaultResult[]): Table {
  return {
    columns: [
      { heading: "Fault", isNumber: false, dropOrder: 0 },
      { heading: "Asked", isNumber: false, dropOrder: 2 },
      { heading: "Requests", isNumber: true, dropOrder: 1 },
      { heading: "Failed", isNumber: true, dropOrder: 0 },
      { heading: "Well again", isNumber: true, dropOrder: 0 },
      { heading: "What clients got, and more", isNumber: false, dropOrder: 0 },
    ],
    rows: results.map(({ fault, outcome }) => rowOf(NAMES[fault], outcome)),
  };
}

/** All servers, a row for each: what share of requests failed, and when all was well again. */
export function overviewOfFaults(results: readonly FaultResult[]): Table {
  const servers = [...new Set(results.map(({ server }) => server))];
  const faults = [...new Set(results.map(({ fault }) => fault))];
  return {
    columns: [
      { heading: "Server", isNumber: false, dropOrder: 0 },
      ...faults.map((fault) => ({ heading: NAMES[fault], isNumber: true, dropOrder: 0 })),
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
      `sent ${rate(requestFlood.sentPerS)}/s of ${requestFlood.scenario}, of which it can do ${
        rate(requestFlood.capacityPerS)
      }/s${
        requestFlood.sentPerS < TWICE * requestFlood.capacityPerS ? ": more could not be sent" : ""
      }`,
    ]),
    ...(end === null
      ? []
      : [end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`]),
    ...(monitorLatenessS > LONGEST_DELAY_S
      ? [`Stampede itself was up to ${seconds(monitorLatenessS)} late`]
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

/** Seconds until all was well again, or until the server had ended. */
function timeOf({ recoveryS, end }: FaultOutcome): string {
  if (end !== null) return `ended ${seconds(end.tookS)}`;
  if (recoveryS === null) return "not in 10 s";
  return recoveryS < STEP_S ? "at once" : seconds(STEP_S * Math.round(recoveryS / STEP_S));
}
