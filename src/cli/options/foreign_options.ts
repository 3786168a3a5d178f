/** Suggests options for those that people know from other tools. */
import { Option } from "commander";
import { FORMATS } from "../../view/reporters.ts";
import type { CommandName } from "./option_spec.ts";
import { OPTIONS } from "./option_table.ts";

/** An option of another tool, and Stampede's replacement. */
interface Foreign {
  readonly flags: readonly string[];
  /** The option of Stampede with the same effect, with an example value; null if none is needed. */
  readonly meant: string | null;
  readonly why: string;
}

/** Options of wrk, ab, hey, oha, k6, h2load, bombardier and autocannon that Stampede does not have. */
const FOREIGN: readonly Foreign[] = [
  {
    flags: ["-n", "-a", "--requests", "--amount", "--iterations"],
    meant: "-z 10s",
    why: "Stampede measures for a time, not a number of requests",
  },
  {
    flags: ["-t", "-w", "--threads"],
    meant: "--shards 2",
    why: "it sets the load generator's processes; --workers sets the server's",
  },
  {
    flags: ["-q", "-R", "--qps", "--overallRate", "--rps"],
    meant: "--rate 500",
    why: "requests per second",
  },
  {
    flags: ["-r"],
    meant: "--rate 500",
    why: "requests per second; --rounds repeats the measurement",
  },
  { flags: ["-m", "--method"], meant: "-X POST", why: "the HTTP method" },
  {
    flags: ["-l", "--latency", "--latencies"],
    meant: null,
    why: "latencies are always printed, and --wide prints more of them",
  },
  { flags: ["-u", "--vus"], meant: "-c 50", why: "connections replace virtual users" },
  { flags: ["-b", "--body"], meant: "-d '{}'", why: "the request body" },
  { flags: ["-D", "--time"], meant: "-z 10s", why: "the length of each window" },
  { flags: ["-k", "--keepalive"], meant: null, why: "connections are always kept alive" },
  {
    flags: ["-T", "--content-type"],
    meant: "-H 'content-type: text/plain'",
    why: "a request header",
  },
  { flags: ["-o", "--output"], meant: "--out FILE", why: "the report's file" },
  { flags: ["-j"], meant: "--json", why: "the report as JSON" },
];

/**
 * Returns a suggestion for an option that a command does not have; null if none is known.
 *
 * @param option the option as typed: `-n`, `-t4`, `--latency`
 */
export function meantBy(option: string, command: CommandName): string | null {
  const flag = option.startsWith("--") ? option : option.slice(0, 2);
  const owners = OPTIONS.filter(({ flags }) => {
    const { short, long } = new Option(flags);
    return [short, long].includes(flag);
  }).flatMap(({ commands }) => commands);
  const format = FORMATS.find((format) => flag === `--${format}`);
  if (command === "report" && format !== undefined) {
    return `report has no ${flag}: did you mean --format ${format} --out FILE?`;
  }
  if (owners.length > 0) {
    return `${command} has no ${flag}: it is an option of ${[...new Set(owners)].join(", ")}`;
  }
  const foreign = FOREIGN.find(({ flags }) => flags.includes(flag));
  if (foreign === undefined) return null;
  const { meant, why } = foreign;
  return meant === null
    ? `There is no option ${flag}, and none is needed: ${why}`
    : `There is no option ${flag}: did you mean ${meant}? (${why})`;
}
