import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { diagnose } from "./diagnose.ts";
import { readMachine } from "./read_machine.ts";

function isShare(value: number | null): boolean {
  return value === null || value >= 0 && value <= 1;
}

Deno.test("readMachine finds plausible values on this machine", () => {
  const facts = readMachine();
  strictEqual(facts.os, Deno.build.os);
  ok(facts.logicalCpus >= 1);
  ok(isShare(facts.stealShare) && isShare(facts.cpuPressure), JSON.stringify(facts));
  const { totalBytes = 0, availableBytes = 0, swapUsedBytes = -1 } = facts.memory ?? {};
  ok(totalBytes > 2 ** 27 && availableBytes > 0 && availableBytes <= totalBytes);
  ok(swapUsedBytes >= 0);
  if (facts.cores !== null) {
    deepStrictEqual(facts.cores.flat().sort((a, b) => a - b), facts.allowedCpus);
  }
});

Deno.test({
  name: "readMachine knows on Linux what /proc always tells",
  ignore: Deno.build.os !== "linux",
  fn(): void {
    const { allowedCpus, logicalCpus, openFiles, portRange, load1 } = readMachine();
    ok(allowedCpus !== null && allowedCpus.length >= 1 && allowedCpus.length <= logicalCpus);
    ok(openFiles === "unlimited" || openFiles !== null && openFiles >= 64, `${openFiles}`);
    ok(portRange !== null && portRange.first < portRange.last);
    ok(load1 !== null && load1 >= 0);
  },
});

Deno.test("every finding of this machine can be printed", () => {
  for (
    const { name, status, found, advice } of diagnose(readMachine(), { connections: 10 })
  ) {
    ok(found !== "" && !/\bnull\b|undefined|NaN|Infinity/.test(found), `${name}: ${found}`);
    strictEqual(advice !== null, status === "warn", `${name}: ${advice}`);
  }
});
