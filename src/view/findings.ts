import type { Finding } from "../model/report.ts";
import type { Screen } from "./draw.ts";
import { tinted } from "./tint.ts";
import { hanging, wrap } from "./wrap.ts";

/** Returns a status in its colour; `unknown` stays plain. */
function toned(status: Finding["status"]): string {
  const tones = { ok: "good", warn: "doubtful", unknown: null } as const;
  const tone = tones[status];
  return tone === null ? status : tinted(status, tone);
}

/** Returns the doctor's findings with their advice, in lines that fit the screen. */
export function describeFindings(
  findings: readonly Finding[],
  { columns, styled }: Screen,
): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const warnings = findings.filter(({ status }) => status === "warn").length;
  return [
    ...findings.flatMap(({ name, status, found, advice }) => [
      ...hanging(`${status.padEnd(9)}${name.padEnd(width + 2)}`, found, columns)
        .map((line, i) => styled && i === 0 ? line.replace(status, toned(status)) : line),
      ...(advice === null ? [] : hanging("".padEnd(width + 11), advice, columns)),
    ]),
    ...wrap(
      warnings === 0
        ? "No cause of noise found."
        : `${warnings} of ${findings.length} checks found a cause of noise. Stampede changes no settings.`,
      columns,
    ),
  ];
}
