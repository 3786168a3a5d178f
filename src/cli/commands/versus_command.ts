import { compareVariants } from "../../analysis/variant_changes.ts";
import type { NoiseFloor } from "../../analysis/undecided_changes.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import { findState, type State } from "../../target/state.ts";
import { select } from "../../experiment/select.ts";
import { BASE, HEAD, versusExperiment } from "../../experiment/versus_experiment.ts";
import { UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import { toJson } from "../../model/text.ts";
import { ProcessScope } from "../../process/scope.ts";
import { notesOfVersus } from "../../view/changes_text.ts";
import { dryRun } from "../dry_run.ts";
import { finish } from "../finish.ts";
import { assertGate, exitCodeOf, type GateOptions, noiseFor, readNoise, show } from "../gate.ts";
import type { Io } from "../io.ts";
import { measure } from "../measure.ts";
import { claimOutputs, writeOutputs } from "../outputs.ts";
import type { RunOptions } from "../run_scenarios.ts";

/** Options of `versus`, as parsed. */
export interface VersusOptions extends Omit<RunOptions, "wide">, GateOptions {
  /** A git revision, or a manifest. */
  readonly base?: string;
  /** A git revision, or a manifest; by default the server's current files. */
  readonly head?: string;
}

/**
 * Runs `versus`: measures two revisions of a server, or two servers, in the same rounds, and compares them.
 *
 * @returns the exit code
 * @throws {UsageError} if --base is missing, or a server, revision or scenario does not exist
 */
export async function versus(
  args: readonly string[],
  options: VersusOptions,
  io: Io,
): Promise<number> {
  assertGate(options);
  if (options.base === undefined) {
    throw new UsageError("Cannot compare: give a git revision or a manifest, such as --base main");
  }
  const { servers: [server, ...others], scenarios } = await select(args, options, io.path);
  if (server === undefined || others.length > 0 || server.attached !== null) {
    throw new UsageError(
      "Cannot compare several servers or a URL: name one server, with --servers or --server",
    );
  }
  const taken = options.out === undefined ? [] : [io.path(options.out)];
  const outputs = await claimOutputs(options, taken, io);
  if (options.noise !== undefined && options.noise !== "none") await readNoise(options.noise, io);
  await using scope = new ProcessScope();
  const base = await stateOf(server, options.base, scope, io);
  const head = await stateOf(server, options.head, scope, io);
  sayWhatIsLeftOut(base, head, scenarios, io);
  const experiment = versusExperiment([base, head], scenarios, options);
  const isQuiet = options.json ?? false;
  if (options.dryRun) return await dryRun(experiment, { ...options, isJson: isQuiet }, io);
  let floor: NoiseFloor | null = null;
  const outcome = await measure(experiment, options, io, async (report) => {
    floor ??= await noiseFor(report, options, io);
    return { ...report, changes: compareVariants(report, [BASE, HEAD], floor) };
  });
  const { report } = outcome;
  const title = `${base.label} and ${head.label}`;
  const notes = notesOfVersus(report);
  await show(report.changes, options, outputs, { title, notes, isQuiet }, io);
  await writeOutputs(
    report,
    new Map([...outputs].filter(([format]) => format === "html")),
    isQuiet,
    io,
  );
  if (isQuiet) io.out(toJson(report.changes));
  // A failed run takes precedence over the comparison's exit code
  const failed = finish(outcome, isQuiet, io);
  return failed === FINE ? exitCodeOf(report.changes, options) : failed;
}

function stateOf(
  server: Server,
  name: string | undefined,
  scope: ProcessScope,
  io: Io,
): Promise<State> {
  return findState(server, name, {
    scope,
    resolve: io.path,
    stop: io.stop,
    onCheckOut: (name, commit) => io.err(`Checking out ${name} (${commit.slice(0, 12)})`),
  });
}

function sayWhatIsLeftOut(
  base: State,
  head: State,
  scenarios: readonly Scenario[],
  io: Io,
): void {
  for (const [{ label, server }, other] of [[base, head], [head, base]] as const) {
    const alone = scenarios.map(({ id }) => id)
      .filter((id) => id in server.scenarios && !(id in other.server.scenarios));
    if (alone.length > 0) io.err(`Left out ${alone.join(", ")}: only ${label} implements it`);
  }
}
