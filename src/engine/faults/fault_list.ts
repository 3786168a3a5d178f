import { fileURLToPath } from "node:url";
import type { LineProgram } from "../../load/generator.ts";
import { Shard } from "../../load/shard.ts";
import { Failure, messageOf } from "../../model/errors.ts";
import type { FaultId, RequestFlood } from "../../model/fault.ts";
import type { Facts, Scenario } from "../../model/scenario.ts";
import { pause } from "../../process/pause.ts";
import type { ProcessScope } from "../../process/scope.ts";
import { familyOf, readProcesses } from "../../process/tree.ts";
import type { RunningServer } from "../../target/launch.ts";
import type { OpenTestbed } from "../testbed.ts";
import type { Demand, HostileClientsJob, RequestFloodOptions } from "./request_flood.ts";

const PROCESS = new URL("./hostile_clients_process.ts", import.meta.url);
/**
 * Seconds that a job may take longer than planned. They cover the start of the process and slow
 * responses.
 */
const SLACK_S = 20;

const PROGRAM: LineProgram<HostileClientsJob, number> = {
  id: "stampede",
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (typeof reply !== "number") throw new SyntaxError("not a number");
    return reply;
  },
};

/**
 * Runs the clients that harm a server in a separate process, so that their work does not delay the monitor.
 */
export class HostileClients implements AsyncDisposable {
  readonly #shard: Shard<HostileClientsJob, number>;

  constructor(scope: ProcessScope) {
    this.#shard = new Shard(scope, PROGRAM, null);
  }

  /**
   * Measures the server's rate in a closed loop, in responses per second.
   *
   * @throws {Failure} if the server answers nothing.
   */
  async closedLoopRate(demand: Demand, abort: AbortSignal): Promise<number> {
    const perS = await this.#shard.measure({ kind: "closed-loop", ...demand }, {
      limitS: SLACK_S,
      abort,
    });
    if (perS === 0) {
      throw new Failure(`The server answered no request for ${demand.request.path} under load`);
    }
    return perS;
  }

  /**
   * Sends requests at a constant rate without waiting for responses.
   *
   * @param begin called just before the first request
   * @returns the number of requests sent
   */
  floodRequests(
    options: RequestFloodOptions,
    abort: AbortSignal,
    begin: () => void,
  ): Promise<number> {
    return this.#harm({ kind: "flood", ...options }, abort, begin);
  }

  /** Sends requests for a given number of seconds, each over a new connection. */
  async churn(
    demand: Demand & { readonly durationS: number },
    abort: AbortSignal,
    begin: () => void,
  ): Promise<void> {
    await this.#harm({ kind: "churn", ...demand }, abort, begin);
  }

  #harm(
    job: HostileClientsJob & { readonly durationS: number },
    abort: AbortSignal,
    begin: () => void,
  ): Promise<number> {
    const limitS = job.durationS + SLACK_S;
    const listener = { opened: begin, closed: (): void => {} };
    return this.#shard.measure(job, { limitS, abort, listener });
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shard[Symbol.asyncDispose]();
  }
}

/** Duration of a fault that Stampede ends, in seconds. */
const FAULT_S = 2;
/** Multiple of the server's rate in a closed loop at which requests are sent to overload it. */
const OVERLOAD_FACTOR = 2;
/** Time limit for PostgreSQL to restart, in milliseconds. */
const RESTART_LIMIT_MS = 20_000;
/** Maximum number of connections that the fault `churn` opens at once. */
const CHURN_CONNECTIONS = 20;

/** The server that a fault is injected into. */
export interface Victim {
  readonly running: RunningServer;
  readonly testbed: OpenTestbed;
  /** The clients that may harm the server. */
  readonly hostileClients: HostileClients;
  /** The scenarios that the server implements. */
  readonly scenarios: readonly Scenario[];
  /** The scenario that clients request during the fault. */
  readonly asked: Scenario;
  /**
   * Maximum number of connections that the fault may use, in addition to those of the monitor; at
   * least one.
   */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** A fault of the server's database or of its clients, and how to inject it. */
export interface Fault {
  readonly id: FaultId;
  /**
   * Scenarios that clients may request during the fault. The first one that the server implements is used.
   */
  readonly asks: readonly string[];
  /** Whether the fault affects PostgreSQL. */
  readonly isOfDatabase: boolean;
  /** Injects the fault and settles when it is over. Calls `begin` when it begins. */
  inflict(victim: Victim, begin: () => void): Promise<RequestFlood | null>;
}

/** Scenarios that query the database, the lightest first. */
export const ASKING = ["sql1", "books", "sql2"];
/** Scenarios that cost the server little, the preferred one first. */
const LIGHT = ["text", "json", "hello"];
/** Scenarios by their cost for the server, the most expensive first. */
const HEAVY = ["primes", "sql2", "books", "sql1", "schema", "json", "text", "hello"];

/** Every fault except SIGTERM, which a server cannot recover from. */
export const FAULT_LIST: readonly Fault[] = [
  {
    id: "stall",
    asks: ASKING,
    isOfDatabase: true,
    inflict: async ({ testbed, signal }, begin) => {
      const processes = readProcesses();
      if (processes === null) {
        throw new Failure("Cannot list PostgreSQL's processes on this system");
      }
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
      // PostgreSQL closes all connections and restarts if one of its processes is killed:
      // https://www.postgresql.org/docs/18/server-shutdown.html
      const [row] = await facts.rows("SELECT pg_backend_pid() AS pid") as { pid: number }[];
      begin();
      if (row !== undefined) signalTo(row.pid, "SIGKILL");
      await untilRestarted(facts, signal);
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
      const demand = {
        origin,
        request,
        most: Math.min(CHURN_CONNECTIONS, most),
        durationS: FAULT_S,
      };
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

/**
 * Sends requests for the server's most expensive scenario, at twice the rate that a closed loop has reached.
 */
async function overload(victim: Victim, begin: () => void, leaves: boolean): Promise<RequestFlood> {
  const { hostileClients, running: { origin }, scenarios, asked, most, signal } = victim;
  const { id, request } = firstOf(HEAVY, scenarios) ?? asked;
  const closedLoopPerS = await hostileClients.closedLoopRate({ origin, request, most }, signal);
  const sent = await hostileClients.floodRequests(
    {
      origin,
      request,
      perS: OVERLOAD_FACTOR * closedLoopPerS,
      durationS: FAULT_S,
      leaves,
      most,
    },
    signal,
    begin,
  );
  return { scenario: id, closedLoopPerS, sentPerS: sent / FAULT_S };
}

/**
 * Waits until PostgreSQL accepts connections again.
 *
 * @throws {Failure} if it does not within `RESTART_LIMIT_MS`.
 */
async function untilRestarted({ rows }: Facts, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + RESTART_LIMIT_MS;
  for (;;) {
    try {
      return void await rows("SELECT 1");
    } catch (error) {
      if (performance.now() > untilMs) {
        throw new Failure(`PostgreSQL did not restart: ${messageOf(error)}`);
      }
      await pause(50, signal);
    }
  }
}

/**
 * Returns the first scenario, in the order of `ids`, that is one of `scenarios`; undefined if there
 * is none.
 */
export function firstOf(
  ids: readonly string[],
  scenarios: readonly Scenario[],
): Scenario | undefined {
  return ids.flatMap((id) => scenarios.find((scenario) => scenario.id === id) ?? [])[0];
}

/** Sends a signal to a process, which may already have ended. */
function signalTo(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
