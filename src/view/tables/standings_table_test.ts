import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Conditions, conditionsOf } from "../../analysis/comparable.ts";
import { entryOf } from "../../analysis/histories.ts";
import type { Report } from "../../model/report.ts";
import { DUEL, REPORT } from "../report_testdata.ts";
import { standingsOf } from "./result_columns.ts";
import {
  apartFrom,
  ownStandings,
  shownAt,
  type SiteRun,
  standingsTable,
} from "./standings_table.ts";

function run(page: string, report: Report, worth = 2): SiteRun {
  return {
    ...entryOf(`${page}.json`, report),
    page,
    json: `${page}.json`,
    worth,
    standings: standingsOf(report),
    servers: report.servers,
    notes: [],
    conditions: null,
    postgresql: null,
  };
}

const at = (day: number): Pick<Report, "createdAt"> => ({
  createdAt: `2026-01-0${day}T00:00:00.000Z`,
});
const pagesOf = (runs: readonly SiteRun[]): (readonly [string, string])[] =>
  shownAt(runs).flatMap(({ name, parts }) => parts.map(({ run }) => [name, run.page] as const));

Deno.test("each scenario is shown from a measurement, then from the run with most servers, then the newest", () => {
  const both = run("both", { ...DUEL, ...at(1) });
  const one = run("one", { ...REPORT, ...at(2) });
  deepStrictEqual(pagesOf([both, one]).find(([name]) => name === "text"), ["text", "both"]);
  const newer = run("newer", { ...DUEL, ...at(3) });
  deepStrictEqual(pagesOf([both, newer, one]).map(([, page]) => page).includes("both"), false);
  const smoke = run("smoke", { ...DUEL, ...at(4) }, 1);
  deepStrictEqual(pagesOf([smoke, both]).map(([, page]) => page).includes("smoke"), false);
});

Deno.test("servers that the run with most servers lacks come from similar runs, compared by Rel. rate", () => {
  const results = DUEL.results.filter(({ scenario }) => scenario === DUEL.results[0]?.scenario);
  const ratios: Record<string, number> = { deno: 0.5, node: 0.25, other: 1 };
  const part = (
    page: string,
    variants: readonly string[],
    conditions: Conditions | null,
  ): SiteRun => {
    const [first] = results;
    if (first === undefined) throw new Error();
    const own = variants.map((variant) => ({
      ...results.find((result) => result.variant === variant) ?? first,
      variant,
      relativeRate: { rounds: 6, ratio: ratios[variant] ?? 0, confidenceInterval: null },
    }));
    return { ...run(page, { ...DUEL, results: own, comparisons: [] }), conditions };
  };
  const [own, other] = [DUEL.host, { ...DUEL.host, kernel: "another" }].map((host) =>
    conditionsOf({ ...DUEL, host }, "slices")
  ) as [Conditions, Conditions];
  const most = part("most", ["deno", "node"], own);
  const runs = [part("a", ["other"], own), most, part("b", ["deno"], own)];
  deepStrictEqual(pagesOf(runs).map(([, page]) => page), ["most", "a"]);
  const { columns, rows } = standingsTable(shownAt(runs), { pageOf: () => "", up: "" });
  const place = columns.findIndex(({ heading }) => heading === "of best");
  deepStrictEqual(rows.map(({ server, cells }) => [server, cells[place]]), [
    ["other", "100 %"],
    ["deno", "50 %"],
    ["node", "25 %"],
  ]);
  strictEqual(columns.some(({ heading }) => heading === "Rank"), false);
  const withMost = (run: SiteRun): string[] => pagesOf([most, run]).map(([, page]) => page);
  for (const conditions of [other, null]) {
    deepStrictEqual(withMost(part("a", ["other"], conditions)), ["most"]);
  }
  // Two runs of another machine have more servers than the largest run
  const elsewhere = [part("c", ["other", "third"], other), part("d", ["fourth"], other)];
  deepStrictEqual(pagesOf([most, ...elsewhere]).map(([, page]) => page), ["c", "d"]);
  const memoryBytes = 1.01 * DUEL.host.memoryBytes; // after another boot
  const booted = conditionsOf({ ...DUEL, host: { ...DUEL.host, memoryBytes } }, "slices");
  deepStrictEqual(withMost(part("a", ["other"], booted)), ["most", "a"]);
  // A run with unknown distances does not join two runs with different ones
  const distances = [null, 100, 620].map((distanceNs, i) =>
    part("abc".charAt(i), [`server-${i}`], { ...own, distanceNs })
  );
  deepStrictEqual(pagesOf([most, ...distances]).map(([, page]) => page).length, 3);
  const [old, recent] = ["17", "18"].map((postgresql) => ({ ...most, postgresql })) as [
    SiteRun,
    SiteRun,
  ];
  const database = { ...part("a", ["other"], own), postgresql: "18" };
  deepStrictEqual(pagesOf([old, database]).map(([, page]) => page), ["most"]);
  deepStrictEqual(pagesOf([recent, database]).map(([, page]) => page), ["most", "a"]);
  const servers = DUEL.servers.map((server) => ({ ...server, id: "other", failure: "it ended" }));
  const failing = [{ ...most, servers }, part("a", ["other"], own)];
  deepStrictEqual(pagesOf(failing).map(([, page]) => page), ["most"], "it failed there");
});

Deno.test("runs over TLS and HTTP/2 have other names", () => {
  const { experiment } = DUEL;
  const over = (tls: "http/1.1" | "h2"): Report => ({
    ...DUEL,
    experiment: { ...experiment, load: { ...experiment.load, tls } },
  });
  const names = pagesOf([run("a", DUEL), run("b", over("h2")), run("c", over("http/1.1"))]);
  const texts = names.filter(([name]) => name.startsWith(DUEL.results[0]?.scenario ?? ""));
  deepStrictEqual(texts.slice(0, 1).map(([name]) => name), [DUEL.results[0]?.scenario]);
  strictEqual(names.filter(([name]) => name.endsWith(" (HTTP/2)")).length, names.length / 3);
  strictEqual(names.filter(([name]) => name.endsWith(" (TLS)")).length, names.length / 3);
});

Deno.test("results that the table lacks are found by server, workload and protocol", () => {
  const [first] = DUEL.results;
  if (first === undefined) throw new Error();
  const part = (page: string, variants: readonly string[], tls: SiteRun["tls"]): SiteRun => ({
    ...run(page, { ...DUEL, results: variants.map((variant) => ({ ...first, variant })) }),
    servers: variants.flatMap((id) =>
      DUEL.servers.slice(0, 1).map((server) => ({ ...server, id }))
    ),
    tls,
  });
  const runs = [
    part("plain", ["deno", "node"], null),
    part("smaller", ["deno"], null), // deno has results at this workload already
    part("secure", ["node", "other"], "http/1.1"),
    part("smaller secure", ["deno"], "http/1.1"),
  ];
  const apart = (server: string): string[] =>
    apartFrom(shownAt(runs), runs, server).flatMap(({ parts }) => parts.map(({ run }) => run.page));
  deepStrictEqual(["deno", "node", "other"].map(apart), [["smaller secure"], [], []]);
});

Deno.test("the share of the best rate has a bar, and a failed result has its reason", () => {
  const [first, second, ...others] = DUEL.results;
  if (first === undefined || second === undefined || first.requestsPerS === null) throw new Error();
  const half = { ...first.requestsPerS, median: first.requestsPerS.median / 2 };
  const results = [first, { ...second, scenario: first.scenario, requestsPerS: half }, ...others]
    .filter(({ scenario }) => scenario === first.scenario);
  const pageOf = (id: string): string => `servers/${id}.html`;
  const table = (of: Report): ReturnType<typeof standingsTable> =>
    standingsTable(shownAt([run("runs/a.html", of)]), { pageOf, up: "" });
  const { columns, rows } = table({ ...DUEL, results, comparisons: [] });
  const place = columns.findIndex(({ heading }) => heading === "of best");
  deepStrictEqual(rows.map(({ cells }) => cells[place]), ["100 %", "50 %"]);
  deepStrictEqual(rows.map(({ bars }) => bars), [{ "of best": 1 }, { "of best": 0.5 }]);
  deepStrictEqual(rows.map(({ values }) => values?.[place]), [1, 0.5]);
  strictEqual(rows[0]?.link, `servers/${first.variant}.html`);
  deepStrictEqual(rows[0]?.links, { Run: "runs/a.html" });
  strictEqual(rows.every(({ cells }) => cells.length === columns.length), true);
  const failed = results.map((result) =>
    result.variant === second.variant
      ? { ...result, status: "failed" as const, requestsPerS: null, rank: null }
      : result
  );
  const [, last] = table({ ...DUEL, results: failed, comparisons: [] }).rows;
  strictEqual(last?.server, second.variant);
  strictEqual(last?.scenario, first.scenario);
  strictEqual(typeof last?.rest, "string");
});

Deno.test("columns without a value are left out, unless every result failed", () => {
  const pageOf = (): string => "";
  const headingsOf = (results: Report["results"]): string[] => {
    const best = shownAt([run("runs/a.html", { ...DUEL, results, comparisons: [] })]);
    return standingsTable(best, { pageOf, up: "" }).columns.map(({ heading }) => heading);
  };
  const relative = { rounds: 6, ratio: 0.5, confidenceInterval: null };
  const sliced = DUEL.results.map((result) => ({ ...result, relativeRate: relative }));
  const failed = DUEL.results.map((result) => ({ ...result, status: "failed" as const }));
  const hasRate = [DUEL.results, sliced, failed].map((own) =>
    headingsOf(own).includes("Rel. rate")
  );
  deepStrictEqual(hasRate, [false, true, true]);
});

Deno.test("the table of one server has neither its name nor what is the same in each row", () => {
  const best = shownAt([run("runs/a.html", DUEL)]);
  const { columns, rows } = ownStandings(best, "deno");
  const headings = columns.map(({ heading }) => heading);
  deepStrictEqual([headings[0], headings.at(-1)], ["Scenario", "Run"]);
  strictEqual(headings.includes("Language"), false);
  strictEqual(rows.length, best.length);
  deepStrictEqual(rows[0]?.links, { Run: "../runs/a.html" });
  strictEqual(rows.every(({ cells }) => cells.length === columns.length), true);
});

Deno.test("the manifest's cause of a low rate is in the last column, if there is one", () => {
  const servers = DUEL.servers.map((server) =>
    server.id === "node"
      ? { ...server, scenarios: { ...server.scenarios, text: { why: "it waits" } } }
      : server
  );
  const best = shownAt([run("runs/a.html", { ...DUEL, servers })]);
  const { columns, rows } = standingsTable(best, { pageOf: () => "", up: "" });
  strictEqual(columns.at(-1)?.heading, "Why");
  const explained = rows.filter(({ cells }) => cells.at(-1) === "it waits");
  deepStrictEqual(explained.map(({ server, scenario }) => [server, scenario]), [["node", "text"]]);
  strictEqual(ownStandings(best, "node").columns.at(-1)?.heading, "Why");
  strictEqual(ownStandings(best, "deno").columns.at(-1)?.heading, "Run");
});
