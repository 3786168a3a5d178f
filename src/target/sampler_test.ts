import { match, ok, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { foldStacks } from "../analysis/folded_stacks.ts";
import { hotFunctions } from "../analysis/hot_functions.ts";
import type { Server } from "../model/server.ts";
import { ProcessScope } from "../process/scope.ts";
import { inspected } from "./inspected.ts";
import { launch } from "./launch.ts";
import { V8Sampler } from "./sampler.ts";

const SERVER = {
  name: "Busy",
  attached: null,
  prepare: [],
  env: {},
  ready: { path: "/", timeoutS: 20 },
  folder: fileURLToPath(new URL("./testdata/", import.meta.url)),
} as Partial<Server>;
const STARTS = [
  ["deno", "run", "--quiet", "--allow-net", "--allow-env", "busy.js"],
  ["node", "--experimental-default-type=module", "busy.js"],
];
const REQUESTS = 40;

for (const start of STARTS) {
  const [runtime = ""] = start;
  Deno.test(`${runtime} says in which module its time goes, and listens on loopback alone`, async () => {
    await using scope = new ProcessScope();
    let log = "";
    const own = { ...SERVER, start } as Server;
    await using server = await launch(scope, inspected(own).server as Server, {
      databaseUrl: null,
      databaseHostPort: null,
      env: {},
      onLog: (text) => log += text,
    });
    using sampler = await V8Sampler.connect(() => log, server.pid);
    match(log, /Debugger listening on ws:\/\/127\.0\.0\.1:/);
    await sampler.start();
    for (let i = 0; i < REQUESTS; i++) await (await fetch(server.origin)).text();
    const threads = await sampler.stop();
    strictEqual(threads.length, 1);
    const foldedStacks = foldStacks(threads);
    ok(foldedStacks !== null);
    const [hottest] = hotFunctions({ foldedStacks } as Parameters<typeof hotFunctions>[0]);
    strictEqual(hottest?.kind, "own");
    match(hottest.place ?? "", /^testdata\/busy\.js:\d+$/);
  });
}

Deno.test("a server that says nothing of an inspector cannot be sampled", async () => {
  await rejects(V8Sampler.connect(() => "listening on ws://127.0.0.1:1/a", null), {
    name: "Failure",
    message: "Cannot profile the server: it does not print its inspector's address",
  });
});

Deno.test("an inspector that is not there is a failure", async () => {
  const log = (): string => "Debugger listening on ws://127.0.0.1:1/a\n";
  await rejects(V8Sampler.connect(log, null), {
    name: "Failure",
    message: "Cannot connect to the inspector at ws://127.0.0.1:1/a",
  });
});
