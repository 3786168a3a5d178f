import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { markUnderWay, writeReport } from "../src/results/store.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { DUEL, REPORT } from "../src/view/report_testdata.ts";
import { estimate } from "../src/view/testdata/result.ts";
import { VERSUS } from "../src/view/testdata/versus_report.ts";
import { Sandbox } from "./bench.ts";
import { browserTest, findingsOf, showPage, visible } from "./browser.ts";

const CATALOG = await readCatalog();

/** The fields of each cost without load. */
const NO_LOAD = { round: 1, scenario: null, perS: null, isLate: false } as const;

/** Relative CPU of `text` by day; it increases on the seventh. */
const RELATIVE_CPU = [1, 1.01, 0.99, 1, 1.02, 1, 1.1, 1.11, 1.09, 1.1, 1.12, 1.1];

/** Makes the run of a day. */
function runOf(day: number, ratio: number): Report {
  const relativeCpu = {
    ratio,
    confidenceInterval: { low: 0.98 * ratio, high: 1.02 * ratio, coverage: 0.95 },
  };
  return {
    ...REPORT,
    id: `run-${day}`,
    createdAt: `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`,
    commit: { id: String(day).padEnd(40, "c"), isDirty: false },
    experiment: { ...REPORT.experiment, reference: REPORT.experiment.variants[0] ?? null },
    results: REPORT.results.map((result) => ({
      ...result,
      relativeCpu: result.scenario === "text" ? { ...relativeCpu, rounds: 6 } : null,
    })),
  };
}

/** Makes a site of the runs in a folder and returns its first page. */
async function siteIn(sandbox: Sandbox): Promise<string> {
  const results = `${sandbox.folder}/results`;
  for (const [i, relativeCpu] of RELATIVE_CPU.entries()) {
    await writeReport(`${results}/day-${i + 1}.json`, runOf(i + 1, relativeCpu));
  }
  const { code, stdout, stderr } = await sandbox.tell(["site"]);
  deepStrictEqual([code, stderr], [0, ""]);
  match(stdout, /^A site of 12 runs is in .*\/site$/m);
  return await Deno.readTextFile(`${sandbox.folder}/site/index.html`);
}

Deno.test("stampede site says what changed and between which commits, and links every run", async () => {
  await using sandbox = await Sandbox.create();
  const page = await siteIn(sandbox);
  ok(page.includes("text: +10.0 % from 6cccccc (2026-01-06) to 7cccccc (2026-01-07)"));
  for (const i of RELATIVE_CPU.keys()) {
    ok(page.includes(`<a href="runs/day-${i + 1}.html">`));
    match(
      await Deno.readTextFile(`${sandbox.folder}/site/runs/day-${i + 1}.html`),
      /<section id="overview">/,
    );
  }
  match(await Deno.readTextFile(`${sandbox.folder}/site/badge.svg`), /stampede: \w+ /);
});

Deno.test("stampede site takes files and folders, goes on past what is no report, and clears its own folder", async () => {
  await using sandbox = await Sandbox.create();
  const { folder } = sandbox;
  await writeReport(`${folder}/a/day.json`, runOf(1, 1));
  await writeReport(`${folder}/b/day.json`, runOf(2, 1));
  const noise = { ...REPORT.experiment, kind: "noise" } as const;
  await writeReport(`${folder}/a/noise.json`, { ...REPORT, experiment: noise });
  await Deno.writeTextFile(`${folder}/a/other.json`, "{}");
  const site = ["site", "a", "b/day.json", "--out", "out"];
  const { code, stdout, stderr } = await sandbox.tell(site);
  deepStrictEqual([code, stdout.includes("A site of 2 runs is in")], [0, true]);
  match(stderr, /other\.json: it is JSON, but not a report of Stampede/);
  const files = async (): Promise<string[]> =>
    (await Array.fromAsync(Deno.readDir(`${folder}/out/runs`))).map(({ name }) => name).sort();
  deepStrictEqual(await files(), [
    "day.html",
    "day.json",
    "newest-two.html",
    "noise.html",
    "run-2-day.html",
    "run-2-day.json",
  ]);
  const report = await Deno.readTextFile(`${folder}/a/day.json`);
  strictEqual(await Deno.readTextFile(`${folder}/out/runs/day.json`), report);
  await Deno.writeTextFile(`${folder}/out/runs/mine.json`, "{}");
  await Deno.writeTextFile(`${folder}/out/CNAME`, "example.org");
  strictEqual((await sandbox.tell(["site", "a/day.json", "--out", "out"])).code, 0);
  deepStrictEqual(await files(), ["day.html", "day.json", "mine.json"], "only the site's are gone");
  strictEqual(await Deno.readTextFile(`${folder}/out/CNAME`), "example.org");
});

Deno.test("stampede site links what changed since the run before, and experiments of other kinds", async () => {
  await using sandbox = await Sandbox.create();
  const { folder } = sandbox;
  await writeReport(`${folder}/results/one.json`, runOf(1, 1));
  await writeReport(`${folder}/results/two.json`, runOf(2, 1.5));
  // A run of another server has nothing in common with the newest
  const results = REPORT.results.map((result) => ({ ...result, variant: "other" }));
  await writeReport(`${folder}/results/between.json`, {
    ...runOf(1, 1),
    id: "between",
    createdAt: "2026-01-01T12:00:00.000Z",
    results,
  });
  await writeReport(`${folder}/results/versus.json`, { ...VERSUS, trialResults: [] });
  const { code, stderr } = await sandbox.tell(["site"]);
  deepStrictEqual([code, stderr], [0, ""]);
  const page = await Deno.readTextFile(`${folder}/site/index.html`);
  match(page, /<a href="runs\/newest-two\.html">changes since the previous run<\/a>/);
  match(page, /<h2>Other experiments<\/h2>\s*<ul><li><a href="runs\/versus\.html">versus: /);
  const both = await Deno.readTextFile(`${folder}/site/runs/newest-two.html`);
  match(both, /<title>Not comparable, 2026-01-02 00:00 UTC against 2026-01-01 00:00 UTC/);
  match(await Deno.readTextFile(`${folder}/site/runs/versus.html`), /Changes from base to head/);
});

Deno.test("stampede site has the costs of most servers, on the first page and on that of each server", async () => {
  await using sandbox = await Sandbox.create();
  const { folder } = sandbox;
  await writeReport(`${folder}/results/rates.json`, runOf(2, 1));
  const two = ["deno", "other"];
  const runs = [
    { day: 1, bytes: 5e6, servers: two, complete: true },
    { day: 3, bytes: 7.5e6, servers: two, complete: true },
    { day: 4, bytes: 0, servers: [], complete: true },
    { day: 5, bytes: 1e6, servers: two, complete: false },
    { day: 6, bytes: 1e6, servers: ["deno"], complete: true },
  ];
  for (const { day, bytes, servers, complete } of runs) {
    const idleBytes = estimate(bytes, 0.9 * bytes, 1.1 * bytes);
    const record = { ...NO_LOAD, cost: "idleBytes", value: bytes } as const;
    await writeReport(`${folder}/results/costs-${day}.json`, {
      ...runOf(day, 1),
      id: `costs-${day}`,
      complete,
      results: [],
      comparisons: [],
      costs: servers.map((variant) => ({ ...record, variant })),
      servers: REPORT.servers.map((one) => ({ ...one, costs: bytes === 0 ? {} : { idleBytes } })),
    });
  }
  const { code, stdout, stderr } = await sandbox.tell(["site"]);
  deepStrictEqual([code, stderr], [0, ""]);
  match(stdout, /^A site of 1 run is in/m);
  const page = await Deno.readTextFile(`${folder}/site/index.html`);
  match(page, /from <a href="runs\/costs-3\.html">the run of .*2026-01-03/);
  match(page, /<a href="servers\/deno\.html">deno<\/a>.*7\.15 MiB/);
  match(page, /<a href="runs\/costs-1\.html">Costs of deno<\/a>/);
  const own = await Deno.readTextFile(`${folder}/site/servers/deno.html`);
  match(own, /from <a href="\.\.\/runs\/costs-3\.html">/);
  match(await Deno.readTextFile(`${folder}/site/runs/costs-3.html`), /<title>Costs of deno/);
  strictEqual(await Deno.stat(`${folder}/site/runs/costs-4.html`).catch(() => null), null);
});

Deno.test("the first page and the badge are of the newest whole run, and not of one under way", async () => {
  await using sandbox = await Sandbox.create();
  const results = `${sandbox.folder}/results`;
  const [good, stopped, look, running] = [1, 2, 3, 4].map((day) => runOf(day, day)) as [
    Report,
    Report,
    Report,
    Report,
  ];
  await writeReport(`${results}/good.json`, good);
  await writeReport(`${results}/stopped.json`, { ...stopped, complete: false });
  await writeReport(`${results}/look.json`, {
    ...look,
    results: look.results.map((result) => ({ ...result, rounds: 1 })),
  });
  await writeReport(`${results}/running.json`, { ...running, complete: false });
  await using _mark = await markUnderWay(`${results}/running.json`);
  match((await sandbox.tell(["history"])).stdout, /^2026-01-04 00:00 \(running\)/m);
  const { code, stdout, stderr } = await sandbox.tell(["site"]);
  strictEqual(code, 0, stderr);
  match(stderr, /^Left out .*running\.json: its run has not ended$/m);
  match(stdout, /^A site of 3 runs is in/m);
  match(await Deno.readTextFile(`${sandbox.folder}/site/badge.svg`), /rel\. CPU 1\.00 ± 2\.0 %/);
  const page = await Deno.readTextFile(`${sandbox.folder}/site/index.html`);
  match(page, /<p class="facts">2026-01-01 /);
  ok(!page.includes("newest-two.html"), "no change from a run that was stopped");
});

Deno.test("stampede site reads reports that are in its own folder, and keeps them", async () => {
  await using sandbox = await Sandbox.create();
  const { folder } = sandbox;
  await writeReport(`${folder}/site/runs/day.json`, runOf(1, 1));
  await writeReport(`${folder}/site/runs/broken.json`, runOf(2, 1));
  await Deno.writeTextFile(`${folder}/site/runs/broken.json`, "{}");
  await Deno.writeTextFile(`${folder}/site/runs/broken.html`, "an old page");
  const report = await Deno.readTextFile(`${folder}/site/runs/day.json`);
  strictEqual((await sandbox.tell(["site", "site/runs"])).code, 0);
  strictEqual(await Deno.readTextFile(`${folder}/site/runs/day.json`), report);
  strictEqual(await Deno.readTextFile(`${folder}/site/runs/broken.json`), "{}");
});

/** Makes a run of servers of the suite, and of one that is not, at `text` and `json`. */
function runOfSuite(day: number, servers: readonly string[]): Report {
  const [base] = DUEL.results;
  const [summary] = DUEL.servers;
  const [variant] = DUEL.experiment.variants;
  if (base === undefined || summary === undefined || variant === undefined) throw new Error();
  const scenarios = ["text", "json"];
  const about = (id: string): Partial<typeof summary> => {
    const { name, language, runtime, approach, guide, settings } = CATALOG.get(id) ??
      { ...summary, name: id };
    return { name, language, runtime, approach, guide, settings };
  };
  return {
    ...runOf(day, 1),
    id: `suite-${day}`,
    experiment: {
      ...DUEL.experiment,
      scenarios,
      variants: servers.map((id) => ({ ...variant, id })),
    },
    scenarios: scenarios.map((id) => ({
      ...REPORT.scenarios[0] as typeof REPORT.scenarios[0],
      id,
    })),
    servers: servers.map((id) => ({ ...summary, ...about(id), id })),
    comparisons: [],
    trialResults: [],
    results: scenarios.flatMap((scenario) =>
      servers.map((variant, i) => ({ ...base, variant, scenario, rank: i + 1 }))
    ),
  };
}

const SUITE = ["deno", "express", "go-http", "mine"];

/** Makes a site of two runs of several servers, of which the newer has one server. */
async function suiteIn(sandbox: Sandbox): Promise<string> {
  await writeReport(`${sandbox.folder}/results/all.json`, runOfSuite(1, SUITE));
  await writeReport(`${sandbox.folder}/results/one.json`, runOfSuite(2, ["deno"]));
  const { code, stderr } = await sandbox.tell([
    "site",
    "--repository",
    "https://example.org/main/",
  ]);
  deepStrictEqual([code, stderr], [0, ""]);
  return await Deno.readTextFile(`${sandbox.folder}/site/index.html`);
}

Deno.test("a server's row leads to its source, settings, history and evidence", async () => {
  await using sandbox = await Sandbox.create();
  const index = await suiteIn(sandbox);
  const rows = index.match(/<tr data-server="[^"]+" data-scenario=[^]*?<\/tr>/g) ?? [];
  strictEqual(rows.length, 8, "the run with most servers is shown");
  for (const id of SUITE) ok(index.includes(`<a href="servers/${id}.html">${id}</a>`), id);
  match(rows[0] ?? "", /<a href="runs\/all\.html">2026-01-01<\/a>/);
  const page = await Deno.readTextFile(`${sandbox.folder}/site/servers/express.html`);
  for (const address of ["peers/express", "peers/node"]) {
    ok(page.includes(`<a href="https://example.org/main/${address}">`), address);
  }
  ok(page.includes("<li>NODE_ENV: production</li>"));
  ok(page.includes(`<a href="${CATALOG.get("express")?.guide}">`));
  const cause = CATALOG.get("express")?.scenarios.text?.why;
  ok(cause && page.includes(cause), "from the manifest, since the report has none");
  ok(page.includes(`<a href="../runs/all.json">JSON</a>`));
  const own = await Deno.readTextFile(`${sandbox.folder}/site/servers/mine.html`);
  ok(own.includes("mine is not a server of Stampede's suite.") && !own.includes("peers/"));
  match(await Deno.readTextFile(`${sandbox.folder}/site/servers/deno.html`), /Over 2 runs/);
});

Deno.test("servers of another machine are not in the table, and their pages have their results", async () => {
  await using sandbox = await Sandbox.create();
  const other = runOfSuite(2, ["bun"]);
  const host = { ...other.host, cpuModel: "Other" };
  await writeReport(`${sandbox.folder}/results/apart.json`, { ...other, host });
  const index = await suiteIn(sandbox);
  match(
    index,
    /Not in this table: <a href="servers\/bun.html">bun<\/a>\. The other results come from/,
  );
  const page = await Deno.readTextFile(`${sandbox.folder}/site/servers/bun.html`);
  match(page, /These results are not in the table of all servers/);
  match(page, /<a href="\.\.\/runs\/apart\.html">2026-01-02<\/a>/);
  const joined = await Deno.readTextFile(`${sandbox.folder}/site/servers/express.html`);
  ok(!joined.includes("not in the table"));
});

Deno.test("a server of another machine keeps the results that are not in the table", async () => {
  await using sandbox = await Sandbox.create();
  const other = runOfSuite(2, ["bun"]);
  const host = { ...other.host, cpuModel: "Other" };
  const results = other.results.map((result) => ({
    ...result,
    scenario: result.scenario === "json" ? "sql1" : result.scenario,
  }));
  await writeReport(`${sandbox.folder}/results/apart.json`, { ...other, host, results });
  const index = await suiteIn(sandbox);
  match(index, /<tr data-server="bun" data-scenario="sql1">/);
  ok(!index.includes(`<tr data-server="bun" data-scenario="text">`));
  match(index, /Not at every scenario: <a href="servers\/bun.html">bun<\/a>\. The other results/);
  const page = await Deno.readTextFile(`${sandbox.folder}/site/servers/bun.html`);
  const [joined = "", apart = ""] = page.split("These results are not in the table of all servers");
  ok(/>sql1</.test(joined.split(`id="results"`)[1] ?? ""), "in the table of all servers");
  ok(/>text</.test(apart) && !/>sql1</.test(apart.split("</section>")[0] ?? ""));
});

Deno.test("a site without servers of the suite does not ask for changes of them", async () => {
  await using sandbox = await Sandbox.create();
  const wrong = 'id="wrong"';
  ok((await suiteIn(sandbox)).includes(wrong));
  await Deno.remove(`${sandbox.folder}/results`, { recursive: true });
  await writeReport(`${sandbox.folder}/results/mine.json`, runOfSuite(1, ["mine", "yours"]));
  strictEqual((await sandbox.tell(["site"])).code, 0);
  ok(!(await Deno.readTextFile(`${sandbox.folder}/site/index.html`)).includes(wrong));
});

browserTest(
  "the table is filtered by scenario, language and runtime, and the address says so",
  async () => {
    await using sandbox = await Sandbox.create();
    const index = await suiteIn(sandbox);
    await showPage(index, async ({ page }, context, address) => {
      const shown = async (of = page): Promise<string[]> =>
        await of.locator("#results tbody tr:visible th").allInnerTexts();
      deepStrictEqual(await shown(), SUITE, "the first scenario");
      strictEqual(await page.locator("output").innerText(), "4 of 8 results");
      await page.getByLabel("Scenario").selectOption("all");
      strictEqual((await shown()).length, 8);
      await page.getByLabel("Language").selectOption("Go");
      deepStrictEqual(await shown(), ["go-http", "go-http"]);
      await page.getByLabel("Scenario").selectOption("json");
      ok(page.url().endsWith("#only=json&language=Go"), page.url());
      const other = await context.newPage();
      await other.goto(page.url());
      deepStrictEqual(await shown(other), ["go-http"]);
      strictEqual(await other.getByLabel("Language").inputValue(), "Go");
      await page.goBack();
      strictEqual((await shown()).length, 2);
      await page.getByRole("button", { name: "reset" }).click();
      deepStrictEqual(await shown(), SUITE);
      await page.getByLabel("Approach").selectOption("tuned");
      deepStrictEqual(await shown(), ["deno"]);
      await page.getByRole("button", { name: "Req/Sec" }).click();
      ok(page.url().includes("approach=tuned&sort="), page.url());
      await other.goto(`${address}#language=Cobol&runtime=Node.js`);
      deepStrictEqual(await shown(other), ["express"], "an unknown language is ignored");
    });
  },
);

browserTest("without scripts the whole table is there, and no filter", async () => {
  await using sandbox = await Sandbox.create();
  await showPage(await suiteIn(sandbox), async ({ page }) => {
    strictEqual(await visible(page, "#results tbody tr"), 8);
    strictEqual(await visible(page, ".filter"), 0);
  }, { javaScriptEnabled: false });
});

browserTest("axe finds nothing in the pages of a site with several servers", async () => {
  await using sandbox = await Sandbox.create();
  const pages = [
    await suiteIn(sandbox),
    await Deno.readTextFile(`${sandbox.folder}/site/servers/express.html`),
  ];
  for (const page of pages) {
    for (const [width, colorScheme] of [[1400, "light"], [800, "dark"], [390, "light"]] as const) {
      await showPage(page, async ({ page }) => {
        deepStrictEqual(await findingsOf(page), []);
      }, { viewport: { width, height: 900 }, colorScheme });
    }
  }
});

Deno.test("stampede site says when there is nothing to show, or no folder", async () => {
  await using sandbox = await Sandbox.create();
  const cases: readonly (readonly [args: string[], message: RegExp])[] = [
    [[], /^There is no run in results\/: measure first, with stampede run$/m],
    [["--out", "/dev/null"], /^Cannot write a site to "\/dev\/null": it is not a folder$/m],
    [["nowhere.json"], /nowhere\.json: there is no such file/],
    [["--repository", "example"], /^Cannot use --repository "example": it is not an address/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await sandbox.tell(["site", ...args]);
    deepStrictEqual([code, message.test(stderr)], [2, true], stderr);
  }
});

browserTest("axe finds nothing in a site, on a phone too", async () => {
  await using sandbox = await Sandbox.create();
  const page = await siteIn(sandbox);
  for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]] as const) {
    await showPage(page, async ({ page }) => {
      deepStrictEqual(await findingsOf(page), []);
      ok(await visible(page, "#history svg[role=img]") >= 2);
    }, { viewport: { width, height: 844 }, colorScheme });
  }
});
