import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import type { Changes } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { REPORT } from "../view/report_testdata.ts";
import { CHANGES, VERSUS } from "../view/testdata/versus_report.ts";
import { commentBody, failureBody, verdictOf } from "./act.ts";

const CONTEXT: Parameters<typeof commentBody>[1] = {
  thresholds: { speed: 0.05, costs: {} },
  headSha: "a".repeat(40),
  runUrl: "https://github.com/owner/shop/actions/runs/99",
  isFork: false,
  marker: "<!-- stampede: x -->",
};
const [CHANGE] = CHANGES.changes;

/** Counts and functions that changed, with texts of the report. */
function causes(name: string): Pick<Changes, "counts" | "functions"> {
  const count = {
    scenario: name,
    kind: "system-call",
    name,
    per: "request",
    base: 1,
    head: 2,
    isExact: true,
  } as const;
  const change = {
    name,
    was: name,
    place: name,
    kind: "own",
    baseUs: 1,
    headUs: 2.5,
    low: 1.2,
    high: 1.8,
    isProven: true,
  } as const;
  const functions = {
    scenario: name,
    connections: 10,
    perS: null,
    reason: null,
    compared: 9,
    changes: [change, change, change, change],
  };
  const counts = { changes: [count, count, count, count], compared: 9, varying: [], absences: [] };
  return { counts, functions: [functions] };
}

/** Makes a report of a stranger with this text in every field that may contain text. */
function hostile(text: string): Report {
  ok(CHANGE);
  const changes = {
    ...CHANGES,
    ...causes(text),
    noiseSource: text,
    changes: [{ ...CHANGE, variant: text, scenario: text }],
  };
  return {
    ...VERSUS,
    changes,
    servers: VERSUS.servers.map((server) => ({ ...server, name: text })),
    versions: { ...VERSUS.versions, deno: text },
    host: { ...VERSUS.host, cpuModel: text, os: text, kernel: text },
  };
}

Deno.test("the verdict comes first, the marker last, and how it was measured is folded", () => {
  const body = commentBody(VERSUS, CONTEXT);
  const lines = body.split("\n");
  strictEqual(lines[0], `### ${verdictOf(VERSUS)}`);
  strictEqual(lines.at(-1), CONTEXT.marker);
  match(body, /^No slowdown is proven to exceed 5\.0 %\.$/m);
  match(
    body,
    /^\| Server \| Scenario \| Metric \|.*\n\| --- \|.*\n\| head \| text \| Req\/Sec \|/m,
  );
  match(
    body,
    /<details>.*\n\n\| Server [^]*\n\n- [^]*\n- base: Deno at main; head: current Deno; [^]*\n\n<\/details>/,
  );
  match(body, /^Stampede measured a{40}: \[the run\]\(https:.*runs\/99\)\.$/m);
  ok(!body.includes("the fork's own run"));
  match(
    commentBody(VERSUS, { ...CONTEXT, isFork: true }),
    /The figures come from the fork's own run, so only the fork vouches for them\./,
  );
  ok(
    !commentBody(VERSUS, { ...CONTEXT, thresholds: { speed: null, costs: {} } }).includes(
      "No slowdown is proven",
    ),
  );
});

Deno.test("the comment names three counts and three functions, in at most fifteen lines", () => {
  const report = { ...VERSUS, changes: { ...CHANGES, ...causes("work") } };
  const body = commentBody(report, { ...CONTEXT, isFork: true });
  const shown = body.replace(/<details>[^]*<\/details>/, "folded").split("\n")
    .filter((line) => line !== "");
  deepStrictEqual(shown.slice(3, 9), [
    ...Array<string>(3).fill("- work: work 1 → 2 per request"),
    ...Array<string>(3).fill("- work: +1.50 µs (+1.20 to +1.80): work work, before: work"),
  ]);
  ok(shown.length <= 15, body);
  ok(!commentBody(VERSUS, CONTEXT).includes("→"));
});

Deno.test("a state that could not be measured has a comment too, and a report of no versus none", () => {
  match(failureBody(CONTEXT), /^### Not measured: .*\.\n[^]*\/runs\/99[^]*\n<!-- stampede: x -->$/);
  throws(() => commentBody({ ...REPORT, changes: null }, CONTEXT), /Cannot comment on the report/);
});

Deno.test("nothing in a report becomes mark-up, a link, an image, a mention, a marker or a line", () => {
  const own = commentBody(hostile("x"), CONTEXT);
  const texts = [
    "@octocat @owner/team",
    "![x](https://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "</details><script>alert(1)</script>",
    "https://evil.example www.evil.example",
    "#1 owner/shop#2 GH-3",
    "a\n\n# Merge this\n\n<!-- stampede: y -->",
    "| a | b |\n| --- | --- |",
    "```\nx\n```",
    "\\@octocat \\<b> \\[x](y)",
  ];
  for (const text of texts) {
    const body = commentBody(hostile(text), CONTEXT);
    const added = body.replace(CONTEXT.marker, "").replace(CONTEXT.runUrl, "")
      .replace("[the run]()", "").replace(/^<details>.*$/m, "").replace("</details>", "");
    ok(!/@\w|<(?!\/?details)|:\/\/|www\.|GH-\d|(?<!\\)(?:\\\\)*[[\]`]/.test(added), added);
    ok(!/(?<!&)#\d/.test(added), added);
    strictEqual(body.split("\n").length, own.split("\n").length, text);
    strictEqual(body.split("\n").at(-1), CONTEXT.marker);
  }
});

Deno.test("a comment is never longer than GitHub takes, and stays whole", () => {
  ok(CHANGE);
  const many = Array.from({ length: 3000 }, (_, index) => ({ ...CHANGE, scenario: `s${index}` }));
  const reports = [
    { ...VERSUS, changes: { ...CHANGES, changes: many } },
    hostile("\\".repeat(100_000)),
    hostile("@a".repeat(70_000)),
    hostile("😀".repeat(70_000)),
  ];
  for (const report of reports) {
    const body = commentBody(report, { ...CONTEXT, isFork: true });
    ok(body.length <= 65_536, String(body.length));
    ok(body.isWellFormed());
    strictEqual(body.split("\n").at(-1), CONTEXT.marker);
    strictEqual(body.includes("<details>"), body.includes("</details>"));
    match(body, /^The rest is too long for a comment\.$/m);
  }
});
