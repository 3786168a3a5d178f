/**
 * Runs tests in two lanes, `deno task test`. The first lane runs files in parallel. The second runs files one
 * after the other, if they depend on timing. `deno task test:more` runs the longest tests with `--more`, in
 * two lanes too. Up to three failed files run again, alone. The last line counts all tests. docs/testing.md
 * explains each lane.
 */
import { fileURLToPath } from "node:url";
import { ProcessScope } from "../src/process/scope.ts";
import { sum } from "../src/stats/median.ts";
import { CLUSTER_VARIABLE, startCluster } from "./cluster.ts";
import {
  elapsed,
  failedFiles,
  failuresIn,
  isNews,
  type LaneEnd,
  readResults,
  recovered,
  seconds,
  total,
  withoutFailed,
} from "./results.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Files of the serial lane; all others run in parallel. */
const SERIAL = [
  "src/load/awake_test.ts",
  "src/load/metronome_test.ts",
  "src/load/paced_client_test.ts",
  "src/load/warming_tools_test.ts",
  "src/load/probe_test.ts",
  "src/target/usage_test.ts",
  "tests/probe_test.ts",
];
/** Files that run only with `--more`, one for each processor, the longest first. */
const MORE = [
  "tests/package_test.ts",
  "tests/built_servers_test.ts",
  "tests/failures_test.ts",
  "tests/page_test.ts",
  "tests/slices_test.ts",
  "tests/absurd_options_test.ts",
  "tests/action_test.ts",
  "tests/any_server_test.ts",
  "tests/broken_servers_test.ts",
  "tests/conformance_test.ts",
  "tests/contract_test.ts",
  "tests/counts_test.ts",
  "tests/exhausted_test.ts",
  "tests/fetch_test.ts",
  "tests/generators_test.ts",
  "tests/init_test.ts",
  "tests/list_test.ts",
  "tests/releases_test.ts",
  "tests/restarts_test.ts",
  "tests/terminal_test.ts",
  "tests/work_test.ts",
  "tests/written_files_test.ts",
  "tests/wrong_web_test.ts",
];
/** Files that run only with `--more`, one after the other, because they depend on timing. */
const MORE_SERIAL = [
  "tests/act_test.ts",
  "tests/bottlenecks_test.ts",
  "tests/causes_test.ts",
  "tests/costs_test.ts",
  "tests/hostile_client_test.ts",
  "tests/k6_segments_test.ts",
  "tests/rate_test.ts",
  "tests/soak_test.ts",
];
/** Files that do not run in the parallel lane of `deno task test`. */
const LATER = [...SERIAL, ...MORE, ...MORE_SERIAL];
/** Files that only `deno task test:long` runs, because they take minutes. */
const BY_HAND = ["tests/bisect_search_test.ts"];
/** Long files, which start first so that no processor is idle at the end. */
const LONG = [
  "tests/command_line_test.ts",
  "tests/versus_test.ts",
];
/** Parallel files per processor. Tests mostly wait for processes. */
const FILES_PER_CORE = 4;
/**
 * Failed files that run again, alone: a busy machine delays single tests. More failures than that have
 * another cause.
 */
const MOST_AGAIN = 3;
/** Variable with which failed files do not run again; `deno task test:restless` sets it. */
const ONCE = "STAMPEDE_TEST_ONCE";
/** Slowest tests, and slowest files, that are listed. */
const SLOWEST = 10;
/** Lines of a failure that are repeated at the end, in case the log is cut. */
const LINES_AGAIN = 25;

function say(text: string): void {
  // deno-lint-ignore no-console -- this script's own output
  console.log(text);
}

/** Returns every test file, the longest first. */
async function testFiles(): Promise<string[]> {
  const found: string[] = [];
  const search = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await search(path);
      else if (name.endsWith("_test.ts")) found.push(path);
    }
  };
  for (const folder of ["package", "src", "scenarios", "tests"]) await search(folder);
  const missing = [...LATER, ...BY_HAND, ...LONG].filter((file) => !found.includes(file));
  if (missing.length > 0) {
    throw new Error(`tests/run.ts lists files that do not exist: ${missing.join(", ")}`);
  }
  const others = found.filter((file) => !LONG.includes(file) && !BY_HAND.includes(file));
  return [...LONG, ...others.sort()];
}

/** Runs files and prints news before the end. Returns Deno's exit code and number of failures. */
async function runLane(
  scope: ProcessScope,
  files: readonly string[],
  { options, env, report }: {
    readonly options: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly report: string;
  },
): Promise<Pick<LaneEnd, "code" | "failures">> {
  let failures = 0;
  const sayNews = (line: string): void => {
    failures += failuresIn(line);
    if (isNews(line)) say(line);
  };
  let errors = "";
  // In the scope, because a killed lane must not leave its tests running
  const { ended } = scope.spawn({
    argv: [
      ...[Deno.execPath(), "test", "-A", "--no-check", `--junit-path=${report}`],
      ...[...options, ...files],
    ],
    cwd: ROOT,
    env: { ...Deno.env.toObject(), NO_COLOR: "1", ...env },
    onLine: sayNews,
    onLog: (text) => {
      const lines = (errors + text).split("\n");
      errors = lines.pop() ?? "";
      lines.forEach(sayNews);
    },
  });
  const { code } = await ended;
  sayNews(errors);
  return { code, failures };
}

/** Prints the slowest tests or files, with their seconds. */
function saySlowest(what: string, all: readonly (readonly [name: string, tookS: number])[]): void {
  say(`\nThe slowest ${SLOWEST} ${what}:`);
  const sorted = all.toSorted(([, a], [, b]) => b - a);
  for (const [name, tookS] of sorted.slice(0, SLOWEST)) say(`${seconds(tookS)}  ${name}`);
}

async function run(): Promise<number> {
  const startedMs = performance.now();
  const files = await testFiles();
  await using scope = new ProcessScope();
  const folder = await scope.makeFolder();
  const env = { [CLUSTER_VARIABLE]: await startCluster(scope) };
  const isMore = Deno.args.includes("--more");
  const jobs = (isMore ? 1 : FILES_PER_CORE) * navigator.hardwareConcurrency;
  const lanes = [
    {
      name: "parallel",
      files: isMore ? MORE : files.filter((file) => !LATER.includes(file)),
      options: ["--parallel"],
      env: { ...env, DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(jobs) },
    },
    { name: "serial", files: isMore ? MORE_SERIAL : SERIAL, options: [], env },
  ];
  const runAll = async (lane: typeof lanes[number]): Promise<LaneEnd> => {
    say(`The ${lane.name} lane: ${lane.files.length} files`);
    const fromMs = performance.now();
    const report = `${folder}/${lane.name}.xml`;
    const end = await runLane(scope, lane.files, { ...lane, report });
    const results = readResults(await Deno.readTextFile(report).catch(() => ""));
    say(`The ${lane.name} lane took ${elapsed(performance.now() - fromMs)}\n`);
    return { ...end, files: lane.files, results };
  };
  let ends: LaneEnd[] = [];
  for (const lane of lanes) ends.push(await runAll(lane));
  const failed = failedFiles(ends);
  if (failed.length > 0 && failed.length <= MOST_AGAIN && !Deno.env.has(ONCE)) {
    const again = await runAll({ name: "again", files: failed, options: [], env });
    for (const { file, name, why } of recovered(ends, again)) {
      say(`failed at first, passed alone: ${file}: ${name}`);
      for (const line of why?.split("\n").slice(0, LINES_AGAIN) ?? []) say(`  ${line}`);
    }
    ends = [...ends.map(withoutFailed), again];
  }
  const results = ends.flatMap((end) => end.results);
  for (const { file, name } of results.filter(({ status }) => status === "ignored")) {
    say(`ignored: ${file}: ${name}`);
  }
  const tests = results.filter(({ isStep }) => !isStep);
  saySlowest("tests", tests.map(({ file, name, tookS }) => [`${file}: ${name}`, tookS]));
  const byFile = Map.groupBy(tests, ({ file }) => file);
  saySlowest("files", [...byFile].map(([file, own]) => [file, sum(own.map(({ tookS }) => tookS))]));
  for (const { file, name, why } of results.filter(({ why }) => why !== undefined)) {
    say(`\nfailed: ${file}: ${name}`);
    for (const line of why?.split("\n").slice(0, LINES_AGAIN) ?? []) say(`  ${line}`);
  }
  const codes = ends.map(({ code }) => code);
  const { line, isFine } = total(results, codes, performance.now() - startedMs);
  say(`\n${line}`);
  return isFine ? 0 : 1;
}

Deno.exit(await run());
