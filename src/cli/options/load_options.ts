/** Options for the load, and for the servers, scenarios and requests to measure. */
import { InvalidArgumentError } from "commander";
import { DEFAULT_SLO, parseSlo } from "../../experiment/slo.ts";
import type { Rates } from "../../experiment/kinds.ts";
import { GENERATORS } from "../../load/generator_list.ts";
import { UsageError } from "../../model/errors.ts";
import { ARRIVALS, type Slo } from "../../model/experiment.ts";
import { type FaultId, FAULTS } from "../../model/fault.ts";
import { MOST } from "../../model/limits.ts";
import { OPTIONS_OF_COSTS } from "./cost_options.ts";
import {
  list,
  MEASURING,
  type OptionTable,
  percent,
  perSecond,
  seconds,
  whole,
} from "./option_spec.ts";

/** The commands that measure in rounds and add rounds until intervals are narrow. */
const IN_ROUNDS = MEASURING.filter((name) => name !== "capacity");
/** Commands that add rounds while intervals are wide. `releases` has a fixed number. */
const ADDING_ROUNDS = IN_ROUNDS.filter((name) => name !== "releases" && name !== "bisect");

/** Options by their headings in help, in its order. */
export const OPTIONS_OF_MEASUREMENTS: Readonly<Record<string, OptionTable>> = {
  "What to measure": {
    "--servers <ids>": {
      help: {
        else: "servers of the suite, separated by commas, or all",
        noise: "a server of the suite",
        generators: "a server of the suite",
        versus: "a server of the suite",
        bisect: "a server of the suite",
      },
      brief: "servers of the suite, or all",
      commands: [...MEASURING, "verify", "work", "faults", "history"],
      fallbackText: { else: "deno, or none with --server", history: "all" },
    },
    "--server <file>": {
      help: {
        else: "your server, by its manifest server.json; repeatable",
        new: "the manifest of your server that will implement the scenario",
      },
      brief: "your server, by its manifest server.json",
      commands: [...MEASURING, "verify", "work", "faults", "new"],
      parse: append,
    },
    "--scenario <file>": {
      help: "your scenario, a JavaScript or TypeScript module; repeatable",
      commands: [...MEASURING, "verify", "work", "export"],
      parse: append,
    },
    "--mix <shares>": {
      help:
        "a weighted mix of scenarios, such as db=80,updates=20, with figures for each kind of request; repeatable",
      commands: ["run", "capacity", "versus", "bisect"],
      parse: append,
    },
    "--preset <id>": {
      help:
        "repeat a published benchmark with its own load: concurrency, deno-http, encore, fiber, mighty-node, techempower, web-frameworks, or a file",
      commands: ["run"],
    },
    "-X, --request <method>": {
      help: "HTTP method for a URL",
      commands: ["run", "export"],
      choices: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      fallbackText: "GET, or POST with --data",
    },
    "-H, --header <text>": {
      help: "request header for a URL, as 'name: value'; repeatable",
      commands: ["run", "export"],
      parse: append,
    },
    "-d, --data <text>": {
      help: "request body for a URL, or @file to read it from a file",
      commands: ["run", "export"],
    },
    "--pid <n>": {
      help: "process id of the server at a URL, to measure its CPU time and memory",
      commands: ["run"],
      fallbackText: "on Linux, the process that listens there",
      parse: whole(1, 2 ** 31 - 1),
    },
    "--yes-i-may-load-this-host": {
      help: "load a URL on another machine, with its owner's consent",
      commands: ["run", "export"],
    },
    "--like <id>": {
      help: "the server of the suite to copy",
      commands: ["new"],
      fallback: "hono-deno",
    },
    "--only <faults>": {
      help: `inject only these faults, separated by commas: ${FAULTS.join(", ")}`,
      commands: ["faults"],
      fallbackText: "all",
      parse: faults,
    },
    ...OPTIONS_OF_COSTS,
  },
  "Load": {
    "-c, --connections <n,...>": {
      help: {
        else:
          "connections, one request in flight on each (plaintext: 16) (1 to 10000); several values make a sweep",
        capacity: "most connections that the load may open (1 to 10000)",
        noise: "connections, one request in flight on each (1 to 10000)",
        doctor: "connections that you plan to open (1 to 10000)",
      },
      brief: "connections, one request in flight on each",
      commands: [...MEASURING, "doctor"],
      fallbackText: { else: "10 (delay, hello: 100; --rate: 256)", capacity: "256", doctor: "100" },
      parse: list(whole(1, MOST.connections)),
    },
    "--tls": {
      help: {
        else: "use TLS with a generated certificate; handshakes are measured separately",
        verify: "use TLS with a generated certificate",
        serve: "serve HTTPS with a generated certificate, which browsers do not trust",
      },
      brief: "use TLS with a generated certificate",
      commands: ["run", "capacity", "noise", "versus", "bisect", "verify", "serve"],
    },
    "--http2": {
      help: {
        else: "use HTTP/2 over TLS, one request in flight on each connection",
        verify: "use HTTP/2 over TLS",
      },
      commands: ["run", "noise", "verify"],
    },
    "--rate <n,...>": {
      help:
        "open loop: send requests at this rate per second (0.1 to 200000), or at a share of the slowest server's rate (1% to 200%); several values make a sweep",
      brief: "open loop: send requests at this rate per second",
      commands: ["run"],
      parse: rates,
    },
    "--slo <slo>": {
      help:
        "limits for response-time percentiles and the share of errors, such as p99<10ms,errors<0.1%",
      commands: ["capacity", "export", "import"],
      fallbackText: { else: DEFAULT_SLO, import: "the SLO in the runners' script" },
      parse: slo,
    },
    "--arrivals <kind>": {
      help: "send schedule of an open loop: random (Poisson) or evenly spaced",
      commands: ["run", "capacity"],
      choices: [...ARRIVALS],
      fallbackText: "poisson",
    },
    "-z, --duration <s>": {
      help: "length of each window (0.5 to 600 seconds), such as 10, 10s or 1m",
      brief: "length of each window, such as 10s",
      commands: MEASURING,
      fallback: 1.5,
      quick: 1,
      parse: seconds(0.5, MOST.windowS),
    },
    "--warmup <s>": {
      help: "seconds of load before each window (0 to 60)",
      commands: MEASURING,
      fallbackText:
        "0.5, or 1.25 at scenarios that query the database; a manifest can set a longer one",
      parse: seconds(0, MOST.warmupS),
    },
    "--rounds <n>": {
      help: "rounds, each with a fresh server process (1 to 100)",
      commands: IN_ROUNDS,
      fallbackText: {
        else: "6; --width may add more",
        run: "6, or 8 with four servers or more, or 3 with --rate; --width may add more",
        versus: "10, or enough to decide, and as many again for unclear changes",
        releases: "10, or enough to prove a change in all comparisons",
        bisect: "14 for a step, and 10 or more for the first and the last measurement",
      },
      quick: 1,
      parse: whole(1, MOST.rounds),
    },
    "--resume <report>": {
      help:
        "measure the rest of an interrupted run, or more --rounds of a complete one; its rounds count, and the report stays in its file unless --out names another",
      commands: ["run"],
    },
    "--width <percent>": {
      help: {
        else: "add rounds until half the 95 % CI is at most this share of the figure (0.1% to 50%)",
        capacity:
          "search until the highest rate that meets the SLO is known to this share (0.1% to 50%)",
      },
      commands: ["capacity", ...ADDING_ROUNDS],
      fallbackText: {
        else: "3%",
        versus: "rounds are added for unclear changes instead",
        capacity: "10%",
      },
      parse: percent(0.1, 50),
    },
    "--max-rounds <n>": {
      help: "most rounds, added ones included (1 to 100)",
      commands: ADDING_ROUNDS,
      fallbackText: {
        else: "15 (--rate: 3); with --rounds, none are added",
        versus: "twice those of --rounds; with --rounds, none are added",
      },
      parse: whole(1, MOST.rounds),
    },
    "--budget <s>": {
      help: "most seconds for added rounds (0 to 86400)",
      commands: ADDING_ROUNDS,
      fallbackText: {
        else:
          "2 % of the time of the first rounds: enough for a few results, not for a whole round",
        versus: "the time of the first rounds",
      },
      parse: seconds(0, 86_400),
    },
    "--quick": {
      help: "smoke run: one round of 1 s, without confidence intervals",
      brief: "smoke run: one round of 1 s",
      commands: ["run", "generators"],
    },
    "--no-slices": {
      help: "measure each server alone: no relative CPU time, ratios from windows",
      commands: ["run", "noise", "versus", "bisect"],
      quick: false,
    },
    "--generator <id>": {
      help:
        "load generator of windows; auto takes the fastest installed one for HTTP/1.1; slices always use stampede",
      commands: ["run", "noise", "versus", "releases", "bisect"],
      choices: [...GENERATORS.map(({ id }) => id), "auto"],
      fallbackText: {
        else: "autocannon",
        run:
          "autocannon (--http2: h2load; --rate: stampede), or stampede if autocannon would be the bottleneck",
        noise: "autocannon (--http2: h2load)",
        versus: "stampede",
        releases: "stampede",
        bisect: "stampede",
      },
    },
    "--shards <n>": {
      help:
        "processes of autocannon or stampede, or threads of wrk or h2load, that share the connections (1 to 64); other generators have no such setting",
      commands: MEASURING,
      fallback: 1,
      parse: whole(1, 64),
    },
    "--seed <n>": {
      help: "seed for the order of servers and scenarios (0 to 4294967295)",
      commands: MEASURING,
      fallbackText: "random",
      parse: whole(0, 2 ** 32 - 1),
    },
  },
};

function append(text: string, previous: unknown): string[] {
  return [...(previous as string[] | undefined ?? []), text];
}

/** Parses faults separated by commas, and puts them in the order of `FAULTS`. */
function faults(text: string): FaultId[] {
  const asked = text.split(",").map((part) => part.trim());
  const unknown = asked.find((word) => !FAULTS.some((known) => known === word));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no "${unknown}": choose from ${FAULTS.join(", ")}.`);
  }
  return FAULTS.filter((word) => asked.includes(word));
}

/** Highest --rate in percent of the slowest server's rate: enough to see it in overload. */
const MOST_SHARE = 200;

/** Parses rates and shares of the slowest server's rate: `100,2000/s,50%`. */
function rates(text: string): Rates {
  const parts = text.split(",").map((part) => part.trim());
  const [shares = [], perS = []] = [true, false].map((isShare) =>
    parts.filter((part) => part.endsWith("%") === isShare)
  );
  return {
    perS: perS.length === 0 ? [] : list(perSecond(0.1, 200_000))(perS.join()),
    shares: shares.length === 0 ? [] : list(percent(1, MOST_SHARE))(shares.join()),
  };
}

function slo(text: string): Slo {
  try {
    return parseSlo(text);
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
