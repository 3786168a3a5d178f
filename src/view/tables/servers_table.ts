import type { Result, ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import { markedRate, mebibytes, nonEmpty, seconds } from "../format.ts";
import { describeStatus, withReason } from "../reasons.ts";
import { makeTable, numbers, type Table, words } from "../table.ts";

/** Drop order of the first scenario's column. Narrow outputs drop the last scenario first. */
const FIRST_SCENARIO = 3;

/** Returns whether servers have other figures than rates. A server at a URL has none. */
export function hasServerFigures({ servers }: Report): boolean {
  return servers.length !== 1 ||
    servers.some(({ startUpS, idleRssBytes, skipped, failure }) =>
      startUpS !== null || idleRssBytes !== null || skipped !== null || failure !== null
    );
}

/**
 * Returns a row for each server: its start-up, and with several servers the rates at all scenarios.
 * `–` stands for a scenario that the server does not implement.
 */
export function serversTable(report: Report): Table {
  const { servers, results, experiment: { scenarios, load } } = report;
  const hasWorkerGroups = new Set(servers.map(({ workers }) => workers)).size > 1;
  // Null stands for the scenario's default number of connections
  const numbersOf = load.connections === null || load.connections.length === 1
    ? [null]
    : load.connections;
  const measured = scenarios.filter((scenario) =>
    servers.length > 1 && results.some((result) => result.scenario === scenario)
  );
  const workloads = measured.flatMap((scenario) =>
    numbersOf.map((connections) => ({ scenario, connections }))
  );
  const resultAt = (
    { scenario, connections }: typeof workloads[number],
    { id }: ServerSummary,
  ): Result | undefined =>
    results.find((result) =>
      result.variant === id && result.scenario === scenario &&
      (connections ?? result.connections) === result.connections
    );
  return makeTable(servers, [
    words("Server", ({ id }) => id),
    hasWorkerGroups && numbers("Workers", ({ workers }) => String(workers ?? "any"), 1),
    numbers(
      "Start-up",
      ({ startUpS }) => seconds(startUpS?.median ?? null),
      1,
      "time from spawn to the first right response",
    ),
    numbers(
      "Idle RSS",
      ({ idleRssBytes }) => mebibytes(idleRssBytes),
      2,
      "the server's memory before the load",
    ),
    ...workloads.map((workload, i) => {
      const heading = nonEmpty(workload.scenario, workload.connections?.toString()).join(" ");
      return numbers<ServerSummary>(heading, (server) => {
        const result = resultAt(workload, server);
        if (!result?.requestsPerS) return result?.status ?? UNKNOWN;
        return markedRate(result.requestsPerS.median, result);
      }, FIRST_SCENARIO + i);
    }),
  ], (server) => {
    const { id, workers, startUpS, idleRssBytes } = server;
    const absence = absenceOf(server, report);
    if (absence !== null) return { cells: [id], rest: absence, server: id };
    const rates = workloads.map((workload) =>
      resultAt(workload, server)?.requestsPerS?.median ?? null
    );
    return {
      server: id,
      values: [
        id,
        ...(hasWorkerGroups ? [workers] : []),
        startUpS?.median ?? null,
        idleRssBytes,
        ...rates,
      ],
    };
  });
}

/**
 * Returns why a server has no figures at all: one row with this reason replaces the server's rows.
 * Null if the server has figures, or if the reasons differ by scenario.
 */
export function absenceOf(server: ServerSummary, { results }: Report): string | null {
  if (server.skipped !== null) return withReason("skipped", server.skipped);
  if (server.failure !== null) return withReason("failed", server.failure);
  const own = results.filter(({ variant }) => variant === server.id);
  const [text = "", ...others] = new Set(own.map(describeStatus));
  const isOne = own.length > 1 && others.length === 0;
  return isOne && own[0]?.status === "failed" ? oneLine(text) : null;
}
