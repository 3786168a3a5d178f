/**
 * Calibrates measurements on this machine, `deno task calibrate SERIES [numbers] [--disturbed]`: many runs of
 * one kind with a known right result. docs/methodology.md has the outcomes.
 */
import { INTERRUPTED, Interrupted } from "../../src/model/errors.ts";
import { ProcessScope } from "../../src/process/scope.ts";
import { Sandbox } from "../bench.ts";
import { disturb } from "../busy_loops.ts";
import { rates, steps } from "./bare.ts";
import { bisect } from "./bisect.ts";
import { commit, documents } from "./commits.ts";
import { cost } from "./cost.ts";
import { counts } from "./counts.ts";
import { besideCompiler, changedFiles, files } from "./two_reports.ts";
import { agree, capacity, check, stall } from "./open.ts";
import { found, same } from "./pair.ts";
import { profiles } from "./profiles.ts";
import { say } from "./say.ts";
import { servers } from "./servers.ts";
import { startup } from "./startup.ts";
import { equalCosts, plant, PLANTED } from "./versus_costs.ts";
import { windows } from "./windows.ts";

const USAGE = `deno task calibrate SERIES [--disturbed]

  same [RUNS]                 versus of a server with itself: false positives
  found US [RUNS [SECONDS [CONNECTIONS]]]
                              versus of a server that waits US microseconds longer: detected changes
  commit US [RUNS]            versus --fail-on at a commit that makes /json wait US microseconds
  documents [RUNS]            versus --fail-on at commits that change only documents
  bisect [US [RUNS]]          bisect of 64 commits, one of which makes /json wait US microseconds; 0: none
  files [PAIRS [SECONDS]]     compare of two default runs, with a pause of SECONDS between them
  beside [PAIRS]              compare of two runs of fastify, the first one next to a compiler
  changed US [PAIRS]          compare of two runs; in the second one /json waits US microseconds
  counts [RUNS [PLANTED]]     counts of equal servers, and of PLANTED calls and statements
  costs [RUNS]                costs of equal servers: false positives
  planted-GROUP [RUNS]        a planted cost of memory, peak, p99, startup or idle: detected changes
  profiles [RUNS [PLANTED]]   functions of equal servers, and PLANTED slower functions
  servers [RUNS]              the ranks of eight servers
  stall [RUNS]                response times of a server that stalls, in open and closed loop
  check [RUNS]                the open loop against theory, at a server with known response times
  agree [RUNS]                the median of a server that takes 5 ms, also by oha and k6
  capacity [RUNS]             the capacity of sql2 and primes
  cost [RUNS]                 Stampede's own server against bare Deno, a server without validation, and pgbench
  steps [RUNS]                CPU time above bare Deno for: the request, its URL, a parsed URL, the router
  rates [ROUNDS]              rates of / by wrk relative to bare Deno: Stampede's server, and one that only reads the URL
  startup [RUNS]              how long --help and list of the npm package take, next to other tools
  windows [RUNS]              CPU time by slices and by long windows, of six servers

  --disturbed                 next to two busy loops that start and stop at random`;

type Series = (...numbers: readonly (number | undefined)[]) => Promise<void>;

const SERIES: Readonly<Record<string, Series>> = {
  same: (runs = 100) => same(runs),
  found: (us = 0.5, runs = 20, limitS = 60, connections = 10) =>
    found(us, runs, limitS, connections),
  commit: (us = 1.3, runs = 10) => commit(us, runs),
  documents: (runs = 100) => documents(runs),
  bisect: (us = 0.3, runs = 10) => bisect(us, runs),
  files: (pairs = 5, pauseS = 0) => files(pairs, pauseS),
  beside: (pairs = 20) => besideCompiler(pairs),
  changed: (us = 0.65, pairs = 10) => changedFiles(us, pairs),
  counts: (runs = 100, planted = 20) => counts(runs, planted),
  costs: (runs = 100) => equalCosts(runs),
  ...Object.fromEntries(
    PLANTED.map((one) => [`planted-${one.group}`, (runs = 20) => plant(one, runs)]),
  ),
  profiles: (runs = 100, planted = 20) => profiles(runs, planted),
  servers: (runs = 3) => servers(runs),
  stall: (runs = 1) => stall(runs),
  check: (runs = 10) => check(runs),
  agree: (runs = 3) => agree(runs),
  capacity: (runs = 3) => capacity(runs),
  cost: (runs = 1) => cost(runs),
  steps: (runs = 1) => steps(runs),
  rates: (rounds = 10) => rates(rounds),
  startup: (runs = 20) => startup(runs),
  windows: (runs = 1) => windows(runs),
};

if (Deno.args.includes("--help")) {
  say(USAGE);
  Deno.exit(0);
}
const isDisturbed = Deno.args.includes("--disturbed");
const [name = "same", ...numbers] = Deno.args.filter((arg) => arg !== "--disturbed");
const series = SERIES[name];
if (series === undefined || numbers.some((one) => !(Number(one) >= 0))) {
  say(USAGE);
  Deno.exit(2);
}
// An interrupted command fails. That ends the series, which removes its temporary folder
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    if (!Sandbox.interrupt()) Deno.exit(INTERRUPTED);
  });
}
await using scope = new ProcessScope();
if (isDisturbed) disturb(scope);
try {
  await series(...numbers.map(Number));
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  say(error.message);
  Deno.exitCode = INTERRUPTED;
}
