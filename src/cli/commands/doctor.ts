import { diagnose } from "../../machine/diagnose.ts";
import { readMachine } from "../../machine/read.ts";
import { describeFindings } from "../../view/findings.ts";
import type { Io } from "../io.ts";

/** Options of `doctor`. */
export interface DoctorOptions {
  readonly connections?: readonly number[];
}

/** As many as the default scenarios open at once. */
const CONNECTIONS = 100;

/** `doctor`: what in this machine would spoil a measurement, and what to do about it. */
export async function doctor(
  { connections: asked = [CONNECTIONS] }: DoctorOptions,
  io: Io,
): Promise<number> {
  const connections = Math.max(...asked);
  for (const line of describeFindings(diagnose(await readMachine(), { connections }))) io.out(line);
  return 0;
}
