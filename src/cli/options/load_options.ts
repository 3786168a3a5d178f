import { DEFAULT_SLO } from "../../experiment/options.ts";
import { GENERATORS } from "../../load/generator_list.ts";
import {
  LONGEST_WARMUP_S,
  LONGEST_WINDOW_S,
  MOST_CONNECTIONS,
  MOST_ROUNDS,
} from "../../model/limits.ts";
import { ARRIVALS } from "../../model/experiment.ts";
import { IN_ROUNDS, MEASURING, type OptionSpec } from "./option_spec.ts";
import { list, percent, rates, seconds, slo, whole } from "./option_values.ts";

/** How servers are driven, and how often. */
export const LOAD_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "-c, --connections <n,...>",
    help: {
      else:
        "connections, each with one request under way (1 to 10000); several numbers make a sweep",
      capacity: "connections, as many of them as are needed (1 to 10000)",
      noise: "connections, each with one request under way (1 to 10000)",
      doctor: "connections that the machine is to bear (1 to 10000)",
    },
    commands: [...MEASURING, "doctor"],
    fallbackText: {
      else: "10 (delay, hello: 100; --rate: 256)",
      capacity: "256",
      doctor: "100",
    },
    parse: list(whole(1, MOST_CONNECTIONS)),
  },
  {
    flags: "--tls",
    help: {
      else: "speak TLS, with a certificate made for the run: handshakes are measured apart",
      verify: "ask over TLS, with a certificate made for it",
      serve: "answer HTTPS, with a certificate made for it, which no browser trusts",
    },
    commands: ["run", "capacity", "noise", "versus", "verify", "serve"],
    fallback: false,
  },
  {
    flags: "--http2",
    help: {
      else: "speak HTTP/2 over TLS, one request under way on each connection",
      verify: "ask over HTTP/2 and TLS",
    },
    commands: ["run", "noise", "verify"],
    fallback: false,
  },
  {
    flags: "--rate <n,...>",
    help:
      "send so many requests a second, whether or not responses have come (0.1 to 200000, or 1% to 200% of what the slowest server can answer): response times from the scheduled send time; several make a sweep",
    commands: ["run"],
    parse: rates,
  },
  {
    flags: "--slo <slo>",
    help:
      "what users must be given: limits of percentiles of the response time, and the share of requests without a right response, such as p99<10ms,errors<0.1%",
    commands: ["capacity", "export", "import"],
    fallbackText: { else: DEFAULT_SLO, import: "that of the runners' script" },
    parse: slo,
  },
  {
    flags: "--arrivals <kind>",
    help: "how requests of open loops follow each other: at random, or at even times",
    commands: ["run", "capacity"],
    choices: [...ARRIVALS],
    fallbackText: "poisson",
  },
  {
    flags: "-z, --duration <s>",
    help: "seconds that each window lasts (0.5 to 600), such as 10, 10s or 1m",
    commands: MEASURING,
    fallback: 1.5,
    quick: 1,
    parse: seconds(0.5, LONGEST_WINDOW_S),
  },
  {
    flags: "--warmup <s>",
    help: "seconds of load before each window (0 to 60)",
    commands: MEASURING,
    fallbackText: "0.5, or 1.25 at scenarios that query the database; longer if a manifest says so",
    parse: seconds(0, LONGEST_WARMUP_S),
  },
  {
    flags: "--rounds <n>",
    help: "fresh server processes, each measured at every scenario (1 to 100)",
    commands: IN_ROUNDS,
    fallbackText: {
      else: "6, and more where --width asks for them",
      run: "6, of four servers or more 8, and more where --width asks for them (--rate: 3)",
      versus: "10, and more where --width asks for them",
    },
    quick: 1,
    parse: whole(1, MOST_ROUNDS),
  },
  {
    flags: "--width <percent>",
    help: {
      else:
        "add rounds until half an interval is no wider than this, in percent of the figure (0.1 to 50), such as 3%",
      capacity:
        "search until no more than this lies between the rate that is held and the one that is not (0.1 to 50)",
    },
    commands: MEASURING,
    fallbackText: { else: "3%", versus: "1%", capacity: "10%" },
    parse: percent(0.1, 50),
  },
  {
    flags: "--max-rounds <n>",
    help: "rounds at most, with those that are added (1 to 100)",
    commands: IN_ROUNDS,
    fallbackText: {
      else: "15, or --rounds if that is given (--rate: 3)",
      versus: "30, or --rounds if that is given",
    },
    parse: whole(1, MOST_ROUNDS),
  },
  {
    flags: "--budget <s>",
    help: "seconds that added rounds may take (0 to 86400)",
    commands: IN_ROUNDS,
    fallbackText: {
      else: "0.02 times what the first rounds take",
      versus: "as much as the first rounds take",
    },
    parse: seconds(0, 86_400),
  },
  {
    flags: "--quick",
    help: "one round of 1 s: a look, not a measurement",
    commands: ["run", "generators"],
    fallback: false,
  },
  {
    flags: "--no-slices",
    help: "measure each server alone: no relative CPU time, and ratios are those of windows",
    commands: ["run", "noise", "versus"],
    quick: false,
  },
  {
    flags: "--generator <id>",
    help:
      "load generator of windows; auto is the one with HTTP/1.1 that reaches most here; slices have their own",
    commands: ["run", "noise", "versus"],
    choices: [...GENERATORS.map(({ id }) => id), "auto"],
    fallbackText: {
      else: "autocannon",
      run:
        "autocannon (--http2: h2load; --rate: stampede), or stampede where that would be the bottleneck",
      noise: "autocannon (--http2: h2load)",
      versus: "stampede",
    },
  },
  {
    flags: "--shards <n>",
    help:
      "processes of autocannon or stampede, or threads of wrk or h2load, which share the connections (1 to 64); the others cannot be told",
    commands: MEASURING,
    fallback: 1,
    parse: whole(1, 64),
  },
  {
    flags: "--pin",
    help: "give server, database and load generator processors of their own, if there are enough",
    commands: MEASURING,
    fallback: false,
  },
  {
    flags: "--seed <n>",
    help: "seed of the order of servers and scenarios (0 to 4294967295)",
    commands: MEASURING,
    fallbackText: "random",
    parse: whole(0, 2 ** 32 - 1),
  },
];
