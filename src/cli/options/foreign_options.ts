/** Options of other tools, with their names in Stampede. */
import { Option } from "commander";
import { FORMATS } from "../../view/reporters.ts";
import type { CommandName } from "./option_spec.ts";
import { OPTIONS } from "./option_table.ts";

/** What to use in the place of another tool's option. */
interface Foreign {
  readonly flags: readonly string[];
  /** The option here, with a value; null: none is needed. */
  readonly meant: string | null;
  readonly why: string;
}

/** Of wrk, ab, hey, oha, k6, h2load, bombardier and autocannon; the flags that this program has are not here. */
const FOREIGN: readonly Foreign[] = [
  {
    flags: ["-n", "-a", "--requests", "--amount", "--iterations"],
    meant: "-z 10s",
    why: "Stampede measures for a time, not a number of requests",
  },
  {
    flags: ["-t", "-w", "--threads"],
    meant: "--shards 2",
    why: "it starts more processes of the load generator; servers have --workers",
  },
  {
    flags: ["-q", "-R", "--qps", "--overallRate", "--rps"],
    meant: "--rate 500",
    why: "it sends so many requests a second",
  },
  {
    flags: ["-r"],
    meant: "--rate 500",
    why: "it sends so many requests a second; runs are --rounds",
  },
  { flags: ["-m", "--method"], meant: "-X POST", why: "it is the method of the request" },
  {
    flags: ["-l", "--latency", "--latencies"],
    meant: null,
    why: "latencies are always printed, and --wide prints more of them",
  },
  { flags: ["-u", "--vus"], meant: "-c 50", why: "connections do what virtual users do" },
  { flags: ["-b", "--body"], meant: "-d '{}'", why: "it is the body of the request" },
  { flags: ["-D", "--time"], meant: "-z 10s", why: "it is how long each window lasts" },
  { flags: ["-k", "--keepalive"], meant: null, why: "connections are always kept alive" },
  {
    flags: ["-T", "--content-type"],
    meant: "-H 'content-type: text/plain'",
    why: "it is a header",
  },
  { flags: ["-o", "--output"], meant: "--out FILE", why: "the report is written there" },
  { flags: ["-j"], meant: "--json", why: "it prints the report as JSON" },
];

/**
 * Suggests an option in place of one that a command does not have.
 *
 * @param option the typed option: `-n`, `-t4`, `--latency`
 * @returns null if nothing is known.
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
