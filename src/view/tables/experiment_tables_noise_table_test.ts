import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Noise } from "../../model/derived.ts";
import { noiseTable } from "./experiment_tables.ts";
import { draw } from "../table.ts";
import { DUEL } from "../report_testdata.ts";

const [NOISE] = DUEL.noise as [Noise];

Deno.test("noiseTable shows the ratio, its interval and the floor of both figures", () => {
  deepStrictEqual(draw(noiseTable(DUEL), { columns: 200, styled: false }), [
    "Scenario  Method   Req/Sec         95 % CI  Floor  CPU/req  95 % CI  Floor  Rounds",
    "text      windows    1.002  0.980 to 1.013  2.0 %        –        –      –       6",
  ]);
});

Deno.test("noiseTable is honest about too few rounds", () => {
  const requestsPerS = { rounds: 2, ratio: 0.99, confidenceInterval: null, floor: null };
  const [row] = noiseTable({ ...DUEL, noise: [{ ...NOISE, requestsPerS }] }).rows;
  deepStrictEqual(row?.cells, ["text", "windows", "0.990", "–", "–", "–", "–", "–", "2"]);
  const [none] = noiseTable({ ...DUEL, noise: [{ ...NOISE, requestsPerS: null }] }).rows;
  deepStrictEqual(none?.cells, ["text", "windows", ...Array(6).fill("–"), "0"]);
});

Deno.test("noiseTable keeps the floors on a narrow screen", () => {
  const [heading] = draw(noiseTable(DUEL), { columns: 60, styled: false });
  strictEqual(heading, "Scenario  Method   Req/Sec  Floor  CPU/req  Floor");
});
