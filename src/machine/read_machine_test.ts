import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { diagnose } from "./diagnose.ts";
import { judgeSupplies, readMachine, type Supply } from "./read_machine.ts";

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
const MAINS: Supply = { ...NOTHING, type: "Mains", online: "1" };
const BATTERY: Supply = { ...NOTHING, type: "Battery", status: "Full" };

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
