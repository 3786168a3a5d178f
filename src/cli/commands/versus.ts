import { basename, join, relative } from "node:path";
import { compareTargets } from "../../analysis/changes.ts";
import { roundsToDecide } from "../../analysis/judge.ts";
import { messageOf, UsageError } from "../../model/errors.ts";
import type { Server } from "../../model/server.ts";
import { ProcessScope } from "../../process/scope.ts";
import { bodiesRemarks, conditions } from "../../view/remarks.ts";
import { BASE, HEAD } from "../../view/tables/own.ts";
import { readManifest } from "../../target/catalog.ts";
import { checkOut, findRevision } from "../../target/revision.ts";
import { fromCaller } from "../../experiment/choose.ts";
import { assertGate, type GateOptions, noiseFor, readNoise, show, verdictOf } from "./compare.ts";
import { conclude } from "../finish.ts";
import { FASTEST } from "../../engine/generators.ts";
import { untilInterrupted } from "../interruption.ts";
import { measure } from "../../engine/run.ts";
import { type Order, orderOf, RATIOS, readOrder, type RunOptions } from "../../experiment/order.ts";
import { claimOutputs, type OutputOptions, writeOutputs } from "../outputs.ts";
import { complain } from "../print.ts";

/** Options of `versus`, as the table of options yields them. */
export interface VersusOptions extends Omit<RunOptions, "json">, GateOptions, OutputOptions {
  /** A git revision, or a manifest. */
  readonly base?: string;
  /** The same; without it, the server as it is. */
  readonly head?: string;
}

/** One of the two servers, and whose state it is. */
interface Side {
  readonly target: Server;
  /** The server's own id. */
  readonly of: string;
}

/**
 * `versus`: two states of one server, or two servers, measured in the same rounds of one run.
 *
 * @throws {UsageError} for what there is not.
 */
export async function versus(
  scenarioIds: readonly string[],
  options: VersusOptions,
): Promise<number> {
  assertGate(options);
  const { base, head, ...given } = options;
  if (base === undefined) {
    throw new UsageError("Cannot compare: give --base, a git revision or a manifest");
  }
  // What a server does in spare time is in its processor time, and hides part of a change
  const rest = { generator: FASTEST, ...given };
  const order = await readOrder(scenarioIds, rest);
  const [target, ...others] = order.targets;
  if (target === undefined || others.length > 0 || target.attached !== null) {
    throw new UsageError("Cannot compare several servers, or a URL: name one server by --server");
  }
  const { out } = options;
  const outputs = await claimOutputs(options, out === undefined ? [] : [fromCaller(out)]);
  if (options.noise !== undefined && options.noise !== "none") await readNoise(options.noise);
  const abort = untilInterrupted();
  await using scope = new ProcessScope();
  const sides = [
    await stateOf(target, base, BASE, scope, abort),
    await stateOf(target, head, HEAD, scope, abort),
  ] as const;
  const targets = sides.map((side) => side.target);
  const outcome = await measure(between(order, targets, rest), rest, { needsAll: true, abort });
  const { report } = outcome;
  let code = 0;
  if (report !== null) {
    const { noise, source } = await noiseFor(report, options);
    const own = noise.filter((one) => one.target === sides[0].of);
    const changes = compareTargets(report, [BASE, HEAD], own);
    const names = targets.map(({ name }) => name);
    await show(changes, options, outputs, {
      title: names.join(" and "),
      notes: [
        `base: ${names[0]}; head: ${names[1]}; paired over the rounds of one run`,
        ...(own.length === 0 ? [] : [`The noise floor is that of ${source}.`]),
        ...bodiesRemarks(report),
        ...conditions(report),
      ],
      isQuiet: false,
    });
    await writeOutputs(
      report,
      new Map([...outputs].filter(([format]) => format === "html")),
      false,
    );
    code = verdictOf(changes, options);
  }
  // What failed goes before what could not be compared because of it
  const failed = conclude(outcome, false, () => {});
  return failed === 0 ? code : failed;
}

/** A server at a revision, as it is, or another one by its manifest. */
async function stateOf(
  target: Server,
  name: string | undefined,
  id: string,
  scope: ProcessScope,
  abort: AbortSignal,
): Promise<Side> {
  const as = (own: Server, name: string): Side => ({
    target: { ...own, id, name, basedOn: null },
    of: own.id,
  });
  if (name === undefined) return as(target, `${target.name} as it is`);
  const path = fromCaller(name);
  if (await isManifest(path)) return as(await readManifest(path), name);
  const revision = await findRevision(target.folder, name);
  const { repository, commit } = revision;
  // A manifest's folder has the name of the server, also if it is the repository's
  const folder = join(await scope.makeFolder(), basename(repository));
  await Deno.mkdir(folder);
  complain(`Checking out ${name} (${commit.slice(0, 12)})`);
  await checkOut(revision, folder, scope, abort);
  // Git knows the folder by its real path
  const place = relative(repository, await Deno.realPath(target.folder));
  try {
    const own = await readManifest(join(folder, place));
    return as(own, `${target.name} at ${name} (${commit.slice(0, 12)})`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problem = messageOf(error).replaceAll(`${folder}/`, "");
    throw new UsageError(`Cannot compare with ${name} of ${repository}: ${problem}`);
  }
}

/** Whether there is a manifest, or a folder with one; a branch may be called like a folder. */
async function isManifest(path: string): Promise<boolean> {
  const isFile = (path: string): Promise<boolean> =>
    Deno.stat(path).then(({ isFile }) => isFile, () => false);
  return await isFile(path) || await isFile(join(path, "server.json"));
}

/** The order of what both servers implement, with as many rounds as the comparison needs. */
function between(
  { scenarios, config }: Order,
  targets: readonly Server[],
  options: RunOptions,
): Order {
  const common = scenarios.filter(({ id }) => targets.every((target) => id in target.scenarios));
  for (const { name, scenarios: own } of targets) {
    const alone = scenarios.filter((one) => one.id in own && !common.includes(one));
    if (alone.length > 0) {
      complain(`Left out, since only ${name} has it: ${alone.map(({ id }) => id).join(", ")}`);
    }
  }
  if (common.length === 0) {
    throw new UsageError("There is no scenario that both servers implement");
  }
  const family = common.length * (config.connections?.length ?? 1);
  const rounds = Math.max(RATIOS.rounds, roundsToDecide(family));
  const maxRounds = Math.max(RATIOS.maxRounds, rounds);
  return orderOf({ targets, scenarios: common }, options, { ...RATIOS, rounds, maxRounds });
}
