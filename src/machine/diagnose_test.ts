import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Finding } from "../model/report.ts";
import { diagnose } from "./diagnose.ts";
import type { MachineFacts } from "./facts.ts";
import { QUIET, SILENT } from "./machine_testdata.ts";

const GIB = 2 ** 30;

/** Returns the finding of one aspect on a machine without other problems. */
function finding(name: string, facts: Partial<MachineFacts>, connections = 100): Finding {
  const all = diagnose({ ...QUIET, ...facts }, { connections });
  const found = all.find((finding) => finding.name === name);
  ok(found, `no finding ${name}`);
  const others = all.filter((finding) => finding.name !== name && finding.status === "warn");
  deepStrictEqual(others, [], "only one aspect warns");
  return found;
}

/**
 * Each line: an aspect, a value just above its limit, its finding and advice, and a value just below.
 */
const LIMITS: readonly [string, Partial<MachineFacts>, RegExp, RegExp, Partial<MachineFacts>][] = [
  [
    "cores",
    { cores: [[0], [1], [2]], allowedCpus: [0, 1, 2], logicalCpus: 3 },
    /^3 cores, shared by server, database and load generator$/,
    /at least 4 cores/,
    { cores: [[0], [1], [2], [3]] },
  ],
  ["SMT", { smt: true }, /^on/, /`echo off \| sudo tee \/sys\/.*smt\/control`/, { smt: false }],
  [
    "governor",
    { governors: ["performance", "powersave"] },
    /^performance, powersave/,
    /`sudo cpupower frequency-set -g performance`/,
    { governors: ["performance"] },
  ],
  [
    "turbo",
    { turbo: { on: true, control: "/sys/x/no_turbo", off: "1" } },
    /^on/,
    /`echo 1 \| sudo tee \/sys\/x\/no_turbo`/,
    { turbo: { on: false, control: "/sys/x/no_turbo", off: "1" } },
  ],
  [
    "virtualisation",
    { stealShare: 0.011 },
    /took 1\.1 % of the CPU time/,
    /dedicated cores/,
    { stealShare: 0.01 },
  ],
  [
    "load",
    { load1: 1.21 },
    /^busy before the run: load of 1\.21 on 4 CPUs/,
    /`top` shows them/,
    { load1: 1.2 },
  ],
  ["load", { cpuPressure: 0.11 }, /in 11 % of the last 10 s/, /`top`/, { cpuPressure: 0.1 }],
  [
    "CPU quota",
    { quota: { cores: 1.5, throttledS: 3.21 } },
    /^at most the time of 1\.5 cores; stopped for 3\.2 s so far$/,
    /`docker run --cpuset-cpus 0-3`/,
    { quota: { cores: "unlimited", throttledS: null } },
  ],
  [
    "open files",
    { openFiles: 300 },
    /^a limit of 300, 301 needed for 100 connections$/,
    /`sudo prlimit --pid \$\$ --nofile=301:301`/,
    { openFiles: 301 },
  ],
  [
    "listen backlog",
    { somaxconn: 99 },
    /^99, for 100 connections/,
    /`sudo sysctl -w net\.core\.somaxconn=100`/,
    { somaxconn: 100 },
  ],
  [
    "ports",
    { timeWait: 251, portRange: { first: 1001, last: 2000 } },
    /^251 of 1000 \(25 %\) in TIME_WAIT$/,
    /wait a minute/,
    { timeWait: 250, portRange: { first: 1001, last: 2000 } },
  ],
  [
    "memory",
    { memory: { totalBytes: 100 * GIB, availableBytes: 9.9 * GIB, swapUsedBytes: GIB } },
    /^9\.9 GiB of 100 GiB available, 1\.0 GiB of swap in use$/,
    /`ps aux/,
    { memory: { totalBytes: 100 * GIB, availableBytes: 10 * GIB, swapUsedBytes: GIB } },
  ],
  ["power", { power: "battery" }, /^on battery/, /plug it in/, { power: "mains" }],
  [
    "tools",
    { tools: { taskset: false, wrk: true, oha: true } },
    /^no taskset, which `--pin` needs; other load generators: wrk, oha$/,
    /`sudo apt install util-linux`/,
    { tools: { taskset: true, wrk: false, oha: false } },
  ],
];

for (const [name, tooMuch, found, advice, justRight] of LIMITS) {
  Deno.test(`diagnose warns of ${name}: ${Object.keys(tooMuch).join(", ")}`, () => {
    const warning = finding(name, tooMuch);
    strictEqual(warning.status, "warn");
    ok(found.test(warning.found), warning.found);
    ok(advice.test(warning.advice ?? ""), warning.advice ?? "no advice");
    const { status, advice: none } = finding(name, justRight);
    deepStrictEqual({ status, none }, { status: "ok", none: null });
  });
}

Deno.test("a machine with which nothing is wrong is well in every aspect", () => {
  const findings = diagnose(QUIET, { connections: 1000 });
  strictEqual(findings.length, new Set(LIMITS.map(([name]) => name)).size);
  deepStrictEqual(findings.filter(({ status }) => status !== "ok"), []);
});

Deno.test("what a machine does not tell is never well", () => {
  const findings = diagnose(SILENT, { connections: 1 });
  deepStrictEqual(
    findings.filter(({ status }) => status !== "unknown").map(({ name, status }) => [name, status]),
    [["tools", "warn"]],
  );
  deepStrictEqual(findings.filter(({ found }) => /\bnull\b|undefined|NaN/.test(found)), []);
});
