import { FAULTS } from "../../model/fault.ts";
import { MEASURING, type OptionSpec } from "./option_spec.ts";
import { append, choices, whole } from "./option_values.ts";

/** What is measured. */
export const WORKLOAD_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "-X, --request <method>",
    help: "of a URL: its method",
    commands: ["run", "export"],
    choices: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    fallbackText: "GET, or POST with --data",
  },
  {
    flags: "-H, --header <text>",
    help: "of a URL: a header 'name: value'; may be given more than once",
    commands: ["run", "export"],
    parse: append,
  },
  {
    flags: "-d, --data <text>",
    help: "of a URL: the body, or @ and the file that holds it",
    commands: ["run", "export"],
  },
  {
    flags: "--pid <n>",
    help: "of a URL: the server's process, whose CPU time and memory are then known",
    commands: ["run"],
    fallbackText: "on Linux, the one that listens there",
    parse: whole(1, 2 ** 31 - 1),
  },
  {
    flags: "--yes-i-may-load-this-host",
    help: "of a URL: the host is not this machine, and its owner agrees",
    commands: ["run", "export"],
    fallback: false,
  },
  {
    flags: "--scenario <file>",
    help: "a scenario of yours: a module; may be given more than once",
    commands: [...MEASURING, "verify", "export"],
    parse: append,
  },
  {
    flags: "--mix <shares>",
    help:
      "scenarios whose requests are sent in turn, such as db=80,updates=20: a scenario of its own, with figures for each kind; may be given more than once",
    commands: ["run", "capacity", "versus"],
    parse: append,
  },
  {
    flags: "--servers <ids>",
    help: {
      else: "servers of the suite, separated by commas, or all",
      noise: "a server of the suite",
      generators: "a server of the suite",
      versus: "a server of the suite",
    },
    commands: [...MEASURING, "verify", "faults", "history"],
    fallbackText: { else: "deno, unless there is a --server", history: "all" },
  },
  {
    flags: "--server <file>",
    help: {
      else: "a server of yours: its manifest server.json; may be given more than once",
      new: "the manifest of a server of yours that is to implement a new scenario",
    },
    commands: [...MEASURING, "verify", "faults", "new"],
    parse: append,
  },
  {
    flags: "--like <id>",
    help: "the server of the suite that a new one is a copy of",
    commands: ["new"],
    fallback: "hono-deno",
  },
  {
    flags: "--only <faults>",
    help: `these faults, separated by commas: ${FAULTS.join(", ")}`,
    commands: ["faults"],
    fallbackText: "all",
    parse: choices(FAULTS),
  },
  {
    flags: "--preset <id>",
    help:
      "published work, measured again with its own load: concurrency, deno-http, encore, mighty-node, techempower, or a file",
    commands: ["run"],
  },
];
