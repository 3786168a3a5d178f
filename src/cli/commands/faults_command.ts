/** Makes the output of `bench faults`. */

import { SCENARIOS } from "../../../scenarios/mod.ts";
import { ASKING } from "../../engine/faults/fault_list.ts";
import { runFaults } from "../../engine/faults/run_faults.ts";
import { LocalTestbed } from "../../engine/local_testbed.ts";
import { serverEnv } from "../../experiment/options.ts";
import { selectServers, type ServerOptions } from "../../experiment/select.ts";
import { FAILED, FINE } from "../../model/errors.ts";
import { type FaultId, type FaultResult, FAULTS } from "../../model/fault.ts";
import { printable, toJson } from "../../model/text.ts";
import { draw, type Screen } from "../../view/draw.ts";
import { createProgress } from "../../view/progress.ts";
import { describeDatabase } from "../../view/progress_notes.ts";
import { wrap } from "../../view/table.ts";
import { faultsTable, overviewOfFaults } from "../../view/tables/faults_table.ts";
import type { Io } from "../io.ts";
import { type TestbedOptions, testbedOptions } from "../run_settings.ts";
import { DEFAULT_DB_POOL } from "./serve_command.ts";

const LEGEND =
  "Each fault hits a fresh process, for two seconds unless it ends by itself. Meanwhile a client sends 50 " +
  "requests per second. Failed: requests without a right response within a second, from the fault's start " +
  "until recovery. Recovery: time from the fault's end to ten right responses in a row, about as fast as " +
  "before, in steps of 20 ms. Twice its highest rate: requests for the server's heaviest route at twice " +
  "the rate of a closed loop. Clients leave: the same requests, but clients disconnect before the response. SIGTERM: sent to " +
  "the server's process group with ten requests in flight; Failed counts lost ones, Recovery is the time " +
  "until the process ended; killed: it did not exit by itself.";

/** Returns the results of one server for a terminal. */
export function faultsText(name: string, results: readonly FaultResult[], screen: Screen): string {
  const [first] = results;
  const isAlike = results.every(({ outcome }) => outcome.kind === "missing");
  if (isAlike && first?.outcome.kind === "missing") {
    return `\n${printable(`${name}: skipped: ${first.outcome.message}`)}`;
  }
  return ["", `${printable(name)}:`, ...draw(faultsTable(results), screen)].join("\n");
}

/** Returns the legend, after an overview of the servers if there are several. */
export function faultsSummary(results: readonly FaultResult[], screen: Screen): string {
  const servers = new Set(results.map(({ server }) => server));
  const overview = servers.size > 1 ? ["", ...draw(overviewOfFaults(results), screen)] : [];
  return [...overview, "", ...wrap(LEGEND, screen.columns, "")].join("\n");
}

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
        for await (const result of runFaults(one, { ...context, onFault })) results.push(result);
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
