/** Checks that links, paths and commands in the documentation exist. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../src/cli/io.ts";
import { OPTIONS } from "../src/cli/options/option_table.ts";
import { execute } from "../src/cli/program.ts";
import { presetIds } from "../src/experiment/preset.ts";
import { GENERATORS, TOOLS } from "../src/load/generator_list.ts";
import { SCENARIOS } from "../scenarios/mod.ts";
import { readCatalog } from "../src/target/catalog.ts";
import {
  brokenLinks,
  codesOf,
  commandsOf,
  inlineCodeOf,
  linksOf,
  malformedLinks,
  missingPaths,
  type Page,
  sectionOf,
  tablesOf,
  unknownOptions,
  wordsOf,
} from "./docs.ts";
import { WRITTEN_FILES } from "./written_files.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Placeholders in commands. `h2load` is a page's example of a new generator. */
const PLACEHOLDER = /…|\bFILE\b|\[|<|h2load|my-server/;
/** Commands with scenarios as arguments, and those with servers. */
const TAKE_SCENARIOS = [
  ...["run", "versus", "bisect", "verify", "work", "noise", "generators", "history"],
];
const TAKE_SERVERS = ["faults"];

async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    const path = join(folder, name);
    if ([".git", "results", "site"].includes(path) || name === "node_modules") continue;
    found.push(path);
    if (isDirectory) found.push(...await filesIn(path));
  }
  return found;
}

const FILES = new Set(await filesIn("."));
const PAGES: readonly Page[] = await Promise.all(
  [...FILES].filter((path) => /^(docs\/(evidence\/)?)?[^/]+\.md$/.test(path)).map(async (path) => ({
    path,
    text: await Deno.readTextFile(join(ROOT, path)),
  })),
);
const CATALOG = await readCatalog();
const SERVER_IDS = new Set(CATALOG.keys());
const SCENARIO_IDS = new Set(SCENARIOS.map(({ id }) => id));
const FLAGS = new Set(OPTIONS.flatMap(({ flags }) => flags.match(/--[a-z0-9-]+/g) ?? []))
  .union(new Set(["--help", "--version"]));

/** Returns the names in a command of the documentation that do not exist. */
async function problemsOf(command: string, tasks: ReadonlySet<string>): Promise<string[]> {
  const words = wordsOf(command);
  const start = words.findIndex((word) => word === "task" || word.endsWith("bench.ts"));
  const task = words[start] === "task" ? words[start + 1] ?? "" : "bench";
  if (!tasks.has(task)) return [`there is no task ${task}`];
  if (task !== "bench") return [];
  const args = words.slice(words[start] === "task" ? start + 2 : Math.max(start, 0) + 1);
  const unknown = unknownOptions(args.join(" "), FLAGS).map((flag) => `there is no option ${flag}`);
  if (PLACEHOLDER.test(command)) return unknown;
  const found: string[] = [];
  const demand = (what: string, ids: readonly string[], known: ReadonlySet<string>): void => {
    for (const id of ids) if (!known.has(id)) found.push(`there is no ${what} ${id}`);
  };
  const io = { ...processIo(args), out: () => {} };
  try {
    await execute(args, io, (name, given, options) => {
      const isOwn = options.scenario !== undefined || given.some((word) => /^https?:/.test(word));
      if (TAKE_SCENARIOS.includes(name) && !isOwn) demand("scenario", given, SCENARIO_IDS);
      if (TAKE_SERVERS.includes(name)) demand("server", given, SERVER_IDS);
      const servers = [options.servers ?? []].flat().filter((id) => id !== "all") as string[];
      demand("server", servers.flatMap((id) => String(id).split(",")), SERVER_IDS);
      return Promise.resolve(0);
    });
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return [...unknown, ...found];
}

Deno.test("every link within the documentation leads to a file, and to a heading of it", () => {
  deepStrictEqual(brokenLinks(PAGES, FILES), []);
  const pages = [
    { path: "a.md", text: "# One\n# One\n[x](#one-1) [x](docs/b.md#two) [x](#three)" },
    {
      path: "docs/b.md",
      text: "# Two\n```sh\n# four\n```\n[x](#four) ![x](none.svg) [x](../a.md)",
    },
  ];
  deepStrictEqual(
    brokenLinks(pages, new Set(["a.md", "docs/b.md"])),
    ["a.md: #three", "docs/b.md: #four", "docs/b.md: none.svg"],
  );
});

Deno.test("docs/evidence/README.md lists each page of its folder, and each page has a summary", () => {
  const pages = PAGES.filter(({ path }) => path.startsWith("docs/evidence/2"));
  ok(pages.length > 5);
  const list = PAGES.find(({ path }) => path === "docs/evidence/README.md")?.text ?? "";
  const listed = linksOf(list).map((target) => `docs/evidence/${target}`);
  deepStrictEqual(pages.map(({ path }) => path).filter((path) => !listed.includes(path)), []);
  const unclear = pages.filter(({ text }) => !/^# \d+ \p{L}+ \d{4}: .+\n\n[A-Z]/u.test(text));
  deepStrictEqual(unclear.map(({ path }) => path), []);
});

Deno.test("every link out of the documentation is a whole https address (nothing is fetched)", () => {
  deepStrictEqual(PAGES.flatMap(malformedLinks), []);
  const wrong = ["http://deno.com", "https:/deno", "https://localhost/x", "ftp://a.org"];
  const text = ["https://deno.com/x", ...wrong].map((to) => `[x](${to})`).join(" ");
  deepStrictEqual(malformedLinks({ path: "a.md", text }), wrong.map((to) => `a.md: ${to}`));
});

/** Returns whether a page names a file that Stampede writes for a user. */
function isWritten(problem: string): boolean {
  return WRITTEN_FILES.some(({ path }) => problem.endsWith(`: ${path}`));
}

Deno.test("every path of the repository that the documentation names is there", () => {
  deepStrictEqual(
    PAGES.flatMap((page) => missingPaths(page, FILES))
      .filter((one) => !PLACEHOLDER.test(one) && !isWritten(one)),
    [],
  );
  const text = "`src/a.ts`, `src/b.ts`, `src/*.ts`, `src/*.js`, `src/`, `results/x.json`, `a/b`";
  deepStrictEqual(
    missingPaths({ path: "a.md", text }, new Set(["src", "src/a.ts"])),
    ["a.md: src/b.ts", "a.md: src/*.js"],
  );
});

Deno.test("every command of the documentation is one, and so are its options, scenarios and servers", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const names = new Set(Object.keys(tasks));
  const wrong: string[] = [];
  let count = 0;
  for (const { path, text } of PAGES) {
    for (const command of commandsOf(text)) {
      count++;
      const problems = await problemsOf(command, names);
      wrong.push(...problems.map((problem) => `${path}: ${command}: ${problem}`));
    }
  }
  deepStrictEqual(wrong, []);
  ok(count > 100, `${count} commands`);
  const cases: readonly (readonly [command: string, problem: string])[] = [
    ["deno task bench jsno", "there is no scenario jsno"],
    ["deno task bench text --servers deno,bnu", "there is no server bnu"],
    ["deno task bench faults exprss", "there is no server exprss"],
    ["stampede versus --bsae …", "there is no option --bsae"],
    ["deno task bnch", "there is no task bnch"],
  ];
  for (const [command, problem] of cases) {
    deepStrictEqual(await problemsOf(command, names), [problem], command);
  }
});

Deno.test("every option that the documentation names by itself is one", () => {
  const wrong = PAGES.flatMap(({ path, text }) =>
    inlineCodeOf(text).filter((code) => code.startsWith("--"))
      .flatMap((code) => unknownOptions(code, FLAGS)).map((flag) => `${path}: ${flag}`)
  );
  deepStrictEqual(wrong, []);
  deepStrictEqual(unknownOptions("--wide --wiede=3", FLAGS), ["--wiede"]);
});

/** Returns the text below a heading of a page. */
function sectionAt(path: string, heading: string): string {
  return sectionOf(PAGES.find((page) => page.path === path)?.text ?? "", heading);
}

Deno.test("the lists of load generators are those that there are", () => {
  const ids = GENERATORS.map(({ id }) => id);
  const methodology = sectionAt("docs/methodology.md", "Other load generators");
  deepStrictEqual(tablesOf(methodology)[0]?.map(([name = ""]) => name.split(" ")[0]), ids);
  const servers = sectionAt("docs/servers.md", "Load generators");
  deepStrictEqual(ids.filter((id) => !new RegExp(`\\b${id}\\b`).test(servers)), []);
  const security = PAGES.find(({ path }) => path === "SECURITY.md")?.text ?? "";
  const [, query = "", others = ""] =
    /The load generators ([^.]*?)\s+take a URL in\s[^.]*all of them except (\w+)\s+take headers/
      .exec(
        security,
      ) ?? [];
  const exposing = TOOLS.filter(({ exposes }) => exposes.includes("query"));
  deepStrictEqual(query.split(/, | and /).sort(), exposing.map(({ id }) => id).sort());
  deepStrictEqual(
    exposing.filter(({ exposes }) => !exposes.includes("headers")).map(({ id }) => id),
    [others],
  );
});

Deno.test("the lists of scenarios are those that there are, with their statements", () => {
  const text = sectionAt("docs/servers.md", "The scenarios");
  const [usual = [], more = []] = tablesOf(text).map((rows) => rows.flatMap(([id]) => codesOf(id)));
  deepStrictEqual(usual, SCENARIOS.filter(({ isDefault }) => isDefault).map(({ id }) => id));
  const prose = new Set(inlineCodeOf(text));
  for (const { id } of SCENARIOS) ok(prose.has(id), `${id} is not there`);
  for (const id of more) ok(SCENARIO_IDS.has(id), id);
  const [, statements = ""] = /A response takes ([^.]*), and none at the other/
    .exec(sectionAt("docs/methodology.md", "Right responses, also under load")) ?? [];
  const counted = [
    ...statements.matchAll(/(\d+)(?:\s+statements?)?\s+at\s+((?:`\w+`(?:,\s+|\s+and\s+)?)+)/g),
  ].flatMap(([, count, ids]) => codesOf(ids).map((id) => [id, Number(count)]));
  const asking = SCENARIOS.filter(({ queries }) => queries > 0);
  deepStrictEqual(
    new Map(counted as [string, number][]),
    new Map(asking.map(({ id, queries }) => [id, queries])),
  );
});

Deno.test("the list of servers is that of the suite, with what each implements", () => {
  const [rows = []] = tablesOf(sectionAt("docs/servers.md", "Servers"));
  deepStrictEqual(rows.flatMap(([ids]) => codesOf(ids)).sort(), [...SERVER_IDS].sort());
  const tables = tablesOf(sectionAt("docs/servers.md", "The scenarios"));
  const measured = new Set(tables.flatMap((rows) => rows.flatMap(([id]) => codesOf(id))));
  for (const [ids = "", , implemented = ""] of rows) {
    const all = codesOf(ids).flatMap((id) => Object.keys(CATALOG.get(id)?.scenarios ?? {}));
    const found = new Set(all.filter((id) => measured.has(id)));
    const named = new Set(codesOf(implemented));
    const written = implemented.startsWith("everything except")
      ? measured.difference(named)
      : implemented.startsWith("everything")
      ? measured
      : named;
    deepStrictEqual(found, written, ids);
  }
});

Deno.test("every task, preset and series of the calibration is somewhere in the documentation", async () => {
  const all = PAGES.map(({ text }) => text).join("\n");
  const { tasks } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const isNamed = (name: string): boolean => new RegExp(`\\btask ${name}(?![\\w:-])`).test(all);
  deepStrictEqual(Object.keys(tasks).filter((name) => !isNamed(name)), []);
  const presets = await presetIds();
  deepStrictEqual(presets.filter((id) => !all.includes(`--preset ${id}`)), []);
});

Deno.test("calibrate --help lists every series, and the documentation names the command", async () => {
  ok(PAGES.some(({ text }) => text.includes("deno task calibrate --help")));
  const main = join(ROOT, "tests/calibrate/calibrate.ts");
  const source = await Deno.readTextFile(main);
  const series = [...source.matchAll(/^ {2}(\w+): \(.*\) =>/gm)].map(([, name = ""]) => name);
  ok(series.length > 10);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", main, "--help"],
  }).output();
  strictEqual(code, 0);
  const help = new TextDecoder().decode(stdout);
  deepStrictEqual(series.filter((name) => !new RegExp(`^  ${name} `, "m").test(help)), []);
});
