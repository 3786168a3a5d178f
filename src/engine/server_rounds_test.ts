import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { Failure } from "../model/errors.ts";
import type { Experiment, Trial, Variant } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Recorder } from "./recorder.ts";
import type { RunContext } from "./run_context.ts";
import { runTrials } from "./server_rounds.ts";
import { Servers } from "./servers.ts";
import type { Generators } from "./generator_pool.ts";
import type { OpenTestbed } from "./testbed.ts";

/** Differences from a context in which nothing fails. */
interface FakeOptions
  extends Partial<Pick<OpenTestbed, "launch" | "assertSound"> & Pick<Generators, "measure">> {
  readonly scenarios?: readonly Scenario[];
  readonly keeps?: boolean;
  readonly signal?: AbortSignal;
}

/** Makes a context with a fake server and a fake generator, and logs their calls. */
function fake({ scenarios, keeps = false, signal, measure, ...change }: FakeOptions = {}): {
  context: RunContext;
  log: string[];
} {
  const log: string[] = [];
  const scenario = (id: string): Scenario => ({ ...SCENARIO, id });
  const testbed = {
    facts: { helloHtml: "", rows: () => Promise.resolve([]) },
    watch: () => PROBE,
    database: null,
    countStatements: () => Promise.resolve(null),
    launch: () => {
      log.push("launch");
      return Promise.resolve(runningServer(log));
    },
    assertSound: () => Promise.resolve(),
    ...change,
  } as Partial<OpenTestbed> as OpenTestbed;
  const trialResults: TrialResult[] = [];
  const recorder = {
    trialResults,
    isDue: false,
    add: (kind, one) => {
      if (kind !== "trialResults") return;
      const trialResult = one as TrialResult;
      trialResults.push(trialResult);
      log.push(trialResult.failure?.message ?? "ok");
    },
    results: () => [],
  } as Partial<Recorder> as Recorder;
  const context: Partial<RunContext> = {
    experiment: { scenarios: scenarios ?? ["x", "y"].map(scenario) } as Experiment,
    variants: [{ id: "a", server: { name: "A", maxConnections: null } } as Variant],
    reference: null,
    testbed,
    pool: {
      measure: measure ?? ((_generator, { expected }) => {
        log.push(`measure ${JSON.stringify(expected)}`);
        return Promise.resolve(MEASUREMENT);
      }),
      drive: () => Promise.reject(new Error("nothing is beside it")),
      ceiling: () => Promise.resolve(null),
    } as Partial<Generators> as Generators,
    servers: new Servers(testbed, keeps),
    recorder,
    emit: () => Promise.resolve(),
    signal: signal ?? new AbortController().signal,
  };
  return { log, context: context as RunContext };
}

const MEASUREMENT = { durationS: 1 } as never;
const PROBE = { record: {}, [Symbol.dispose]: () => {} } as never;
const REQUEST: HttpRequest = { method: "GET", path: "/", headers: {}, body: null };
const SCENARIO = {
  underLoad: /^z$/,
  request: REQUEST,
  cycle: null,
  checks: [{ name: "answers", run: async (ask) => void await ask(REQUEST) }],
} as Partial<Scenario> as Scenario;
const SERVER = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  () => new Response("z"),
);
SERVER.unref();

function runningServer(
  log: string[],
  process: Partial<RunningServer["process"]> = {},
): RunningServer {
  return {
    origin: `http://127.0.0.1:${SERVER.addr.port}`,
    process: { hasEnded: false, ended: new Promise(() => {}), lastWords: "", ...process },
    [Symbol.asyncDispose]: () => {
      log.push("stop");
      return Promise.resolve();
    },
  } as unknown as RunningServer;
}

function trials(...names: string[]): Trial[] {
  return names.map((name, index) => {
    const [round, scenario] = name.split(" ");
    const load = { responses: null };
    return {
      index,
      round: Number(round),
      variant: "a",
      scenario,
      generator: "autocannon",
      load,
    } as Trial;
  });
}

Deno.test("runTrials starts one server for each round", async () => {
  const { context, log } = fake();
  await runTrials(context, trials("1 x", "1 y", "2 x"));
  const window = ['measure {"matches":"^z$"}', "ok"];
  deepStrictEqual(log, ["launch", ...window, ...window, "stop", "launch", ...window, "stop"]);
});

Deno.test("runTrials goes on after a failed window", async () => {
  let count = 0;
  const { context, log } = fake({
    measure: () =>
      count++ === 0 ? Promise.reject(new Failure("hung")) : Promise.resolve(MEASUREMENT),
  });
  await runTrials(context, trials("1 x", "1 y"));
  deepStrictEqual(log, ["launch", "hung", "ok", "stop"]);
});

Deno.test("runTrials does not load with a request that no check has sent", async () => {
  const blind = { ...SCENARIO, id: "x", checks: [{ name: "asks nothing", run: async () => {} }] };
  const { context, log } = fake({ scenarios: [blind] });
  await runTrials(context, trials("1 x"));
  strictEqual(log[1], "Cannot load x: none of its checks sends its request");
});

Deno.test("runTrials says once a round that a server cannot be started", async () => {
  let starts = 0;
  const fails = (first: number): FakeOptions => ({
    launch: () => {
      if (++starts >= first) return Promise.reject(new Failure("no licence"));
      return Promise.resolve(runningServer([]));
    },
  });
  const never = fake(fails(1));
  await runTrials(never.context, trials("1 x", "1 y", "2 x", "2 y"));
  deepStrictEqual([starts, never.log], [1, ["no licence", "no licence"]], "it is not tried again");
  starts = 0;
  const { context, log } = fake(fails(2));
  await runTrials(context, trials("1 x", "2 x", "3 x"));
  deepStrictEqual(log.filter((line) => line === "no licence").length, 2, "it was there once");
  strictEqual(starts, 3);
});

Deno.test("runTrials stops a scenario after a wrong response, and only that", async () => {
  const wrong = {
    name: "is right",
    run: () => Promise.reject(new TypeError("no connection")),
  };
  const { context, log } = fake({
    scenarios: [{ ...SCENARIO, id: "x", checks: [wrong] }, { ...SCENARIO, id: "y" }],
  });
  await runTrials(context, trials("1 x", "1 y", "2 x", "2 y"));
  strictEqual(log.filter((line) => line === "ok").length, 2);
  deepStrictEqual(log.filter((line) => line.startsWith("wrong")), [
    'wrong response to "is right": no usable response: no connection',
  ]);
});

Deno.test("runTrials starts a server again that has ended, and names how it ended", async () => {
  const died = {
    hasEnded: true,
    howItEnded: "was killed by SIGKILL",
    lastWords: ":\nout of memory",
    ended: ended("SIGKILL"),
  };
  let starts = 0;
  const { context, log } = fake({
    launch: () => {
      log.push("launch");
      return Promise.resolve(runningServer(log, starts++ === 0 ? died : {}));
    },
    measure: (_generator, _job, abort) =>
      starts > 1 ? Promise.resolve(MEASUREMENT) : new Promise((_resolve, reject) => {
        if (abort.aborted) reject(abort.reason);
        abort.addEventListener("abort", () => reject(abort.reason));
      }),
  });
  await runTrials(context, trials("1 x", "1 y"));
  deepStrictEqual(log, [
    "launch",
    "the server A was killed by SIGKILL:\nout of memory",
    "stop",
    "launch",
    "ok",
    "stop",
  ]);
});

Deno.test("runTrials gives up when nothing more can be measured", async () => {
  const { context, log } = fake({
    assertSound: () => Promise.reject(new Failure("PostgreSQL was killed")),
  });
  await rejects(runTrials(context, trials("1 x", "1 y")), /PostgreSQL was killed/);
  deepStrictEqual(log.at(-1), "stop");
});

Deno.test("runTrials stops its server when it is interrupted", async () => {
  const controller = new AbortController();
  const { context, log } = fake({
    signal: controller.signal,
    measure: () => {
      controller.abort(new Error("Ctrl-C"));
      return Promise.reject(controller.signal.reason);
    },
  });
  await rejects(runTrials(context, trials("1 x", "1 y")), /Ctrl-C/);
  deepStrictEqual(log, ["launch", "stop"]);
});

function ended(signal: Deno.Signal): Promise<Deno.CommandStatus> {
  return Promise.resolve({ success: false, code: 137, signal });
}

Deno.test("runTrials stops a server that refuses handshakes", async () => {
  const { context, log } = fake({
    launch: () => Promise.resolve({ ...runningServer(log), origin: "https://127.0.0.1:1" }),
  });
  await runTrials(context, trials("1 x", "1 y"));
  strictEqual(log.length, 3);
  strictEqual(log.at(-1), "stop");
});

Deno.test("runTrials leaves servers running that are kept, and goes on with them", async () => {
  const { context, log } = fake({ keeps: true });
  await runTrials(context, trials("1 x", "1 y"));
  strictEqual(context.servers.running.size, 1);
  ok(!log.includes("stop"));
  await runTrials(context, trials("2 x"));
  strictEqual(context.servers.running.size, 1);
  strictEqual(log.filter((line) => line === "launch").length, 1);
});
