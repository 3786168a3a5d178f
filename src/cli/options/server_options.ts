import { MEASURING, type OptionSpec } from "./option_spec.ts";
import { list, whole } from "./option_values.ts";

const MOST_WORKERS = 256;

/** How servers are built, and what they are told. */
export const SERVER_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--workers <n,...>",
    help:
      "processes or threads of each server whose number can be set (1 to 256); several numbers make a table of what more of them do",
    commands: ["run"],
    fallback: [1],
    fallbackText: "1",
    parse: list(whole(1, MOST_WORKERS)),
  },
  {
    flags: "--workers <n>",
    help: "processes or threads of each server whose number can be set (1 to 256)",
    commands: [...MEASURING.filter((name) => name !== "run"), "verify", "faults"],
    fallback: 1,
    parse: whole(1, MOST_WORKERS),
  },
  {
    flags: "--cache <folder>",
    help: "where servers are built, once for each content",
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
  {
    flags: "--db-pool <n>",
    help: "connections of a server to PostgreSQL (1 to 1000)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "DB_POOL",
    fallbackText: {
      else: "as many as the load has connections, 100 at most (--rate: 10)",
      capacity: "10",
      verify: "10",
      faults: "10",
      serve: "10",
    },
    parse: whole(1, 1000),
  },
  {
    flags: "--cpu-workers <n>",
    help: "threads of a server for primes (1 to 256)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "CPU_WORKERS",
    fallbackText: "number of cores",
    parse: whole(1, 256),
  },
  {
    flags: "--queue-limit <n>",
    help: "requests that may wait for a worker or for the database (0 to 1000000)",
    commands: [...MEASURING, "verify", "faults", "serve"],
    env: "QUEUE_LIMIT",
    fallback: 10_000,
    parse: whole(0, 1_000_000),
  },
  {
    flags: "--allow-remote-database",
    help: "allow a database that is not on this machine",
    commands: [...MEASURING, "verify", "faults", "serve", "clean-database"],
    fallback: false,
  },
];
