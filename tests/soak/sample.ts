/** Samples of a soak. */
import { UsageError } from "../../src/model/errors.ts";

/** Latencies of one interval in ms, from the scheduled send time (no coordinated omission). */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Measurements of one interval. */
export interface Sample {
  /** End of the interval, in seconds since the load began. */
  readonly atS: number;
  /** Resident and proportional set size of the server's process; null if Linux does not report it. */
  readonly rssBytes: number;
  readonly pssBytes: number | null;
  /** Open file descriptors of the server's process. */
  readonly files: number;
  /** Latency of `/`; null: no response in this interval. */
  readonly latency: Latencies | null;
  /** Latency of the null server in the same interval: the share of the machine and the client. */
  readonly reference: Latencies | null;
  /** Polite requests with a 2xx response, with another status, and without a response. */
  readonly right: number;
  readonly refused: number;
  readonly failed: number;
  /** Hostile clients that have started. */
  readonly hostile: number;
}

/** Returns quantiles of latencies; null if there are none. */
export function latenciesOf(values: readonly number[]): Latencies | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** Memory and descriptors of a process. */
export interface Held {
  readonly rssBytes: number;
  readonly pssBytes: number | null;
  readonly files: number;
}

/** Reads memory and descriptors of a process from Linux. https://man7.org/linux/man-pages/man5/proc_pid_smaps.5.html */
export async function readHeld(pid: number): Promise<Held> {
  const kibibytes = (text: string, name: string): number | null => {
    const [, digits] = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text) ?? [];
    return digits === undefined ? null : 1024 * Number(digits);
  };
  const [status, rollup] = await Promise.all([
    Deno.readTextFile(`/proc/${pid}/status`),
    Deno.readTextFile(`/proc/${pid}/smaps_rollup`).catch(() => ""),
  ]);
  return {
    rssBytes: kibibytes(status, "VmRSS") ?? 0,
    pssBytes: kibibytes(rollup, "Pss"),
    files: (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length,
  };
}

/** Columns of a CSV file: times in seconds or ms, memory in bytes. */
const COLUMNS: readonly (readonly [string, (sample: Sample) => number | null | undefined])[] = [
  ["at_s", ({ atS }) => atS],
  ["rss_bytes", ({ rssBytes }) => rssBytes],
  ["pss_bytes", ({ pssBytes }) => pssBytes],
  ["files", ({ files }) => files],
  ["p50_ms", ({ latency }) => latency?.p50],
  ["p99_ms", ({ latency }) => latency?.p99],
  ["longest_ms", ({ latency }) => latency?.longest],
  ["reference_p50_ms", ({ reference }) => reference?.p50],
  ["reference_p99_ms", ({ reference }) => reference?.p99],
  ["reference_longest_ms", ({ reference }) => reference?.longest],
  ["right", ({ right }) => right],
  ["refused", ({ refused }) => refused],
  ["failed", ({ failed }) => failed],
  ["hostile", ({ hostile }) => hostile],
];
const HEADER = COLUMNS.map(([name]) => name).join(",");

/** Formats samples as CSV, one line each. */
export function csvOf(samples: readonly Sample[]): string {
  const lines = samples.map((sample) => COLUMNS.map(([, of]) => of(sample) ?? "").join(","));
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/**
 * Parses samples from the CSV of an earlier soak.
 *
 * @throws {UsageError} if the text has other columns, or a cell is not a number.
 */
export function parseSamples(csv: string): Sample[] {
  const [header, ...lines] = csv.trimEnd().split("\n");
  if (header !== HEADER) throw new UsageError(`The first line of samples must be: ${HEADER}`);
  return lines.map((line, i) => {
    const cells = line.split(",").map((cell) => cell === "" ? null : Number(cell));
    if (cells.length !== COLUMNS.length || cells.some(Number.isNaN)) {
      throw new UsageError(`Line ${i + 2} of the samples is not a list of numbers: ${line}`);
    }
    const values = new Map(COLUMNS.map(([name], column) => [name, cells[column] ?? null]));
    const known = (name: string): number | null => values.get(name) ?? null;
    const count = (name: string): number => known(name) ?? 0;
    const latencies = (prefix: string): Latencies | null => {
      const [p50, p99, longest] = ["p50", "p99", "longest"].map((name) =>
        known(`${prefix}${name}_ms`)
      );
      return typeof p50 === "number" && typeof p99 === "number" && typeof longest === "number"
        ? { p50, p99, longest }
        : null;
    };
    return {
      atS: count("at_s"),
      rssBytes: count("rss_bytes"),
      pssBytes: known("pss_bytes"),
      files: count("files"),
      latency: latencies(""),
      reference: latencies("reference_"),
      right: count("right"),
      refused: count("refused"),
      failed: count("failed"),
      hostile: count("hostile"),
    };
  });
}
