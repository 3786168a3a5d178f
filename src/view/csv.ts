/** Returns reports as CSV. */
import { isSameResult } from "../analysis/keys.ts";
import { COST_IDS, type CostId, COSTS, LOADED_GROUPS } from "../model/costs.ts";
import type { OpenLoopResult, ServerSummary } from "../model/derived.ts";
import type { AnyReport, DistributedReport, Report } from "../model/report.ts";
import type { Value } from "./table.ts";
import { COLUMNS } from "./tables/result_columns.ts";

const OPEN_LOOP_RESULT = new Map<string, (openLoopResult: OpenLoopResult) => Value>([
  ["offered", ({ offered }) => offered],
  ["sent", ({ sent }) => sent],
  ["goodput_per_s", ({ goodputPerS }) => goodputPerS],
  ["response_p50_us", ({ responseTime }) => responseTime?.p50Us ?? null],
  ["response_p90_us", ({ responseTime }) => responseTime?.p90Us ?? null],
  ["response_p99_us", ({ responseTime }) => responseTime?.p99Us ?? null],
  ["response_p999_us", ({ responseTime }) => responseTime?.p999Us ?? null],
  ["response_max_us", ({ responseTime }) => responseTime?.maxUs ?? null],
  ["measurable_up_to", ({ measurableUpTo }) => measurableUpTo],
  ["recovery_s", ({ recoveryS }) => recoveryS],
]);

/** Costs of a server, apart from scenarios. */
const COSTS_ALONE = COST_IDS.filter((id) => !LOADED_GROUPS.includes(COSTS[id].group));

/** Returns the heading of a cost: `start_up_us` for `startUpUs`. */
function keyOfCost(id: CostId): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns every figure as CSV (RFC 4180): a line for each result, with units in the headings. A server
 * without results has a line if it has costs.
 */
export function csv(reports: readonly AnyReport[]): string {
  const keys = [
    ...COLUMNS.map(({ key }) => key),
    ...OPEN_LOOP_RESULT.keys(),
    ...COSTS_ALONE.map(keyOfCost),
  ];
  const lines = reports.flatMap((report) =>
    (report.kind === "run" ? linesOfRun(report) : linesOfMerged(report, keys))
      .map((values) => [report.id, report.createdAt, ...values])
  );
  return [["run", "created_at", "commit", ...keys], ...lines]
    .map((line) => line.map(field).join(",") + "\r\n").join("");
}

/** Returns a line for each scenario of merged runners. Columns that they do not know are empty. */
function linesOfMerged(
  { server, users, scenarios }: DistributedReport,
  keys: readonly string[],
): Value[][] {
  return scenarios.map((one) => {
    const values = new Map<string, Value>([
      ["server", server],
      ["scenario", one.scenario],
      ["connections", users],
      ["asked_per_s", one.perS],
      ["status", "ok"],
      ["requests_per_s", one.goodputPerS],
      ["p50_us", one.p50?.us ?? null],
      ["p99_us", one.p99?.us ?? null],
      ["errors", one.sent - one.right],
      ["responses", one.sent - one.failed],
      ["offered", one.offered],
      ["sent", one.sent],
      ["goodput_per_s", one.goodputPerS],
    ]);
    return [null, ...keys.map((key) => values.get(key) ?? null)];
  });
}

function linesOfRun(
  { commit, results, openLoopResults, experiment, servers }: Report,
): Value[][] {
  const sorted = experiment.scenarios.flatMap((scenario) =>
    results.filter((result) => result.scenario === scenario)
  );
  const lines = sorted.map((result): Value[] => {
    const open = openLoopResults.find((one) => isSameResult(one, result));
    return [
      commit?.id ?? null,
      ...COLUMNS.map(({ value }) => value(result)),
      ...OPEN_LOOP_RESULT.values().map((value) => open ? value(open) : null),
      ...costsOf(servers.find(({ id }) => id === result.variant)),
    ];
  });
  const alone = servers.filter(({ id, costs }) =>
    COSTS_ALONE.some((cost) => cost in costs) && results.every(({ variant }) => variant !== id)
  );
  const empty = [...OPEN_LOOP_RESULT.keys()].map(() => null);
  return [
    ...lines,
    ...alone.map((server) => [
      commit?.id ?? null,
      ...COLUMNS.map(({ key }) => key === "server" ? server.id : null),
      ...empty,
      ...costsOf(server),
    ]),
  ];
}

function costsOf(server: ServerSummary | undefined): Value[] {
  return COSTS_ALONE.map((cost) => server?.costs[cost]?.median ?? null);
}

function field(value: Value): string {
  const isNone = value === null || typeof value === "number" && !Number.isFinite(value);
  const plain = isNone ? "" : String(value);
  // A spreadsheet would run these as formulas: https://owasp.org/www-community/attacks/CSV_Injection
  const text = typeof value === "string" && /^[=+@\t-]/.test(value) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
