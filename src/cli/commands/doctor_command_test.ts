import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Finding } from "../../model/report.ts";
import { describeFindings } from "./doctor_command.ts";

const FINE: Finding = { name: "memory", status: "ok", found: "22 of 24 GiB", advice: null };
const SHORT: Finding = { name: "load", status: "warn", found: "busy", advice: "wait a minute" };
const HIDDEN: Finding = { name: "turbo", status: "unknown", found: "not told", advice: null };

Deno.test("describeFindings has a line for each aspect, with the advice below it", () => {
  deepStrictEqual(describeFindings([FINE, SHORT, HIDDEN], { columns: 80, styled: false }), [
    "ok       memory  22 of 24 GiB",
    "warn     load    busy",
    "                 wait a minute",
    "unknown  turbo   not told",
    "1 of 3 checks found a cause of noise. Stampede changes no settings.",
  ]);
});

Deno.test("describeFindings takes what is not known for no warning", () => {
  strictEqual(
    describeFindings([FINE, HIDDEN], { columns: 80, styled: false }).at(-1),
    "No cause of noise found.",
  );
  deepStrictEqual(describeFindings([], { columns: 80, styled: false }), [
    "No cause of noise found.",
  ]);
});

Deno.test("describeFindings breaks lines between words, below what they continue", () => {
  const long = { ...SHORT, advice: "end what else runs (`top` shows it), or wait a minute" };
  deepStrictEqual(
    describeFindings([long], { columns: 51, styled: false }).slice(0, 3),
    [
      "warn     load  busy",
      "               end what else runs (`top` shows it),",
      "               or wait a minute",
    ],
  );
});
