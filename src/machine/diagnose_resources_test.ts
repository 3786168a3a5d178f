import { match, strictEqual } from "node:assert/strict";
import type { Finding } from "../model/report.ts";
import { diagnose } from "./diagnose.ts";
import type { MachineFacts } from "./facts.ts";
import { QUIET } from "./machine_testdata.ts";

function judge(
  name: string,
  facts: Partial<MachineFacts>,
  connections = 100,
): Finding | undefined {
  const findings = diagnose({ ...QUIET, ...facts }, { connections });
  return findings.find((finding) => finding.name === name);
}

Deno.test("what is enough depends on the connections", () => {
  strictEqual(judge("open files", { openFiles: 1024 }, 461)?.status, "ok");
  strictEqual(judge("open files", { openFiles: 1024 }, 462)?.status, "warn");
  strictEqual(judge("open files", { openFiles: "unlimited" }, 10_000)?.status, "ok");
  strictEqual(judge("listen backlog", { somaxconn: 128 }, 128)?.status, "ok");
  strictEqual(judge("listen backlog", { somaxconn: 128 }, 129)?.status, "warn");
});

Deno.test("ports need both their range and those that are waiting", () => {
  strictEqual(judge("ports", { timeWait: null })?.status, "unknown");
  strictEqual(judge("ports", { portRange: null })?.status, "unknown");
});

Deno.test("little memory without swap in use, and swap in use with much memory, are well", () => {
  const little = { totalBytes: 100, availableBytes: 5, swapUsedBytes: 0 };
  strictEqual(judge("memory", { memory: little })?.status, "ok");
  strictEqual(judge("memory", { memory: { ...little, swapUsedBytes: 1 } })?.status, "warn");
  const much = { totalBytes: 100, availableBytes: 50, swapUsedBytes: 1 };
  strictEqual(judge("memory", { memory: much })?.status, "ok");
});

Deno.test("only a machine that is not virtual knows that it has no battery", () => {
  strictEqual(judge("power", { power: "none" })?.status, "ok");
  strictEqual(judge("power", { power: "none", virtual: true })?.status, "unknown");
  strictEqual(judge("power", { power: "none", virtual: null })?.status, "unknown");
});

Deno.test("taskset is not advised where there is none", () => {
  const tools = { taskset: false, wrk: false, oha: false };
  match(judge("tools", { tools, os: "darwin" })?.advice ?? "", /needs Linux/);
  match(judge("tools", { tools, os: "darwin" })?.found ?? "", /other load generators: none$/);
});
