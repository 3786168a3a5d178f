import { type ExportedLoad, exportScenarios, variablesOf } from "../../distributed/exported.ts";
import { k6Script } from "../../distributed/k6_script.ts";
import { DEFAULT_SLO, parseSlo } from "../../experiment/parse_slo.ts";
import { select, type SelectOptions } from "../../experiment/select.ts";
import { UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import type { Slo } from "../../model/slo.ts";
import { claimPath, writeWhole } from "../../results/store.ts";
import type { Io } from "../io.ts";

/** Options of `export`, as parsed. */
interface ExportOptions extends SelectOptions {
  readonly rate?: number;
  readonly duration: number;
  readonly slo?: Slo;
  readonly users?: number;
  readonly kubernetes?: string;
  readonly parallelism: number;
  readonly withValues: boolean;
  readonly out?: string;
}

/** Default target of a load: the address of `bench serve`. */
const TARGET = "http://127.0.0.1:8000";
/** Minimum of the default number of virtual users: the number of connections of a local open loop. */
const LEAST_USERS = 256;

/**
 * Runs `export k6`: writes scenarios as a k6 script for several machines.
 *
 * @returns the exit code
 * @throws {UsageError} for another format, several servers, or a missing --rate
 */
export async function exportLoad(
  [format = "", ...args]: readonly string[],
  options: ExportOptions,
  io: Io,
): Promise<number> {
  const load = await loadOf(format, args, options, io);
  const script = k6Script(load);
  const { out, kubernetes, parallelism } = options;
  if (kubernetes !== undefined) {
    // Loaded here, because only this option needs the YAML library
    const { kubernetesManifest } = await import("../../distributed/kubernetes.ts");
    const path = await claimPath(io.path(kubernetes));
    if (out !== undefined && path === await claimPath(io.path(out))) {
      throw new UsageError(
        `Cannot use ${kubernetes} for two files: choose another --out or --kubernetes`,
      );
    }
    await writeWhole(path, kubernetesManifest(load, parallelism));
    io.err(`The ConfigMap and the TestRun are in ${path}`);
  }
  if (out === undefined) io.out(script.trimEnd());
  else {
    const path = await claimPath(io.path(out));
    await writeWhole(path, script);
    io.err(`The script is in ${path}`);
  }
  const variables = variablesOf(load.scenarios);
  if (variables.length > 0) {
    io.err(`Set these environment variables for k6: ${variables.join(", ")}`);
  }
  return FINE;
}

async function loadOf(
  format: string,
  args: readonly string[],
  options: ExportOptions,
  io: Io,
): Promise<ExportedLoad> {
  if (format !== "k6") {
    throw new UsageError(`Cannot export for "${format}": use bench export k6 text --rate 100000`);
  }
  const { rate, duration, slo = parseSlo(DEFAULT_SLO), users, withValues } = options;
  if (rate === undefined) {
    throw new UsageError("Cannot export without a rate: give one, such as --rate 100000");
  }
  const { scenarios, servers } = await select(args, options, io.path);
  if (servers.length > 1) {
    throw new UsageError("Cannot export for several servers: write one script for each server");
  }
  const longestS = Math.max(0, ...slo.latencies.map(({ us }) => us / 1e6));
  return {
    scenarios: exportScenarios(scenarios, { withValues }),
    perS: rate,
    durationS: duration,
    slo,
    users: users ?? Math.max(LEAST_USERS, Math.ceil(rate * longestS)),
    target: servers[0]?.attached?.origin ?? TARGET,
    program: io.program,
  };
}
