/** The warnings about a report. */
import { calmSlices } from "../analysis/calm_slices.ts";
import { isSameResult, resultKeyOf } from "../analysis/keys.ts";
import type { CostAbsence } from "../model/costs.ts";
import type { BottleneckKind, Result } from "../model/derived.ts";
import { FIGURES } from "../model/figures.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { count, nonEmpty, share } from "../model/text.ts";
import { distinct, rate, span, workloadNamer } from "./format.ts";
import { profileWarnings } from "./explain.ts";
import { describeReason, withReason } from "./reasons.ts";
import { reportCommand } from "./reproduce.ts";
import { absences } from "./tables/result_columns.ts";

/** Returns warnings, the most important first. The report is `file` as typed; null for the newest. */
export function warnings(report: Report, file: string | null = null): string[] {
  const ok = report.results.filter(({ status }) => status === "ok");
  // The rate of an open loop is configured, so it has no bottleneck to warn about
  const closed = ok.filter(({ perS }) => perS === null);
  return nonEmpty(
    ...failedRounds(ok, report),
    ...failedSlices(report),
    // The notes of the changes contain them
    ...(report.experiment.kind === "versus" ? [] : unmeasuredCosts(report)),
    ...bottlenecks(closed, report, file),
    delayed(closed, report),
    crowded(report),
    noisy(report),
    distant(report),
    ...ofMany(ok, report),
    ...byReason(closed, "climbing").map(([why, own]) =>
      about(own, report, `${why}, so no comparison uses its figures: use a longer --warmup.`)
    ),
    // Latencies are not shown if they contradict the rate
    ...byReason(closed, "latencyAbsence").map(([why, own]) => {
      const generators = generatorsOf(own, report).join(", ");
      return about(own, report, `p50 and p99 of ${generators} are withheld: ${why}.`);
    }),
    ...bodyCheckWarnings(report),
    ...betterThanTheirBase(report),
    takenOver(ok, report),
    unranked(closed, report),
    ...report.generators.map(({ id, latencyNote }) =>
      latencyNote !== null && `p50 and p99 come from ${id}: ${latencyNote}`
    ),
    ...tuned(report),
    ...profileWarnings(report),
  );
}

function unranked(results: readonly Result[], report: Report): string {
  const without = results.filter(({ rank }) => rank === null);
  if (report.servers.length < 2 || without.length === 0) return "";
  const need = "six rounds, and another server with the same number of workers";
  return without.length === results.length
    ? `No ranks: they need ${need}.`
    : about(without, report, `no rank, because a rank needs ${need}.`);
}

function about(results: readonly Result[], report: Report, text: string, mark = ""): string {
  return results.length === 0 ? "" : `${named(results, report)}${mark}: ${text}`;
}

function byReason(
  results: readonly Result[],
  property: "climbing" | "latencyAbsence",
): [why: string, results: Result[]][] {
  const why = ({ [property]: reason }: Result): string => reason ? describeReason(reason) : "";
  return [...Map.groupBy(results.filter((result) => result[property] !== null), why)];
}

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
    return about([result], report, withReason(failed, reason && describeReason(reason)));
  });
}

function bottlenecks(closed: readonly Result[], report: Report, file: string | null): string[] {
  const { host: { cores }, program, results } = report;
  const of = (kind: BottleneckKind): Result[] =>
    closed.filter(({ bottleneck }) => bottleneck?.kind === kind);
  const [byGenerator, byMachine] = [of("generator"), of("machine")];
  const [byConnections, unknown] = [of("connections"), of("unknown")];
  const because = (kind: "stolen" | "others-busy"): Result[] =>
    byMachine.filter(({ bottleneck }) => bottleneck?.reasons[0]?.kind === kind);
  const [stolen, contended] = [because("stolen"), because("others-busy")];
  const hasRelativeCpu = results.some(({ relativeCpu }) => relativeCpu !== null);
  const figure = FIGURES[hasRelativeCpu ? "relativeCpu" : "serverCpuUs"].column.heading;
  const most = Math.max(...byConnections.map(({ connections }) => connections));
  const ids = distinct(unknown.map(({ scenario }) => scenario)).join();
  const command = reportCommand(program, file, "--explain", ids);
  const warn = (results: readonly Result[], text: string): string => about(results, report, text);
  const generators = generatorsOf(byGenerator, report).join(" or ");
  const causes = byMachine.flatMap(({ bottleneck }) => bottleneck?.reasons.slice(0, 1) ?? []);
  const shares = causes.filter((cause) => cause.kind === "stolen").map((cause) => cause.share);
  const busy = causes.filter((cause) => cause.kind === "others-busy").map((cause) => cause.cores);
  const took = span(shares, share).replace(" % to ", " to ");
  const used = span(busy, (cores) => cores.toFixed(1));
  return [
    warn(
      byGenerator,
      `the load generator ${generators} was the bottleneck (≥): ${advice(byGenerator, report)}.`,
    ),
    warn(stolen, `the host took ${took} of the CPU time (≥): compare ${figure} instead.`),
    warn(
      contended,
      `other programs used ${used} of ${cores} cores (≥): stop them, or compare ${figure} instead.`,
    ),
    warn(
      byMachine.filter((result) => !stolen.includes(result) && !contended.includes(result)),
      `all ${cores} cores were busy (≥): compare ${figure} instead, or use more cores.`,
    ),
    warn(byConnections, `${count(most, "connection")} were too few: try -c ${2 * most}.`),
    warn(unknown, `the bottleneck is unknown. Evidence: ${command}`),
  ];
}

/**
 * Maximum number of servers in one block of slices. With 38 servers, Rel. CPU differed twice as much between
 * rounds as with 19 (docs/evidence/2026-11-27-many-servers.md). The limit in between is a choice.
 */
const MOST_IN_BLOCK = 20;

function crowded({ blocks, experiment: { reference } }: Report): string {
  const numbers = blocks.map(({ slices }) =>
    slices?.variants.filter(({ variant }) => variant !== reference?.id).length ?? 0
  );
  const most = Math.max(0, ...numbers);
  const advice = `name at most ${MOST_IN_BLOCK} in a run; stampede site joins several runs`;
  return most > MOST_IN_BLOCK
    ? `${most} servers were measured in turns, which can make Rel. CPU less precise: ${advice}.`
    : "";
}

/**
 * Share of near blocks with an unusual CPU time of the reference from which on a machine was noisy. In seven
 * tables it was 0 to 5 %, and in that of docs/evidence/2026-11-29-one-name.md 28 %.
 */
const RESTLESS = 0.2;
/** Minimum number of such blocks: one or two can be a short disturbance. */
const FEWEST_UNUSUAL = 3;

function noisy({ blocks }: Report): string {
  const { near, unusual } = calmSlices(blocks);
  return unusual < Math.max(FEWEST_UNUSUAL, RESTLESS * near)
    ? ""
    : `The machine was noisy: in ${unusual} of ${near} near blocks, the reference needed an unusual CPU time. Measure again at a calmer time.`;
}

function distant({ blocks, results }: Report): string {
  const { mixed, nearNs, distantNs } = calmSlices(blocks);
  if (nearNs === null || distantNs === null || mixed.length === 0) return "";
  const names = mixed.map(workloadNamer(results)).join(", ");
  const times = (distantNs / nearNs).toFixed(1);
  return `${names}: the host moved the processors apart in too many rounds (${times} x the usual round trip). Rel. CPU contains these rounds: use more --rounds.`;
}

/** Median latencies that indicate a delayed acknowledgement, in µs. On Linux it waits 40 ms. */
const DELAYED_ACK_US = { least: 39_500, most: 46_000 };

function delayed(closed: readonly Result[], report: Report): string {
  const results = closed.filter(({ p50Us, bottleneck }) =>
    p50Us !== null && p50Us >= DELAYED_ACK_US.least && p50Us <= DELAYED_ACK_US.most &&
    ["idle", "connections", "unknown"].includes(bottleneck?.kind ?? "")
  );
  const typical = "is typical of Nagle's algorithm with delayed ACKs: set TCP_NODELAY.";
  return about(results, report, `a median of 40 ms ${typical}`);
}

function takenOver(ok: readonly Result[], report: Report): string {
  const results = ok.filter(({ isTakenOver }) => isTakenOver);
  const ids = results.map(({ variant }) => variant);
  const chosen = report.experiment.variants.filter(({ id }) => ids.includes(id));
  const bottleneck = distinct(chosen.map(({ generator }) => generator)).join(" or ");
  const names = generatorsOf(results, report).join(", ");
  const text = `${bottleneck} would have been the bottleneck, so ${names} drove the load.`;
  return about(results, report, text, " (†)");
}

/** Returns a warning for each result with failed rounds of slices. */
export function failedSlices(report: Report): string[] {
  const { blocks } = report;
  // The table explains servers without any figure
  const explained = absences(report);
  const failures = blocks.flatMap(({ block, failures }) =>
    failures.map((failure) => ({ scenario: block.scenario, ...failure }))
  ).filter(({ variant }) => !explained.has(variant));
  const groups = Map.groupBy(failures, ({ scenario, variant }) => `${scenario} of ${variant}`);
  return [...groups].map(([name, [first, ...others]]) => {
    const rounds = blocks.filter(({ block: { scenario, variants } }) =>
      first && scenario === first.scenario && variants.includes(first.variant)
    ).length;
    const failed = `${1 + others.length} of ${count(rounds, "round")} in slices failed`;
    return `${name}: ${failed}: ${first?.message}`;
  });
}

/** Returns warnings about costs that could not be measured, in some rounds or at all. */
export function unmeasuredCosts({ costAbsences }: Report): string[] {
  const placeOf = ({ variant, scenario }: CostAbsence): string =>
    (variant === null ? "" : ` of ${variant}`) + (scenario === null ? "" : ` at ${scenario}`);
  const places = Map.groupBy(costAbsences, (one) => `${placeOf(one)} ${one.round === null}`);
  return [...places].map(([, own]) => {
    const [first] = own as [CostAbsence];
    const rounds = new Set(own.flatMap(({ round }) => round ?? [])).size;
    const groups = [...new Set(own.map(({ group }) => group))].join(", ");
    const when = rounds === 0 ? "" : ` in ${count(rounds, "round")}`;
    const reasons = [...new Set(own.map(({ reason }) => describeReason(reason)))];
    const text = rounds > 1 ? reasons.slice(0, 1) : reasons;
    return withReason(`Not measured: ${groups}${placeOf(first)}${when}`, text.join("; "));
  });
}

/** Returns warnings about load generators that do not check response bodies. */
export function bodyCheckWarnings(report: Report): string[] {
  const { generators, trialResults, results } = report;
  return generators.filter(({ checksBodies }) => !checksBodies).flatMap(({ id }) => {
    const windowsAt = (result: Result): WindowRecord[] =>
      trialResults.flatMap(({ trial, window }) =>
        trial.generator === id && isSameResult(resultKeyOf(trial), result) ? window ?? [] : []
      );
    const driven = results.filter((result) => windowsAt(result).length > 0);
    if (driven.length === 0) return [];
    const unseen = driven.filter((one) => !windowsAt(one).some(({ probe }) => probe.responses));
    const at = named(unseen, report);
    const checked = unseen.length === driven.length
      ? `no bodies were checked under load at ${at}`
      : `only the probe checked them under load${unseen.length > 0 ? `, and not at ${at}` : ""}`;
    return [`${id} does not check response bodies: ${checked}.`];
  });
}

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

/** Returns warnings about servers that are proven better than their base, which should be impossible. */
function betterThanTheirBase({ servers, comparisons, results }: Report): string[] {
  // If servers are idle, their rates are equal, and do not rank them
  const isWaiting = (scenario: string): boolean =>
    results.some((result) => result.scenario === scenario && result.bottleneck?.kind === "idle");
  return servers.map(({ id, basedOn, workers }) => {
    const base = servers.find((server) => server.id === basedOn && server.workers === workers);
    const wins = comparisons.filter(({ a, b, better, scenario, metric }) =>
      base !== undefined && [a, b].includes(base.id) && better === id &&
      !(metric === "requestsPerS" && isWaiting(scenario))
    );
    const workloads = distinct(wins.map(({ scenario }) => scenario)).join(", ");
    return workloads &&
      `${id} beats ${basedOn}, on which it is built, at ${workloads}. One of them does different work: check both before you trust these figures.`;
  });
}

function tuned({ servers, experiment: { kind } }: Report): string[] {
  // A single server cannot be unfair to another one
  if (servers.length === 1 || ["noise", "generators", "versus", "releases"].includes(kind)) {
    return [];
  }
  return servers.filter(({ approach, skipped }) => approach === "tuned" && skipped === null)
    .map(({ id, why }) => `${id} is tuned${why === null ? "." : `: ${why}`}`);
}

function generatorsOf(results: readonly Result[], { trialResults }: Report): string[] {
  const own = trialResults.filter(({ trial }) =>
    trial.purpose === "measure" &&
    results.some((result) => isSameResult(resultKeyOf(trial), result))
  );
  return distinct(own.map(({ trial }) => trial.generator));
}

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
