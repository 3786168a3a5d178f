import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { foldStacks, hotFunctions, selfSamplesOf } from "../analysis/profiles.ts";
import type { Server } from "../model/server.ts";
import { ProcessScope } from "../process/scope.ts";
import { launch } from "./launch.ts";
import { inspected, samplerOf } from "./sampler.ts";

const SERVER = {
  name: "Busy",
  attached: null,
  prepare: [],
  env: {},
  ready: { path: "/", timeoutS: 20 },
  folder: fileURLToPath(new URL("./testdata/", import.meta.url)),
} as Partial<Server>;
const STARTS = [
  ["deno", "run", "--quiet", "--allow-net", "--allow-env", "busy.mjs"],
  ["node", "busy.mjs"],
];
const REQUESTS = 40;

for (const start of STARTS) {
  const [runtime = ""] = start;
  Deno.test(`${runtime} says in which module its time goes, and listens on loopback alone`, async () => {
    await using scope = new ProcessScope();
    let log = "";
    const own = { ...SERVER, start } as Server;
    await using server = await launch(scope, inspected(own).server as Server, {
      env: {},
      onLog: (text) => log += text,
    });
    using sampler = await samplerOf(() => log, server.pid);
    match(log, /Debugger listening on ws:\/\/127\.0\.0\.1:/);
    await sampler.start();
    for (let i = 0; i < REQUESTS; i++) await (await fetch(server.origin)).text();
    const threads = await sampler.stop();
    strictEqual(threads.length, 1);
    const foldedStacks = foldStacks(threads);
    ok(foldedStacks !== null);
    const [hottest] = hotFunctions({ foldedStacks } as Parameters<typeof hotFunctions>[0]);
    strictEqual(hottest?.kind, "own");
    match(hottest.place ?? "", /^testdata\/busy\.mjs:\d+$/);
  });
}

Deno.test({
  name:
    "functions that take equally long get equally many samples, also the first after a system call",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    let log = "";
    const own = { ...SERVER, start: ["node", "equal.js"] } as Partial<Server> as Server;
    await using server = await launch(scope, inspected(own, true).server as Server, {
      env: {},
      onLog: (text) => log += text,
    });
    using sampler = await samplerOf(() => log, server.pid, true);
    const { hostname, port } = new URL(server.origin);
    const request = new TextEncoder().encode(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    const load = async (requests: number): Promise<void> => {
      const client = async (): Promise<void> => {
        using connection = await Deno.connect({ hostname, port: Number(port) });
        const response = new Uint8Array(4096);
        for (; requests > 0; requests--) {
          await connection.write(request);
          await connection.read(response);
        }
      };
      await Promise.all(Array.from({ length: 10 }, client));
    };
    await load(2000);
    await sampler.start();
    await load(10_000);
    const { functions } = selfSamplesOf(await sampler.stop());
    const samplesOf = (from: number, to: number): number =>
      functions.filter(({ name }) => {
        const place = Number(name.match(/^work(\d+)$/)?.[1] ?? NaN);
        return place >= from && place < to;
      }).reduce((sum, { samples }) => sum + samples, 0);
    const [first, last] = [samplesOf(0, 5), samplesOf(15, 20)];
    ok(first > last / 2 && last > first / 2, `${first} and ${last} samples`);
  },
});

Deno.test("a server that says nothing of an inspector cannot be sampled", async () => {
  await rejects(samplerOf(() => "listening on ws://127.0.0.1:1/a", null), {
    name: "Failure",
    message: "Cannot profile the server: it does not print its inspector's address",
  });
});

Deno.test("an inspector that is not there is a failure", async () => {
  const log = (): string => "Debugger listening on ws://127.0.0.1:1/a\n";
  await rejects(samplerOf(log, null), {
    name: "Failure",
    message: "Cannot connect to the inspector at ws://127.0.0.1:1/a",
  });
});

const of = (...start: string[]): readonly string[] | string => {
  const { server, reason } = inspected({ start, attached: null } as Partial<Server> as Server);
  return server?.start ?? (reason as { command: string }).command;
};

Deno.test("inspected puts the inspector, on loopback, and V8's flag where the runtime reads them", () => {
  const [inspector, lines] = ["--inspect=127.0.0.1:0", "--detailed-line-info"];
  deepStrictEqual(of("deno", "run", "-A", "main.ts"), [
    "deno",
    "run",
    inspector,
    `--v8-flags=${lines}`,
    "-A",
    "main.ts",
  ]);
  deepStrictEqual(of("deno", "serve", "--quiet", "--v8-flags=--no-opt", "a.ts", "-q"), [
    "deno",
    "serve",
    inspector,
    `--v8-flags=--no-opt,${lines}`,
    "a.ts",
    "-q",
  ]);
  deepStrictEqual(of("/usr/bin/node", "main.js"), ["/usr/bin/node", inspector, lines, "main.js"]);
});

Deno.test("inspected says of anything else that it is not V8, or not known to be", () => {
  deepStrictEqual(of("bun", "main.ts"), "bun");
  deepStrictEqual(of("npm", "start"), "npm");
  deepStrictEqual(of("deno", "task", "start"), "deno task");
  deepStrictEqual(of("target/release/server"), "server");
  const attached = { origin: "http://127.0.0.1:1", pid: null };
  const running = { start: ["node", "a.js"], attached } as Partial<Server> as Server;
  deepStrictEqual(inspected(running), { server: null, reason: { kind: "not-started-here" } });
});

Deno.test("an exact profile keeps V8 from compiling functions into their callers", () => {
  const flags = "--detailed-line-info,--no-turbo-inlining,--no-maglev-inlining,--no-use-osr";
  const exact = (...start: string[]) =>
    inspected({ start, attached: null } as Partial<Server> as Server, true).server?.start;
  deepStrictEqual(exact("node", "main.js"), [
    "node",
    "--inspect=127.0.0.1:0",
    ...flags.split(","),
    "main.js",
  ]);
  deepStrictEqual(exact("deno", "run", "--v8-flags=--expose-gc", "main.ts"), [
    "deno",
    "run",
    "--inspect=127.0.0.1:0",
    `--v8-flags=--expose-gc,${flags}`,
    "main.ts",
  ]);
});
