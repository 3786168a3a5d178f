import { familyOf, readProcesses } from "../../process/tree.ts";
import type { FaultId, Flood } from "../../model/fault.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { RunningServer } from "../../target/launch.ts";
import { ClosedLoop } from "../../load/driver/closed_loop.ts";
import type { OpenLab } from "../lab.ts";
import { capacityOf, flood } from "./flood.ts";
import { pause } from "./pause.ts";

/** How long a fault lasts that is not over by itself, in seconds. */
export const FAULT_S = 2;
/** How much more than the server can answer is sent to it. */
const TIMES = 2;
const MOST_OPEN = 500;
const CHURNING = 20;

/** A server to which something is done. */
export interface Victim {
  readonly running: RunningServer;
  readonly lab: OpenLab;
  /** The scenarios that it implements. */
  readonly scenarios: readonly Scenario[];
  /** How many connections it takes. */
  readonly maxConnections: number | null;
  readonly signal: AbortSignal;
}

/** Something that is done to a server, or around it. */
export interface Fault {
  readonly id: FaultId;
  /** The scenario that clients ask for meanwhile: the first of these that the server implements. */
  readonly asks: readonly string[];
  /** Whether it is done to PostgreSQL. */
  readonly isOfDatabase: boolean;
  /** Does it, and settles when it is over; `begin` is called when it begins. */
  inflict(victim: Victim, begin: () => void): Promise<Flood | null>;
}

/** What asks the database, and what does not, the lightest first. */
export const ASKING = ["sql1", "books", "sql2"];
const LIGHT = ["text", "json", "hello"];
/** What costs a server most, the heaviest first. */
const HEAVY = ["primes", "sql2", "books", "sql1", "schema", "json", "text"];

/** Every fault but the end of the server, which is no fault that it can recover from. */
export const FAULT_LIST: readonly Fault[] = [
  {
    id: "stall",
    asks: ASKING,
    isOfDatabase: true,
    inflict: async ({ lab, signal }, begin) => {
      const pids = familyOf(readProcesses() ?? new Map(), [lab.database?.pid ?? -1]);
      try {
        begin();
        for (const pid of pids) signalTo(pid, "SIGSTOP");
        await pause(1000 * FAULT_S, signal);
      } finally {
        for (const pid of pids) signalTo(pid, "SIGCONT");
      }
      return null;
    },
  },
  {
    id: "restart",
    asks: ASKING,
    isOfDatabase: true,
    inflict: async ({ lab: { facts } }, begin) => {
      // PostgreSQL ends all of its connections and starts anew when one of its processes is killed:
      // https://www.postgresql.org/docs/18/server-shutdown.html
      const [row] = await facts.rows("SELECT pg_backend_pid() AS pid") as { pid: number }[];
      begin();
      if (row !== undefined) signalTo(row.pid, "SIGKILL");
      await facts.rows("SELECT 1").catch(() => facts.rows("SELECT 1"));
      return null;
    },
  },
  {
    id: "churn",
    asks: LIGHT,
    isOfDatabase: false,
    inflict: async ({ running: { origin }, scenarios, signal }, begin) => {
      const { request } = firstOf(LIGHT, scenarios) as Scenario;
      const headers = { ...request.headers, connection: "close" };
      const options = { connections: CHURNING, timeoutS: 1, expected: null };
      using loop = new ClosedLoop({ origin, request: { ...request, headers }, ...options }, {
        answered: () => {},
        failed: () => {},
        reconnected: () => {},
      });
      begin();
      loop.start();
      await pause(1000 * FAULT_S, signal);
      return null;
    },
  },
  {
    id: "aborts",
    asks: LIGHT,
    isOfDatabase: false,
    inflict: (victim, begin) => overload(victim, begin, true),
  },
  {
    id: "overload",
    asks: LIGHT,
    isOfDatabase: false,
    inflict: (victim, begin) => overload(victim, begin, false),
  },
];

/** Sends twice what the server can answer of its heaviest work. */
async function overload(victim: Victim, begin: () => void, leaves: boolean): Promise<Flood> {
  const { running: { origin }, scenarios, maxConnections, signal } = victim;
  const { id, request } = firstOf(HEAVY, scenarios) as Scenario;
  const capacityPerS = await capacityOf({ origin, request }, signal);
  begin();
  const sent = await flood({
    origin,
    request,
    perS: TIMES * capacityPerS,
    durationS: FAULT_S,
    leaves,
    most: Math.min(MOST_OPEN, maxConnections ?? MOST_OPEN),
  }, signal);
  return { scenario: id, capacityPerS, sentPerS: sent / FAULT_S };
}

/** The first of these scenarios that a server implements. */
export function firstOf(
  ids: readonly string[],
  scenarios: readonly Scenario[],
): Scenario | undefined {
  return ids.flatMap((id) => scenarios.find((scenario) => scenario.id === id) ?? [])[0];
}

/** Sends a signal to a process that may have ended. */
function signalTo(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
