import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../src/model/derived.ts";
import type { TrialResult } from "../src/model/raw.ts";
import type { Report } from "../src/model/report.ts";
import { REPORT } from "../src/view/report_testdata.ts";
import { type Outcome, Sandbox } from "./bench.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6];

/** Makes a report of six rounds at two scenarios, with multiples of the usual rate. */
function reportOf(rates: Readonly<Record<string, number>>, change: Partial<Report> = {}): Report {
  const [trialResult] = REPORT.trialResults;
  const result = REPORT.results[1] as Result;
  const scenarios = Object.keys(rates);
  return {
    ...REPORT,
    experiment: { ...REPORT.experiment, scenarios },
    results: scenarios.map((scenario): Result => ({
      ...result,
      scenario,
      isLowerBound: false,
      bottleneck: result.bottleneck && { ...result.bottleneck, kind: "server" },
    })),
    trialResults: scenarios.flatMap((scenario) =>
      ROUNDS.map((round): TrialResult => {
        const { trial, window } = trialResult as TrialResult;
        const times = (rates[scenario] ?? 1) * (1 + round / 1000);
        const statuses = { "200": Math.round(125_000 * times) };
        const measurement = window && { ...window.measurement, statuses };
        // A request costs the load generator the same everywhere
        const { generator } = window?.usage ?? {};
        const usage = window?.usage && generator && {
          ...window.usage,
          generator: { ...generator, userUs: 700_000 * times, systemUs: 300_000 * times },
        };
        return {
          ...(trialResult as TrialResult),
          trial: { ...trial, scenario, round },
          window: window && measurement && { ...window, measurement, usage: usage ?? null },
        };
      })
    ),
    ...change,
  };
}

/** Runs a test in a sandbox with these reports as files. */
async function withFiles(
  files: Readonly<Record<string, Report | string>>,
  test: (run: (...args: string[]) => Promise<Outcome>, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  await using sandbox = await Sandbox.create();
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(`${sandbox.folder}/${name}`, text);
  }
  await test((...args) => sandbox.tell(args), sandbox);
}

/** Makes a result invalid. */
function broken(result: Result): Result {
  return result.scenario === "json"
    ? { ...result, status: "invalid", reason: { kind: "message", text: "wrong responses" } }
    : result;
}

const SAME = reportOf({ text: 1, json: 1 });

Deno.test("stampede report draws files in every format, without measuring", async () => {
  await withFiles({ "a.json": REPORT }, async (run, sandbox) => {
    const starts: readonly (readonly [format: string, start: RegExp])[] = [
      ["table", /^\nScenario +Req\/Sec/],
      ["markdown", /^### Stampede\n/],
      ["html", /^<!doctype html>\n/],
      ["json", /^\{\n "schemaVersion": 1,/],
      ["csv", /^run,created_at,commit,server,scenario,/],
    ];
    for (const [format, start] of starts) {
      const { code, stdout, stderr } = await run("report", "a.json", "--format", format);
      deepStrictEqual([code, stderr], [0, ""], format);
      match(stdout, start);
      const written = await run("report", "a.json", "--format", format, "--out", "out/x");
      match(written.stdout, /^Written to .*out\/x\n$/);
      strictEqual((await Deno.readTextFile(`${sandbox.folder}/out/x`)).trim(), stdout.trim());
    }
    const over = await run("report", "a.json", "--out", "a.json");
    strictEqual(over.code, 2);
    match(over.stderr, /^Cannot write to a.json: it is the report itself; choose another --out\n$/);
  });
});

Deno.test("stampede report --wide and --explain show what is behind a table, and only a table", async () => {
  await withFiles({ "a.json": REPORT }, async (run) => {
    const wide = await run("report", "a.json", "--wide");
    match(wide.stdout, /^Scenario +Req\/Sec .* probe p99 +RSS +Bottleneck/m);
    const explained = await run("report", "a.json", "--explain", "json");
    match(explained.stdout, /^json of deno, 10 connections: generator\n {2}why /m);
    const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [
        ["--explain", "jsno"],
        /^There is no scenario to explain in this report "jsno": did you mean json/,
      ],
      [["--wide", "--format", "csv"], /^--format csv contains every figure: leave out --wide/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await run("report", "a.json", ...args);
      strictEqual(code, 2);
      match(stderr, message);
    }
  });
});

Deno.test("stampede report without a file takes the newest of results/", async () => {
  await withFiles({}, async (run, sandbox) => {
    const none = await run("report");
    deepStrictEqual([none.code, none.stderr], [
      2,
      "There is no report in results/: name a file, or measure first, with stampede run\n",
    ]);
    await Deno.mkdir(`${sandbox.folder}/results`);
    await Deno.writeTextFile(`${sandbox.folder}/results/a.json`, JSON.stringify(SAME));
    const { code, stdout } = await run("report");
    strictEqual(code, 0);
    match(stdout, /^text /m);
    const history = await run("history", "json");
    strictEqual(history.code, 0);
    match(history.stdout, /^When +Commit +Report +Server +json\n2026-01-01 00:00 +0123456 +a.json/);
    strictEqual((await run("history", "sql1")).code, 2);
  });
});

Deno.test("stampede compare without files takes the last two runs, and none that failed", async () => {
  await withFiles({}, async (run, sandbox) => {
    const results = `${sandbox.folder}/results`;
    await Deno.mkdir(results);
    const none = await run("compare");
    strictEqual(none.code, 2);
    match(none.stderr, /^There are no two runs in results\/ to compare: give two reports/);
    const failed = SAME.results.map((result) => ({
      ...result,
      requestsPerS: null,
      relativeCpu: null,
    }));
    const reports: readonly Report[] = [
      { ...SAME, id: "a", createdAt: "2026-01-01T00:00:00.000Z" },
      { ...reportOf({ text: 1, json: 0.8 }), id: "b", createdAt: "2026-01-02T00:00:00.000Z" },
      { ...SAME, results: failed, id: "c", createdAt: "2026-01-03T00:00:00.000Z" },
    ];
    for (const report of reports) {
      await Deno.writeTextFile(`${results}/${report.id}.json`, JSON.stringify(report));
    }
    const { code, stdout } = await run("compare");
    strictEqual(code, 0);
    match(stdout, /^Comparing results\/a.json and results\/b.json$/m);
    match(stdout, /^deno +json +Req\/Sec .* slower +0\.5 %$/m);
    match((await run("report")).stdout, /^text +[≥\d]/m, "the newest with figures");
    strictEqual((await run("compare", "results/a.json")).code, 2);
  });
});

Deno.test("a file that is no report gives one line and exit code 2", async () => {
  const files = {
    "empty.json": "",
    "cut.json": JSON.stringify(SAME).slice(0, 1000),
    "foreign.json": '{"hello": "world"}',
    "text.json": "hello",
    "newer.json": JSON.stringify({ ...SAME, schemaVersion: 2 }),
    "damaged.json": JSON.stringify({ ...SAME, results: "none" }),
  };
  await withFiles({ ...files, "a.json": SAME }, async (run) => {
    for (const name of [...Object.keys(files), "missing.json"]) {
      for (const args of [["report", name], ["compare", "a.json", name]]) {
        const { code, stdout, stderr } = await run(...args);
        deepStrictEqual([code, stdout], [2, ""], name);
        match(stderr, new RegExp(`^Cannot use the report .*${name}: .*\n$`));
      }
    }
    strictEqual((await run("compare", "a.json")).code, 2);
    strictEqual((await run("compare", "a.json", "a.json", "--strict")).code, 2);
    strictEqual((await run("compare", "a.json", "a.json", "--fail-on", "x")).code, 2);
  });
});

Deno.test("a report with a histogram that is none cannot be drawn as a page, in one line", async () => {
  const text = JSON.stringify(SAME);
  const files = {
    "short.json": text.replaceAll(/"histogram":"[^"]+"/g, '"histogram":"AAAA"'),
    "other.json": text.replaceAll(/"histogram":"HISTFAAAADR4nJ/g, '"histogram":"HISTFAAAADR4nX'),
  };
  await withFiles(files, async (run) => {
    for (const name of Object.keys(files)) {
      ok(!text.includes(files[name as keyof typeof files]));
      const { code, stdout, stderr } = await run("report", name, "--format", "html");
      deepStrictEqual([code, stdout], [2, ""], name);
      match(stderr, new RegExp(`^Cannot print .*${name} as html: it is damaged: .*\n$`));
    }
  });
});

Deno.test("a report compared with itself: no detectable change everywhere, ratio 1", async () => {
  await withFiles({ "a.json": SAME }, async (run) => {
    const { code, stdout, stderr } = await run("compare", "a.json", "a.json", "--fail-on", "5%");
    deepStrictEqual([code, stderr], [0, ""]);
    strictEqual(stdout.match(/\+0\.0 % .* no detectable change/g)?.length, 2, stdout);
    const { changes } = JSON.parse((await run("compare", "a.json", "a.json", "--json")).stdout);
    deepStrictEqual(changes.map(({ ratio }: { ratio: number }) => ratio), [1, 1]);
  });
});

Deno.test("stampede compare gates on what is proven, and says so where GitHub shows it", async () => {
  const files = {
    "base.json": SAME,
    "slow.json": reportOf({ text: 1, json: 0.8 }),
    "less.json": reportOf({ text: 1, json: 0.951 }),
    "broken.json": { ...SAME, results: SAME.results.map(broken) },
  };
  await withFiles(files, async (run, sandbox) => {
    const summary = `${sandbox.folder}/summary.md`;
    const gated = await sandbox.tell(
      [
        ...["compare", "base.json", "slow.json", "--fail-on", "5%"],
        ...["--markdown", "change.md", "--html", "change.html"],
      ],
      { GITHUB_STEP_SUMMARY: summary },
    );
    strictEqual(gated.code, 1, gated.stderr);
    match(gated.stdout, /^deno +json +Req\/Sec .* −20\.0 % .* slower +0\.5 %$/m);
    match(gated.stdout, /^Proven to be more than 5\.0 % slower: json of deno\.$/m);
    const text = await Deno.readTextFile(`${sandbox.folder}/change.md`);
    match(text, /^\| deno \| json \| Req\/Sec \| .* \| slower \| 0\.5 % \|$/m);
    strictEqual((await Deno.readTextFile(summary)).trim(), text.trim());
    match(gated.stdout, /^The page is in .*\/change\.html$/m);
    const page = await Deno.readTextFile(`${sandbox.folder}/change.html`);
    for (const told of ["Slower: json (−20.0 % Req/Sec)", "slower: json of deno"]) {
      ok(page.includes(told), told);
    }
    strictEqual((await run("compare", "base.json", "slow.json")).code, 0, "no gate");
    strictEqual((await run("compare", "slow.json", "base.json", "--fail-on", "5")).code, 0);
    const near = ["compare", "base.json", "less.json", "--fail-on", "4.9%"];
    strictEqual((await run(...near)).code, 0, "slower, but not proven to be that much slower");
    const failed = await run("compare", "base.json", "broken.json", "--fail-on", "5%");
    strictEqual(failed.code, 1, "what was fine and is not any more");
    match(failed.stdout, /^Broken in head, but not in base: json of deno\.$/m);
    const strict = await run(...near, "--strict");
    strictEqual(strict.code, 3);
    match(
      strict.stdout,
      /is neither proven nor excluded: json of deno \(--strict fails\)/,
    );
  });
});

Deno.test("stampede compare refuses what differs in more than the servers, unless forced", async () => {
  const other = reportOf({ text: 0.5, json: 1 }, { host: { ...REPORT.host, cores: 64 } });
  await withFiles({ "a.json": SAME, "b.json": other }, async (run) => {
    const { code, stdout } = await run("compare", "a.json", "b.json", "--fail-on", "5%");
    strictEqual(code, 3);
    match(stdout, /^deno +text +not comparable: host: cores \(2, then 64\)$/m);
    const forced = await run("compare", "a.json", "b.json", "--fail-on", "5%", "--force");
    strictEqual(forced.code, 1);
  });
});

Deno.test("stampede noise in results/ is the floor that changes must exceed", async () => {
  const noisy = {
    ...reportOf({ json: 1 }),
    experiment: { ...SAME.experiment, scenarios: ["json"], kind: "noise" } as const,
    noise: [{
      variant: "deno",
      scenario: "json",
      connections: 10,
      perS: null,
      method: "windows",
      serverCpuUs: null,
      requestsPerS: { rounds: 6, ratio: 1, confidenceInterval: null, floor: 0.25 },
    }],
  };
  const files = { "a.json": SAME, "b.json": reportOf({ text: 1, json: 0.8 }) };
  await withFiles(files, async (run, sandbox) => {
    await Deno.mkdir(`${sandbox.folder}/results`);
    await Deno.writeTextFile(`${sandbox.folder}/results/n.json`, JSON.stringify(noisy));
    const found = await run("compare", "a.json", "b.json", "--fail-on", "5%");
    strictEqual(found.code, 0, found.stdout + found.stderr);
    match(found.stdout, /The noise floor comes from results\/n\.json\./);
    ok(!found.stdout.includes("slower\n"));
    const without = await run("compare", "a.json", "b.json", "--fail-on", "5%", "--noise", "none");
    strictEqual(without.code, 1);
    const wrong = await run("compare", "a.json", "b.json", "--noise", "a.json");
    strictEqual(wrong.code, 2);
    match(wrong.stderr, /^Cannot use a.json as noise: it is not a report of the noise command\n$/);
    const generators = noisy.generators.map((one) => ({ ...one, id: "wrk" }));
    const other = { ...noisy, generators };
    await Deno.writeTextFile(`${sandbox.folder}/results/n.json`, JSON.stringify(other));
    const unused = await run("compare", "a.json", "b.json", "--fail-on", "5%");
    strictEqual(unused.code, 1, "the noise of another load generator is another one");
  });
});
