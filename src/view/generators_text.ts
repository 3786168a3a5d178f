/** What `bench generators` prints. */
import type { Report } from "../model/report.ts";
import { environment } from "./environment_text.ts";
import { generatorsTable } from "./tables/generators_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

const LEGEND =
  "One server under each load generator, in the same rounds: what each of them shows (Req/Sec), what " +
  "it costs itself and what it costs the server for each response, and what the bottleneck was. Where a " +
  "generator is the bottleneck, its rate says what it can do, not the server, and the server's cost holds " +
  "some waiting: compare costs under one generator.";

/**
 * Load generators side by side, for a terminal.
 *
 * @param missing those that are not here, each with how to get it
 */
export function generatorsText(
  report: Report,
  missing: readonly { readonly id: string; readonly install: string }[],
  screen: Screen,
): string {
  return [
    "",
    ...draw(generatorsTable(report), screen),
    ...missing.map(({ id, install }) => `${id.padEnd(12)}not here: ${install}`),
    "",
    ...wrap(LEGEND, screen.columns, ""),
    ...environment(report),
    "",
  ].join("\n");
}
