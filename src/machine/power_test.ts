import { strictEqual } from "node:assert/strict";
import { judgeSupplies, type Supply } from "./power.ts";

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
