/** Injects faults into servers: `bench faults`. */
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { ASKING } from "../../engine/faults/fault_list.ts";
import { inflict } from "../../engine/faults/run_faults.ts";
import { serverEnv } from "../../experiment/options.ts";
import { selectServers, type ServerOptions } from "../../experiment/select.ts";
import { FAILED, FINE } from "../../model/errors.ts";
import { type FaultId, type FaultResult, FAULTS } from "../../model/fault.ts";
import { printable, toJson } from "../../model/text.ts";
import { draw, type Screen } from "../../view/draw.ts";
import { createProgress } from "../../view/progress.ts";
import { wrap } from "../../view/table.ts";
import { faultsTable, overviewOfFaults } from "../../view/tables/faults_table.ts";
import type { Io } from "../io.ts";
import { DEFAULT_DB_POOL, openTestbed, type TestbedOptions } from "../run_settings.ts";

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

/**
 * Injects faults into each server, and prints failed requests and recovery times.
 *
 * @param names servers of the suite, in addition to those of `--servers`
 */
export async function faults(
  names: readonly string[],
  options: TestbedOptions & ServerOptions & {
    readonly only?: readonly FaultId[];
    readonly json?: boolean;
  },
  io: Io,
): Promise<number> {
  const { json: isQuiet = false, only: chosen = FAULTS } = options;
  const ids = [...names, ...(options.servers ? [options.servers] : [])].join(",");
  const asked = names.length === 0 ? options : { ...options, servers: ids };
  const servers = await selectServers(asked, io.path);
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const database = servers.some(({ scenarios }) => ASKING.some((id) => id in scenarios));
  await using testbed = await openTestbed(options, { database, tls: null, env }, io, (database) => {
    if (!isQuiet) io.say(`Using ${database}`);
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
        onFault: (fault: FaultId): void => {
          const counted = { place: ++place, of: servers.length * chosen.length };
          progress.show({ kind: "phase", phase: { kind: "fault", server: id, fault, ...counted } });
        },
      };
      const from = results.length;
      try {
        for await (const result of inflict(one, context)) results.push(result);
      } finally {
        progress.close();
        const own = results.slice(from);
        if (!isQuiet && own.length > 0) io.say(faultsText(`${name} (${id})`, own, io.screen));
      }
    }
  } finally {
    progress.close();
    if (isQuiet) io.out(toJson(results, 1));
    else if (results.length > 0) io.out(faultsSummary(results, io.screen));
  }
  const kinds = results.map(({ outcome }) => outcome.kind);
  return kinds.includes("done") && !kinds.includes("failed") ? FINE : FAILED;
}
