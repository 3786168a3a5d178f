/**
 * Makes notes on the load generator's CPU use. It is the only evidence for a bottleneck if the server
 * runs on another machine.
 */
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { share } from "../model/format.ts";
import { rate } from "./format.ts";
import { quoted } from "./reproduce.ts";

/**
 * Returns notes on rates that the load generator limited, and on the rates of a server on another
 * machine.
 */
export function generatorNotes({ results, experiment, program }: Report): string[] {
  if (experiment.kind !== "rate") return [];
  const ok = results.filter(({ status, perS }) => status === "ok" && perS !== null);
  // In an open loop, idle connections are no bottleneck
  const full = ok.filter(({ bottleneck }) =>
    bottleneck?.kind === "generator" &&
    bottleneck.reasons.every(({ kind }) => kind !== "connections-idle")
  );
  const unseen = ok.filter(({ bottleneck }) => {
    const { server, generator } = bottleneck?.evidence ?? {};
    return server === null && (generator?.busiestThread ?? null) !== null;
  });
  const free = unseen.filter((result) => !full.includes(result));
  const busiest = Math.max(
    ...free.map(({ bottleneck }) => bottleneck?.evidence.generator?.busiestThread ?? 0),
  );
  return [
    ...(full.length === 0 ? [] : [
      `The load generator was the bottleneck: ${
        full.map(resultName).join(", ")
      }. Use several machines for this rate (docs/beyond_one_machine.md): ${
        quoted([...program, "export", "k6", "--help"])
      }`,
    ]),
    ...(free.length === 0 ? [] : [
      `The server's CPU time is unknown. The load generator's busiest thread ran for at most ${
        share(busiest)
      } of the time, so it was not the bottleneck: these are the times of the server and the network`,
    ]),
  ];
}

function resultName({ scenario, variant, perS }: Result): string {
  return `${scenario} of ${variant} at ${rate(perS ?? 0)}/s`;
}
