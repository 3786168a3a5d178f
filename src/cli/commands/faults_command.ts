import { SCENARIOS } from "../../../scenarios/mod.ts";
import { inflict } from "../../engine/faults/inflict.ts";
import { ASKING } from "../../engine/faults/inject_faults.ts";
import { LocalTestbed } from "../../engine/local_testbed.ts";
import { serverEnv } from "../../experiment/options.ts";
import { selectServers, type ServerOptions } from "../../experiment/select.ts";
import { type FaultId, type FaultResult, FAULTS } from "../../model/fault.ts";
import { faultsSummary, faultsText } from "../../view/faults_text.ts";
import { describeDatabase } from "../../view/progress_notes.ts";
import { createProgress } from "../../view/progress.ts";
import type { Io } from "../io.ts";
import { type TestbedOptions, testbedOptions } from "../run_settings.ts";
import { DEFAULT_DB_POOL } from "./serve_command.ts";
import { FAILED, FINE } from "../../model/exit_codes.ts";
import { toJson } from "../../model/text.ts";

/** Options of `faults`. */
interface FaultsOptions extends TestbedOptions, ServerOptions {
  readonly only?: readonly FaultId[];
  readonly json: boolean;
}

/**
 * Runs `faults`: injects faults into each server, and prints failed requests and recovery times.
 *
 * @returns the exit code
 */
export async function faults(
  names: readonly string[],
  options: FaultsOptions,
  io: Io,
): Promise<number> {
  const servers = await selectServers(withNames(names, options), io.path);
  const chosen = options.only ?? FAULTS;
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const needs = {
    database: servers.some(({ scenarios }) => ASKING.some((id) => id in scenarios)),
    databaseConnections: Math.max(Number(env.DB_POOL), Number(env.WORKERS)),
    pins: false,
    tls: null,
  };
  await using testbed = await new LocalTestbed(testbedOptions(options, io)).open(needs, (event) => {
    if (event.kind === "note" && event.note.kind === "database" && !options.json) {
      io.say(`Using ${describeDatabase(event.note)}`);
    }
  });
  await using hostileClients = testbed.hostileClients();
  const results: FaultResult[] = [];
  let place = 0;
  try {
    for (const one of await testbed.prepare(servers, progress.show, io.stop)) {
      const { id, name } = one.server;
      const context = {
        testbed,
        hostileClients,
        faults: chosen,
        scenarios: SCENARIOS,
        env,
        signal: io.stop,
      };
      const onFault = (fault: FaultId): void => {
        const counted = { place: ++place, of: servers.length * chosen.length };
        progress.show({ kind: "phase", phase: { kind: "fault", server: id, fault, ...counted } });
      };
      const from = results.length;
      try {
        for await (const result of inflict(one, { ...context, onFault })) results.push(result);
      } finally {
        progress.close();
        const own = results.slice(from);
        if (!options.json && own.length > 0) io.say(faultsText(`${name} (${id})`, own, io.screen));
      }
    }
  } finally {
    progress.close();
    if (options.json) io.out(toJson(results, 1));
    else if (results.length > 0) io.out(faultsSummary(results, io.screen));
  }
  const kinds = results.map(({ outcome }) => outcome.kind);
  return kinds.includes("done") && !kinds.includes("failed") ? FINE : FAILED;
}

/** Adds the servers in the arguments to those of `--servers`. */
function withNames(names: readonly string[], options: FaultsOptions): ServerOptions {
  if (names.length === 0) return options;
  return {
    ...options,
    servers: [...names, ...(options.servers ? [options.servers] : [])].join(","),
  };
}
