/**
 * Calibrates measurements on this machine, `deno task calibrate SERIES [numbers] [--disturbed]`: many runs of
 * one kind with a known right result. docs/methodology.md has the outcomes.
 */
import { ProcessScope } from "../../src/process/scope.ts";
import { disturb } from "../busy_loops.ts";
import { rates, steps } from "./bare.ts";
import { commit, documents } from "./commits.ts";
import { cost } from "./cost.ts";
import { besideCompiler, changedFiles, files } from "./files.ts";
import { agree, capacity, check, stall } from "./open.ts";
import { found, same } from "./pair.ts";
import { say } from "./say.ts";
import { servers } from "./servers.ts";
import { windows } from "./windows.ts";

const USAGE = `deno task calibrate SERIES [--disturbed]

  same [RUNS]                 versus of a server with itself: which should hardly ever be different
  found US [RUNS [SECONDS [CONNECTIONS]]]
                              versus of a server that waits US microseconds more before each response
  commit US [RUNS]            the gate at a commit that makes /json wait US microseconds
  documents [RUNS]            the gate at commits that change documents
  files [PAIRS [SECONDS]]     compare of two default runs, with a pause of SECONDS between them
  beside [PAIRS]              compare of two runs of fastify, the first of which is measured beside a compiler
  changed US [PAIRS]          compare of two files, in the second of which /json waits US microseconds
  servers [RUNS]              the ranks of eight servers
  stall [RUNS]                response times of a server that stalls, in an open and in a closed loop
  check [RUNS]                the open loop at a server whose response times theory knows
  agree [RUNS]                the median of a server that takes 5 ms, by oha and k6 too
  capacity [RUNS]             what sql2 and primes hold
  cost [RUNS]                 Stampede's own server beside bare Deno, a server that validates nothing, and pgbench
  steps [RUNS]                what a response costs above bare Deno: the request, its URL, a parsed URL, our router
  rates [ROUNDS]              rates of / over bare Deno's by wrk: our server's, and of one that only reads the URL
  windows [RUNS]              CPU time by slices and by long windows, of six servers

  --disturbed                 beside two busy loops that go on and off at random`;

type Series = (...numbers: readonly (number | undefined)[]) => Promise<void>;

const SERIES: Readonly<Record<string, Series>> = {
  same: (runs = 100) => same(runs),
  found: (us = 0.5, runs = 20, limitS = 60, connections = 10) =>
    found(us, runs, limitS, connections),
  commit: (us = 1.3, runs = 10) => commit(us, runs),
  documents: (runs = 100) => documents(runs),
  files: (pairs = 5, pauseS = 0) => files(pairs, pauseS),
  beside: (pairs = 20) => besideCompiler(pairs),
  changed: (us = 0.65, pairs = 10) => changedFiles(us, pairs),
  servers: (runs = 3) => servers(runs),
  stall: (runs = 1) => stall(runs),
  check: (runs = 10) => check(runs),
  agree: (runs = 3) => agree(runs),
  capacity: (runs = 3) => capacity(runs),
  cost: (runs = 1) => cost(runs),
  steps: (runs = 1) => steps(runs),
  rates: (rounds = 10) => rates(rounds),
  windows: (runs = 1) => windows(runs),
};

const isDisturbed = Deno.args.includes("--disturbed");
const [name = "same", ...numbers] = Deno.args.filter((arg) => arg !== "--disturbed");
const series = SERIES[name];
if (series === undefined || numbers.some((one) => !(Number(one) >= 0))) {
  say(USAGE);
  Deno.exit(2);
}
await using scope = new ProcessScope();
if (isDisturbed) disturb(scope);
await series(...numbers.map(Number));
