import type { Finding } from "../model/report.ts";
import type { MachineFacts } from "./facts.ts";

/** What the run asks of the machine. */
export interface Needs {
  /** Connections that are open at once. */
  readonly connections: number;
}

/** A finding of an aspect whose name is known. */
export type UnnamedFinding = Omit<Finding, "name">;

/** Judges one aspect. */
export type Aspect = (facts: MachineFacts, needs: Needs) => UnnamedFinding;

/** Nothing is wrong. */
export function ok(found: string): UnnamedFinding {
  return { status: "ok", found, advice: null };
}

/** Something will blur the figures. */
export function warn(found: string, advice: string): UnnamedFinding {
  return { status: "warn", found, advice };
}

/** It cannot be told whether something is wrong. */
export function unknown(found = "this system does not tell"): UnnamedFinding {
  return { status: "unknown", found, advice: null };
}

/** A number of things: `1 core`, `2 cores`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** A share from 0 to 1 as a percentage with two significant digits: `0.015 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** Bytes as GiB: `1.5 GiB`. */
export function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
