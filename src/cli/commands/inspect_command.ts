/** The commands that inspect this machine: `list` (servers, generators, …) and `doctor`. */
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { ceilingOf, findGenerators, isPresent } from "../../engine/generator_pool.ts";
import { measureWakeUp } from "../../load/awake.ts";
import type { MissingGenerator } from "../../load/generator_list.ts";
import { diagnose, wakeUps } from "../../machine/diagnose.ts";
import { readMachine } from "../../machine/facts.ts";
import { awakeCpus } from "../../machine/pinning.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import type { Finding } from "../../model/report.ts";
import { ProcessScope } from "../../process/scope.ts";
import { readCatalog } from "../../target/catalog.ts";
import { Toolchain } from "../../target/toolchain.ts";
import { rate } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { hanging, type Screen, tinted, wrap } from "../../view/table.ts";
import type { Commands, Options } from "../command.ts";
import type { Io } from "../io.ts";

export const inspecting = {
  doctor: { summary: "check this machine for causes of noise, with advice", action: doctor },
  list: {
    summary: "list scenarios, servers and load generators",
    takes: ["[what...]", "scenarios, servers, or generators (also measures their ceilings)"],
    action: list,
  },
} satisfies Commands;

type Rows = readonly (readonly [id: string, text: string])[];

const LISTS = {
  scenarios: { heading: "Scenarios", rowsOf: scenarios },
  servers: { heading: "Servers", rowsOf: servers },
  generators: { heading: "Load generators", rowsOf: generators },
};

/** Prints the lists of the words, by default all. Naming generators measures their ceilings. */
async function list(what: readonly string[], _options: Options, io: Io): Promise<number> {
  const unknown = what.find((word) => !Object.hasOwn(LISTS, word));
  if (unknown !== undefined) {
    throw new UsageError(`Cannot list "${unknown}": choose from ${Object.keys(LISTS).join(", ")}`);
  }
  for (const [kind, { heading, rowsOf }] of Object.entries(LISTS)) {
    if (what.length > 0 && !what.includes(kind)) continue;
    const rows = await rowsOf(what.length > 0, io);
    io.out(`${heading}:`);
    for (const [id, text] of rows) {
      for (const line of hanging(`  ${id.padEnd(20)}`, text, io.screen.columns)) io.out(line);
    }
  }
  return FINE;
}

function scenarios(): Rows {
  return SCENARIOS.map(({ id, request, title, isDefault }) => {
    const route = `${request.method} ${request.path.split("?")[0]}`.padEnd(22);
    return [id, `${route}${title}${isDefault ? "" : " (only by name)"}`];
  });
}

/** Lists servers with the scenarios of those that lack some, or the reason if one is skipped here. */
async function servers(): Promise<Rows> {
  const toolchain = new Toolchain();
  const defaults = SCENARIOS.filter(({ isDefault }) => isDefault);
  return await Promise.all([...(await readCatalog()).values()].map(async (server) => {
    const { id, name, language, framework, scenarios } = server;
    const parts = [language, framework].filter((part) => part !== null && part !== name);
    const what = `${name} (${parts.join(", ")})`;
    const missing = await toolchain.missing(server);
    if (missing !== null) return [id, `${what} - skipped: ${missing}`] as const;
    const isWhole = defaults.every(({ id }) => id in scenarios);
    return [id, isWhole ? what : `${what}: ${Object.keys(scenarios).join(", ")}`] as const;
  }));
}

/** Number of connections at which a ceiling is measured: the default of a run. */
const CEILING_CONNECTIONS = 10;

async function generators(withCeilings: boolean, io: Io): Promise<Rows> {
  await using scope = new ProcessScope();
  const progress = createProgress({ ...io.progress, variants: 1 });
  const all = await findGenerators();
  const of = all.filter(isPresent).length;
  let place = 0;
  return await Array.fromAsync(all, async (status) => {
    const { id } = status.generator;
    if (!isPresent(status)) {
      return [id, `not installed: ${(status.found as MissingGenerator).install}`] as const;
    }
    const what = `${status.found.version.padEnd(10)}  ${status.found.path}`;
    if (!withCeilings) return [id, what] as const;
    progress.show({ kind: "phase", phase: { kind: "ceiling", generator: id, place: ++place, of } });
    const load = { connections: CEILING_CONNECTIONS, shards: 1 };
    const ceiling = await ceilingOf(scope, status, load, io.stop).then(
      ({ responsesPerS }) => `${rate(responsesPerS)} req/s against canned bytes`,
      (error) => {
        io.stop.throwIfAborted();
        return `does not work: ${messageOf(error)}`;
      },
    ).finally(progress.close);
    return [id, `${what}  ${ceiling}`] as const;
  });
}

/** Colours of statuses; `unknown` stays plain. */
const TONES = { ok: "good", warn: "doubtful", unknown: null } as const;

/** Returns the doctor's findings with their advice, in lines that fit the screen. */
export function describeFindings(
  findings: readonly Finding[],
  { columns, styled }: Screen,
): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const warnings = findings.filter(({ status }) => status === "warn").length;
  const summary = warnings === 0
    ? "No cause of noise found."
    : `${warnings} of ${findings.length} checks found a cause of noise. Stampede changes no settings.`;
  const lines = findings.flatMap(({ name, status, found, advice }) => {
    const tone = styled ? TONES[status] : null;
    const shown = tone === null ? status : tinted(status, tone);
    const start = `${status.padEnd(9)}${name.padEnd(width + 2)}`;
    const [first = "", ...others] = hanging(start, found, columns);
    const advised = advice === null ? [] : hanging("".padEnd(width + 11), advice, columns);
    return [first.replace(status, shown), ...others, ...advised];
  });
  return [...lines, ...wrap(summary, columns)];
}

/** Largest number of connections that a scenario opens by default. */
const CONNECTIONS = 100;

async function doctor(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const machine = readMachine();
  await using scope = new ProcessScope();
  const wakeUp = await measureWakeUp(scope, awakeCpus(machine)).catch(messageOf);
  const connections = Math.max(...options.connections ?? [CONNECTIONS]);
  const findings = [...diagnose(machine, { connections }), wakeUps(wakeUp)];
  for (const line of describeFindings(findings, io.screen)) io.out(line);
  return FINE;
}
