import type { Finding } from "../model/report.ts";
import { hanging, wrap } from "./wrap.ts";

/** Describes a machine in lines of at most so many columns: each aspect, with the advice below it. */
export function describeFindings(findings: readonly Finding[], columns: number): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const warnings = findings.filter(({ status }) => status === "warn").length;
  return [
    ...findings.flatMap(({ name, status, found, advice }) => [
      ...hanging(`${status.padEnd(9)}${name.padEnd(width + 2)}`, found, columns),
      ...(advice === null ? [] : hanging("".padEnd(width + 11), advice, columns)),
    ]),
    ...wrap(
      warnings === 0
        ? "Nothing here is known to spoil a measurement."
        : `${warnings} of ${findings.length} would blur what is measured here. Stampede changes none of it.`,
      columns,
    ),
  ];
}
