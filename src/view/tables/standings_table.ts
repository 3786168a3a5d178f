/** Makes the table of a site: every server at every scenario. */
import { isOtherDistance } from "../../analysis/calm_slices.ts";
import { conditionDifferences, type Conditions } from "../../analysis/comparable.ts";
import { byWorkload, isSameWorkload } from "../../analysis/keys.ts";
import type { ServerSummary } from "../../model/derived.ts";
import type { IndexEntry } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { sum } from "../../stats/median.ts";
import { distinct, minute, workloadNamer } from "../format.ts";
import { makeTable, numbers, type Row, type Table, withColumns, words } from "../table.ts";
import type { Standing, Standings } from "./result_columns.ts";

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
  /** The conditions of Rel. CPU and Rel. rate; null without a reference. */
  readonly conditions: Conditions | null;
  /** Version of PostgreSQL; null without a database. */
  readonly postgresql: string | null;
}

/** The results to show at a workload: a run, and other servers from similar runs. */
export interface Shown {
  readonly name: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly run: SiteRun;
  readonly standings: Standings;
}

/**
 * Returns what to show at each workload: a measurement rather than a smoke run, then one of the conditions
 * with most servers, then the run with most servers, then the newest. Other runs under the same conditions
 * add the servers that are missing. Runs over TLS and HTTP/2 are separate.
 */
export function shownAt(runs: readonly SiteRun[]): Shown[] {
  const all = runs.flatMap((run) => run.standings.map((standings): Part => ({ run, standings })));
  const named = workloadNamer(all.map(({ standings }) => standings));
  const protocols = distinct(runs.map(({ tls }) => tls));
  return protocols.flatMap((tls) => {
    const own = all.filter(({ run }) => run.tls === tls);
    const sizes = sizesOf(runs.filter((run) => run.tls === tls));
    const sizeOf = (run: SiteRun): number => sizes.get(run) ?? 0;
    return byWorkload(own.map(({ standings }) => standings)).map(([workload]): Shown => {
      const candidates = own.filter(({ standings }) => isSameWorkload(standings, workload))
        .sort((a, b) =>
          b.run.worth - a.run.worth || sizeOf(b.run) - sizeOf(a.run) ||
          b.standings.rows.length - a.standings.rows.length ||
          b.run.createdAt.localeCompare(a.run.createdAt)
        );
      const suffix = tls === null ? "" : tls === "h2" ? " (HTTP/2)" : " (TLS)";
      return { name: named(workload) + suffix, parts: partsOf(candidates) };
    });
  });
}

/** Returns the number of servers that each run and those under the same conditions measured. */
function sizesOf(runs: readonly SiteRun[]): ReadonlyMap<SiteRun, number> {
  const groups: [SiteRun, ...SiteRun[]][] = [];
  for (const run of runs) {
    const group = groups.find((group) => group.every((other) => isSimilar(other, run)));
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  return new Map(groups.flatMap((group) => {
    const rows = group.flatMap(({ standings }) => standings.flatMap(({ rows }) => rows));
    const size = distinct(rows.map(({ server }) => server)).length;
    return group.map((run) => [run, size] as const);
  }));
}

/**
 * Returns the first candidate, and the further servers of similar ones. A server that failed in a run does
 * not get the figures of a later candidate.
 */
function partsOf(candidates: readonly Part[]): Part[] {
  const parts: Part[] = [];
  const known = new Set<string>();
  for (const { run, standings } of candidates) {
    const rows = standings.rows.filter(({ server }) => !known.has(server));
    if (rows.length === 0 || !parts.every((part) => isSimilar(run, part.run))) continue;
    parts.push({ run, standings: { ...standings, rows } });
    const failed = run.servers.filter(({ failure }) => failure !== null);
    for (const id of [...rows.map(({ server }) => server), ...failed.map(({ id }) => id)]) {
      known.add(id);
    }
  }
  return parts;
}

/** Returns whether the figures relative to the reference can be compared between two runs. */
function isSimilar(a: SiteRun, b: SiteRun): boolean {
  return a.worth === b.worth && a.conditions !== null && b.conditions !== null &&
    conditionDifferences(a.conditions, b.conditions).length === 0 &&
    !isOtherDistance(a.conditions.distanceNs, b.conditions.distanceNs) &&
    distinct([a.postgresql, b.postgresql].filter((version) => version !== null)).length < 2;
}

/** Returns the workloads at which a server has results, but none that `shown` contains. */
export function apartFrom(
  shown: readonly Shown[],
  runs: readonly SiteRun[],
  server: string,
): Shown[] {
  const isOf = ({ standings }: Part): boolean =>
    standings.rows.some((row) => row.server === server);
  const known = shown.flatMap(({ parts }) => parts.filter(isOf));
  const own = runs.filter(({ servers }) => servers.some(({ id }) => id === server));
  return shownAt(own).filter(({ parts }) => {
    const part = parts.find(isOf);
    return part !== undefined &&
      !known.some(({ run, standings }) =>
        run.tls === part.run.tls && isSameWorkload(standings, part.standings)
      );
  });
}

const NAME = "Server";
const RANK = "Rank";
const OF_BEST = "of best";
const ABOUT = ["Language", "Runtime", "Approach"];
const WHY = "Why";

/** Returns the table of one server's results, without the columns that have the same value in each row. */
export function ownStandings(shown: readonly Shown[], server: string): Table {
  const { columns, rows } = standingsTable(shown, { pageOf: () => "", up: "../" });
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
  shown: readonly Shown[],
  { pageOf, up }: { readonly pageOf: (server: string) => string; readonly up: string },
): Table {
  const [server, ...figures] = shown[0]?.parts[0]?.standings.columns ?? [];
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
  const rows = shown.flatMap(({ name, parts }) => {
    const isJoined = parts.length > 1;
    // The speed of a machine changes from run to run, so only relative rates can be compared
    const rateOf = (row: Standing): number | null => isJoined ? row.relativeRate : row.rate;
    const all = parts.flatMap(({ run, standings: { rows, scenario } }) =>
      rows.map((row) => ({ run, row, scenario, rate: rateOf(row) }))
    );
    if (isJoined) all.sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
    const most = Math.max(...all.map(({ rate }) => rate ?? 0));
    return all.map(({ run, row, scenario, rate }): Row => {
      const { server, cells: [id = "", ...cells], values = [], rest } = row;
      const about = { server, scenario: name, link: pageOf(server) };
      if (rest !== undefined) return { ...about, cells: [id, name, ...cells], rest };
      const ofBest = rate === null || most === 0 ? null : rate / most;
      const numbers = values.slice(1);
      // A rank is proven within one run
      if (isJoined) [cells[rank], numbers[rank]] = [UNKNOWN, null];
      const text = ofBest === null ? UNKNOWN : share(ofBest);
      return {
        ...about,
        cells: [id, name, ...cells.toSpliced(place, 0, text), ...furtherOf(run, server, scenario)],
        values: [id, name, ...numbers.toSpliced(place, 0, ofBest)],
        links: { Run: up + run.page },
        ...(ofBest !== null && { bars: { [OF_BEST]: ofBest } }),
      };
    });
  });
  const isAlone = shown.every(({ parts }) =>
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
    words("Run", ({ createdAt }) => `${minute(createdAt)} UTC`),
    words("Machine", ({ machine }) => machine ?? UNKNOWN),
    numbers("Servers", ({ servers }) => String(servers.length)),
    numbers("Scenarios", ({ standings }) => String(standings.length)),
    words("Report", () => "JSON"),
  ], ({ page, json }) => ({ link: up + page, links: { Report: up + json } }));
}
