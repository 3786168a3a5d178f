/** Checks this machine for causes of noise. */
import { measureWakeUp } from "../../load/awake.ts";
import { diagnose, wakeUps } from "../../machine/diagnose.ts";
import { readMachine } from "../../machine/facts.ts";
import { awakeCpus } from "../../machine/pinning.ts";
import { FINE, messageOf } from "../../model/errors.ts";
import type { Finding } from "../../model/report.ts";
import { ProcessScope } from "../../process/scope.ts";
import { hanging, type Screen, tinted, wrap } from "../../view/table.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";

/** Colours of statuses; `unknown` stays plain. */
const TONES = { ok: "good", warn: "doubtful", unknown: null } as const;

/** Returns the doctor's findings with their advice, in lines that fit the screen. */
export function describeFindings(
  findings: readonly Finding[],
  { columns, styled }: Screen,
): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const warnings = findings.filter(({ status }) => status === "warn").length;
  const summary = warnings === 0
    ? "No cause of noise found."
    : `${warnings} of ${findings.length} checks found a cause of noise. Stampede changes no settings.`;
  const lines = findings.flatMap(({ name, status, found, advice }) => {
    const tone = styled ? TONES[status] : null;
    const shown = tone === null ? status : tinted(status, tone);
    const start = `${status.padEnd(9)}${name.padEnd(width + 2)}`;
    const [first = "", ...others] = hanging(start, found, columns);
    const advised = advice === null ? [] : hanging("".padEnd(width + 11), advice, columns);
    return [first.replace(status, shown), ...others, ...advised];
  });
  return [...lines, ...wrap(summary, columns)];
}

/** Largest number of connections that a scenario opens by default. */
const CONNECTIONS = 100;

export async function doctor(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const machine = readMachine();
  await using scope = new ProcessScope();
  const wakeUp = await measureWakeUp(scope, awakeCpus(machine)).catch(messageOf);
  const connections = Math.max(...options.connections ?? [CONNECTIONS]);
  const findings = [...diagnose(machine, { connections }), wakeUps(wakeUp)];
  for (const line of describeFindings(findings, io.screen)) io.out(line);
  return FINE;
}
