import { Failure, messageOf } from "../../model/errors.ts";
import { familyOf, readProcesses } from "../../process/tree.ts";
import type { FaultId, RequestFlood } from "../../model/fault.ts";
import type { Facts, Scenario } from "../../model/scenario.ts";
import type { RunningServer } from "../../target/launch.ts";
import type { OpenTestbed } from "../testbed.ts";
import type { HostileClients } from "./hostile_clients.ts";
import { pause } from "../../process/pause.ts";

/** How long a fault lasts that is not over by itself, in seconds. */
const FAULT_S = 2;
/** How much more than the server can answer is sent to it. */
const TIMES = 2;
/** What PostgreSQL may take to start anew. */
const BACK_MS = 20_000;
const CHURNING = 20;

/** A server to which something is done. */
export interface Victim {
  readonly running: RunningServer;
  readonly testbed: OpenTestbed;
  /** Clients that may harm it. */
  readonly hostileClients: HostileClients;
  /** The scenarios that it implements, and the one that clients ask for meanwhile. */
  readonly scenarios: readonly Scenario[];
  readonly asked: Scenario;
  /** How many connections may be opened beside those of the client that looks on; at least one. */
  readonly most: number;
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
  inflict(victim: Victim, begin: () => void): Promise<RequestFlood | null>;
}

/** What asks the database, and what does not, the lightest first. */
export const ASKING = ["sql1", "books", "sql2"];
const LIGHT = ["text", "json", "hello"];
/** What costs a server most, the heaviest first. */
const HEAVY = ["primes", "sql2", "books", "sql1", "schema", "json", "text", "hello"];

/** Every fault but the end of the server, which is no fault that it can recover from. */
export const FAULT_LIST: readonly Fault[] = [
  {
    id: "stall",
    asks: ASKING,
    isOfDatabase: true,
    inflict: async ({ testbed, signal }, begin) => {
      const processes = readProcesses();
      if (processes === null) throw new Failure("This system does not tell PostgreSQL's processes");
      const pids = familyOf(processes, [testbed.database?.pid ?? -1]);
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
    inflict: async ({ testbed: { facts }, signal }, begin) => {
      // PostgreSQL ends all of its connections and starts anew when one of its processes is killed:
      // https://www.postgresql.org/docs/18/server-shutdown.html
      const [row] = await facts.rows("SELECT pg_backend_pid() AS pid") as { pid: number }[];
      begin();
      if (row !== undefined) signalTo(row.pid, "SIGKILL");
      await untilBack(facts, signal);
      return null;
    },
  },
  {
    id: "churn",
    asks: LIGHT,
    isOfDatabase: false,
    inflict: async (
      { hostileClients, running: { origin }, asked: { request }, most, signal },
      begin,
    ) => {
      const demand = { origin, request, most: Math.min(CHURNING, most), durationS: FAULT_S };
      await hostileClients.churn(demand, signal, begin);
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
async function overload(victim: Victim, begin: () => void, leaves: boolean): Promise<RequestFlood> {
  const { hostileClients, running: { origin }, scenarios, asked, most, signal } = victim;
  const { id, request } = firstOf(HEAVY, scenarios) ?? asked;
  const capacityPerS = await hostileClients.capacityOf({ origin, request, most }, signal);
  const sent = await hostileClients.floodRequests(
    {
      origin,
      request,
      perS: TIMES * capacityPerS,
      durationS: FAULT_S,
      leaves,
      most,
    },
    signal,
    begin,
  );
  return { scenario: id, capacityPerS, sentPerS: sent / FAULT_S };
}

/** Waits until PostgreSQL takes connections again. */
async function untilBack({ rows }: Facts, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + BACK_MS;
  for (;;) {
    try {
      return void await rows("SELECT 1");
    } catch (error) {
      if (performance.now() > untilMs) {
        throw new Failure(`PostgreSQL did not come back: ${messageOf(error)}`);
      }
      await pause(50, signal);
    }
  }
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
