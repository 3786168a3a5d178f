/** Measures the work of servers for one response, without timing it. */
import { problemsOf, unaskedCoding } from "../analysis/unequal_work.ts";
import { readResponse, Wire, wireText } from "../conformance/http.ts";
import { openSessions } from "../database/sessions.ts";
import { HANDSHAKE, opener } from "../load/driver/load_client.ts";
import { Failure } from "../model/errors.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Work, WorkRecord } from "../model/work.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import type { RunningServer } from "../target/launch.ts";
import { NotCounted } from "../target/tracer.ts";
import { unlessAbsent } from "./count_server.ts";
import { Sequence } from "./sequence.ts";
import { explain, untilEnd, verified } from "./servers.ts";
import type { OpenTestbed, PreparedServer } from "./testbed.ts";

/** Minimum number of responses that are traced. With 20, `/delay` takes four seconds. */
const RESPONSES = 20;
/**
 * Clients in addition to one for each connection of the pool. With 30, a server that pipelines up to 16
 * queries on a connection opens six of ten.
 */
const MORE_CLIENTS = 150;
/** Length of each of two loads in ms: in the first one, pools grow and connections are set up. */
const LOAD_MS = 500;
/** Interval between two looks at the database's sessions, in ms. */
const STEP_MS = 20;

interface WorkContext {
  readonly testbed: OpenTestbed;
  readonly scenarios: readonly Scenario[];
  readonly env: Readonly<Record<"DB_POOL", string>>;
  readonly signal: AbortSignal;
  /** Receives each scenario before its requests. */
  readonly onScenario: (scenario: Scenario) => void;
}

/** Starts one server, verifies each of its scenarios, and measures its work for a response. */
export async function* measureWork(
  { server, skipped, failure }: PreparedServer,
  context: WorkContext,
): AsyncGenerator<WorkRecord> {
  const { testbed, env, signal } = context;
  const own = context.scenarios.filter(({ id }) => id in server.scenarios);
  const recordOf = (scenario: Scenario, outcome: WorkRecord["outcome"]): WorkRecord => (
    { server: server.id, scenario: scenario.id, outcome }
  );
  const all = (outcome: WorkRecord["outcome"]) => own.map((one) => recordOf(one, outcome));
  if (skipped !== null) return yield* all({ kind: "missing", message: skipped });
  if (failure !== null) return yield* all({ kind: "failed", message: failure });
  if (own.length === 0) return;
  const isCounted = (testbed.database?.process ?? null) !== null;
  const others = isCounted ? await openSessions(testbed.facts.rows) : new Set<number>();
  let started: RunningServer;
  try {
    started = await testbed.launch(server, env);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return yield* all({ kind: "failed", message: error.message });
  }
  await using running = started;
  for (const scenario of own) {
    context.onScenario(scenario);
    try {
      const work = await workOf({ ...context, server, running, scenario, others });
      yield recordOf(scenario, { kind: "done", ...work });
    } catch (error) {
      signal.throwIfAborted();
      await testbed.assertSound();
      const { message } = await explain(error, running, "the server");
      yield recordOf(scenario, { kind: "failed", message });
    }
  }
}

interface Subject extends Pick<WorkContext, "testbed" | "env" | "signal"> {
  readonly server: Server;
  readonly running: RunningServer;
  readonly scenario: Scenario;
  /** The database's sessions of other programs. */
  readonly others: ReadonlySet<number>;
}

async function workOf(subject: Subject): Promise<Work> {
  const { testbed, running, scenario, env } = subject;
  const signal = untilEnd([running], subject.signal);
  const { talk } = await verified(running.origin, scenario, testbed.facts, signal);
  const { headers, headBytes } = await responseOf(running.origin, scenario, signal);
  const coding = unaskedCoding(headers, scenario.request);
  if (coding !== null) {
    throw new Failure(`the body is compressed (${coding}), but the request does not ask for it`);
  }
  const { pipelined, protocol } = scenario;
  const clients = (): Sequence => new Sequence(opener(talk), signal, pipelined);
  using sequence = clients();
  const count = pipelined * Math.ceil(RESPONSES / pipelined);
  const bytes = await sequence.ask(count); // opens connections, too
  const notes: string[] = [];
  const absent: Parameters<typeof unlessAbsent>[1] = (what, reason) =>
    void notes.push(`${what} were not counted: ${reason.kind === "message" ? reason.text : ""}`);
  const [sends = null] = await unlessAbsent("Sends", absent, async () => {
    let received = 0;
    const sent = await testbed.traceSends(running, async () => {
      received = await sequence.ask(count);
    });
    // Bytes that no traced call sent show that other calls did
    if (sent.clients.bytes !== received) {
      throw new NotCounted(`strace shows ${sent.clients.bytes} of ${received} bytes`);
    }
    return [{
      toClients: sent.clients.calls / count,
      toDatabase: sent.database.calls / count,
    }];
  });
  const [inDatabase = null] = needsDatabase(scenario)
    ? await unlessAbsent("Statements", absent, async () => [
      await loadDatabase({ ...subject, signal }, clients),
    ])
    : [];
  const work = {
    headBytes,
    bodyBytes: bytes / count - (protocol === "http" ? headBytes : 0),
    headers: Object.fromEntries(headers),
    sends,
    statements: inDatabase && inDatabase.statements,
    connections: inDatabase && scenario.queries > 0 ? inDatabase.connections : null,
  };
  return { ...work, problems: problemsOf(work, scenario, Number(env.DB_POOL)), notes };
}

/** Returns one response to a scenario's request, as a load generator gets it. */
async function responseOf(
  origin: string,
  { request, protocol }: Scenario,
  signal: AbortSignal,
): ReturnType<typeof readResponse> {
  using wire = await Wire.open(origin, signal);
  const more = protocol === "websocket" ? HANDSHAKE : {};
  await wire.write(wireText(request, { host: new URL(origin).host, ...more }));
  return await readResponse(wire, "a response", request.method);
}

/** Loads a server on many connections. Returns statements per response, and the most sessions. */
async function loadDatabase(
  { testbed, server, scenario, env, others, signal }: Subject,
  clients: () => Sequence,
): Promise<Required<Pick<Work, "statements" | "connections">>> {
  const most = server.maxConnections ?? Infinity;
  const count = Math.min(Number(env.DB_POOL) + MORE_CLIENTS, most);
  await using stack = new AsyncDisposableStack();
  const all = Array.from({ length: count }, () => stack.use(clients()));
  let connections = 0;
  const load = async (): Promise<number> => {
    const untilMs = performance.now() + LOAD_MS;
    let responses = 0;
    const loading = allOf(all.map(async (one) => {
      for (let isFirst = true; isFirst || performance.now() < untilMs; isFirst = false) {
        await one.ask(scenario.pipelined);
        responses += scenario.pipelined;
      }
    }));
    let isOver = false;
    const ended = loading.finally(() => isOver = true);
    ended.catch(() => {}); // awaited below
    while (!isOver) {
      const sessions = await openSessions(testbed.facts.rows);
      connections = Math.max(connections, sessions.difference(others).size);
      await pause(STEP_MS, signal);
    }
    await ended;
    return responses;
  };
  await load();
  const counted = await testbed.countStatements();
  if (counted === null) throw new NotCounted("the database is not Stampede's");
  const responses = await load();
  const statements = (await counted()).statements
    .filter(({ query }) => !query.includes("pg_stat_activity"))
    .map(({ query, calls }) => ({ query, perResponse: calls / responses }));
  return { statements, connections };
}
