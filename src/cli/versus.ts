import { join, relative } from "node:path";
import { compareTargets, roundsToDecide } from "../analysis/changes.ts";
import { UsageError } from "../errors.ts";
import type { Target } from "../model.ts";
import { Household } from "../process/household.ts";
import { conditions } from "../report/remarks.ts";
import { readManifest } from "../target/catalog.ts";
import { checkOut, findRevision } from "../target/revision.ts";
import { fromCaller } from "./choose.ts";
import { assertGate, type GateOptions, noiseFor, show, verdictOf } from "./compare.ts";
import { conclude } from "./conclude.ts";
import { untilInterrupted } from "./interruption.ts";
import { measure } from "./measure.ts";
import { type Order, readOrder, type RunOptions } from "./order.ts";
import { claimOutputs, writeOutputs } from "./outputs.ts";
import { complain } from "./say.ts";

/** Options of `versus`, as the table of options yields them. */
export interface VersusOptions extends Omit<RunOptions, "json">, GateOptions {
  /** A git revision, or a manifest. */
  readonly base?: string;
  /** The same; without it, the server as it is. */
  readonly head?: string;
  readonly html?: string;
}

/** The two servers, by the ids that they have in such a run. */
const BASE = "base";
const HEAD = "head";
const DEFAULT_ROUNDS = 6;

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
  const { base, head, ...rest } = options;
  if (base === undefined) {
    throw new UsageError("Cannot compare: give --base, a git revision or a manifest");
  }
  const order = await readOrder(scenarioIds, { ...rest, rounds: 1, maxRounds: 1 });
  const [target, ...others] = order.targets;
  if (target === undefined || others.length > 0 || target.attached !== null) {
    throw new UsageError("Cannot compare several servers, or a URL: name one server by --server");
  }
  const outputs = await claimOutputs({
    ...(options.html !== undefined && { html: options.html }),
  });
  const abort = untilInterrupted();
  await using household = new Household();
  const side = async (name: string | undefined, id: string): Promise<Target> => {
    const found = await stateOf(target, name, household, abort);
    return { ...found, id, basedOn: null };
  };
  const targets = [await side(base, BASE), await side(head, HEAD)];
  const family = order.scenarios.length * (order.config.connections?.length ?? 1);
  const rounds = Math.max(DEFAULT_ROUNDS, roundsToDecide(family));
  const whole = await readOrder(scenarioIds, {
    ...rest,
    rounds: options.rounds ?? Math.min(rounds, options.maxRounds ?? rounds),
  });
  const outcome = await measure(between(whole, targets), rest);
  let code = 0;
  const { report } = outcome;
  if (report !== null && report.cells.length > 0) {
    const { noise, source } = await noiseFor(report, options);
    const own = noise.filter((one) => one.target === target.id);
    const changes = compareTargets(report, [BASE, HEAD], {
      noise: own.map((one) => ({ ...one, target: BASE })),
    });
    await show(changes, options, targets.map(({ name }) => name).join(" and "), [
      `base: ${targets[0]?.name}; head: ${targets[1]?.name}; paired over the rounds of one run`,
      ...(source === null || own.length === 0 ? [] : [`The noise floor is that of ${source}.`]),
      ...conditions(report),
    ]);
    await writeOutputs(report, outputs, false);
    code = verdictOf(changes, options);
  }
  const failed = conclude(outcome, false, () => {});
  return failed === 0 ? code : failed;
}

/** A server at a revision, as it is, or another one by its manifest. */
async function stateOf(
  target: Target,
  name: string | undefined,
  household: Household,
  abort: AbortSignal,
): Promise<Target> {
  if (name === undefined) return { ...target, name: `${target.name} as it is` };
  const path = fromCaller(name);
  if (await Deno.stat(path).then(() => true, () => false)) {
    return { ...await readManifest(path), name };
  }
  const revision = await findRevision(target.folder, name);
  const { repository, commit } = revision;
  const folder = await household.makeFolder();
  complain(`Checking out ${name} (${commit.slice(0, 12)})`);
  await checkOut(revision, folder, household, abort);
  // Git knows the folder by its real path
  const real = await Deno.realPath(target.folder);
  const own = await readManifest(join(folder, relative(repository, real)));
  return { ...own, name: `${target.name} at ${name} (${commit.slice(0, 12)})` };
}

function between(order: Order, targets: readonly Target[]): Order {
  const ids = targets.map(({ id }) => id);
  return { ...order, targets, config: { ...order.config, targets: ids } };
}
