import { InvalidArgumentError } from "commander";
import { GENERATORS } from "../load/mod.ts";

/** Every subcommand that takes options. */
export type CommandName =
  | "run"
  | "list"
  | "verify"
  | "doctor"
  | "noise"
  | "serve"
  | "clean-database";

/** One option: where it applies, how it is read, and what it is when it is not given. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  readonly commands: readonly CommandName[];
  /** A variable that sets it too; the flag wins. */
  readonly env?: string;
  readonly fallback?: unknown;
  /** The fallback under --quick, where that is another. */
  readonly quick?: unknown;
  /** How the fallback is worded, where its value does not say it. */
  readonly fallbackText?: string;
  readonly choices?: readonly string[];
  /** Reads the value; gets the one before where the option was given more than once. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}

/** The one table of options: help, defaults, checks and .env.example all come from here. */
export const OPTIONS: readonly OptionSpec[] = [
  {
    flags: "-c, --connections <n,...>",
    help: "connections, each with one request under way (1 to 10000); several numbers make a sweep",
    commands: ["run", "noise", "doctor"],
    fallbackText: "10; delay: 100",
    parse: list(whole(1, 10_000)),
  },
  {
    flags: "-z, --duration <s>",
    help: "seconds that each window lasts (0.5 to 600)",
    commands: ["run", "noise"],
    fallback: 1.5,
    quick: 1,
    parse: number(0.5, 600),
  },
  {
    flags: "--warmup <s>",
    help: "seconds of load before each window (0 to 60)",
    commands: ["run", "noise"],
    fallbackText: "0.5; sql1, sql2, books: 1.25",
    parse: number(0, 60),
  },
  {
    flags: "--rounds <n>",
    help: "fresh server processes, each measured at every scenario (1 to 100)",
    commands: ["run", "noise"],
    fallbackText: "6, and more where --width asks for them",
    quick: 1,
    parse: whole(1, 100),
  },
  {
    flags: "--width <percent>",
    help:
      "add rounds until half an interval is no wider than this, in percent of the figure (0.1 to 50)",
    commands: ["run", "noise"],
    fallback: 3,
    parse: number(0.1, 50),
  },
  {
    flags: "--max-rounds <n>",
    help: "rounds at most, with those that are added (1 to 100)",
    commands: ["run", "noise"],
    fallbackText: "15, or --rounds if that is given",
    parse: whole(1, 100),
  },
  {
    flags: "--budget <s>",
    help: "seconds that added rounds may take (0 to 86400)",
    commands: ["run", "noise"],
    fallbackText: "0.4 of what the first rounds take",
    parse: number(0, 86_400),
  },
  {
    flags: "--quick",
    help: "one round of 1 s: a look, not a measurement",
    commands: ["run"],
    fallback: false,
  },
  {
    flags: "--servers <ids>",
    help: "servers of the suite, separated by commas, or all",
    commands: ["run", "verify", "noise"],
    fallbackText: "deno, unless there is a --server",
  },
  {
    flags: "--server <file>",
    help: "a server of yours: its manifest server.json; may be given more than once",
    commands: ["run", "verify", "noise"],
    parse: (text, previous) => [...(previous as string[] | undefined ?? []), text],
  },
  {
    flags: "--workers <n>",
    help: "processes or scheduler threads of each server that can be told (1 to 256)",
    commands: ["run", "verify", "noise"],
    fallback: 1,
    parse: whole(1, 256),
  },
  {
    flags: "--cache <folder>",
    help: "where servers are built, once for each content",
    commands: ["run", "verify", "noise"],
    env: "STAMPEDE_CACHE",
    fallbackText: "the user's cache folder",
  },
  {
    flags: "--generator <id>",
    help: "load generator",
    commands: ["run", "noise"],
    choices: GENERATORS.map(({ id }) => id),
    fallback: "autocannon",
  },
  {
    flags: "--shards <n>",
    help: "processes of the load generator, which share the connections (1 to 64)",
    commands: ["run", "noise"],
    fallback: 1,
    parse: whole(1, 64),
  },
  {
    flags: "--pin",
    help: "give server, database and load generator processors of their own, if there are enough",
    commands: ["run", "noise"],
    fallback: false,
  },
  {
    flags: "--explain <scenarios>",
    help: "print the evidence behind the figures of these scenarios, or of all",
    commands: ["run"],
  },
  {
    flags: "--seed <n>",
    help: "seed of the order of servers and scenarios (0 to 4294967295)",
    commands: ["run", "noise"],
    fallbackText: "random",
    parse: whole(0, 2 ** 32 - 1),
  },
  {
    flags: "--out <file>",
    help: "where the report goes",
    commands: ["run", "noise"],
    fallbackText: "results/<time>.json",
  },
  {
    flags: "--json",
    help: "print the report as JSON and nothing else",
    commands: ["run"],
    fallback: false,
  },
  {
    flags: "--dry-run",
    help: "print the plan and stop",
    commands: ["run"],
    fallback: false,
  },
  {
    flags: "--host <address>",
    help: "address to listen on",
    commands: ["serve"],
    env: "HOST",
    fallback: "127.0.0.1",
  },
  {
    flags: "--port <n>",
    help: "port to listen on (1 to 65535)",
    commands: ["serve"],
    env: "PORT",
    fallback: 8000,
    parse: whole(1, 65535),
  },
  {
    flags: "--db-pool <n>",
    help: "connections of a server to PostgreSQL (1 to 1000)",
    commands: ["run", "verify", "noise", "serve"],
    env: "DB_POOL",
    fallbackText: "10; run: as many as the load has, 100 at most",
    parse: whole(1, 1000),
  },
  {
    flags: "--cpu-workers <n>",
    help: "threads of a server for primes (1 to 256)",
    commands: ["run", "verify", "noise", "serve"],
    env: "CPU_WORKERS",
    fallbackText: "number of cores",
    parse: whole(1, 256),
  },
  {
    flags: "--queue-limit <n>",
    help: "requests that may wait for a worker or for the database (0 to 1000000)",
    commands: ["run", "verify", "noise", "serve"],
    env: "QUEUE_LIMIT",
    fallback: 10_000,
    parse: whole(0, 1_000_000),
  },
  {
    flags: "--allow-remote-database",
    help: "allow a database that is not on this machine",
    commands: ["run", "verify", "noise", "serve", "clean-database"],
    fallback: false,
  },
  {
    flags: "--debug",
    help: "show where an error comes from",
    commands: ["run", "list", "verify", "doctor", "noise", "serve", "clean-database"],
    fallback: false,
  },
];

/** The variables that name a database; they have no flags, since arguments show in process lists. */
export const DATABASE_VARIABLES:
  readonly (readonly [name: string, fallback: string, help: string])[] = [
    [
      "DATABASE_URL",
      "",
      "a PostgreSQL server to use, such as postgres://user:password@127.0.0.1:5432/database; if neither this nor any of the next five is set, Stampede brings its own",
    ],
    ["PGHOST", "127.0.0.1", "the same in parts, as libpq reads them: host"],
    ["PGPORT", "5432", "port"],
    ["PGUSER", "USER, or postgres", "user"],
    ["PGPASSWORD", "", "password"],
    ["PGDATABASE", "the user's name", "database"],
  ];

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Numbers separated by commas, each once, in ascending order. */
function list(parse: (text: string) => number): (text: string) => number[] {
  return (text) =>
    [...new Set(text.split(",").map((part) => parse(part.trim())))].sort((a, b) => a - b);
}

function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}
