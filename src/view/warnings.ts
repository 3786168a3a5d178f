import { isSameResult, resultKeyOf } from "../analysis/keys.ts";
import type { BottleneckKind, Result } from "../model/derived.ts";
import { FIGURES } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { count, share } from "../model/text.ts";
import { rate, workloadNamer } from "./format.ts";
import { profileWarnings } from "./profiles_text.ts";
import { describeReason, withReason } from "./reasons.ts";
import { absenceOf } from "./tables/servers_table.ts";
import { reportCommand } from "./reproduce.ts";

/**
 * Returns the warnings about a report, the most important first. Each names one cause, and advice if there is any.
 *
 * @param file the report as typed; null for the newest one
 */
export function warnings(report: Report, file: string | null = null): string[] {
  const ok = report.results.filter(({ status }) => status === "ok");
  // The rate of an open loop is configured, so it has no bottleneck to warn about
  const closed = ok.filter(({ perS }) => perS === null);
  return [
    ...failedRounds(ok, report),
    ...failedSlices(report),
    ...bottlenecks(closed, report, file),
    ...delayed(closed, report),
    ...ofMany(ok, report),
    ...warming(closed, report),
    ...withheld(closed, report),
    ...bodyCheckWarnings(report),
    ...betterThanTheirBase(report),
    ...takenOver(ok, report),
    ...unranked(closed, report),
    ...latencyNotes(report),
    ...tuned(report),
    ...profileWarnings(report),
  ];
}

/**
 * Returns the rate of the items in a response, such as rows, for scenarios with several items in each
 * response.
 */
function ofMany(ok: readonly Result[], { scenarios, servers }: Report): string[] {
  return scenarios.flatMap(({ id, each }) => {
    const [result, ...others] = ok.filter(({ scenario }) => scenario === id);
    if (each === null || result === undefined) return [];
    const perS = result.requestsPerS?.median ?? null;
    const isOne = others.length === 0 && servers.length === 1 && perS !== null;
    const makes = isOne ? `: ${rate(each.count * perS)} ${each.name} per second` : "";
    return [`${id}: a response has ${each.count} ${each.name}${makes}.`];
  });
}

function failedRounds(ok: readonly Result[], report: Report): string[] {
  return ok.filter((result) => result.failedRounds > 0).map((result) => {
    const { failedRounds, rounds, reason } = result;
    const failed = `${failedRounds} of ${failedRounds + rounds} rounds failed`;
    return `${named([result], report)}: ${withReason(failed, reason && describeReason(reason))}`;
  });
}

/** Returns warnings about bottlenecks other than the server, with advice. */
function bottlenecks(ok: readonly Result[], report: Report, file: string | null): string[] {
  const withBottleneck = (kind: BottleneckKind): Result[] =>
    ok.filter(({ bottleneck }) => bottleneck?.kind === kind);
  const isStolen = (result: Result): boolean => stolenOf(result) !== null;
  const isContended = (result: Result): boolean => othersOf(result) !== null;
  const about = (results: readonly Result[], text: () => string): string[] =>
    results.length === 0 ? [] : [`${named(results, report)}: ${text()}`];
  const hasRelativeCpu = report.results.some(({ relativeCpu }) => relativeCpu !== null);
  const figure = FIGURES[hasRelativeCpu ? "relativeCpu" : "serverCpuUs"].column.heading;
  const byGenerator = withBottleneck("generator");
  const byMachine = withBottleneck("machine");
  const stolen = byMachine.filter(isStolen);
  const contended = byMachine.filter(isContended);
  const byConnections = withBottleneck("connections");
  const unknown = withBottleneck("unknown");
  return [
    ...about(
      byGenerator,
      () =>
        `${generatorsOf(byGenerator, report).join(" or ")} was the bottleneck (≥): ${
          advice(byGenerator, report)
        }.`,
    ),
    ...about(
      stolen,
      () =>
        `the host took ${
          shares(stolen.map((result) => stolenOf(result) ?? 0))
        } of the CPU time (≥): compare ${figure} instead.`,
    ),
    ...about(
      contended,
      () => {
        const others = contended.map((result) => (othersOf(result) ?? 0).toFixed(1)).sort();
        const [least, most] = [others[0], others.at(-1)];
        return `other programs used ${
          least === most ? least : `${least} to ${most}`
        } of ${report.host.cores} cores (≥): stop them, or compare ${figure} instead.`;
      },
    ),
    ...about(
      byMachine.filter((result) => !isStolen(result) && !isContended(result)),
      () =>
        `all ${report.host.cores} cores were busy (≥): compare ${figure} instead, or use more cores.`,
    ),
    ...about(byConnections, () => {
      const most = Math.max(...byConnections.map(({ connections }) => connections));
      return `${count(most, "connection")} were too few: try -c ${2 * most}.`;
    }),
    ...about(unknown, () => {
      const ids = [...new Set(unknown.map(({ scenario }) => scenario))].join();
      return `the bottleneck is unknown. Evidence: ${
        reportCommand(report.program, file, "--explain", ids)
      }`;
    }),
  ];
}

/**
 * Range of median latencies that indicate a delayed acknowledgement, in microseconds. On Linux it
 * waits 40 ms.
 */
const DELAYED_ACK_US = { least: 39_500, most: 46_000 };

/** Returns a warning about responses that probably wait for a delayed acknowledgement. */
function delayed(ok: readonly Result[], report: Report): string[] {
  const results = ok.filter(({ p50Us, bottleneck }) =>
    p50Us !== null && p50Us >= DELAYED_ACK_US.least && p50Us <= DELAYED_ACK_US.most &&
    ["idle", "connections", "unknown"].includes(bottleneck?.kind ?? "")
  );
  if (results.length === 0) return [];
  return [
    `${
      named(results, report)
    }: a median of 40 ms is typical of Nagle's algorithm with delayed ACKs: set TCP_NODELAY.`,
  ];
}

function warming(ok: readonly Result[], report: Report): string[] {
  const results = ok.filter(({ climbing }) => climbing !== null);
  const groups = Map.groupBy(results, ({ climbing }) => climbing && describeReason(climbing));
  return [...groups].map(([why, own]) =>
    `${named(own, report)}: ${why}, so no comparison uses its figures: use a longer --warmup.`
  );
}

/** Returns warnings about latencies that are not shown because they contradict the rate. */
function withheld(ok: readonly Result[], report: Report): string[] {
  const results = ok.filter(({ latencyAbsence }) => latencyAbsence !== null);
  const groups = Map.groupBy(
    results,
    ({ latencyAbsence }) => latencyAbsence && describeReason(latencyAbsence),
  );
  return [...groups].map(([why, own]) =>
    `${named(own, report)}: p50 and p99 of ${
      generatorsOf(own, report).join(", ")
    } are withheld: ${why}.`
  );
}

function takenOver(ok: readonly Result[], report: Report): string[] {
  const results = ok.filter(({ isTakenOver }) => isTakenOver);
  if (results.length === 0) return [];
  const bottleneck = chosenFor(results, report).join(" or ");
  const names = generatorsOf(results, report).join(", ");
  return [
    `${
      named(results, report)
    } (†): ${bottleneck} would have been the bottleneck, so ${names} drove the load.`,
  ];
}

function unranked(ok: readonly Result[], { servers }: Report): string[] {
  if (servers.length < 2 || ok.every(({ rank }) => rank !== null)) return [];
  return [
    "No ranks: they need six rounds, and another server with the same number of workers.",
  ];
}

function latencyNotes({ generators }: Report): string[] {
  return generators.flatMap(({ id, latencyNote }) =>
    latencyNote === null ? [] : [`p50 and p99 come from ${id}: ${latencyNote}`]
  );
}

/**
 * Returns the share of CPU time that the host of the virtual machine took, if that was the bottleneck;
 * null otherwise.
 */
function stolenOf({ bottleneck }: Result): number | null {
  const [reason] = bottleneck?.reasons ?? [];
  return reason?.kind === "stolen" ? reason.share : null;
}

/** Returns the cores that other programs used, if that was the bottleneck; null otherwise. */
function othersOf({ bottleneck }: Result): number | null {
  const [reason] = bottleneck?.reasons ?? [];
  return reason?.kind === "others-busy" ? reason.cores : null;
}

/** Formats one share, or the range of several: `12 to 34 %`. */
function shares(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(share);
  return least === most ? `${least}` : `${least?.replace(" %", "")} to ${most}`;
}

/** Returns a warning for each result with failed rounds of slices. */
export function failedSlices(report: Report): string[] {
  const { blocks, servers } = report;
  const failures = blocks.flatMap(({ block, failures }) =>
    failures.map((failure) => ({ name: `${block.scenario} of ${failure.variant}`, ...failure }))
  );
  const rounds = (name: string): number =>
    blocks.filter(({ block: { scenario, variants } }) =>
      variants.some((variant) => `${scenario} of ${variant}` === name)
    ).length;
  // The table explains servers without any figure
  const known = failures.filter(({ variant }) =>
    !servers.some((server) => server.id === variant && absenceOf(server, report) !== null)
  );
  const groups = Map.groupBy(known, ({ name }) => name);
  return [...groups].map(([name, own]) =>
    `${name}: ${own.length} of ${count(rounds(name), "round")} in slices failed: ${own[0]?.message}`
  );
}

/** Returns warnings about load generators that do not check response bodies. */
export function bodyCheckWarnings(report: Report): string[] {
  const blind = report.generators.filter(({ checksBodies }) => !checksBodies);
  return blind.flatMap(({ id }) => {
    const own = report.trialResults.filter(({ trial, window }) =>
      trial.generator === id && window !== null
    );
    const isIn = (trialResults: Report["trialResults"]) => (result: Result): boolean =>
      trialResults.some(({ trial }) => isSameResult(resultKeyOf(trial), result));
    const driven = report.results.filter(isIn(own));
    if (driven.length === 0) return [];
    const isSeen = isIn(own.filter(({ window }) => window?.probe.responses));
    const unseen = driven.filter((result) => !isSeen(result));
    const at = named(unseen, report);
    const checked = unseen.length === driven.length
      ? `no bodies were checked under load at ${at}`
      : `only the probe checked them under load${unseen.length > 0 ? `, and not at ${at}` : ""}`;
    return [`${id} does not check response bodies: ${checked}.`];
  });
}

/**
 * Returns the names of results by workload, with their servers unless all are meant: `text (deno,
 * bun), json`.
 */
function named(
  results: readonly Result[],
  { results: all, experiment: { variants } }: Report,
): string {
  const workloads = Map.groupBy(results, workloadNamer(all));
  return [...workloads].map(([workload, group]) =>
    group.length < variants.length
      ? `${workload} (${group.map(({ variant }) => variant).join(", ")})`
      : workload
  ).join(", ");
}

/**
 * Returns warnings about servers that are proven better than the server on which they are built
 * (`basedOn`). That should be impossible.
 */
function betterThanTheirBase({ servers, comparisons, results }: Report): string[] {
  // If servers are idle, their rates are equal, and do not rank them
  const isWaiting = (scenario: string): boolean =>
    results.some((result) => result.scenario === scenario && result.bottleneck?.kind === "idle");
  return servers.flatMap(({ id, basedOn, workers }) => {
    const base = servers.find((server) => server.id === basedOn && server.workers === workers);
    const wins = comparisons.filter(({ a, b, better, scenario, metric }) =>
      base !== undefined && [a, b].includes(base.id) && better === id &&
      !(metric === "requestsPerS" && isWaiting(scenario))
    );
    if (wins.length === 0) return [];
    const workloads = [...new Set(wins.map(({ scenario }) => scenario))].join(", ");
    return [
      `${id} beats ${basedOn}, on which it is built, at ${workloads}. One of them does different work: check both before you trust these figures.`,
    ];
  });
}

function tuned({ servers, experiment: { kind } }: Report): string[] {
  // A single server cannot be unfair to another one
  if (servers.length === 1 || ["noise", "generators", "versus"].includes(kind)) return [];
  return servers.filter(({ approach, skipped }) => approach === "tuned" && skipped === null)
    .map(({ id, why }) => `${id} is tuned${why === null ? "." : `: ${why}`}`);
}

/**
 * Returns the load generators that were chosen for the servers of these results before the first
 * round.
 */
function chosenFor(results: readonly Result[], { experiment: { variants } }: Report): string[] {
  const own = variants.filter(({ id }) => results.some(({ variant }) => variant === id));
  return [...new Set(own.map(({ generator }) => generator))];
}

/** Returns the load generators that measured these results. */
function generatorsOf(results: readonly Result[], { trialResults }: Report): string[] {
  const own = trialResults.filter(({ trial }) =>
    trial.purpose === "measure" &&
    results.some((result) => isSameResult(resultKeyOf(trial), result))
  );
  return [...new Set(own.map(({ trial }) => trial.generator))];
}

/** Returns advice for people with results that the load generator limited. */
function advice(
  results: readonly Result[],
  { host, experiment: { load, design } }: Report,
): string {
  const idle = results.map(({ bottleneck }) => bottleneck?.evidence.machine?.idle ?? null);
  const isCrowded = idle.some((share) => share !== null && share * host.cores < 1);
  const more = isCrowded ? "use a machine with more cores" : `use --shards ${2 * load.shards}`;
  // With a fallback, the fastest available generator was already chosen
  return design.fallback === null ? `${more}, or --generator auto` : more;
}
