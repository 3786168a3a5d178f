import { deepStrictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import type { Report } from "../model/report.ts";
import { contention } from "./comparable.ts";
import { blockOf } from "./slices_testdata.ts";

const KEY = { variant: "a", scenario: "text", connections: 10, perS: null };

/**
 * Makes a report of two cores. During its slices, other programs used some cores, and the host took a share.
 */
function reportOf(otherCores: number, steal = 0): Report {
  const used = { userUs: 0.5e6, systemUs: 0.5e6 };
  const usage = {
    durationS: 2,
    server: used,
    database: null,
    generator: used,
    machine: { idle: 1 - steal - (otherCores + 1) / 2, steal },
  };
  const blocks = [1, 2].map((round) => {
    const block = blockOf(round, { a: {}, reference: {} });
    return { ...block, slices: block.slices && { ...block.slices, usage } } as BlockResult;
  });
  return { host: { cores: 2 }, trialResults: [], results: [], blocks } as unknown as Report;
}

Deno.test("what was measured beside other programs, or while the host took the processors, is contended", () => {
  const of = (otherCores: number, steal: number): unknown =>
    contention(reportOf(otherCores, steal), "BASE", KEY);
  deepStrictEqual(of(0.2, 0.05), []);
  deepStrictEqual(of(0.75, 0), [
    { kind: "contended", where: "BASE", otherCores: 0.75, steal: 0, cores: 2 },
  ]);
  deepStrictEqual(of(0, 0.3), [
    { kind: "contended", where: "BASE", otherCores: 0, steal: 0.3, cores: 2 },
  ]);
});

Deno.test("a system that does not tell who used the processors is not called contended", () => {
  const report = { ...reportOf(1), blocks: [blockOf(1, { a: {}, reference: {} })] };
  deepStrictEqual(contention(report, "HEAD", KEY), []);
});
