import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import { csv } from "./csv.ts";
import { markdown } from "./markdown.ts";
import { render } from "./reporters.ts";
import { summaryTable } from "./tables/summary_table.ts";
import { DUEL, HOSTILE, REPORT } from "./report_testdata.ts";
import { messageReason } from "./testdata/result.ts";

const SCREEN = { columns: 200, styled: false };
/** The figures of a result, by their keys in CSV. */
const FIGURES: Readonly<Record<string, (result: Result) => unknown>> = {
  server: ({ variant }) => variant,
  scenario: ({ scenario }) => scenario,
  connections: ({ connections }) => connections,
  status: ({ status }) => status,
  rounds: ({ rounds }) => rounds,
  rank: ({ rank }) => rank,
  "requests_per_s": ({ requestsPerS }) => requestsPerS?.median ?? null,
  "requests_per_s_low": ({ requestsPerS }) => requestsPerS?.confidenceInterval?.low ?? null,
  "requests_per_s_high": ({ requestsPerS }) => requestsPerS?.confidenceInterval?.high ?? null,
  "is_lower_bound": ({ isLowerBound }) => isLowerBound,
  "server_cpu_us": ({ serverCpuUs }) => serverCpuUs?.median ?? null,
  "p50_us": ({ p50Us }) => p50Us,
  "p99_us": ({ p99Us }) => p99Us,
  "probe_p99_us": ({ probe }) => probe?.p99Us ?? null,
  "peak_rss_bytes": ({ peakRssBytes }) => peakRssBytes,
  bottleneck: ({ bottleneck }) => bottleneck?.kind ?? null,
  responses: ({ responses }) => responses,
};

/** Parses CSV into fields; quoted fields may contain any character. */
function parseCsv(text: string): string[][] {
  return text.split("\r\n").filter(Boolean).map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted?.replaceAll('""', '"') ?? plain ?? ""
    )
  );
}

Deno.test("csv holds every figure of every result, exactly", () => {
  for (const report of [REPORT, DUEL]) {
    const [keys = [], ...lines] = parseCsv(csv([report]));
    strictEqual(lines.length, report.results.length);
    for (const line of lines) {
      const of = (key: string): string => line[keys.indexOf(key)] ?? "missing";
      strictEqual(of("run"), report.id);
      const result = report.results.find(({ variant, scenario }) =>
        variant === of("server") && scenario === of("scenario")
      ) as Result;
      for (const [key, figure] of Object.entries(FIGURES)) {
        strictEqual(of(key), String(figure(result) ?? ""), key);
      }
    }
  }
});

Deno.test("csv of several reports has one heading and says which run a line is of", () => {
  const [heading, ...lines] = parseCsv(csv([REPORT, { ...REPORT, id: "1", commit: null }]));
  deepStrictEqual(heading?.slice(0, 3), ["run", "created_at", "commit"]);
  deepStrictEqual([...new Set(lines.map(([run]) => run))], ["0", "1"]);
  strictEqual(lines.at(-1)?.[2], "");
});

Deno.test("csv quotes what would be more than one field", () => {
  const reason = messageReason('a "b", c\r\nd');
  const results = [{ ...REPORT.results[0] as Result, status: "failed", reason } as const];
  ok(csv([{ ...REPORT, results }]).includes('"a ""b"", c\r\nd"'));
});

Deno.test("csv is no formula for a spreadsheet", () => {
  const results = [{
    ...REPORT.results[0] as Result,
    variant: "=1+1",
    reason: messageReason("-2"),
  }];
  const [, line = []] = parseCsv(csv([{ ...REPORT, results }]));
  ok(line.includes("'=1+1") && line.includes("'-2"), line.join());
});

Deno.test("Markdown and the page show the results of the neutral table, the page with its values", async () => {
  for (const report of [REPORT, DUEL]) {
    const { rows } = summaryTable(report, true);
    const text = markdown([report]).replaceAll("\\", "").replaceAll("&lt;", "<");
    const page = await render("html", [report], SCREEN);
    const whole = rows.filter(({ rest }) => rest === undefined);
    ok(whole.length > 0);
    for (const { cells, values = [] } of whole) {
      ok(text.includes(`| ${cells.join(" | ")} |`), cells.join());
      // A scenario without errors has no column for them
      for (const value of values.filter((value) => typeof value === "number" && value !== 0)) {
        ok(page.includes(`data-value="${Number(Number(value).toPrecision(6))}"`), String(value));
      }
    }
  }
});

Deno.test("json is the report itself, and one at a time", async () => {
  deepStrictEqual(JSON.parse(await render("json", [REPORT], SCREEN)), REPORT);
  await rejects(render("json", [REPORT, DUEL], SCREEN), { name: "UsageError" });
});

Deno.test("hostile text stays text in Markdown and in the page", async () => {
  const evil = `<script>alert(1)</script>${HOSTILE}`;
  const results = REPORT.results.map((result) => ({ ...result, variant: evil, scenario: evil }));
  const report = {
    ...REPORT,
    results,
    command: ["deno", evil],
    experiment: {
      ...REPORT.experiment,
      variants: REPORT.experiment.variants.flatMap((
        variant,
      ) => [{ ...variant, id: evil }, { ...variant, id: "other" }]),
      scenarios: [evil],
    },
    servers: REPORT.servers.map((server) => ({ ...server, id: evil, name: evil, why: evil })),
    trialResults: REPORT.trialResults.map((trialResult) => ({
      ...trialResult,
      trial: { ...trialResult.trial, variant: evil, scenario: evil },
    })),
  };
  const page = await render("html", [report, { ...report, id: "1" }], SCREEN);
  strictEqual(page.match(/<script/g)?.length, 1);
  strictEqual(page.includes("<b>Deno"), false);
  strictEqual(["\x1b", "\x07"].some((control) => page.includes(control)), false);
  const text = markdown([report]);
  const outside = text.replaceAll(/```[\s\S]*?```/g, "");
  strictEqual(/<(script|b)>/.test(outside), false);
});
