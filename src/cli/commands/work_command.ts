/** The command that compares the work of servers for one response. */
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { measureWork } from "../../engine/measure_work.ts";
import { serverEnv } from "../../experiment/options.ts";
import { pick, readScenarios, selectServers } from "../../experiment/select.ts";
import { isUrl } from "../../experiment/url_target.ts";
import { FAILED, FINE, UsageError } from "../../model/errors.ts";
import { needsDatabase, type Scenario } from "../../model/scenario.ts";
import { printable, toJson } from "../../model/text.ts";
import type { WorkRecord } from "../../model/work.ts";
import { distinct } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { columnLegend, draw, type Screen, tinted, wrapAll } from "../../view/table.ts";
import { workTables } from "../../view/tables/work_table.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";
import { DEFAULT_DB_POOL, openTestbed } from "./unmeasured.ts";

/** Returns the tables for a terminal, the problems, and the missing counts with reasons. */
export function workText(records: readonly WorkRecord[], screen: Screen): string {
  const tables = workTables(records);
  const of = (key: "problems" | "notes"): { readonly where: string; readonly text: string }[] =>
    records.flatMap(({ server, scenario, outcome }) =>
      outcome.kind !== "done"
        ? []
        : outcome[key].map((text) => ({ where: `${server} ${scenario}`, text }))
    );
  const fail = screen.styled ? tinted("FAIL", "bad") : "FAIL";
  const problems = of("problems").map(({ where, text }) =>
    `${fail}  ${printable(`${where}: ${text}`)}`
  );
  const notes = Map.groupBy(of("notes"), ({ text }) => text).entries()
    .map(([text, all]) => `${text} (${all.map(({ where }) => where).join(", ")})`);
  return [
    ...tables.flatMap(({ caption, table }) => [caption, ...draw(table, screen), ""]),
    ...wrapAll([...columnLegend(tables.map(({ table }) => table)), ...notes], screen.columns),
    ...problems,
  ].join("\n");
}

export async function work(ids: readonly string[], options: Options, io: Io): Promise<number> {
  const { json: isQuiet = false } = options;
  if (ids.some(isUrl)) {
    throw new UsageError(
      "Cannot compare the work behind a URL, because Stampede must start the server: write a manifest, and name it with --server",
    );
  }
  const scenarios = await comparable(ids, options, io);
  const servers = await selectServers(options, io.path);
  const env = { DB_POOL: String(DEFAULT_DB_POOL), ...serverEnv(options, DEFAULT_DB_POOL) };
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const isOfDatabase = scenarios.some((one) =>
    needsDatabase(one) && servers.some((server) => one.id in server.scenarios)
  );
  const records: WorkRecord[] = [];
  await using testbed = await openTestbed(options, isOfDatabase, io, (used) => {
    if (!isQuiet) io.say(`Using ${used}`);
  });
  try {
    const prepared = await testbed.prepare(servers, progress.show, io.stop);
    for (const one of prepared) {
      const onScenario = ({ id }: Scenario): void => {
        const phase = { kind: "counting", servers: [one.server.id], scenario: id } as const;
        progress.show({ kind: "phase", phase });
      };
      const context = { testbed, scenarios, env, signal: io.stop, onScenario };
      for await (const record of measureWork(one, context)) records.push(record);
    }
  } finally {
    progress.close();
    if (isQuiet) io.out(toJson(records, 1));
    else if (records.length > 0) io.out(workText(records, io.screen));
    else io.say("Nothing was compared");
  }
  const outcomes = records.map(({ outcome }) => outcome);
  const isWrong = outcomes.some((one) =>
    one.kind === "failed" || (one.kind === "done" && one.problems.length > 0)
  );
  const some = distinct(outcomes.map(({ kind }) => kind));
  return some.includes("done") && !isWrong ? FINE : FAILED;
}

/** Returns the scenarios with one kind of request: those that were named, or all. */
async function comparable(
  ids: readonly string[],
  options: Options,
  io: Io,
): Promise<readonly Scenario[]> {
  const files = await readScenarios(options.scenario ?? [], io.path);
  const isOne = ({ beside, mix }: Scenario): boolean => beside === undefined && mix === undefined;
  if (ids.length === 0 && files.length === 0) return SCENARIOS.filter(isOne);
  const named = ids.length === 0 ? [] : pick("scenario", ids, SCENARIOS);
  const combined = [...named, ...files].find((one) => !isOne(one));
  if (combined === undefined) return [...named, ...files];
  throw new UsageError(
    `Cannot compare the work for ${combined.id}, because it has several kinds of requests: name the scenarios that it combines`,
  );
}
