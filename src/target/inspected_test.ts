import { deepStrictEqual } from "node:assert/strict";
import type { Server } from "../model/server.ts";
import { inspected } from "./inspected.ts";

const of = (...start: string[]): readonly string[] | string => {
  const { server, reason } = inspected({ start, attached: null } as Partial<Server> as Server);
  return server?.start ?? (reason as { command: string }).command;
};

Deno.test("inspected puts the inspector, on loopback, where the runtime reads it", () => {
  deepStrictEqual(of("deno", "run", "-A", "main.ts"), [
    "deno",
    "run",
    "--inspect=127.0.0.1:0",
    "-A",
    "main.ts",
  ]);
  deepStrictEqual(of("deno", "serve", "--quiet", "a.ts", "-q"), [
    "deno",
    "serve",
    "--inspect=127.0.0.1:0",
    "a.ts",
    "-q",
  ]);
  deepStrictEqual(of("/usr/bin/node", "main.js"), [
    "/usr/bin/node",
    "--inspect=127.0.0.1:0",
    "main.js",
  ]);
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
