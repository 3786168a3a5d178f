import type { FaultId, FaultOutcome, FaultResult } from "../../model/fault.ts";
import { nonEmpty, oneLine, share, UNKNOWN } from "../../model/text.ts";
import { sum } from "../../stats/median.ts";
import { distinct, rate, seconds } from "../format.ts";
import { makeTable, numbers, type Table, words } from "../table.ts";

export const FAULT_NAMES: Readonly<Record<FaultId, string>> = {
  stall: "database stalls",
  restart: "database restarts",
  churn: "connections churn",
  aborts: "clients leave",
  overload: "twice its highest rate",
  sigterm: "SIGTERM under load",
};

const WHY_NOT = {
  "no-scenario": "not tried: the server has no scenario for it",
  "foreign-database": "not tried: it needs Stampede's embedded database",
};

/** Resolution of recovery times, in seconds: the interval between the monitor's requests. */
const STEP_S = 0.02;
/** Ratio to the closed loop below which a flood was too small. The planned ratio is two. */
const MIN_FLOOD_RATIO = 1.5;
/** Lateness of the monitor in seconds above which its own delay may make responses look late. */
const LONGEST_DELAY_S = 0.1;

/** What the client got instead of a right response, if the id does not say it. */
const GOT: Readonly<Record<string, string>> = { nothing: "no response", wrong: "wrong response" };

/** Returns the table of one server, with a row for each fault. */
export function faultsTable(results: readonly FaultResult[]): Table {
  const done = (text: (outcome: FaultOutcome) => string) => ({ outcome }: FaultResult): string =>
    outcome.kind === "done" ? text(outcome) : UNKNOWN;
  return makeTable(results, [
    words("Fault", ({ fault }) => FAULT_NAMES[fault]),
    words("Scenario", done(({ scenario }) => scenario), 2),
    numbers("Requests", done(({ requests }) => String(requests)), 1),
    numbers("Failed", done(shareOf)),
    numbers("Recovery", done(timeOf)),
    words("Details", done(detailsOf)),
  ], ({ fault, outcome }) =>
    outcome.kind === "done" ? {} : {
      cells: [FAULT_NAMES[fault]],
      rest: outcome.kind === "skipped" ? WHY_NOT[outcome.why] : oneLine(outcome.message),
    });
}

/** Returns a row for each server, with failed requests and recovery time for each fault. */
export function overviewOfFaults(results: readonly FaultResult[]): Table {
  return makeTable(distinct(results.map(({ server }) => server)), [
    words("Server", (server) => server),
    ...distinct(results.map(({ fault }) => fault)).map((fault) =>
      numbers<string>(FAULT_NAMES[fault], (server) => {
        const outcome = results.find((one) => one.server === server && one.fault === fault)
          ?.outcome;
        if (outcome?.kind !== "done") return UNKNOWN;
        return `${shareOf(outcome)}, ${outcome.end?.signal ? "killed" : timeOf(outcome)}`;
      })
    ),
  ], (server) => ({ server }));
}

function detailsOf({ failed, requestFlood, end, monitorLatenessS }: FaultOutcome): string {
  const got = Object.entries(failed).sort(([, a], [, b]) => b - a)
    .map(([what, times]) => `${times} × ${GOT[what] ?? what}`);
  return nonEmpty(
    ...got,
    requestFlood && describeFlood(requestFlood),
    end && (end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`),
    monitorLatenessS > LONGEST_DELAY_S &&
      `the monitor itself was up to ${seconds(monitorLatenessS)} late`,
  ).join("; ");
}

function describeFlood(
  { scenario, sentPerS, closedLoopPerS }: NonNullable<FaultOutcome["requestFlood"]>,
): string {
  const isSmall = sentPerS < MIN_FLOOD_RATIO * closedLoopPerS;
  const note = isSmall ? " (the load generator could not send more)" : "";
  return `${scenario} at ${rate(sentPerS)}/s, closed loop ${rate(closedLoopPerS)}/s${note}`;
}

function shareOf({ requests, failed }: FaultOutcome): string {
  return share(sum(Object.values(failed)) / requests);
}

function timeOf({ recoveryS, end }: FaultOutcome): string {
  if (end !== null) return `ended ${seconds(end.tookS)}`;
  if (recoveryS === null) return "not in 10 s";
  return recoveryS < STEP_S ? "at once" : seconds(STEP_S * Math.round(recoveryS / STEP_S));
}
