import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { deriveResults } from "../analysis/derive_results.ts";
import type { Result } from "../model/derived.ts";
import { REPORT_SCHEMA } from "../model/documents.ts";
import { type Figure, FIGURE_IDS, type FigureId, FIGURES, ofFigures } from "../model/figures.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { render } from "./reporters.ts";
import { markdown } from "./markdown.ts";
import { summaryTable } from "./tables/result_columns.ts";
import { DUEL, HOSTILE, REPORT } from "./report_testdata.ts";
import { estimate, messageReason, RESULT } from "./testdata/result.ts";
import { TRIAL_RESULT, WINDOW } from "./testdata/trial_result.ts";

const SCREEN = { columns: 200, styled: false };
const csv = (reports: readonly Report[]): Promise<string> => render("csv", reports, SCREEN);
/** Properties of a result other than figures, by their keys in CSV, and ends of an interval. */
const OTHERS: Readonly<Record<string, (result: Result) => unknown>> = {
  server: ({ variant }) => variant,
  scenario: ({ scenario }) => scenario,
  connections: ({ connections }) => connections,
  status: ({ status }) => status,
  rounds: ({ rounds }) => rounds,
  rank: ({ rank }) => rank,
  "requests_per_s_low": ({ requestsPerS }) => requestsPerS?.confidenceInterval?.low ?? null,
  "requests_per_s_high": ({ requestsPerS }) => requestsPerS?.confidenceInterval?.high ?? null,
  "is_lower_bound": ({ isLowerBound }) => isLowerBound,
  "probe_p99_us": ({ probe }) => probe?.p99Us ?? null,
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

/** Returns the number that tables show for a figure. */
function medianOf(figure: Result[FigureId]): number | null {
  if (figure === null || typeof figure === "number") return figure;
  return "ratio" in figure ? figure.ratio : figure.median;
}

/** Returns a report with one result, whose figures are all known and all different. */
function everyFigure(): Report {
  let number = 1000;
  const figures = ofFigures(({ kind }) => {
    const value = number++;
    if (kind === "estimate") return estimate(value, value - 1, value + 1);
    return kind === "ratio" ? { rounds: 6, ratio: value, confidenceInterval: null } : value;
  }) as Pick<Result, FigureId>;
  return { ...REPORT, results: [{ ...RESULT, ...figures }] };
}

Deno.test("a figure is in CSV and in the schema, and in tables if it has a column", async () => {
  const report = everyFigure();
  const [keys = [], line = []] = parseCsv(await csv([report]));
  const { columns, rows: [row] } = summaryTable(report, true);
  const properties = Object(REPORT_SCHEMA.$defs).Result.properties;
  for (const id of FIGURE_IDS) {
    const { key, description, column }: Figure = FIGURES[id];
    const value = medianOf((report.results[0] as Result)[id]);
    strictEqual(line[keys.indexOf(key)], String(value), id);
    strictEqual(properties[id].description, description);
    const place = row?.values?.indexOf(value) ?? -1;
    const heading = column && column.heading + (column.format === "milliseconds" ? " ms" : "");
    deepStrictEqual([columns[place]?.heading, columns[place]?.legend], [heading, column?.legend]);
  }
});

Deno.test("bytes per response, of any status, are in CSV and JSON, but in no table", async () => {
  const trialOf = (bytes: number | null): TrialResult => {
    const measurement = { ...WINDOW.measurement, statuses: { "200": 900, "404": 100 }, bytes };
    return { ...TRIAL_RESULT, window: { ...WINDOW, measurement } };
  };
  const context = {
    cores: { machine: 4, server: 4, database: 4, generator: 4 },
    variants: ["deno"],
    threads: new Map(),
    turns: new Map(),
    needs: new Map([["text", { queries: 0, moreQueries: 0, writes: 0 }]]),
    fallback: null,
  };
  const derived = (...bytes: (number | null)[]): unknown =>
    deriveResults(bytes.map(trialOf), context)[0]?.bytesPerResponse;
  deepStrictEqual([derived(156_500, 157_000, 1e6), derived(null)], [157, null]);

  const report = { ...REPORT, results: [{ ...RESULT, bytesPerResponse: 156.5 }] };
  const [keys = [], line = []] = parseCsv(await csv([report]));
  strictEqual(line[keys.indexOf("bytes_per_response")], "156.5");
  ok((await render("json", [report], SCREEN)).includes('"bytesPerResponse": 156.5'));
  for (const format of ["table", "markdown", "html"] as const) {
    strictEqual((await render(format, [report], SCREEN)).includes("156.5"), false, format);
  }
});

Deno.test("csv has these columns", async () => {
  const [keys = []] = parseCsv(await csv([REPORT]));
  strictEqual(
    keys.join(" "),
    "run created_at commit server scenario connections asked_per_s status reason rounds failed_rounds rank " +
      "requests_per_s requests_per_s_low requests_per_s_high requests_per_s_half_width " +
      "is_lower_bound is_taken_over " +
      "relative_rate relative_rate_low relative_rate_high relative_rate_half_width per_core " +
      "server_cpu_us server_cpu_us_low server_cpu_us_high server_cpu_us_half_width " +
      "relative_cpu relative_cpu_low relative_cpu_high relative_cpu_half_width " +
      "p50_us p99_us probe_p99_us peak_rss_bytes idle_rss_bytes system_share statements_per_response " +
      "bytes_per_response " +
      "bottleneck errors responses offered sent goodput_per_s " +
      "response_p50_us response_p90_us response_p99_us response_p999_us response_max_us " +
      "measurable_up_to recovery_s " +
      "idle_bytes connection_bytes start_up_us start_up_cpu_us cold_start_up_us " +
      "idle_cpu_us idle_wake_ups connected_cpu_us quiet_cpu_us quiet_wake_ups",
  );
});

Deno.test("every format has the costs of a server, also without a rate", async () => {
  const costs = { idleBytes: estimate(4e7, 3e7, 5e7), connectionBytes: estimate(6124, 6000, 6200) };
  const servers = REPORT.servers.map((server) => ({ ...server, costs }));
  const report = { ...REPORT, servers };
  const untimed = { ...report, results: [], trialResults: [], blocks: [], comparisons: [] };
  for (const one of [report, untimed]) {
    for (const format of ["table", "markdown", "html"] as const) {
      const text = await render(format, [one], SCREEN);
      match(text, /Memory\/connection/, format);
      match(text, /6,124/, format);
    }
    const [keys = [], ...lines] = parseCsv(await csv([one]));
    deepStrictEqual(
      new Set(lines.map((line) => line[keys.indexOf("connection_bytes")])),
      new Set(["6124"]),
    );
  }
});

Deno.test("csv holds every figure of every result, exactly", async () => {
  for (const report of [REPORT, DUEL]) {
    const [keys = [], ...lines] = parseCsv(await csv([report]));
    strictEqual(lines.length, report.results.length);
    for (const line of lines) {
      const of = (key: string): string => line[keys.indexOf(key)] ?? "missing";
      strictEqual(of("run"), report.id);
      const result = report.results.find(({ variant, scenario }) =>
        variant === of("server") && scenario === of("scenario")
      ) as Result;
      for (const [key, figure] of Object.entries(OTHERS)) {
        strictEqual(of(key), String(figure(result) ?? ""), key);
      }
      for (const id of FIGURE_IDS) {
        strictEqual(of(FIGURES[id].key), String(medianOf(result[id]) ?? ""), id);
      }
    }
  }
});

Deno.test("csv of several reports has one heading and says which run a line is of", async () => {
  const [heading, ...lines] = parseCsv(await csv([REPORT, { ...REPORT, id: "1", commit: null }]));
  deepStrictEqual(heading?.slice(0, 3), ["run", "created_at", "commit"]);
  deepStrictEqual([...new Set(lines.map(([run]) => run))], ["0", "1"]);
  strictEqual(lines.at(-1)?.[2], "");
});

Deno.test("csv quotes what would be more than one field", async () => {
  const reason = messageReason('a "b", c\r\nd');
  const results = [{ ...REPORT.results[0] as Result, status: "failed", reason } as const];
  ok((await csv([{ ...REPORT, results }])).includes('"a ""b"", c\r\nd"'));
});

Deno.test("csv is no formula for a spreadsheet", async () => {
  const results = [{
    ...REPORT.results[0] as Result,
    variant: "=1+1",
    reason: messageReason("-2"),
  }];
  const [, line = []] = parseCsv(await csv([{ ...REPORT, results }]));
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
