import { list, MEASURING, type OptionSpec, whole } from "./option_spec.ts";

/** Maximum number of processes or threads of one server. A larger number is probably a typo. */
const MOST_WORKERS = 256;

/** Options for servers' use of the machine: processes, threads, addresses, builds. */
export const MACHINE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--workers <n,...>",
    help:
      "processes or threads of each server, if its manifest can set them (1 to 256); several values are compared in a table",
    commands: ["run"],
    fallback: [1],
    fallbackText: "1",
    parse: list(whole(1, MOST_WORKERS)),
  },
  {
    flags: "--workers <n>",
    help: "processes or threads of each server, if its manifest can set them (1 to 256)",
    commands: [...MEASURING.filter((name) => name !== "run"), "verify", "faults"],
    fallback: 1,
    parse: whole(1, MOST_WORKERS),
  },
  {
    flags: "--pin",
    help: "pin server, database and load generator to separate CPUs, if there are enough",
    commands: MEASURING,
    fallback: false,
  },
  {
    flags: "--cpu-workers <n>",
    help: "threads for primes in a server (1 to 256)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "CPU_WORKERS",
    fallbackText: "number of cores",
    parse: whole(1, 256),
  },
  {
    flags: "--queue-limit <n>",
    help: "requests that may wait for a worker or the database (0 to 1000000)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "QUEUE_LIMIT",
    fallback: 10_000,
    parse: whole(0, 1_000_000),
  },
  {
    flags: "--cache <folder>",
    help: "folder for built servers; a server is built again if its files change",
    commands: [...MEASURING, "verify", "faults"],
    env: "STAMPEDE_CACHE",
    fallbackText: "the user's cache folder",
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
];

/** Options for the servers' database. */
export const DATABASE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--db-pool <n>",
    help: "connections from a server to PostgreSQL (1 to 1000)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "DB_POOL",
    fallbackText: {
      else: "the number of --connections, at most 100 (--rate: 10)",
      capacity: "10",
      verify: "10",
      faults: "10",
      serve: "10",
    },
    parse: whole(1, 1000),
  },
  {
    flags: "--allow-remote-database",
    help: "use a database on another machine",
    commands: [...MEASURING, "verify", "faults", "serve", "clean-database"],
    fallback: false,
  },
];

/** The variables that name a database. They have no flags, because process lists show arguments. */
export const DATABASE_VARIABLES:
  readonly (readonly [name: string, fallback: string, help: string])[] = [
    [
      "DATABASE_URL",
      "",
      "the PostgreSQL server to use, such as postgres://user:password@127.0.0.1:5432/database; if neither this nor one of the next five is set, Stampede starts an embedded one",
    ],
    ["PGHOST", "127.0.0.1", "the same in parts, as libpq reads them: host"],
    ["PGPORT", "5432", "port"],
    ["PGUSER", "USER, or postgres", "user"],
    ["PGPASSWORD", "", "password"],
    ["PGDATABASE", "the user's name", "database"],
  ];
