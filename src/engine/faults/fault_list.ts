import { Failure, messageOf } from "../../model/errors.ts";
import type { FaultId, FaultOutcome } from "../../model/fault.ts";
import type { Scenario } from "../../model/scenario.ts";
import { pause } from "../../process/pause.ts";
import { familyOf, readProcesses } from "../../process/tree.ts";
import type { RunningServer } from "../../target/launch.ts";
import type { OpenTestbed } from "../testbed.ts";
import type { HostileClients } from "./hostile_clients.ts";

/** The server that suffers a fault. */
export interface Victim {
  readonly running: RunningServer;
  readonly testbed: OpenTestbed;
  readonly hostileClients: HostileClients;
  /** Those that the server implements. */
  readonly scenarios: readonly Scenario[];
  /** The scenario that clients request during the fault. */
  readonly asked: Scenario;
  /** Maximum number of connections of the fault, in addition to the monitor's; at least one. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** A fault of the server's database or of its clients. */
interface Fault {
  readonly id: FaultId;
  /** Scenarios that clients may request during the fault. The server's first one is used. */
  readonly asks: readonly string[];
  /** Whether the fault affects PostgreSQL. */
  readonly isOfDatabase: boolean;
  /** Runs the fault and settles when it is over. Calls `begin` when it begins. */
  run(victim: Victim, begin: () => void): Promise<FaultOutcome["requestFlood"]>;
}

/** Scenarios that query the database, the lightest first. */
export const ASKING = ["sql1", "books", "sql2"];
/** Scenarios that cost the server little, the preferred one first. */
const LIGHT = ["text", "json", "hello"];
/** Scenarios by their cost for the server, the most expensive first. */
const HEAVY = ["primes", "sql2", "books", "sql1", "schema", "json", "text", "hello"];

/** Duration of a fault that Stampede ends, in seconds. */
const FAULT_S = 2;
/** Multiple of the server's rate in a closed loop at which requests are sent to overload it. */
const OVERLOAD_FACTOR = 2;
/** Time limit for PostgreSQL to restart, in milliseconds. */
const RESTART_LIMIT_MS = 20_000;
/** Maximum number of connections that the fault `churn` opens at once. */
const CHURN_CONNECTIONS = 20;

/** Every fault except SIGTERM, which a server cannot recover from. */
export const FAULT_LIST: readonly Fault[] = [
  { id: "stall", asks: ASKING, isOfDatabase: true, run: stall },
  { id: "restart", asks: ASKING, isOfDatabase: true, run: restart },
  { id: "churn", asks: LIGHT, isOfDatabase: false, run: churn },
  { id: "aborts", asks: LIGHT, isOfDatabase: false, run: (...on) => overload(true, ...on) },
  { id: "overload", asks: LIGHT, isOfDatabase: false, run: (...on) => overload(false, ...on) },
];

/** Stops all processes of PostgreSQL for a while. */
async function stall({ testbed, signal }: Victim, begin: () => void): Promise<null> {
  const processes = readProcesses();
  if (processes === null) throw new Failure("Cannot list PostgreSQL's processes on this system");
  const pids = familyOf(processes, [testbed.database?.process?.pid ?? -1]);
  try {
    begin();
    for (const pid of pids) signalTo(pid, "SIGSTOP");
    await pause(1000 * FAULT_S, signal);
  } finally {
    for (const pid of pids) signalTo(pid, "SIGCONT");
  }
  return null;
}

/**
 * Kills a process of PostgreSQL, which then closes all connections and restarts:
 * https://www.postgresql.org/docs/18/server-shutdown.html
 */
async function restart({ testbed, signal }: Victim, begin: () => void): Promise<null> {
  const { rows } = testbed.facts;
  const [row] = await rows("SELECT pg_backend_pid() AS pid") as { pid: number }[];
  begin();
  if (row !== undefined) signalTo(row.pid, "SIGKILL");
  const untilMs = performance.now() + RESTART_LIMIT_MS;
  for (;;) {
    try {
      await rows("SELECT 1");
      return null;
    } catch (error) {
      if (performance.now() > untilMs) {
        throw new Failure(`PostgreSQL did not restart: ${messageOf(error)}`);
      }
      await pause(50, signal);
    }
  }
}

/** Sends requests over ever new connections. */
async function churn(
  { hostileClients, running: { origin }, asked: { request }, most, signal }: Victim,
  begin: () => void,
): Promise<null> {
  const demand = { origin, request, most: Math.min(CHURN_CONNECTIONS, most) };
  await hostileClients.run({ kind: "churn", ...demand, durationS: FAULT_S }, signal, begin);
  return null;
}

/** Sends the server's most expensive request at twice the rate that a closed loop has reached. */
async function overload(
  leaves: boolean,
  { hostileClients, running: { origin }, scenarios, asked, most, signal }: Victim,
  begin: () => void,
): Promise<FaultOutcome["requestFlood"]> {
  const { id, request } = firstOf(HEAVY, scenarios) ?? asked;
  const demand = { origin, request, most };
  const closedLoopPerS = await hostileClients.run({ kind: "closed-loop", ...demand }, signal);
  const perS = OVERLOAD_FACTOR * closedLoopPerS;
  const flood = { kind: "flood", ...demand, perS, durationS: FAULT_S, leaves } as const;
  const sent = await hostileClients.run(flood, signal, begin);
  return { scenario: id, closedLoopPerS, sentPerS: sent / FAULT_S };
}

/** Sends a signal to a process, which may already have ended. */
function signalTo(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Returns the first scenario, in the order of `ids`, that is one of `scenarios`. */
export function firstOf(
  ids: readonly string[],
  scenarios: readonly Scenario[],
): Scenario | undefined {
  return ids.flatMap((id) => scenarios.find((scenario) => scenario.id === id) ?? [])[0];
}
