import { FAULTS } from "../../model/fault.ts";
import { MEASURING, type OptionSpec } from "./option_spec.ts";
import { append, choices, whole } from "./option_values.ts";

/** Options that select the servers, scenarios and requests to measure. */
export const WORKLOAD_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--servers <ids>",
    help: {
      else: "servers of the suite, separated by commas, or all",
      noise: "a server of the suite",
      generators: "a server of the suite",
      versus: "a server of the suite",
    },
    brief: "servers of the suite, or all",
    commands: [...MEASURING, "verify", "faults", "history"],
    fallbackText: { else: "deno, or none with --server", history: "all" },
  },
  {
    flags: "--server <file>",
    help: {
      else: "your server, by its manifest server.json; repeatable",
      new: "the manifest of your server that will implement the scenario",
    },
    brief: "your server, by its manifest server.json",
    commands: [...MEASURING, "verify", "faults", "new"],
    parse: append,
  },
  {
    flags: "--scenario <file>",
    help: "your scenario, a JavaScript or TypeScript module; repeatable",
    commands: [...MEASURING, "verify", "export"],
    parse: append,
  },
  {
    flags: "--mix <shares>",
    help:
      "a weighted mix of scenarios, such as db=80,updates=20, with figures for each kind of request; repeatable",
    commands: ["run", "capacity", "versus"],
    parse: append,
  },
  {
    flags: "--preset <id>",
    help:
      "repeat a published benchmark with its own load: concurrency, deno-http, encore, mighty-node, techempower, or a file",
    commands: ["run"],
  },
  {
    flags: "-X, --request <method>",
    help: "HTTP method for a URL",
    commands: ["run", "export"],
    choices: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    fallbackText: "GET, or POST with --data",
  },
  {
    flags: "-H, --header <text>",
    help: "request header for a URL, as 'name: value'; repeatable",
    commands: ["run", "export"],
    parse: append,
  },
  {
    flags: "-d, --data <text>",
    help: "request body for a URL, or @file to read it from a file",
    commands: ["run", "export"],
  },
  {
    flags: "--pid <n>",
    help: "process id of the server at a URL, to measure its CPU time and memory",
    commands: ["run"],
    fallbackText: "on Linux, the process that listens there",
    parse: whole(1, 2 ** 31 - 1),
  },
  {
    flags: "--yes-i-may-load-this-host",
    help: "load a URL on another machine, with its owner's consent",
    commands: ["run", "export"],
    fallback: false,
  },
  {
    flags: "--like <id>",
    help: "the server of the suite to copy",
    commands: ["new"],
    fallback: "hono-deno",
  },
  {
    flags: "--only <faults>",
    help: `inject only these faults, separated by commas: ${FAULTS.join(", ")}`,
    commands: ["faults"],
    fallbackText: "all",
    parse: choices(FAULTS),
  },
];
