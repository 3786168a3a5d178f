import { cellKeyOf, isSameCell } from "../analysis/cell_key.ts";
import type { Cell } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { count, share } from "./format.ts";
import { describeReason, withReason } from "./reasons.ts";

/** A server that gets so much faster within a window had not warmed up. */
const TREND = 0.1;

/** Sentences that belong under the table: what is missing, what the limit was and what to do. */
export function remarks(report: Report): string[] {
  const { cells, host } = report;
  const ok = cells.filter(({ status }) => status === "ok");
  const names = (wanted: readonly Cell[]): string => named(wanted, report);
  const sentences: string[] = [];
  for (const cell of ok.filter(({ failedRounds }) => failedRounds > 0)) {
    const { failedRounds, rounds, reason } = cell;
    const failed = `${failedRounds} of ${failedRounds + rounds} rounds failed`;
    sentences.push(`${names([cell])}: ${withReason(failed, reason && describeReason(reason))}`);
  }
  sentences.push(...failedSlices(report));
  const limitedBy = (limit: string): Cell[] => ok.filter(({ verdict }) => verdict?.limit === limit);
  const takenOver = ok.filter(({ isTakenOver }) => isTakenOver);
  if (takenOver.length > 0) {
    sentences.push(
      `${names(takenOver)}: ${
        chosenFor(takenOver, report).join(" or ")
      } would have been the limit, so ${
        generatorsOf(takenOver, report).join(", ")
      } drove them (†).`,
    );
  }
  const bound = limitedBy("generator");
  if (bound.length > 0) {
    sentences.push(
      `${names(bound)}: ${
        generatorsOf(bound, report).join(" or ")
      } was the limit, so the server can do at least (≥) what is printed; compare CPU/req. ${
        advice(bound, report)
      }`,
    );
  }
  const stolen = limitedBy("machine").filter((cell) => stolenOf(cell) !== null);
  if (stolen.length > 0) {
    sentences.push(
      `${names(stolen)}: the host of this virtual machine took ${
        shares(stolen.map((cell) => stolenOf(cell) ?? 0))
      } of its processor time, so the server can do at least (≥) what is printed; compare costs, or CPU/req, or use a machine whose processors are its own.`,
    );
  }
  const crowded = limitedBy("machine").filter((cell) => stolenOf(cell) === null);
  if (crowded.length > 0) {
    sentences.push(
      `${
        names(crowded)
      }: the machine was the limit, so the server can do at least (≥) what is printed; compare CPU/req, or use more than ${host.cores} cores with nothing else running.`,
    );
  }
  const few = limitedBy("connections");
  if (few.length > 0) {
    const most = Math.max(...few.map(({ connections }) => connections));
    sentences.push(
      `${names(few)}: ${
        count(most, "connection")
      } were too few to keep the server busy; see what it can do with more, such as -c ${
        2 * most
      }.`,
    );
  }
  const unclear = limitedBy("unclear");
  if (unclear.length > 0) {
    const ids = [...new Set(unclear.map(({ scenario }) => scenario))].join();
    sentences.push(`${names(unclear)}: what the limit was is unclear; see --explain ${ids}.`);
  }
  const warming = ok.filter(({ trend }) => trend !== null && trend > TREND);
  if (warming.length > 0) {
    sentences.push(
      `${names(warming)}: still ${
        shares(warming.map(({ trend }) => trend ?? 0))
      } faster at the end of a window than at its start; use a longer --warmup.`,
    );
  }
  const byCpu = new Set(
    report.comparisons.filter(({ metric, interval }) => metric === "serverCpuUs" && interval)
      .map(({ scenario }) => scenario),
  );
  if (byCpu.size > 0) {
    sentences.push(
      `${[...byCpu].join(", ")}: ranked by CPU/req, since a rate was not a server's own.`,
    );
  }
  if (report.servers.length > 1 && ok.some(({ rank }) => rank === null)) {
    sentences.push(
      "Rank – where there are fewer than six rounds, or no other server with as many workers.",
    );
  }
  sentences.push(...bodiesRemarks(report));
  for (const { id, latencyNote } of report.generators) {
    if (latencyNote !== null) sentences.push(`p50 and p99 are ${id}'s own: ${latencyNote}`);
  }
  return [...sentences, ...betterThanTheirBase(report), ...tuned(report)];
}

/** The processor time that the host took, where that was why the machine was the limit; null elsewhere. */
function stolenOf({ verdict }: Cell): number | null {
  const [reason] = verdict?.reasons ?? [];
  return reason?.kind === "stolen" ? reason.share : null;
}

/** One share, or the least and the most of several: `12 to 34 %`. */
function shares(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(share);
  return least === most ? `${least}` : `${least?.replace(" %", "")} to ${most}`;
}

/** Which rounds of slices failed, and why. */
export function failedSlices({ blocks }: Report): string[] {
  const failures = blocks.flatMap(({ block, failures }) =>
    failures.map((failure) => ({ name: `${block.scenario} of ${failure.arm}`, ...failure }))
  );
  const rounds = (name: string): number =>
    blocks.filter(({ block: { scenario, arms } }) =>
      arms.some((arm) => `${scenario} of ${arm}` === name)
    ).length;
  const groups = Map.groupBy(failures, ({ name }) => name);
  return [...groups].map(([name, own]) =>
    `${name}: ${own.length} of ${count(rounds(name), "round")} in slices failed: ${own[0]?.message}`
  );
}

/** What looked at bodies where a load generator that does not drove the load. */
export function bodiesRemarks(report: Report): string[] {
  const blind = report.generators.filter(({ checksBodies }) => !checksBodies);
  return blind.flatMap(({ id }) => {
    const own = report.results.filter(({ trial, window }) =>
      trial.generator === id && window !== null
    );
    const isIn = (results: Report["results"]) => (cell: Cell): boolean =>
      results.some(({ trial }) => isSameCell(cellKeyOf(trial), cell));
    const driven = report.cells.filter(isIn(own));
    if (driven.length === 0) return [];
    const isSeen = isIn(own.filter(({ window }) => window?.witness.answers));
    const unseen = driven.filter((cell) => !isSeen(cell));
    const at = named(unseen, report);
    const who = unseen.length === driven.length
      ? `nobody did, at ${at}`
      : `the witness alone did${unseen.length > 0 ? `, and nobody at ${at}` : ""}`;
    return [`${id} does not look at bodies: under load, ${who}.`];
  });
}

/** Cells by their scenarios, with their servers if there are several: `text (deno, bun), json (bun)`. */
function named(cells: readonly Cell[], { experiment: { arms, load } }: Report): string {
  const isSweep = (load.connections?.length ?? 0) > 1;
  const tasks = Map.groupBy(
    cells,
    ({ scenario, connections }) => isSweep ? `${scenario} at ${connections}` : scenario,
  );
  return [...tasks].map(([task, group]) =>
    arms.length > 1 ? `${task} (${group.map(({ arm }) => arm).join(", ")})` : task
  ).join(", ");
}

/** Servers that are proven better than what they are built on with as many workers, which cannot be. */
function betterThanTheirBase({ servers, comparisons, cells }: Report): string[] {
  // Where servers only wait, rates are all alike, and tell nothing of them.
  const isWaiting = (scenario: string): boolean =>
    cells.some((cell) => cell.scenario === scenario && cell.verdict?.limit === "wait");
  return servers.flatMap(({ id, basedOn, workers }) => {
    const base = servers.find((server) => server.id === basedOn && server.workers === workers);
    const wins = comparisons.filter(({ a, b, better, scenario, metric }) =>
      base !== undefined && [a, b].includes(base.id) && better === id &&
      !(metric === "requestsPerS" && isWaiting(scenario))
    );
    if (wins.length === 0) return [];
    const tasks = [...new Set(wins.map(({ scenario }) => scenario))].join(", ");
    return [
      `${id} beats ${basedOn}, which it is built on, at ${tasks}: one of them does other work than it seems; look before you believe either.`,
    ];
  });
}

function tuned({ servers, experiment: { kind } }: Report): string[] {
  // There is nothing beside it that it would be unfair to
  if (servers.length === 1 || ["noise", "generators", "versus"].includes(kind)) return [];
  return servers.filter(({ approach, skipped }) => approach === "tuned" && skipped === null)
    .map(({ id, why }) => `${id} is tuned${why === null ? "." : `: ${why}`}`);
}

/** The load generators that were to drive these cells. */
function chosenFor(cells: readonly Cell[], { experiment: { arms } }: Report): string[] {
  const own = arms.filter(({ id }) => cells.some(({ arm }) => arm === id));
  return [...new Set(own.map(({ generator }) => generator))];
}

/** The load generators that drove these cells. */
function generatorsOf(cells: readonly Cell[], { results }: Report): string[] {
  const own = results.filter(({ trial }) =>
    trial.purpose === "measure" && cells.some((cell) => isSameCell(cellKeyOf(trial), cell))
  );
  return [...new Set(own.map(({ trial }) => trial.generator))];
}

/** What to do about a generator that is the limit. */
function advice(cells: readonly Cell[], { host, experiment: { load } }: Report): string {
  const idle = cells.map(({ verdict }) => verdict?.evidence.machine?.idle ?? null);
  const isCrowded = idle.some((share) => share !== null && share * host.cores < 1);
  const shards = isCrowded
    ? "No core is free for more --shards: use a machine with more cores"
    : `To see more, use --shards ${2 * load.shards}`;
  return `${shards}, or a faster load generator (--generator auto finds it).`;
}
