/** What `bench faults` prints. */
import type { FaultResult } from "../model/fault.ts";
import { printable } from "../model/text.ts";
import { faultsTable, overviewOfFaults } from "./tables/faults_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

const LEGEND =
  "Each fault is done to a fresh process, two seconds long where it does not end by itself, while a " +
  "client asks 50 times a second. Failed: of the requests from the fault's beginning until all was " +
  "well again, those without a right response within a second. Well again: from the fault's end to ten " +
  "responses in a row that are right and about as quick as before, in steps of 20 ms. Twice the " +
  "capacity: of the server's heaviest work; clients leave: the same, and nobody waits. SIGTERM, to " +
  "the server and all in its process group: of ten requests under way, those lost, and when it had " +
  "ended; killed: it did not end in order.";

/** What became of one server, for a terminal. */
export function faultsText(name: string, results: readonly FaultResult[], screen: Screen): string {
  const [first] = results;
  const isAlike = results.every(({ outcome }) => outcome.kind === "missing");
  if (isAlike && first?.outcome.kind === "missing") {
    return `\n${printable(`${name}: skipped: ${first.outcome.message}`)}`;
  }
  return ["", `${printable(name)}:`, ...draw(faultsTable(results), screen)].join("\n");
}

/** All servers together, where there are several, and what the columns mean. */
export function faultsSummary(results: readonly FaultResult[], screen: Screen): string {
  const servers = new Set(results.map(({ server }) => server));
  const overview = servers.size > 1 ? ["", ...draw(overviewOfFaults(results), screen)] : [];
  return [...overview, "", ...wrap(LEGEND, screen.columns, "")].join("\n");
}
