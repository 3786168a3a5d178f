/** Measures the work of servers for one response, without timing it. */
import { problemsOf, unaskedCoding } from "../analysis/unequal_work.ts";
import { readResponse, Wire, wireText } from "../conformance/http.ts";
import { openSessions } from "../database/sessions.ts";
import { HANDSHAKE, opener } from "../load/driver/load_client.ts";
import { Failure } from "../model/errors.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import type { Work, WorkRecord } from "../model/work.ts";
import type { RunningServer } from "../target/launch.ts";
import { NotCounted } from "../target/tracer.ts";
import { unlessAbsent } from "./count_server.ts";
import { clientsFor, poolSizeOf, statementsOf } from "./database_work.ts";
import { Sequence } from "./sequence.ts";
import { explain, untilEnd, verified } from "./servers.ts";
import type { OpenTestbed, PreparedServer } from "./testbed.ts";

/** Minimum number of responses that are traced. With 20, `/delay` takes four seconds. */
const RESPONSES = 20;
/** Attempts to trace every sent byte: strace may attach a moment too late. */
const TRIES = 3;

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
  const ended = untilEnd([running], signal);
  const clientCount = clientsFor(server, Number(env.DB_POOL));
  const { rows } = testbed.facts;
  let connections: number | null = null;
  const countConnections = async (): Promise<number> =>
    connections ??= await poolSizeOf(running, { server, others, rows, clientCount, signal: ended });
  for (const scenario of own) {
    context.onScenario(scenario);
    try {
      const subject = { testbed, env, running, scenario, clientCount, isCounted, countConnections };
      const work = await workOf({ ...subject, signal: ended });
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
  readonly running: RunningServer;
  readonly scenario: Scenario;
  /** Number of clients of a load. */
  readonly clientCount: number;
  /** Whether the database's work can be counted. */
  readonly isCounted: boolean;
  /** Returns the most connections of the server to the database. */
  readonly countConnections: () => Promise<number>;
}

async function workOf(subject: Subject): Promise<Work> {
  const { testbed, running, scenario, env, clientCount, isCounted, signal } = subject;
  const { talk } = await verified(running.origin, scenario, testbed.facts, signal);
  const { headers, headBytes } = await responseOf(running.origin, scenario, signal);
  const coding = unaskedCoding(headers, scenario.request);
  if (coding !== null) {
    throw new Failure(`the body is compressed (${coding}), but the request does not ask for it`);
  }
  const { pipelined, protocol } = scenario;
  const open = (): Sequence => new Sequence(opener(talk), signal, pipelined);
  using sequence = open();
  const count = pipelined * Math.ceil(RESPONSES / pipelined);
  const bytes = await sequence.ask(count); // opens connections, too
  const notes: string[] = [];
  const absent: Parameters<typeof unlessAbsent>[1] = (what, reason) =>
    void notes.push(`${what} were not counted: ${reason.kind === "message" ? reason.text : ""}`);
  const [sends = null] = await unlessAbsent("Sends", absent, async () => [
    await sendsOf(subject, sequence, count),
  ]);
  const [statements = null] = needsDatabase(scenario)
    ? await unlessAbsent("Statements", absent, async () => [
      await statementsOf(testbed, scenario, open, clientCount),
    ])
    : [];
  const [connections = null] = isCounted && scenario.queries > 0
    ? await unlessAbsent("Connections", absent, async () => [await subject.countConnections()])
    : [];
  const work = {
    headBytes,
    bodyBytes: bytes / count - (protocol === "http" ? headBytes : 0),
    headers: Object.fromEntries(headers),
    sends,
    statements,
    connections,
  };
  return { ...work, problems: problemsOf(work, scenario, Number(env.DB_POOL)), notes };
}

/** Counts the system calls that send, for a response. */
async function sendsOf(
  { testbed, running }: Subject,
  sequence: Sequence,
  count: number,
): Promise<NonNullable<Work["sends"]>> {
  for (let left = TRIES;; left--) {
    let received = 0;
    const { clients, database } = await testbed.traceSends(running, async () => {
      received = await sequence.ask(count);
    });
    if (clients.bytes === received) {
      return { toClients: clients.calls / count, toDatabase: database.calls / count };
    }
    if (left === 1) {
      throw new NotCounted(`strace shows ${clients.bytes} of ${received} sent bytes`);
    }
  }
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
