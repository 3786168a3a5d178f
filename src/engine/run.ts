import type { ResultContext } from "../analysis/derive_results.ts";
import { assertResumable } from "../analysis/resumable.ts";
import { type Available, workersOf } from "../analysis/summaries.ts";
import { mostConnections } from "../experiment/loads.ts";
import { sharesProcess } from "../experiment/planner.ts";
import { usableCores } from "../machine/pinning.ts";
import { NoServer, UsageError } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { needsDatabase } from "../model/scenario.ts";
import { sum } from "../stats/median.ts";
import { measureBySearch } from "./capacity_search.ts";
import { chooseGenerators, namedGenerators } from "./choose_generators.ts";
import { type RunContext, type RunStart, stream } from "./run_context.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import { Recorder } from "./recorder.ts";
import { measureInRounds } from "./rounds.ts";
import { Servers } from "./servers.ts";
import type { OpenTestbed, Testbed, TestbedNeeds } from "./testbed.ts";

/**
 * Runs an experiment and yields its events. The last event is the complete report. If an error ends
 * the run early, a report of the measurements so far comes before the error.
 *
 * @param resumed the report of a run to continue; its measurements count too
 * @throws {UsageError} if a load generator is unfit, or no server implements any of the scenarios; or if the
 *   resumed run was measured otherwise.
 * @throws {Failure} if servers cannot be measured, or something that every window needs has ended.
 * @throws the reason of `signal` if that is aborted.
 */
export function run(
  experiment: Experiment,
  testbed: Testbed,
  signal: AbortSignal,
  resumed: Report | null = null,
): AsyncGenerator<RunEvent, void> {
  return stream<RunEvent>(signal, async (emit, signal) => {
    const startedMs = testbed.nowMs();
    const known = await testbed.generators();
    const named = namedGenerators(experiment, known);
    await using open = await testbed.open(needsOf(experiment), emit, signal);
    const start = { experiment, testbed: open, emit, signal };
    const { asked, variants, reference } = await prepareVariants(start);
    const { generators, generatorOf } = await chooseGenerators(start, known, named);
    await using pool = open.pool(generators);
    const recorder = new Recorder({
      origin: testbed.origin,
      experiment,
      ...await open.describe(
        [...variants, ...reference ? [reference] : []],
        generators,
        mostConnections(experiment),
      ),
      pinning: open.pinning,
      database: open.database?.address.label ?? null,
      generators,
      servers: asked,
      context: contextOf(experiment, variants, generators, open),
      resumed,
    });
    if (resumed !== null) assertResumable(resumed, recorder.report(false, 0));
    const report = async (complete: boolean): Promise<void> => {
      const tookS = (testbed.nowMs() - startedMs) / 1000;
      await emit({ kind: "report", report: recorder.report(complete, tookS) });
    };
    const { design, search } = experiment;
    const context: RunContext = {
      ...start,
      variants,
      reference,
      generatorOf,
      pool,
      servers: new Servers(open, search !== null || sharesProcess(design, variants)),
      recorder,
      report,
      nowMs: () => testbed.nowMs(),
    };
    try {
      await (search === null ? measureInRounds(context) : measureBySearch(context, search));
    } catch (error) {
      if (recorder.hasFigures) await report(false);
      throw error;
    }
    await report(true);
  });
}

function needsOf({ variants, scenarios, load, design }: Experiment): TestbedNeeds {
  const each = variants.map(({ env }) =>
    Math.max(Number(env.DB_POOL ?? 1), Number(env.WORKERS ?? 1))
  );
  return {
    database: scenarios.some(needsDatabase),
    // Servers of slices run at the same time, so their connections add up.
    databaseConnections: design.slices === null ? Math.max(...each) : sum(each),
    pins: design.pins,
    tls: load.tls,
  };
}

/** Builds servers. Returns the requested variants (`asked`), and those that can be measured. */
async function prepareVariants(
  { experiment: { variants, reference, scenarios, design }, testbed, emit, signal }: RunStart,
): Promise<Pick<RunContext, "variants" | "reference"> & { readonly asked: readonly Available[] }> {
  const all = reference === null ? variants : [...variants, reference];
  const prepared = await testbed.prepare(all.map(({ server }) => server), emit, signal);
  const known = prepared.map(({ server, skipped, failure }, i) => ({
    variant: { ...all[i] as Variant, server },
    skipped,
    failure,
    problem: skipped === null ? failure : `skipped: ${skipped}`,
  }));
  const asked = known.slice(0, variants.length);
  const there = asked.filter(({ problem }) => problem === null).map(({ variant }) => variant);
  const bare = known[variants.length];
  if (bare && bare.problem !== null) {
    const { variant: { server }, problem: reason } = bare;
    await emit({ kind: "note", note: { kind: "no-reference", server: server.name, reason } });
  }
  if (there.length === 0 || (design.needsAll && there.length < asked.length)) {
    const absent = asked.filter(({ problem }) => problem !== null);
    const reasons = absent.map(({ variant, problem }) => `${variant.id}: ${problem}`);
    const message = ["There is no server to measure", ...reasons].join("\n");
    throw new NoServer(message, absent.map(({ variant }) => variant.id));
  }
  if (!there.some(({ server }) => scenarios.some(({ id }) => id in server.scenarios))) {
    throw new UsageError("No server implements any of the scenarios");
  }
  return { asked, variants: there, reference: bare?.problem === null ? bare.variant : null };
}

function contextOf(
  experiment: Experiment,
  variants: readonly Variant[],
  generators: readonly PresentGenerator[],
  { machine, pinning }: OpenTestbed,
): ResultContext {
  const usable = usableCores(machine);
  const singleThreaded = generators.filter(({ generator }) => generator.threads === "one");
  const inTurns = variants.filter(({ server }) => server.takesTurns)
    .map(({ id, server, env }) => [id, workersOf(server, env) ?? Infinity] as const);
  return {
    cores: {
      machine: usable < machine.logicalCpus ? null : machine.logicalCpus,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    variants: experiment.variants.map(({ id }) => id),
    threads: new Map(singleThreaded.map(({ generator }) => [generator.id, 1])),
    turns: new Map(inTurns),
    needs: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    fallback: experiment.design.fallback,
  };
}
