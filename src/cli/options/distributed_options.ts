/** Options for loads from several machines. */
import { InvalidArgumentError } from "commander";
import { MOST } from "../../model/limits.ts";
import { type OptionTable, perSecond, seconds, whole } from "./option_spec.ts";

export const OPTIONS_OF_RUNNERS: OptionTable = {
  "--rate <n>": {
    help:
      "requests per second at each scenario, from all runners together (0.1 to 100000000; required)",
    commands: ["export"],
    parse: (text) => ({ perS: [perSecond(0.1, 100_000_000)(text)], shares: [] }),
  },
  "-z, --duration <s>": {
    help: "length of each scenario (1 to 600 seconds), such as 30 or 30s",
    commands: ["export"],
    fallback: 30,
    parse: seconds(1, MOST.windowS), // k6 refuses less than a second
  },
  "--target <url>": {
    help: "address of the server for the runners, such as http://10.0.0.7:8000",
    commands: ["export"],
    fallbackText: "the URL's host, or http://127.0.0.1:8000",
  },
  "--users <n>": {
    help:
      "k6's virtual users, from all runners together: the most requests in flight (1 to 10000000)",
    commands: ["export"],
    fallbackText:
      "--rate times the longest time in --slo, at least 256; with --kubernetes also at least --parallelism",
    parse: whole(1, 10_000_000),
  },
  "--kubernetes <file>": {
    help: "also write a ConfigMap with the script and a TestRun for k6-operator to this file",
    commands: ["export"],
  },
  "--parallelism <n>": {
    help: "runners of that TestRun, one per node (1 to 1000)",
    commands: ["export"],
    fallback: 2,
    parse: whole(1, 1000),
  },
  "--runner-cpu <quantity>": {
    help: "processors of each of these runners (0.1 to 256), such as 2 or 500m",
    commands: ["export"],
    fallback: "1", // fits on a node of 2 processors, together with the node's own pods
    fallbackText: "1",
    parse: processors,
  },
  "--runner-memory <quantity>": {
    help: "memory of each of these runners (64Mi to 1024Gi), such as 512Mi",
    commands: ["export"],
    fallback: "1Gi", // at 0.6 to 5 MB per virtual user, 200 users or more
    fallbackText: "1Gi",
    parse: memory,
  },
  "--with-values": {
    help:
      "write the values of headers, queries and bodies into the script; by default they are variables, since they may be secret",
    commands: ["export"],
  },
  "--partial": {
    help: "merge the readable files, even if runners are missing or files are damaged",
    commands: ["import"],
  },
  "--out <file>": {
    help: "write the script to this file",
    commands: ["export"],
    fallbackText: "standard output",
  },
};

/** Checks processors as Kubernetes writes them: `2`, `0.5` or `500m`. */
function processors(text: string): string {
  const number = /^\d+m$/.test(text) ? Number(text.slice(0, -1)) / 1000 : Number(text);
  if (/^\d+(\.\d{1,3}|m)?$/.test(text) && number >= 0.1 && number <= 256) return text;
  throw new InvalidArgumentError(
    "It must be a number of processors from 0.1 to 256, such as 2, or 500m for half of one.",
  );
}

/** Bytes per unit of memory in Kubernetes. */
const BYTES: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** Checks an amount of memory as Kubernetes writes it: `512Mi` or `1.5Gi`. */
function memory(text: string): string {
  const [, number, unit = ""] = /^(\d+(?:\.\d{1,3})?)([kMG]|[KMG]i)$/.exec(text) ?? [];
  const bytes = Number(number) * (BYTES[unit] ?? NaN);
  if (bytes >= 64 * 2 ** 20 && bytes <= 2 ** 40) return text;
  throw new InvalidArgumentError(
    "It must be an amount of memory from 64Mi to 1024Gi with its unit, such as 512Mi or 2Gi.",
  );
}
