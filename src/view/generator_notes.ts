/** What the load generator's own use of the machine says of a rate: the one evidence where a server is not to be seen. */
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { rate, share } from "./format.ts";

/** Where it could send no more, and, of a server on another machine, what its idleness proves. */
export function generatorNotes({ results, experiment }: Report): string[] {
  if (experiment.kind !== "rate") return [];
  const ok = results.filter(({ status, perS }) => status === "ok" && perS !== null);
  // That connections lie idle is no bottleneck where requests are sent at given times
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
      `The load generator could send no more: ${
        full.map(named).join(", ")
      }. One machine is not enough for that rate: see bench export k6, and docs/beyond_one_machine.md`,
    ]),
    ...(free.length === 0 ? [] : [
      `Of the server nothing is known but its responses. The load generator's busiest thread ran ${
        share(busiest)
      } of the time at most: it was not the bottleneck, so these times are the server's and the network's`,
    ]),
  ];
}

function named({ scenario, variant, perS }: Result): string {
  return `${scenario} of ${variant} at ${rate(perS ?? 0)}/s`;
}
