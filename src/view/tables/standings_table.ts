/** Makes the table of a site: every server at every scenario. */
import { byWorkload, isSameWorkload } from "../../analysis/keys.ts";
import type { ServerSummary } from "../../model/derived.ts";
import type { IndexEntry } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { sum } from "../../stats/median.ts";
import { distinct, workloadNamer } from "../format.ts";
import { makeTable, numbers, type Row, type Table, withColumns, words } from "../table.ts";
import type { Standings } from "./result_columns.ts";

/** A run of a site: what its report contains, without the measurements. */
export interface SiteRun extends IndexEntry {
  /** Paths of its page and of its report, relative to the first page. */
  readonly page: string;
  readonly json: string;
  /** 2 for a measurement, 1 for a smoke run, 0 for an interrupted run. */
  readonly worth: number;
  readonly standings: readonly Standings[];
  readonly servers: readonly ServerSummary[];
  /** Missing servers and warnings. */
  readonly notes: readonly string[];
  /** Equal for runs with comparable Rel. CPU and Rel. rate; null without a reference. */
  readonly conditions: string | null;
}

/** What a site shows at a workload: a run, and further servers from similar runs. */
export interface Shown {
  readonly name: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly run: SiteRun;
  readonly standings: Standings;
}

/**
 * Returns what to show at each workload: a measurement rather than a smoke run, then the run with most
 * servers, then the newest. Other measurements on the same processor, with the same reference, add the
 * servers that are missing. Runs over TLS and HTTP/2 are separate.
 */
export function shownAt(runs: readonly SiteRun[]): Shown[] {
  const all = runs.flatMap((run) => run.standings.map((standings): Part => ({ run, standings })));
  const named = workloadNamer(all.map(({ standings }) => standings));
  const protocols = distinct(runs.map(({ tls }) => tls));
  return protocols.flatMap((tls) => {
    const own = all.filter(({ run }) => run.tls === tls);
    return byWorkload(own.map(({ standings }) => standings)).map(([workload]): Shown => {
      const candidates = own.filter(({ standings }) => isSameWorkload(standings, workload))
        .sort((a, b) =>
          b.run.worth - a.run.worth || b.standings.rows.length - a.standings.rows.length ||
          b.run.createdAt.localeCompare(a.run.createdAt)
        );
      const suffix = tls === null ? "" : tls === "h2" ? " (HTTP/2)" : " (TLS)";
      return { name: named(workload) + suffix, parts: partsOf(candidates) };
    });
  });
}

/** Returns the first candidate, and of those that can be compared with it, the further servers. */
function partsOf([first, ...others]: readonly Part[]): Part[] {
  if (first === undefined) return [];
  const parts = [first];
  const failed = first.run.servers.filter(({ failure }) => failure !== null);
  const shown = new Set([
    ...first.standings.rows.map(({ server }) => server),
    ...failed.map(({ id }) => id),
  ]);
  for (const { run, standings } of others) {
    const { rows } = standings;
    const further = rows.flatMap(({ server }, i) => shown.has(server) ? [] : [i]);
    if (further.length === 0 || !isSimilar(run, first.run)) continue;
    const only = <T>(values: readonly T[]): T[] =>
      values.filter((_value, i) => further.includes(i));
    const { rates, relativeRates } = standings;
    parts.push({
      run,
      standings: {
        ...standings,
        rows: only(rows),
        rates: only(rates),
        relativeRates: only(relativeRates),
      },
    });
    for (const { server } of only(rows)) shown.add(server);
  }
  return parts;
}

/** Returns whether the figures relative to the reference can be compared between two runs. */
function isSimilar(a: SiteRun, b: SiteRun): boolean {
  return a.worth === b.worth && a.conditions !== null && a.conditions === b.conditions;
}

const NAME = "Server";
const RANK = "Rank";
const OF_BEST = "of best";
const ABOUT = ["Language", "Runtime", "Approach"];
const WHY = "Why";

/** Returns the table of one server's results, without the columns that have the same value in each row. */
export function ownStandings(best: readonly Shown[], server: string): Table {
  const { columns, rows } = standingsTable(best, { pageOf: () => "", up: "../" });
  const own = rows.filter((row) => row.server === server)
    .map(({ server: _server, link: _link, scenario: _scenario, ...row }) => row);
  const isKept = (heading: string, i: number): boolean =>
    heading === WHY ? own.some(({ cells }) => cells[i]) : ![NAME, ...ABOUT].includes(heading);
  const wanted = columns.flatMap(({ heading }, i) => isKept(heading, i) ? [i] : []);
  return withColumns({ columns, rows: own }, wanted);
}

/**
 * Returns a row for each server at each workload. `pageOf` returns the address of a server's page, and
 * `up` is the way from the table's page to the first page: empty or `../`.
 */
export function standingsTable(
  best: readonly Shown[],
  { pageOf, up }: { readonly pageOf: (server: string) => string; readonly up: string },
): Table {
  const [server, ...figures] = best[0]?.parts[0]?.standings.columns ?? [];
  if (server === undefined) return { columns: [], rows: [] };
  // The share of the best rate comes after the rate and its interval
  const place = figures.findIndex(({ heading }) => heading === "Rel. rate");
  const column = (heading: string): Table["columns"][number] => (
    { heading, isNumber: false, dropOrder: 0 }
  );
  const columns = [
    server,
    column("Scenario"),
    ...figures.slice(0, place),
    {
      ...column(OF_BEST),
      isNumber: true,
      legend: "the rate as a share of the best one, by Rel. rate if a scenario has several runs",
    },
    ...figures.slice(place),
    ...[...ABOUT, "Run"].map(column),
    { ...column(WHY), legend: "the cause of a low rate or a wide interval, from the manifest" },
  ];
  const rank = figures.findIndex(({ heading }) => heading === RANK);
  const rows = best.flatMap(({ name, parts }) => {
    const all = parts.flatMap(({ run, standings: { rows, scenario } }) =>
      rows.map((row) => ({ run, row, scenario }))
    );
    const shares = sharesOfBest(parts);
    const made = all.map(({ run, row, scenario }, i): Row => {
      const { server = "", cells: [id = "", ...cells], values = [], rest } = row;
      const about = { server, scenario: name, link: pageOf(server) };
      if (rest !== undefined) return { ...about, cells: [id, name, ...cells], rest };
      const ofBest = shares[i] ?? null;
      const numbers = values.slice(1);
      if (parts.length > 1) [cells[rank], numbers[rank]] = [UNKNOWN, null]; // it is proven within one run
      const text = ofBest === null ? UNKNOWN : share(ofBest);
      return {
        ...about,
        cells: [id, name, ...cells.toSpliced(place, 0, text), ...furtherOf(run, server, scenario)],
        values: [id, name, ...numbers.toSpliced(place, 0, ofBest)],
        links: { Run: up + run.page },
        ...(ofBest !== null && { bars: { [OF_BEST]: ofBest } }),
      };
    });
    const order = parts.length > 1
      ? made.map((_row, i) => i).sort((a, b) => (shares[b] ?? -1) - (shares[a] ?? -1))
      : made.keys();
    return [...order].flatMap((i) => made[i] ?? []);
  });
  const isAlone = best.every(({ parts }) =>
    sum(parts.map(({ standings }) => standings.rows.length)) === 1
  );
  const without = isAlone ? [RANK, OF_BEST] : [];
  const known = rows.filter(({ rest }) => rest === undefined);
  const isKnown = (i: number): boolean =>
    known.length === 0 || known.some(({ cells }) => cells[i] && cells[i] !== UNKNOWN);
  const wanted = columns.flatMap(({ heading }, i) =>
    !without.includes(heading) && isKnown(i) ? [i] : []
  );
  return withColumns({ columns, rows }, wanted);
}

/**
 * Returns the rate of each row as a share of the best one; null if unknown. Rates of several runs are compared
 * only relative to the reference, because the speed of a machine changes from run to run.
 */
function sharesOfBest(parts: readonly Part[]): (number | null)[] {
  const rates = parts.flatMap(({ standings }) =>
    parts.length > 1 ? standings.relativeRates : standings.rates
  );
  const most = Math.max(...rates.map((rate) => rate ?? 0));
  return rates.map((rate) => rate === null || most === 0 ? null : rate / most);
}

function furtherOf({ servers, createdAt }: SiteRun, id: string, scenario: string): string[] {
  const server = servers.find((one) => one.id === id);
  return [
    server?.language ?? UNKNOWN,
    server === undefined ? UNKNOWN : runtimeOf(server),
    server?.approach ?? UNKNOWN,
    createdAt.slice(0, 10),
    server?.scenarios[scenario]?.why ?? "",
  ];
}

/** Returns the runtime in words. */
export function runtimeOf({ runtime, language }: ServerSummary): string {
  return runtime ?? (language === "unknown" ? UNKNOWN : "native");
}

/** Returns a row for each run, with links to its page and its report. */
export function evidenceTable(runs: readonly SiteRun[], up: string): Table {
  return makeTable(runs, [
    words("Run", ({ createdAt }) => `${createdAt.slice(0, 16).replace("T", " ")} UTC`),
    words("Machine", ({ machine }) => machine ?? UNKNOWN),
    numbers("Servers", ({ servers }) => String(servers.length)),
    numbers("Scenarios", ({ standings }) => String(standings.length)),
    words("Report", () => "JSON"),
  ], ({ page, json }) => ({ link: up + page, links: { Report: up + json } }));
}
