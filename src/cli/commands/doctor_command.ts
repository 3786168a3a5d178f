import { measureWakeUp } from "../../load/wake_up.ts";
import { diagnose } from "../../machine/diagnose.ts";
import { awakeCpus } from "../../machine/quota.ts";
import { readMachine } from "../../machine/read_machine.ts";
import { wakeUps } from "../../machine/wake_ups.ts";
import { messageOf } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import { ProcessScope } from "../../process/scope.ts";
import { describeFindings } from "../../view/findings.ts";
import type { Io } from "../io.ts";

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
