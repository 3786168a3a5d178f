import type { Finding } from "../model/report.ts";

/** What a machine is like, a line for each aspect, with the advice below it. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const warnings = findings.filter(({ status }) => status === "warn").length;
  return [
    ...findings.flatMap(({ name, status, found, advice }) => [
      `${status.padEnd(9)}${name.padEnd(width + 2)}${found}`,
      ...(advice === null ? [] : [`${"".padEnd(width + 11)}${advice}`]),
    ]),
    warnings === 0
      ? "Nothing here is known to spoil a measurement."
      : `${warnings} of ${findings.length} would blur what is measured here. Stampede changes none of it.`,
  ];
}
