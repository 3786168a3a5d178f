import { match, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { badge } from "./badge.ts";
import { DUEL, REPORT } from "./report_testdata.ts";

const badgeText = (report: Report): string =>
  /aria-label="stampede: ([^"]*)"/.exec(badge(report))?.[1] ?? "";

Deno.test("a badge tells what the first scenario reached, with what a response costs", () => {
  const results = REPORT.results.map((result) => ({
    ...result,
    relativeCpu: {
      ratio: 1.034,
      confidenceInterval: { low: 1.02, high: 1.05, coverage: 0.95 },
      rounds: 6,
    },
  }));
  strictEqual(badgeText({ ...REPORT, results }), "text ≥ 77,640/s, rel. CPU 1.03 ± 1.5 %");
  strictEqual(badgeText(REPORT), "text ≥ 77,640/s");
  const own = (change: Partial<Result>): Result[] =>
    REPORT.results.map((result) => ({ ...result, isLowerBound: false, ...change }));
  strictEqual(badgeText({ ...REPORT, results: own({}) }), "text 77,640/s ± 6.4 %");
  const [{ requestsPerS }] = own({}) as [Result];
  const look = own({ requestsPerS: requestsPerS && { ...requestsPerS, confidenceInterval: null } });
  match(badgeText({ ...REPORT, results: look }), /^text [\d,.]+\/s \(smoke run\)$/);
  match(badgeText(DUEL), /^(deno|node) text (≥ )?[\d,.]+\/s$/);
  strictEqual(badgeText({ ...REPORT, results: [] }), "no figures");
});

Deno.test("a badge is SVG whose text cannot be markup", () => {
  const variants = DUEL.experiment.variants.map((variant) => ({
    ...variant,
    id: `<b>${variant.id}`,
  }));
  const results = DUEL.results.map((result) => ({ ...result, variant: `<b>${result.variant}` }));
  const text = badge({ ...DUEL, experiment: { ...DUEL.experiment, variants }, results });
  match(text, /^<svg .*<\/svg>\n$/s);
  match(text, />&lt;b&gt;deno text /);
});
