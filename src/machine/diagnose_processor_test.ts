import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Finding } from "../model/report.ts";
import { diagnose } from "./diagnose.ts";
import type { MachineFacts } from "./facts.ts";
import { QUIET, SILENT } from "./machine_testdata.ts";

function judge(
  name: string,
  facts: Partial<MachineFacts>,
): Finding | undefined {
  const findings = diagnose({ ...QUIET, ...facts }, { connections: 10 });
  return findings.find((finding) => finding.name === name);
}

Deno.test("cores are physical ones, and those that are not allowed are told", () => {
  const cores = [[0, 4], [1, 5]];
  const found = judge("cores", { cores, allowedCpus: [0, 1, 4, 5], logicalCpus: 16 });
  strictEqual(found?.status, "warn");
  match(found.found, /^2 cores \(4 of 16 logical CPUs are allowed\), shared by/);
});

Deno.test("a few logical CPUs are too few, many may be enough", () => {
  strictEqual(judge("cores", { ...SILENT, logicalCpus: 2 })?.status, "warn");
  deepStrictEqual(judge("cores", { ...SILENT, logicalCpus: 4 }), {
    name: "cores",
    status: "unknown",
    found: "4 logical CPUs; the number of cores is unknown",
    advice: null,
  });
});

Deno.test("a virtual machine does not vouch for its cores, nor for a host that reports no theft", () => {
  strictEqual(judge("SMT", { virtual: true })?.status, "unknown");
  strictEqual(judge("SMT", { virtual: null })?.status, "unknown");
  strictEqual(judge("virtualisation", { virtual: true })?.status, "unknown");
  strictEqual(judge("virtualisation", { virtual: true, stealShare: null })?.status, "unknown");
  strictEqual(judge("virtualisation", { virtual: null })?.status, "unknown");
  deepStrictEqual(judge("virtualisation", { virtual: true, stealShare: 0.002 }), {
    name: "virtualisation",
    status: "ok",
    found: "a virtual machine; its host took 0.2 % of the CPU time since boot",
    advice: null,
  });
});

Deno.test("a load without its pressure is told alone", () => {
  strictEqual(judge("load", { cpuPressure: null })?.found, "load of 0.10 on 4 CPUs");
});

Deno.test("a quota tells no throttling that is not known", () => {
  const found = judge("CPU quota", { quota: { cores: 1, throttledS: null } })?.found;
  strictEqual(found, "at most the time of 1 core");
});
