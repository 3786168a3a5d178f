/** Whether what the documentation names is there: links, paths, and commands with all that they name. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../src/cli/io.ts";
import { OPTIONS } from "../src/cli/options/option_table.ts";
import { execute } from "../src/cli/program.ts";
import { SCENARIOS } from "../scenarios/mod.ts";
import { readCatalog } from "../src/target/catalog.ts";
import {
  brokenLinks,
  commandsOf,
  inlineCodeOf,
  malformedLinks,
  missingPaths,
  type Page,
  unknownOptions,
  wordsOf,
} from "./docs.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Words that stand for something else in a command; `h2load` is what a page shows how to add. */
const PLACEHOLDER = /…|\bFILE\b|\[|<|h2load|my-server/;
/** Commands whose words are scenarios, and those whose words are servers. */
const TAKE_SCENARIOS = ["run", "versus", "verify", "noise", "generators", "history"];
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
  [...FILES].filter((path) => /^(docs\/)?[^/]+\.md$/.test(path)).map(async (path) => ({
    path,
    text: await Deno.readTextFile(join(ROOT, path)),
  })),
);
const SERVER_IDS = new Set((await readCatalog()).keys());
const SCENARIO_IDS = new Set(SCENARIOS.map(({ id }) => id));
const FLAGS = new Set(OPTIONS.flatMap(({ flags }) => flags.match(/--[a-z0-9-]+/g) ?? []))
  .union(new Set(["--help", "--version"]));

/** What a command of the documentation names and there is not. */
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
    await execute(args, io, ({ name }, options, given) => {
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

Deno.test("every link out of the documentation is a whole https address (nothing is fetched)", () => {
  deepStrictEqual(PAGES.flatMap(malformedLinks), []);
  const wrong = ["http://deno.com", "https:/deno", "https://localhost/x", "ftp://a.org"];
  const text = ["https://deno.com/x", ...wrong].map((to) => `[x](${to})`).join(" ");
  deepStrictEqual(malformedLinks({ path: "a.md", text }), wrong.map((to) => `a.md: ${to}`));
});

Deno.test("every path of the repository that the documentation names is there", () => {
  deepStrictEqual(
    PAGES.flatMap((page) => missingPaths(page, FILES)).filter((one) => !PLACEHOLDER.test(one)),
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
    ["bench versus --bsae …", "there is no option --bsae"],
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

Deno.test("the alias for a machine without Deno measures from any folder", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/recipes.md"));
  const line = /^alias stampede=.*$/m.exec(page)?.[0] ?? "";
  const script = [
    "shopt -s expand_aliases",
    line.replace(/npx -y deno@[\d.]+/, Deno.execPath()),
    "cd /",
    "stampede --version",
  ].join("\n");
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd: ROOT,
    env: { PATH: "/usr/bin:/bin" },
  }).output();
  const text = new TextDecoder();
  ok(/^\d+\.\d+\.\d+$/m.test(text.decode(stdout)), text.decode(stderr));
});
