import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { DUEL, REPORT } from "../report_testdata.ts";
import { estimate } from "../testdata/result.ts";
import { CAPACITIES } from "../testdata/open_loop_report.ts";
import { VERSUS } from "../testdata/versus_report.ts";
import { overTime } from "./chart.ts";
import { dotPlot } from "./dots.ts";
import { html } from "./page.ts";

const [RESULT] = DUEL.results as [Result];
/** Returns the texts of a picture, in the order of its source. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text = ""]) => text);

Deno.test("the axis of changes has ticks over its full width, and a point for each round", () => {
  const row = {
    name: "text",
    ratio: 1.02,
    confidenceInterval: { low: 0.98, high: 1.06 },
    color: "red",
    text: "",
    server: "head",
    points: [0.99, 1.01, 3],
  };
  for (const width of [400, 1000]) {
    const { text } = dotPlot({ rows: [row], label: "", isClose: true, width });
    const grid = [...text.matchAll(/<line x1="([\d.]+)"[^>]*class="grid"/g)].map(([, x]) =>
      Number(x)
    );
    ok(grid.length >= 3, text);
    deepStrictEqual([grid[0], grid.at(-1)], [128, width - 116]);
    strictEqual(text.split('class="point"').length - 1, 2);
    strictEqual(text.split('class="beyond"').length - 1, 1);
  }
  ok(
    textsOf(dotPlot({ rows: [row], label: "", isClose: true, width: 1000 }).text).length >
      6,
  );
});

Deno.test("the page of versus begins with its result, and has no table without figures", async () => {
  const page = await html([{ ...VERSUS, results: [] }]);
  match(page, /<h1>No detectable change, current Deno against Deno at main<\/h1>/);
  strictEqual(page.includes('<section id="servers">'), false);
  ok(page.split('class="point"').length > 8, "a point for each round");
  ok((await html([VERSUS])).includes('<section id="servers">'));
});

Deno.test("a link to a page shows what was found", async () => {
  const page = await html([DUEL]);
  match(page, /<meta name="description" content="text: deno needs least CPU: node needs 1\.2 x/);
  match(page, /<meta property="og:title" content="2 HTTP servers at text">/);
  match(await html([REPORT]), /<meta property="og:description" content="[^"]*text: ≥ 77,640\/s/);
  const long = await html([{ ...DUEL, results: [{ ...RESULT, variant: "x".repeat(400) }] }]);
  const [, description = ""] = /<meta name="description" content="([^"]*)"/.exec(long) ?? [];
  ok(description.length <= 320, description);
});

Deno.test("the rank is the first column of a scenario's table, and the server names the row", async () => {
  const page = await html([DUEL]);
  const [, table = ""] = /text: every figure"[^>]*>(<table.*?<\/table>)/s.exec(page) ?? [];
  const headings = [...table.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, text]) => text);
  deepStrictEqual(headings.slice(0, 3), ["Rank", "Server", "Req/Sec"]);
  match(table, /<td class="n"[^>]*>1 <\/td><th scope="row">.*?deno<\/th>/);
});

Deno.test("a sweep stands in the order of its connections, with a curve over them", async () => {
  const results = [100, 1, 10].map((connections, i) => ({
    ...RESULT,
    connections,
    requestsPerS: estimate(1000 * (i + 1), 900, 5000),
  }));
  const load = { ...REPORT.experiment.load, connections: [1, 10, 100] };
  const report: Report = { ...REPORT, experiment: { ...REPORT.experiment, load }, results };
  const page = await html([report]);
  const svgs = [...page.matchAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/gs)];
  const pictureOf = (label: string): string[] =>
    textsOf(svgs.find(([, one]) => one?.startsWith(label))?.[0] ?? "");
  const bars = svgs.find(([, label]) => label === "Req/Sec of each server at text")?.[0] ?? "";
  deepStrictEqual(
    textsOf(bars).filter((text) => text.startsWith("deno,")),
    ["deno, 1", "deno, 10", "deno, 100"],
  );
  const curve = pictureOf("Req/Sec of each server at text over the connections");
  deepStrictEqual(curve.filter((text) => /^1(00?)?$/.test(text)), ["1", "10", "100"]);
});

Deno.test("symbols of a line are in the group of their server, so that the page hides them with it", async () => {
  const page = await html([CAPACITIES]);
  const [, axes = ""] = /Response times of each[^>]*><g data-axis>(.*?)<\/g>/s.exec(page) ?? [];
  match(axes, /var\(--faint\)/);
  strictEqual(axes.includes("var(--server-"), false);
});

Deno.test("every axis over time begins below its lowest interval, whatever it shows", () => {
  const leastOf = (medians: readonly number[]): number => {
    const { svg: { text } } = overTime({
      title: "",
      note: "",
      names: medians.map(String),
      lines: [{
        server: "a",
        color: "red",
        estimates: medians.map((median) => ({ median, confidenceInterval: null })),
      }],
      format: (value) => `v${value}`,
      label: "",
    });
    const ticks = textsOf(text).filter((one) => one.startsWith("v")).map((one) =>
      Number(one.slice(1))
    );
    return Math.min(...ticks);
  };
  for (const medians of [[100, 110], [100, 1000]]) {
    const least = leastOf(medians);
    ok(least > 0 && least <= 100, `${medians}: ${least}`);
  }
});

Deno.test("runs of several kinds are followed apart", async () => {
  const run = (day: number, tls: Report["experiment"]["load"]["tls"], rounds: number): Report => ({
    ...REPORT,
    id: `${day}`,
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
    experiment: { ...REPORT.experiment, load: { ...REPORT.experiment.load, tls } },
    results: REPORT.results.map((result) => ({ ...result, rounds })),
  });
  const page = await html([run(1, null, 6), run(2, "h2", 6), run(3, null, 1), run(4, null, 6)]);
  match(page, /<section id="history"><h2>Over 2 runs<\/h2>/);
  strictEqual(page.includes("history-2"), false, "one run is no history");
  const [, picture = ""] = /<section id="history">.*?(<svg.*?<\/svg>)/s.exec(page) ?? [];
  deepStrictEqual(textsOf(picture).filter((text) => text.startsWith("01-")), ["01-01", "01-04"]);
  const both = await html([run(1, null, 6), run(2, "h2", 6), run(3, "h2", 6), run(4, null, 6)]);
  match(both, /<section id="history-2"><h2>Over 2 runs \(HTTP\/2\)<\/h2>/);
});
