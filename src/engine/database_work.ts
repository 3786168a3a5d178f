/** Counts a server's statements for a response, and its connections to the database. */
import { SCENARIOS } from "../../scenarios/mod.ts";
import { openSessions } from "../database/sessions.ts";
import { withLockedTables } from "../database/tables.ts";
import { ONE_BY_ONE, opener } from "../load/driver/load_client.ts";
import type { Facts, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Work } from "../model/work.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import type { RunningServer } from "../target/launch.ts";
import { NotCounted } from "../target/tracer.ts";
import { firstOf } from "./faults/fault_list.ts";
import { Sequence } from "./sequence.ts";
import type { OpenTestbed } from "./testbed.ts";

/** Length of each of two loads in ms: in the first one, connections are set up. */
const LOAD_MS = 500;
/** Clients in addition to one for each connection of the pool, so that some always wait. */
const MORE_CLIENTS = 30;
/** Scenarios that read tables, for queries that wait. */
const READING = ["db", "books", "sql2"];
/** Interval between two looks at the database's sessions, in ms. */
const STEP_MS = 20;
/** Steps in which all clients send their requests. */
const CLIENT_STEPS = 40;
/** Steps without a new connection after which a pool has its size. */
const STEADY_STEPS = 25;

/** Returns the number of clients that a server with a pool of this size gets. */
export function clientsFor({ maxConnections }: Server, dbPool: number): number {
  return Math.min(dbPool + MORE_CLIENTS, maxConnections ?? Infinity);
}

/** Loads a server with several clients, and returns the statements for a response. */
export async function statementsOf(
  { countStatements }: Pick<OpenTestbed, "countStatements">,
  { pipelined }: Scenario,
  open: () => Sequence,
  clientCount: number,
): Promise<NonNullable<Work["statements"]>> {
  using stack = new DisposableStack();
  const clients = Array.from({ length: clientCount }, () => stack.use(open()));
  const load = async (): Promise<number> => {
    const untilMs = performance.now() + LOAD_MS;
    let responses = 0;
    await allOf(clients.map(async (one) => {
      for (let isFirst = true; isFirst || performance.now() < untilMs; isFirst = false) {
        await one.ask(pipelined);
        responses += pipelined;
      }
    }));
    return responses;
  };
  await load();
  const counted = await countStatements();
  if (counted === null) throw new NotCounted("Stampede did not start the database");
  const responses = await load();
  return (await counted()).statements
    .map(({ query, calls }) => ({ query, perResponse: calls / responses }));
}

/**
 * Returns the most connections that a server opens while its queries wait for locked tables. Requests
 * that wait make a pool grow to its full size.
 *
 * @param others the database's sessions of other programs
 * @throws NotCounted if no scenario of the server reads tables, so its queries never wait
 */
export async function poolSizeOf(
  { origin }: RunningServer,
  { server, others, rows, clientCount, signal }: {
    readonly server: Server;
    readonly others: ReadonlySet<number>;
    readonly rows: Facts["rows"];
    readonly clientCount: number;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const own = SCENARIOS.filter(({ id }) => id in server.scenarios);
  const reading = firstOf(READING, own);
  if (reading === undefined) throw new NotCounted(`the server has none of ${READING.join(", ")}`);
  const { request } = reading;
  const open = opener({ ...ONE_BY_ONE, origin, request, expected: null });
  await using stack = new AsyncDisposableStack();
  const asked: Promise<number>[] = [];
  const ask = (): void => {
    const asking = stack.use(new Sequence(open, signal)).ask(1);
    asking.catch(() => {}); // awaited below
    asked.push(asking);
  };
  let most = 0;
  await withLockedTables(rows, async () => {
    // Some pools open a connection only for a request that arrives while all others are busy
    const perStep = Math.ceil(clientCount / CLIENT_STEPS);
    for (let steady = 0; asked.length < clientCount || steady < STEADY_STEPS; steady++) {
      for (let i = 0; i < perStep && asked.length < clientCount; i++) ask();
      await pause(STEP_MS, signal);
      const { size } = (await openSessions(rows)).difference(others);
      if (size > most) [most, steady] = [size, 0];
    }
  });
  await allOf(asked);
  return most;
}
