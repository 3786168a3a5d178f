import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { diagnose } from "./diagnose.ts";
import { groupCores, judgeSupplies, parseCpuList, readMachine } from "./facts.ts";

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

const NOTHING = { type: null, scope: null, online: null, status: null };
const MAINS = { ...NOTHING, type: "Mains", online: "1" };
const BATTERY = { ...NOTHING, type: "Battery", status: "Full" };

Deno.test("a battery that discharges is what the machine runs on", () => {
  const discharging = { ...BATTERY, status: "Discharging" };
  strictEqual(judgeSupplies([{ ...MAINS, online: "0" }, discharging]), "battery");
  strictEqual(judgeSupplies([discharging]), "battery");
});

Deno.test("a battery that rests or charges leaves the machine to the mains", () => {
  strictEqual(judgeSupplies([MAINS, BATTERY]), "mains");
  strictEqual(judgeSupplies([MAINS, { ...BATTERY, status: "Not charging" }]), "mains");
  strictEqual(judgeSupplies([{ ...BATTERY, status: "Charging" }]), "mains");
  strictEqual(judgeSupplies([MAINS]), "mains");
});

Deno.test("without a battery of its own a machine has none", () => {
  strictEqual(judgeSupplies([]), "none");
  strictEqual(judgeSupplies([{ ...BATTERY, scope: "Device", status: "Discharging" }]), "none");
});

Deno.test("a battery that does not say is not taken for either", () => {
  strictEqual(judgeSupplies([{ ...BATTERY, status: "Unknown" }]), null);
  strictEqual(judgeSupplies([{ ...BATTERY, status: null }, { ...MAINS, online: "0" }]), null);
});

Deno.test("groupCores puts siblings together, however they are numbered", () => {
  deepStrictEqual(groupCores([0, 1, 2, 3], ["0,2\n", "1,3\n", "0,2\n", "1,3\n"]), {
    cores: [[0, 2], [1, 3]],
    smt: true,
  });
  deepStrictEqual(groupCores([0, 1, 2, 3], ["0-1", "0-1", "2-3", "2-3"]), {
    cores: [[0, 1], [2, 3]],
    smt: true,
  });
  deepStrictEqual(groupCores([0, 1], ["0", "1"]), { cores: [[0], [1]], smt: false });
});

Deno.test("groupCores leaves out siblings that may not be used, and tells that there are some", () => {
  deepStrictEqual(groupCores([1, 4, 5], ["1,5", "0,4", "1,5"]), {
    cores: [[1, 5], [4]],
    smt: true,
  });
});

Deno.test("groupCores does not guess", () => {
  strictEqual(groupCores([0, 1], ["0", null]), null);
  strictEqual(groupCores([0, 1], ["0", "(null)"]), null);
  strictEqual(groupCores([0, 1], ["0", "0"]), null);
});

Deno.test("parseCpuList reads numbers and ranges, in ascending order, each once", () => {
  deepStrictEqual(parseCpuList("0\n"), [0]);
  deepStrictEqual(parseCpuList("0-3,8"), [0, 1, 2, 3, 8]);
  deepStrictEqual(parseCpuList("10,2,0-2"), [0, 1, 2, 10]);
});

Deno.test("parseCpuList does not take anything else for a list", () => {
  for (const text of ["", "\n", "(null)", "3-1", "0,,1", "0-", "-1"]) {
    strictEqual(parseCpuList(text), null, text);
  }
});
