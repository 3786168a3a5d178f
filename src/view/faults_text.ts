/** Makes the output of `bench faults`. */
import type { FaultResult } from "../model/fault.ts";
import { printable } from "../model/text.ts";
import { faultsTable, overviewOfFaults } from "./tables/faults_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

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
