import { text } from "../../scenarios/text.ts";
import { mostConnections } from "../experiment/loads.ts";
import { sharesProcess } from "../experiment/planner.ts";
import { UsageError } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { RunningServer } from "../target/launch.ts";
import { contextOf, needsOf, prepareVariants } from "./prepare_variants.ts";
import { Blocks, type BlocksEvent } from "./measure_blocks.ts";
import { chooseGenerators, namedGenerators } from "./choose_generators.ts";
import { presentGenerator } from "./generator_pool.ts";
import type { ProgressListener, Testbed } from "./testbed.ts";
import type { ProfilesEvent } from "./take_profiles.ts";
import { Recorder } from "./recorder.ts";
import { measureInRounds } from "./rounds.ts";
import { measureBySearch } from "./capacity_search.ts";
import { ServerRounds, type ServerRoundsEvent } from "./server_rounds.ts";
import { type Emit, stream } from "./event_stream.ts";
import type { RunContext } from "./run_context.ts";

/**
 * Runs an experiment and yields its events. The last event is the complete report. If an error ends
 * the run early, a report of the measurements so far comes before the error.
 *
 * @param signal ends the run early
 * @throws {UsageError} if a load generator is missing or lacks a needed feature, or if no server
 *   implements any of the scenarios.
 * @throws {Failure} if no server can be measured, a required server is missing, or something that
 *   every window needs has ended.
 * @throws the reason of `signal` if that is aborted.
 */
export function run(
  experiment: Experiment,
  testbed: Testbed,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  return stream<RunEvent>(signal, (emit, signal) => execute(experiment, testbed, signal, emit));
}

async function execute(
  experiment: Experiment,
  testbed: Testbed,
  signal: AbortSignal,
  emit: Emit<RunEvent>,
): Promise<void> {
  const startedMs = testbed.nowMs();
  const onProgress: ProgressListener = (event) => void emit(event);
  const known = await testbed.generators();
  const named = namedGenerators(experiment, known);
  await using open = await testbed.open(needsOf(experiment), onProgress);
  const { asked, variants, reference } = await prepareVariants(
    experiment,
    open,
    onProgress,
    signal,
  );
  const { generators: chosen, generatorOf } = await chooseGenerators(experiment, known, named, {
    testbed: open,
    onProgress,
    signal,
  });
  const { fallback } = experiment.design;
  const generators = fallback === null || chosen.some(({ generator: { id } }) => id === fallback)
    ? chosen
    : [...chosen, presentGenerator(known, fallback)];
  if (
    !variants.some(({ server }) => experiment.scenarios.some(({ id }) => id in server.scenarios))
  ) {
    throw new UsageError("No server implements any of the scenarios");
  }

  const context = contextOf(experiment, variants, generators, open);
  await using pool = open.pool(generators);
  const recorder = new Recorder({
    origin: testbed.origin,
    experiment,
    host: open.host(mostConnections(experiment)),
    pinning: open.pinning,
    commit: await open.commit(),
    versions: await open.versions(
      reference === null ? variants : [...variants, reference],
      generators,
    ),
    database: open.database?.label ?? null,
    generators,
    servers: asked,
    context,
  });
  const report = (complete: boolean): Promise<void> => {
    const tookS = (testbed.nowMs() - startedMs) / 1000;
    return emit({ kind: "report", report: recorder.report(complete, tookS) });
  };
  const onEvent = async (event: ServerRoundsEvent | BlocksEvent): Promise<void> => {
    if (event.kind === "launch") return recorder.launched(event.launch);
    if (event.kind === "result") recorder.add(event.trialResult);
    else if (event.kind === "sliced") recorder.addBlock(event.blockResult);
    else return await emit(event);
    if (recorder.isDue) await report(false);
    if (event.kind === "sliced") return await emit(event);
    for (const result of recorder.results([event.trialResult])) await emit({ ...event, result });
  };
  const onProfile = async (event: ProfilesEvent): Promise<void> => {
    if (event.kind === "profiled") recorder.addProfile(event.profile);
    await emit(event);
    if (event.kind === "profiled" && recorder.hasFigures) await report(false);
  };
  const all = reference === null ? variants : [...variants, reference];
  const common = {
    variants: new Map(all.map((variant) => [variant.id, variant])),
    scenarios: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    launch: ({ server, env }: Variant): Promise<RunningServer> => open.launch(server, env),
    assertSound: () => open.assertSound(),
    abort: signal,
    onEvent,
  };
  const kept = new Map<string, RunningServer>();
  const release = async (): Promise<void> => {
    const servers = [...kept.values()];
    kept.clear();
    for (const server of servers) await server[Symbol.asyncDispose]();
  };
  const { design: { slices, seed }, search } = experiment;
  const serverRounds = new ServerRounds({
    ...common,
    kept: search !== null || sharesProcess(experiment.design, variants) ? kept : null,
    tools: {
      facts: open.facts,
      database: open.database,
      measure: (...job) => pool.measure(...job),
      measureBeside: (...job) => pool.measureBeside(...job),
      ceiling: (...job) => pool.ceiling(...job),
      watch: (options) => open.watch(options),
      countStatements: () => open.countStatements(),
    },
  });
  const sliced = slices && new Blocks({
    ...common,
    reference: reference && { id: reference.id, scenario: text },
    design: slices,
    seed,
    facts: open.facts,
    slices: (...job) => pool.slices(...job),
  });
  const runContext: RunContext = {
    experiment,
    variants,
    reference,
    generators,
    generatorOf,
    context,
    testbed: open,
    recorder,
    pool,
    serverRounds,
    sliced,
    kept,
    release,
    nowMs: () => testbed.nowMs(),
    onProgress,
    emit,
    onProfile,
    signal,
  };
  try {
    await (search === null ? measureInRounds(runContext) : measureBySearch(runContext, search));
  } catch (error) {
    if (recorder.hasFigures) await report(false);
    throw error;
  }
  await report(true);
}
