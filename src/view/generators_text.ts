/** Makes the output of `bench generators`. */
import type { Report } from "../model/report.ts";
import { environment } from "./environment_text.ts";
import { generatorsTable } from "./tables/generators_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

const LEGEND =
  "One server under each load generator, in the same rounds: the rate, the CPU time per response of the " +
  "generator and of the server, and the bottleneck. If the generator is the bottleneck, the rate is the " +
  "generator's, and the server's CPU/req includes some waiting. Compare CPU/req of servers only under one " +
  "generator.";

/**
 * Returns the load generators side by side, for a terminal.
 *
 * @param missing load generators that are not installed, with the command that installs them
 */
export function generatorsText(
  report: Report,
  missing: readonly { readonly id: string; readonly install: string }[],
  screen: Screen,
): string {
  return [
    "",
    ...draw(generatorsTable(report), screen),
    ...missing.map(({ id, install }) => `${id.padEnd(12)}not installed: ${install}`),
    "",
    ...wrap(LEGEND, screen.columns, ""),
    ...environment(report),
    "",
  ].join("\n");
}
