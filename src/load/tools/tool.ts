/** External load generators: their interface, and helpers that read their output strictly. */
import type { Latency, Measurement } from "../../model/raw.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import type { Alpn } from "../../model/server.ts";
import type { LoadGenerator } from "../generator.ts";

/** A load generator that is a separate program. Its functions are pure. */
export interface Tool
  extends Omit<LoadGenerator, "canTalk" | "isBuiltIn" | "command" | "ask" | "parse"> {
  /** Command that prints its version, and a pattern that finds the version in the output. */
  readonly version: { readonly command: readonly string[]; readonly pattern: RegExp };
  /** Instructions to install it. */
  readonly install: string;
  /** Whether the load can end after a number of requests. */
  readonly requests: boolean;
  /** Shortest load, and step of its length, in seconds. */
  readonly stepS: number;
  /** Text in its output that marks the start of the load; null: the load starts at once. */
  readonly startsWith: string | null;
  invoke(load: ToolLoad): Invocation;
  /** Reads the output of a successful run for {@linkcode readingOf}. */
  read(output: ToolOutput): Reading;
}

/** One load for a tool: for a time, or for a number of requests. */
export interface ToolLoad {
  readonly url: string;
  /** Protocol over TLS; null: no TLS. Stampede has checked the certificate already. */
  readonly alpn: Alpn | null;
  readonly request: HttpRequest;
  readonly connections: number;
  readonly threads: number;
  /** Length in seconds; null if the load ends after a number of requests. */
  readonly seconds: number | null;
  /** Number of requests that ends the load; null if it ends by time. */
  readonly requests: number | null;
  readonly timeoutS: number;
}

/** Command line and files for one load; `{DIR}` stands for a temporary folder with these files. */
export interface Invocation {
  readonly argv: readonly string[];
  /** Contents of the files that the tool reads, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Name of the file with the tool's result; null: standard output. */
  readonly result: string | null;
}

/** The output of one run of a tool. */
export interface ToolOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Contents of the result file; null if there is none. */
  readonly result: string | null;
}

/** The measurements that a tool reports; null in place of those that the tool does not report. */
export type Reading = Pick<
  Measurement,
  "durationS" | "statuses" | "transportErrors" | "timeouts" | "bytes" | "latency"
>;

/** Reads the output of a run; throws a {@linkcode SyntaxError} that names an invalid value. */
export function readingOf(tool: Tool, output: ToolOutput): Reading {
  const { exitCode, stdout, stderr } = output;
  if (exitCode !== 0) {
    const last = (stderr.trim() || stdout.trim()).split("\n").at(-1) || "no message";
    throw new SyntaxError(`${tool.id} ended with exit code ${exitCode}: ${last}`);
  }
  const { durationS, statuses, ...others } = tool.read(output);
  if (durationS === Infinity) throw new SyntaxError("The duration of the load is infinite");
  if (!(durationS > 0)) throw new SyntaxError("The duration of the load is 0");
  const counts = Object.entries(statuses).filter(([, count]) => toCount(count) > 0);
  return { durationS, statuses: Object.fromEntries(counts), ...others };
}

/** Splits a command line at its spaces. Text that may contain spaces must not be part of it. */
export function words(line: string): string[] {
  return line.split(" ");
}

/** Formats a duration as whole milliseconds, for tools that accept no fractions. */
export function milliseconds(seconds: number): string {
  return `${Math.round(1000 * seconds)}ms`;
}

/** Returns the only group's number; throws a {@linkcode SyntaxError} that names `what`. */
export function numberIn(text: string, pattern: RegExp, what: string): number {
  const value = Number(pattern.exec(text)?.[1] ?? NaN);
  if (!Number.isFinite(value)) throw new SyntaxError(`Cannot read ${what}`);
  return value;
}

/** Returns a count as {@linkcode numberIn} does; 0 if the tool omits the line. */
export function countIn(text: string, pattern: RegExp): number {
  return toCount(Number(pattern.exec(text)?.[1] ?? 0));
}

/** A tool's JSON. Its members throw a {@linkcode SyntaxError} that names a missing value. */
export class Printed {
  readonly #value: unknown;

  /** Parses JSON; throws a {@linkcode SyntaxError} with the tool's id if the text is not JSON. */
  constructor(id: string, text: string | null) {
    try {
      this.#value = JSON.parse(text ?? "");
    } catch {
      throw new SyntaxError(`${id} printed incomplete JSON`);
    }
  }

  /** Returns the value at a path of keys; undefined if there is none. */
  at(...path: readonly string[]): unknown {
    return path.reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
      this.#value,
    );
  }

  number(...path: readonly string[]): number {
    const found = this.at(...path);
    if (typeof found === "number" && Number.isFinite(found)) return found;
    throw new SyntaxError(`No number at ${path.join(" . ")}`);
  }

  count(...path: readonly string[]): number {
    return toCount(this.number(...path));
  }

  object(...path: readonly string[]): Readonly<Record<string, unknown>> {
    const found = this.at(...path);
    if (typeof found === "object" && found !== null) return found as Record<string, unknown>;
    throw new SyntaxError(`No object at ${path.join(" . ")}`);
  }
}

const FIGURES = ["meanUs", "minUs", "p50Us", "p90Us", "p99Us", "p999Us", "maxUs"] as const;

/** Returns latencies in µs. `read` finds a figure by the tool's name for it; others are unknown. */
export function latencyOf<Name>(
  count: number,
  names: Readonly<Partial<Record<typeof FIGURES[number], Name>>>,
  read: (name: Name) => number | null,
): Latency {
  const figures = FIGURES.map((figure) => {
    const name = names[figure];
    return [figure, name === undefined ? null : read(name)];
  });
  return { count, ...Object.fromEntries(figures), histogram: null };
}

function toCount(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new SyntaxError(`${value} is not a count`);
}

/** Adds counts by something. */
export function total(counts: readonly (readonly [unknown, number])[]): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** Converts to whole µs; throws a {@linkcode SyntaxError} if that is no response time. */
export function toUs(value: number, perUnit: 1e6 | 1e3): number {
  const us = Math.round(value * perUnit);
  if (us >= 0 && us <= Number.MAX_SAFE_INTEGER) return us;
  throw new SyntaxError(`${value} is not a response time`);
}
