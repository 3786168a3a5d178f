import { dirname, join } from "node:path";
/** Every file that a command leaves behind. */
import { pathsOf } from "../project/files.ts";
import { INDEX } from "../results/run_index.ts";
import { asideOf, defaultPath, RESULTS } from "../results/store.ts";
import { DRIVERS } from "../engine/local_testbed.ts";
import { cacheFolder } from "../target/cache.ts";
import { SITE, SITE_FILES } from "./commands/site_command.ts";
import { type CommandName, MEASURING } from "./options/option_spec.ts";
import { OPTIONS } from "./options/option_table.ts";
import { STEP_SUMMARY } from "./outputs.ts";

/** A file, or a folder, with the commands that write it. */
export interface WrittenFile {
  /** From where the person is; `<…>` differs. Some are named by an option, some by a `$VARIABLE`. */
  readonly path: string;
  readonly by: readonly CommandName[];
  /** As Markdown. */
  readonly is: string;
}

const REPORT = defaultPath("<time>", "<id>");
const INIT = pathsOf("<id>");
const CACHE = cacheFolder(null, (name) => name === "HOME" ? "~" : undefined, "linux");
const DRAWN = [
  ["--html <file>", "the page"],
  ["--markdown <file>", "the result as Markdown"],
  ["--csv <file>", "every figure as CSV"],
] as const;

/** The one table of them, for the reference. */
export const WRITTEN_FILES: readonly WrittenFile[] = [
  {
    path: REPORT,
    by: [...MEASURING, "import"],
    is:
      "a report: everything that a run measured ([schema](results.schema.json)). `--out` names it otherwise",
  },
  {
    path: asideOf(REPORT, 1),
    by: MEASURING,
    is: "what another program made of the report while the run went on",
  },
  {
    path: `${RESULTS}/${INDEX}`,
    by: [...MEASURING, "import", "compare", "history", "report"],
    is:
      "a line for each report there, so that they need not be read again; made anew if it is gone",
  },
  {
    path: REPORT.replace(/\.json$/, ".<server>.<scenario>.cpuprofile"),
    by: commandsOf("--profile"),
    is: "where the time of a server goes, for the DevTools of Chromium and Node.js",
  },
  ...DRAWN.map(([flags, is]) => ({ path: flags, by: commandsOf(flags), is })),
  {
    path: `$${STEP_SUMMARY}`,
    by: ["run", "compare", "versus"],
    is: "the summary of a GitHub Actions job: the result is added to it as Markdown",
  },
  {
    path: `${SITE}/${SITE_FILES.page}`,
    by: ["site"],
    is: "the newest run, and each scenario over the runs. `--out` names the folder otherwise",
  },
  {
    path: `${SITE}/${SITE_FILES.runs}/<report>.html`,
    by: ["site"],
    is: "a page for each run; those whose reports are gone are removed",
  },
  {
    path: `${SITE}/${SITE_FILES.runs}/${SITE_FILES.comparison}`,
    by: ["site"],
    is: "what changed from the run before to the newest, where there are two",
  },
  { path: `${SITE}/${SITE_FILES.badge}`, by: ["site"], is: "one line for a README" },
  {
    path: INIT.manifest,
    by: ["init"],
    is: "a manifest ([schema](server.schema.json)). What is there is left alone, here and below",
  },
  { path: "--out <file>", by: ["export"], is: "the script for k6" },
  {
    path: "--kubernetes <file>",
    by: commandsOf("--kubernetes <file>"),
    is: "the same as a ConfigMap, with a TestRun for k6-operator",
  },
  { path: INIT.scenario, by: ["init"], is: "a first scenario" },
  { path: "<id>/", by: ["new"], is: "a copy of a server of the suite ([how](adding_a_server.md))" },
  { path: "<id>.js", by: ["new"], is: "a first scenario ([how](adding_a_scenario.md))" },
  { path: INIT.workflow, by: ["init"], is: "a gate for pull requests ([how](pull_requests.md))" },
  {
    path: `${CACHE}/`,
    by: commandsOf("--cache <folder>"),
    is:
      "builds of servers, by their content; those that nobody used for a month are removed. On Linux: `--cache` and the system say where",
  },
  {
    path: CACHE === null ? DRIVERS : join(dirname(CACHE), DRIVERS),
    by: ["run"],
    is:
      "which load generator drives each server and scenario on this machine, so that later runs choose the same",
  },
];

/** The commands that take an option. */
function commandsOf(flags: string): readonly CommandName[] {
  return OPTIONS.find((option) => option.flags === flags)?.commands ?? [];
}

/** The files as a Markdown table, for the reference. */
export function filesTable(): string {
  const rows = WRITTEN_FILES.map(({ path, by, is }) =>
    `| \`${path}\` | ${by.join(", ")} | ${is} |`
  );
  return ["| file | written by | is |", "|---|---|---|", ...rows].join("\n");
}
