import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { ProcessScope } from "../process/scope.ts";
import { useTls } from "../process/tls_client.ts";
import { ONE_BY_ONE } from "./driver/load_client.ts";
import type { LoadGenerator, LoadJob } from "./generator.ts";
import { BUILT_IN_GENERATORS } from "./generator_list.ts";
import { deadlineS, mergeMeasurements, RunningGenerator } from "./running.ts";
import { timeouts } from "./shard.ts";
import { LOAD as SHORT, serve } from "./testdata/testing.ts";
import { WindowRun } from "./window_run.ts";

const [autocannon] = BUILT_IN_GENERATORS;

const BAD = fileURLToPath(new URL("./testdata/bad_generator.ts", import.meta.url));
const LOAD = {
  connections: 1,
  shards: 1,
  warmupS: 0,
  mostWarmupS: 0,
  durationS: 0,
  responses: null,
  open: null,
};
/** The time limits of every run outside tests. */
const TIMEOUTS = { freshWarmupS: 2.5, limitS: null };
const SHORT_TIMEOUTS = { freshWarmupS: 0, limitS: null };
const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;
const never = new AbortController().signal;

function bad(how: string): LoadGenerator {
  return { ...autocannon, command: () => [Deno.execPath(), "run", "--quiet", "-A", BAD, how] };
}

function job(): LoadJob {
  return { load: { ...LOAD, timeoutS: 20 } } as LoadJob;
}

/** A generator, and a server that records its requests. */
interface Scene extends AsyncDisposable {
  /** Number of requests so far. */
  readonly requests: number;
  /** Client ports of the connections with requests. */
  readonly ports: Set<number>;
  /** Events of the generator, and the process ids that it reported. */
  readonly events: string[];
  readonly pids: number[];
  measure(load: Partial<Load>, onOpened?: () => void): Promise<Measurement>;
}

function scene(): Scene {
  const scope = new ProcessScope();
  const generator = new RunningGenerator(scope, autocannon, null, SHORT_TIMEOUTS);
  const noted = { requests: 0, ports: new Set<number>(), events: [] as string[], pids: [0] };
  const server = serve((_request, { remoteAddr }) => {
    noted.ports.add(remoteAddr.port);
    return new Response("right", { status: ++noted.requests % 10 === 0 ? 503 : 200 });
  });
  const measure = (load: Partial<Load>, onOpened = () => {}): Promise<Measurement> => {
    Object.assign(noted, { requests: 0, ports: new Set(), events: [], pids: [] });
    return generator.measure(
      {
        origin: `http://127.0.0.1:${server.port}`,
        request: REQUEST,
        ...ONE_BY_ONE,
        load: { ...LOAD, warmupS: 0.3, mostWarmupS: 0.3, durationS: 2, timeoutS: 10, ...load },
        expected: { same: "right" },
      },
      never,
      {
        starting: (pids) => void noted.pids.push(...pids),
        opened: () => {
          noted.events.push("opened");
          onOpened();
        },
        closed: () => void noted.events.push("closed"),
      },
    );
  };
  return Object.assign(noted, {
    measure,
    [Symbol.asyncDispose]: async () => {
      await generator[Symbol.asyncDispose]();
      await scope[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  });
}

Deno.test("RunningGenerator shares the connections among its shards and adds", async () => {
  await using stage = scene();
  const measurement = await stage.measure({ shards: 3, connections: 7, warmupS: 1 });
  deepStrictEqual([stage.ports.size, new Set(stage.pids).size], [7, 3]);
  deepStrictEqual(stage.events, ["opened", "closed"]);
  const { 200: right = 0, 503: sorry = 0 } = measurement.statuses;
  ok(sorry > 0 && measurement.latency?.count === right + sorry);
  ok(measurement.allResponses > right + sorry); // includes the warm-up
  // Requests that are not counted were in flight at the end: one for each connection.
  const lost = stage.requests - measurement.allResponses;
  ok(lost >= 0 && lost <= 7, `${lost} lost`);
  deepStrictEqual([measurement.wrongResponses, measurement.connectionsOpened], [0, 0]);
});

Deno.test("RunningGenerator uses no more shards than it can split a load into", async () => {
  await using stage = scene();
  await stage.measure({ shards: 4, connections: 2 });
  deepStrictEqual([stage.ports.size, stage.pids.length], [2, 2]);
  const [first] = stage.pids;
  const { statuses } = await stage.measure({ shards: 4, connections: 3, responses: 90 });
  deepStrictEqual([stage.ports.size, stage.pids], [3, [first]]); // the first process has stayed
  strictEqual((statuses[200] ?? 0) + (statuses[503] ?? 0), 90);
  deepStrictEqual(stage.events, ["opened", "closed"]);
});

Deno.test("RunningGenerator fails as a whole if a shard is killed, and starts anew", async () => {
  await using stage = scene();
  const kill = (): void => Deno.kill(stage.pids[1] ?? NaN, "SIGKILL");
  await rejects(stage.measure({ shards: 3, connections: 7, durationS: 20 }, kill), {
    name: "Failure",
    message: /^The load generator autocannon was killed by SIGKILL/,
  });
  const earlier = stage.pids;
  const { statuses } = await stage.measure({ shards: 3, connections: 7, warmupS: 1 });
  // Requests of the killed processes may arrive late
  ok(stage.ports.size >= 7 && stage.pids.length === 3, `${stage.ports.size}, ${stage.pids}`);
  ok((statuses[200] ?? 0) > 0 && !stage.pids.some((pid) => earlier.includes(pid)));
  strictEqual(stage.events.join(), "opened,closed");
});

Deno.test("RunningGenerator reports a generator that ends, hangs, prints garbage, or floods its standard error and ends", async () => {
  await using scope = new ProcessScope();
  const cases = [
    ["garbage", /sent an unreadable reply .*Segmentation fault\?/, job(), SHORT_TIMEOUTS],
    ["end", /ended with exit code 3:\nout of luck/, job(), SHORT_TIMEOUTS],
    ["flood", /ended with exit code 4:\nx{600}$/, job(), SHORT_TIMEOUTS],
    ["hang", /hung: no response within 0.5 s/, job(), { freshWarmupS: 0, limitS: 0.5 }],
  ] as const;
  for (const [how, message, workload, given] of cases) {
    await using generator = new RunningGenerator(scope, bad(how), null, given);
    await rejects(generator.measure(workload, never), { name: "Failure", message });
    // It is started again and fails again.
    await rejects(generator.measure(workload, never), { name: "Failure", message });
  }
});

Deno.test("RunningGenerator does not mind a generator that floods its standard error", async () => {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, bad("loud"), null, SHORT_TIMEOUTS);
  strictEqual((await generator.measure(job(), never)).durationS, 1);
});

Deno.test("a window is overdue after three times its length, or the slowest responses that may be", () => {
  const load: Load = {
    ...LOAD,
    connections: 4,
    warmupS: 0.5,
    mostWarmupS: 0.5,
    durationS: 2,
    timeoutS: 10,
  };
  strictEqual(deadlineS(load), 0.5 + (3 * 2 + 10) + 10);
  strictEqual(deadlineS({ ...load, responses: 4 }), 0.5 + (3 * 2 + 10) + 10);
  strictEqual(deadlineS({ ...load, responses: 9 }), 0.5 + 3 * 10 + 10);
});

Deno.test("RunningGenerator warms up a process that has just started for longer", async () => {
  await using scope = new ProcessScope();
  const asked: number[] = [];
  const generator: LoadGenerator = {
    ...bad("measure"),
    ask: (workload) => {
      asked.push(workload.load.warmupS);
      return autocannon.ask(workload, "");
    },
  };
  for (const warmupS of [0.2, 4]) {
    await using running = new RunningGenerator(scope, generator, null, TIMEOUTS);
    const workload = { ...job(), load: { ...job().load, warmupS } };
    await running.measure(workload, never);
    await running.measure(workload, never);
  }
  deepStrictEqual(asked, [2.5, 0.2, 4, 4]);
});

Deno.test("RunningGenerator warms up over TLS as long as its generator needs, and says why it may hang", async () => {
  await using scope = new ProcessScope();
  const folder = await scope.makeFolder();
  const asked: (readonly [warmupS: number, mostWarmupS: number])[] = [];
  const generator: LoadGenerator = {
    ...bad("measure"),
    shortestOverTlsS: (connections) => 0.5 + connections / 10,
    ask: (workload) => {
      asked.push([workload.load.warmupS, workload.load.mostWarmupS]);
      return autocannon.ask(workload, "");
    },
  };
  const measure = async (warmupS: number): Promise<void> => {
    const load = { ...job().load, warmupS, mostWarmupS: warmupS + 0.2, connections: 2 };
    await using running = new RunningGenerator(scope, generator, null, SHORT_TIMEOUTS);
    await running.measure({ ...job(), load }, never);
  };
  await measure(0.2);
  {
    using _tls = await useTls("h2", folder);
    for (const warmupS of [0, 0.2, 0.6, 2]) await measure(warmupS);
  }
  deepStrictEqual(asked, [[0.2, 0.4], [0, 0.2], [0.7, 0.7], [0.7, 0.8], [2, 2.2]]);
  const hanging = { ...bad("hang"), hangs: "known: wait longer" };
  await using running = new RunningGenerator(scope, hanging, null, {
    freshWarmupS: 0,
    limitS: 0.1,
  });
  await rejects(
    running.measure(job(), never),
    /hung: no response within 0\.1 s; known: wait longer$/,
  );
});

Deno.test("RunningGenerator does not add windows that have no moment in common", async () => {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, bad("apart"));
  const events: string[] = [];
  const load = { ...job().load, shards: 2, connections: 3 };
  const measuring = generator.measure({ ...job(), load }, never, {
    opened: () => void events.push("opened"),
    closed: () => void events.push("closed"),
  });
  await rejects(measuring, {
    name: "Failure",
    message: /closed before another shard.s window had opened/,
  });
  deepStrictEqual(events, []);
});

Deno.test("RunningGenerator ends a window when it is told to, also before it has begun", async () => {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, bad("hang"));
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("enough")), 200);
  await rejects(generator.measure(job(), controller.signal), /enough/);
  await rejects(generator.measure(job(), AbortSignal.abort(new Error("too late"))), /too late/);
});

const PART: Measurement = {
  durationS: 2,
  statuses: { 200: 90, 503: 10 },
  allResponses: 150,
  transportErrors: 1,
  timeouts: 2,
  checkedBodies: 90,
  wrongResponses: 0,
  wrongResponse: null,
  bytes: 1000,
  connectionsOpened: 3,
  slicesPerS: [40, 50, 60],
  latency: null,
  kinds: [],
  open: null,
  warmup: { tookS: 0.5, requests: 50, isSteady: null },
};

Deno.test("mergeMeasurements adds counts and slices, and takes the mean length", () => {
  const merged = mergeMeasurements([
    PART,
    { ...PART, durationS: 4, statuses: { 200: 10, 404: 1 }, slicesPerS: [1, 2] },
    {
      ...PART,
      warmup: { tookS: 2, requests: 10, isSteady: null },
      statuses: {},
      wrongResponses: 2,
      wrongResponse: "b",
      slicesPerS: [100, 200, 300, 400],
    },
    { ...PART, statuses: { 200: 5 }, durationS: 4, wrongResponses: 1, wrongResponse: "c" },
  ]);
  deepStrictEqual(merged, {
    durationS: 3,
    statuses: { 200: 105, 404: 1, 503: 10 },
    allResponses: 600,
    transportErrors: 4,
    timeouts: 8,
    checkedBodies: 360,
    wrongResponses: 3,
    wrongResponse: "b",
    bytes: 4000,
    connectionsOpened: 12,
    slicesPerS: [181, 302], // up to the shortest list of all shards
    latency: null,
    kinds: [],
    open: null,
    warmup: { tookS: 2, requests: 160, isSteady: null },
  });
});

Deno.test("mergeMeasurements merges the latencies of the shards", () => {
  const parts = [[1, 2, 3, 4], [100], []].map((latencies) => {
    const window = new WindowRun({ mix: [], load: SHORT, opensAtMs: 0 }, () => {});
    window.open();
    for (const ms of latencies) window.answered(200, 1, ms);
    window.close();
    return window.result();
  });
  const { latency, statuses } = mergeMeasurements(parts);
  deepStrictEqual([latency?.count, statuses], [5, { 200: 5 }]);
  ok(Math.abs((latency?.p50Us ?? NaN) - 3000) <= 3 && (latency?.maxUs ?? 0) >= 100_000);
});

Deno.test("mergeMeasurements returns one part as it is, and refuses none", () => {
  strictEqual(mergeMeasurements([PART]), PART);
  throws(() => mergeMeasurements([]), RangeError);
});

Deno.test("mergeMeasurements adds what became of requests that were due", () => {
  const open = { offered: 10, sent: 8, failed: 1, unanswered: 2, shed: 2, recoveryS: 0.5 };
  const none = { responseTime: null, lateness: null, wait: null, serviceTime: null };
  const part = { ...PART, open: { ...open, ...none } };
  deepStrictEqual(mergeMeasurements([part, part]).open, {
    offered: 20,
    sent: 16,
    failed: 2,
    unanswered: 4,
    shed: 4,
    recoveryS: 0.5,
    ...none,
  });
});

Deno.test("timeouts are what every run has, unless a test has less", () => {
  const of = (values: Record<string, string>): unknown => timeouts(values);
  const usual = { ...TIMEOUTS, ceilingS: 0.5 };
  deepStrictEqual(of({}), usual);
  deepStrictEqual(of({ STAMPEDE_TEST_SHORT_S: "" }), usual);
  const short = { freshWarmupS: 0.2, ceilingS: 0.2 };
  deepStrictEqual(of({ STAMPEDE_TEST_SHORT_S: "0.2" }), { ...usual, ...short });
  deepStrictEqual(of({ STAMPEDE_TEST_LIMIT_S: "2" }), { ...usual, limitS: 2 });
});
