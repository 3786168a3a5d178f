import { measureWakeUp } from "../../load/awake.ts";
import { diagnose, wakeUps } from "../../machine/diagnose.ts";
import { awakeCpus } from "../../machine/quota.ts";
import { readMachine } from "../../machine/read_machine.ts";
import { FINE, messageOf } from "../../model/errors.ts";
import type { Finding } from "../../model/report.ts";
import { ProcessScope } from "../../process/scope.ts";
import type { Screen } from "../../view/draw.ts";
import { hanging, tinted, wrap } from "../../view/table.ts";
import type { Io } from "../io.ts";

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

/** Largest number of connections that a scenario opens by default. */
const CONNECTIONS = 100;

/**
 * Runs `doctor`: prints the causes of noise on this machine, with advice.
 *
 * @returns the exit code
 */
export async function doctor(
  { connections: asked = [CONNECTIONS] }: { readonly connections?: readonly number[] },
  io: Io,
): Promise<number> {
  const connections = Math.max(...asked);
  const machine = readMachine();
  await using scope = new ProcessScope();
  const wakeUp = wakeUps(
    await measureWakeUp(scope, awakeCpus(machine)).catch((error) => messageOf(error)),
  );
  const findings = [...diagnose(machine, { connections }), wakeUp];
  for (const line of describeFindings(findings, io.screen)) io.out(line);
  return FINE;
}
