/** The files that commands write, for the reference. */
import { dirname, join } from "node:path";
import { fileName } from "../src/results/store.ts";
import { cacheFolder } from "../src/target/build.ts";
import { COMMAND_NAMES, type CommandName, MEASURING } from "../src/cli/options/option_spec.ts";
import { OPTIONS } from "../src/cli/options/option_table.ts";

/** A file or folder, with the commands that write it. */
export interface WrittenFile {
  /**
   * Path, in which `<name>` and `$VARIABLE` stand for other texts; or the option that names the path.
   */
  readonly path: string;
  readonly by: readonly CommandName[];
  /** Description as Markdown. */
  readonly is: string;
}

const REPORT = `results/${fileName({ createdAt: "<time>", id: "<id>" })}`;
const CHOICES_FILE = "generators.json";
const CACHE = cacheFolder(null, (name) => name === "HOME" ? "~" : undefined, "linux");
const DRAWN = [
  ["--html <file>", "one HTML page with charts"],
  ["--markdown <file>", "the result as Markdown"],
  ["--csv <file>", "every figure as CSV"],
] as const;

/** All files that commands write. */
export const WRITTEN_FILES: readonly WrittenFile[] = [
  {
    path: REPORT,
    by: [...MEASURING, "import"],
    is:
      "a report: every measurement of a run ([schema](results.schema.json)). `--out` names another file",
  },
  {
    path: `${REPORT}.changed-1`,
    by: MEASURING,
    is: "the report as another program changed it during the run",
  },
  {
    path: "results/index.jsonl",
    by: [...MEASURING, "import", "compare", "history", "report"],
    is:
      "an index with a line for each report, to avoid reading them again; rebuilt if it is missing",
  },
  {
    path: "results/bisect-<hash>.json",
    by: ["bisect"],
    is:
      "the measurements of an unfinished bisection, from which the same command continues; removed at its end",
  },
  {
    path: REPORT.replace(/\.json$/, ".<server>.<scenario>.cpuprofile"),
    by: ["run"],
    is: "a CPU profile of a server, for the DevTools of Chromium and Node.js",
  },
  ...DRAWN.map(([flags, is]) => ({ path: flags, by: commandsOf(flags), is })),
  {
    path: "$GITHUB_STEP_SUMMARY",
    by: ["run", "capacity", "compare", "versus", "releases"],
    is: "the summary of a GitHub Actions job: the result as Markdown is appended",
  },
  {
    path: "site/index.html",
    by: ["site"],
    is:
      "the results of all servers, with filters; the history of a single server. `--out` names another folder",
  },
  {
    path: "site/runs/<report>.html",
    by: ["site"],
    is: "a page for each run; pages without a report are removed",
  },
  {
    path: "site/runs/<report>.json",
    by: ["site"],
    is: "the report of each run, to download",
  },
  {
    path: "site/servers/<server>.html",
    by: ["site"],
    is: "a page for each server: source, settings, results, history and evidence",
  },
  {
    path: "site/runs/newest-two.html",
    by: ["site"],
    is: "the changes from the previous run of the same server to the newest run",
  },
  { path: "site/badge.svg", by: ["site"], is: "a badge for a README" },
  { path: "--out <file>", by: ["export"], is: "the script for k6" },
  { path: "--out <file>", by: ["report"], is: "the report, drawn in the format of `--format`" },
  {
    path: "--kubernetes <file>",
    by: commandsOf("--kubernetes <file>"),
    is: "the script as a ConfigMap, with a TestRun for k6-operator",
  },
  {
    path: "stampede/<id>/server.json",
    by: ["init"],
    is:
      "a manifest ([schema](server.schema.json)). `init` and `new` overwrite no file; `new scenario` with `--server` adds the scenario to the manifest",
  },
  { path: "stampede/first.js", by: ["init"], is: "a first scenario" },
  { path: "<id>/", by: ["new"], is: "a copy of a server of the suite ([how](adding_a_server.md))" },
  { path: "<id>.js", by: ["new"], is: "a first scenario ([how](adding_a_scenario.md))" },
  {
    path: ".github/workflows/stampede.yml",
    by: ["init"],
    is: "a gate for pull requests ([how](pull_requests.md))",
  },
  {
    path: ".github/actions/stampede/action.yml",
    by: ["init"],
    is: "the action that the workflow uses: the npm package in this version",
  },
  {
    path: `${CACHE}/`,
    by: commandsOf("--cache <folder>").filter((name) => name !== "clean"),
    is:
      "builds of servers, by the hash of their content; builds unused for a month are removed. This is the path on Linux; `--cache` names another folder",
  },
  {
    path: CACHE === null ? CHOICES_FILE : join(dirname(CACHE), CHOICES_FILE),
    by: ["run"],
    is:
      "the pilot windows' finding for each server and scenario on this machine, from which later runs choose one load generator per scenario",
  },
  ...([
    ["list-<what>.json", ["list"], "what is installed, as `list` found it within the last hour"],
    ["versions/", COMMAND_NAMES, "the npm package: a copy of each version, with its packages"],
    ["deno/", COMMAND_NAMES, "the npm package: Deno's cache, unless `DENO_DIR` is set"],
    ["deno.json", COMMAND_NAMES, "the npm package: the version of an installed Deno"],
  ] as const).map(([name, by, is]) => ({ path: join(dirname(CACHE ?? ""), name), by, is })),
];

/** Returns the commands that take an option. */
function commandsOf(flags: string): readonly CommandName[] {
  return OPTIONS.find((option) => option.flags === flags)?.commands ?? [];
}
