/** A testbed for tests. Its servers run in this process, and its load is made up. */
import { blockOf, type VariantFigures } from "../analysis/slices_testdata.ts";
import { absent, type Probe } from "../load/probe.ts";
import type { WindowJob } from "../load/generator.ts";
import { GENERATORS } from "../load/generator_list.ts";
import type { MachineFacts } from "../machine/facts.ts";
import type { Slices } from "../model/block.ts";
import { Failure } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment } from "../model/experiment.ts";
import type { CpuProfile } from "../model/profile.ts";
import type { Measurement } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import type { Server } from "../model/server.ts";
import type { CountsByName, SendsByPeer } from "../target/tracer.ts";
import type { GeneratorStatus } from "./generator_pool.ts";
import { run } from "./run.ts";
import type { OpenTestbed, Testbed, TestbedNeeds } from "./testbed.ts";

/** Differences from a testbed in which nothing fails. */
export interface FakeOptions {
  /** Findings about its machine. */
  readonly findings?: Report["host"]["findings"];
  /** Differences of its origin. */
  readonly origin?: Partial<Testbed["origin"]>;
  /** Returns the measurement of a window, or throws. */
  readonly measure?: (job: WindowJob, generator: string) => Measurement | Promise<Measurement>;
  /** Returns the figures of a variant in slices. */
  readonly slices?: (variant: string) => VariantFigures;
  /** Responds to a request for a path. */
  readonly respond?: (path: string) => Response;
  /** Reasons why servers cannot be used, by server id. */
  readonly skipped?: Readonly<Record<string, string>>;
  readonly failures?: Readonly<Record<string, string>>;
  /** Returns why a server does not start; null if it starts. */
  readonly launchProblem?: (server: Server) => string | null;
  /** Seconds until the first right response; null if the first one is wrong. */
  readonly startUpS?: number | null;
  /** Installed load generators; the others are missing. */
  readonly present?: readonly string[];
  /**
   * Returns the ceiling of a load generator for the job of a window, in responses per second; null if
   * unknown.
   */
  readonly ceiling?: (job: WindowJob, generator: string) => number | null;
  /** Earlier choices of load generators; new ones are added. */
  readonly kept?: Map<string, string>;
  /**
   * Ceilings for small responses, for the choice of the fastest load generator, in responses per second by id
   * of the generator.
   */
  readonly ceilings?: Readonly<Record<string, number>>;
  /** Returns the profile of a server by its id, or throws. */
  readonly profile?: (server: string) => CpuProfile[] | Promise<CpuProfile[]>;
  /** Returns the system calls of a server by its id, or throws. Its process id is then known. */
  readonly calls?: (server: string) => CountsByName;
  /** Returns what a server sends while it is traced, or throws. */
  readonly sends?: () => SendsByPeer;
  /** Returns why nothing more can be measured; null if the testbed is sound. */
  readonly unsound?: () => string | null;
}

/** Returns a measurement of one second with a given number of responses. */
export function measurementOf(perS: number, change: Partial<Measurement> = {}): Measurement {
  return {
    durationS: 1,
    statuses: { "200": perS },
    allResponses: perS,
    transportErrors: 0,
    timeouts: 0,
    checkedBodies: perS,
    wrongResponses: 0,
    wrongResponse: null,
    bytes: 100 * perS,
    connectionsOpened: 0,
    slicesPerS: [],
    latency: null,
    kinds: [],
    open: null,
    warmup: null,
    ...change,
  };
}

const callFrame = {
  scriptId: "0",
  functionName: "handle",
  url: "ext:a.js",
  lineNumber: 0,
  columnNumber: 0,
};
/** A profile of one second with two samples of a function, and one outside. */
export const SAMPLED: CpuProfile = {
  nodes: [
    { id: 1, callFrame: { ...callFrame, functionName: "(root)", url: "" }, children: [2] },
    { id: 2, callFrame },
  ],
  samples: [1, 2, 2],
  startTime: 0,
  endTime: 1e6,
};

const MACHINE = { logicalCpus: 4, allowedCpus: [0, 1, 2, 3], quota: null } as Partial<
  MachineFacts
> as MachineFacts;

/** Logs every call and leaves nothing behind. */
export class FakeTestbed implements Testbed {
  readonly origin: Testbed["origin"];
  /** The calls in order. */
  readonly log: string[] = [];
  readonly #options: FakeOptions;
  #ms = 0;

  constructor(options: FakeOptions = {}) {
    this.#options = options;
    this.origin = {
      id: "0a1b2c3d",
      createdAt: "2026-01-01T00:00:00.000Z",
      program: ["stampede"],
      command: ["stampede", "text"],
      ...options.origin,
    };
  }

  /** Advances the clock by a second at each call. */
  nowMs(): number {
    return this.#ms += 1000;
  }

  generators(): Promise<GeneratorStatus[]> {
    const { present = ["autocannon", "stampede"] } = this.#options;
    return Promise.resolve(GENERATORS.map((generator) => ({
      generator,
      found: present.includes(generator.id)
        ? { version: "1.0", path: "/here" }
        : { install: "get it" },
    })));
  }

  open(needs: TestbedNeeds): Promise<OpenTestbed> {
    this.log.push(`open ${JSON.stringify(needs)}`);
    return Promise.resolve(openFake(this.#options, this.log));
  }
}

function openFake(options: FakeOptions, log: string[]): OpenTestbed {
  const {
    skipped = {},
    failures = {},
    launchProblem = () => null,
    startUpS = 0.1,
    respond = responseOf,
    kept = new Map(),
    profile = () => [],
    measure = () => measurementOf(1000),
    slices = () => ({}),
    ceiling = () => null,
  } = options;
  const ceilingAt = (responsesPerS: number) => ({
    shape: "GET",
    responseBytes: 11,
    responsesPerS,
    generatorBusiest: 1,
    nullServerBusiest: 0.5,
  });
  let asked = ""; // id of the server that has had the last request
  const launch: OpenTestbed["launch"] = (server) => {
    const problem = launchProblem(server);
    log.push(`launch ${server.id}`);
    if (problem !== null) return Promise.reject(new Failure(problem));
    const http = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      ({ url }) => {
        asked = server.id;
        return respond(new URL(url).pathname);
      },
    );
    return Promise.resolve({
      origin: `http://127.0.0.1:${http.addr.port}`,
      process: null,
      pid: options.calls === undefined ? null : Deno.pid,
      startUpS,
      idleRssBytes: null,
      [Symbol.asyncDispose]: async () => {
        log.push(`stop ${server.id}`);
        await http.shutdown();
      },
    });
  };
  return {
    machine: MACHINE,
    pinning: null,
    database: null,
    facts: { helloHtml: "", rows: () => Promise.resolve([]) },
    generatorChoices: {
      get: (key) => kept.get(key),
      keep: (choices) => {
        for (const [key, choice] of choices) kept.set(key, choice);
        return Promise.resolve();
      },
    },
    describe: (_variants, generators) => {
      const host = {
        os: "linux",
        arch: "x86_64",
        kernel: "6",
        cpuModel: "fake",
        cores: 4,
        memoryBytes: 2 ** 30,
        findings: options.findings ?? [],
      };
      const own = generators.map(({ generator, found }) => [generator.id, found.version] as const);
      const versions = { stampede: "0.1.0", deno: "2.9.6", ...Object.fromEntries(own) };
      return Promise.resolve({ host, commit: null, versions });
    },
    prepare: (servers) =>
      Promise.resolve(servers.map((server) => ({
        server,
        skipped: skipped[server.id] ?? null,
        failure: failures[server.id] ?? null,
      }))),
    launch,
    launchProfiled: async (server, env) => ({
      ...await launch(server, env),
      sampler: {
        start: () => Promise.resolve(void log.push(`sample ${server.id}`)),
        stop: async () => await profile(server.id),
        heapBytes: () => Promise.resolve(0),
      },
    }),
    traceCalls: async (_pids, during) => {
      await during();
      return options.calls?.(asked) ?? new Map();
    },
    traceSends: async (_server, during) => {
      await during();
      const nothing = { calls: 0, bytes: 0 };
      return options.sends?.() ?? { clients: nothing, database: nothing };
    },
    assertSound: () => {
      const problem = options.unsound?.() ?? null;
      return problem === null ? Promise.resolve() : Promise.reject(new Failure(problem));
    },
    countStatements: () => Promise.resolve(null),
    watch: () => {
      const nothing = (): void => {};
      const record = absent({ kind: "no-rehearsal" });
      return { record, open: nothing, close: nothing, [Symbol.dispose]: nothing } as Probe;
    },
    ceilingOf: ({ generator: { id } }) =>
      Promise.resolve(ceilingAt(options.ceilings?.[id] ?? 1000)),
    pool: (generators) => {
      log.push(`load with ${generators.map(({ generator }) => generator.id).join(", ")}`);
      return {
        measure: async (id, job, signal, listener) => {
          log.push(`${id} ${job.request.path}`);
          listener.opened();
          const measurement = await measure(job, id);
          listener.closed();
          signal.throwIfAborted();
          return measurement;
        },
        drive: async (job, _signal, listener) => {
          log.push(`beside ${job.request.path}`);
          listener?.opened?.();
          const measurement = await measure(job, "beside");
          listener?.closed?.();
          return measurement;
        },
        slices: async (job, signal) => {
          log.push(`slices of ${job.targets.map(({ variant }) => variant).join(", ")}`);
          const shown = job.targets.map(({ variant }) => [variant, slices(variant)] as const);
          const measured = blockOf(1, Object.fromEntries(shown)).slices as Slices;
          await Promise.resolve();
          signal.throwIfAborted();
          return measured;
        },
        keepAwake: () => {
          log.push("awake");
          return { [Symbol.dispose]: () => void log.push("asleep") };
        },
        checkOpenLoop: ({ perS, arrivals }) =>
          Promise.resolve({
            perS,
            arrivals,
            serviceUs: 500,
            aloneUs: 600,
            offered: 1000,
            expected: { p50Us: 700, p90Us: 1500, p99Us: 2500 },
            found: { p50Us: 710, p90Us: 1510, p99Us: 2510 },
          }),
        ceiling: (id, job) => {
          const responsesPerS = ceiling(job, id);
          return Promise.resolve(
            responsesPerS === null ? null : { ...ceilingAt(responsesPerS), shape: "" },
          );
        },
        [Symbol.asyncDispose]: () => Promise.resolve(void log.push("unload")),
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(void log.push("close")),
  };
}

function responseOf(path: string): Response {
  return path === "/json"
    ? Response.json({ message: "Hello world", ts: new Date().toISOString() })
    : new Response("Hello world");
}

/** The events of a run and its outcome. */
export interface RunLog {
  readonly events: readonly RunEvent[];
  /** The last report. */
  readonly report: Report | undefined;
  readonly log: readonly string[];
  readonly error: unknown;
}

/** Runs an experiment in a fake testbed, or resumes the run of a report. */
export async function runLogged(
  experiment: Experiment,
  options: FakeOptions = {},
  signal: AbortSignal = new AbortController().signal,
  resumed: Report | null = null,
): Promise<RunLog> {
  const testbed = new FakeTestbed(options);
  const events: RunEvent[] = [];
  let error: unknown = null;
  try {
    for await (const event of run(experiment, testbed, signal, resumed)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const reports = events.flatMap((event) => event.kind === "report" ? [event.report] : []);
  return { events, report: reports.at(-1), log: testbed.log, error };
}
