import { compareVariants } from "../../analysis/variant_changes.ts";
import { BASE, HEAD, versusExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import { UsageError } from "../../model/errors.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import { toJson } from "../../model/text.ts";
import { ProcessScope } from "../../process/scope.ts";
import { findState, type State } from "../../target/state.ts";
import { notesOfVersus } from "../../view/changes_text.ts";
import { exitCodeOf, gateOf, type GateOptions, noiseFor, readNoise, show } from "../gate.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { type MeasureOptions, settingsOf } from "../run_settings.ts";

/**
 * Runs `versus`: measures two revisions of a server, or two servers, in the same rounds, and compares them.
 *
 * @returns the exit code
 * @throws {UsageError} if --base is missing, or a server, revision or scenario does not exist
 */
export async function versus(
  args: readonly string[],
  options: MeasureOptions & GateOptions & { readonly base?: string },
  io: Io,
): Promise<number> {
  const gate = gateOf(options);
  if (options.base === undefined) {
    throw new UsageError("Cannot compare: give a git revision or a manifest, such as --base main");
  }
  const draft = draftOf(await select(args, options, io.path), options);
  const { servers: [server, ...others], scenarios } = draft;
  if (server === undefined || others.length > 0 || server.attached !== null) {
    throw new UsageError(
      "Cannot compare several servers or a URL: name one server, with --servers or --server",
    );
  }
  const settings = await settingsOf(options, io);
  const { outputs, isQuiet } = settings;
  let floor = await readNoise(options.noise, io);
  await using scope = new ProcessScope();
  const base = await stateOf(server, options.base, scope, io);
  const head = await stateOf(server, options.head, scope, io);
  sayWhatIsLeftOut(base, head, scenarios, io);
  const pages = new Map([...outputs].filter(([format]) => format === "html"));
  return await carryOut(
    versusExperiment(draft, [base, head]),
    { ...settings, outputs: pages },
    io,
    {
      complete: async (report) => {
        floor ??= await noiseFor(report, io);
        return { ...report, changes: compareVariants(report, [BASE, HEAD], floor) };
      },
      print: async (report) => {
        const title = `${base.label} and ${head.label}`;
        const notes = notesOfVersus(report);
        await show(report.changes, gate, outputs, { title, notes, isQuiet }, io);
        if (isQuiet) io.out(toJson(report.changes));
      },
      exitCode: ({ changes }) => exitCodeOf(changes, gate),
    },
  );
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
