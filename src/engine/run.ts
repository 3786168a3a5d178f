import { mostConnections } from "../experiment/options.ts";
import { sharesProcess } from "../experiment/planner.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment } from "../model/experiment.ts";
import { measureBySearch } from "./capacity_search.ts";
import { chooseGenerators, namedGenerators } from "./choose_generators.ts";
import { type RunContext, stream } from "./run_context.ts";
import { contextOf, needsOf, prepareVariants } from "./prepare.ts";
import { Recorder } from "./recorder.ts";
import { measureInRounds } from "./rounds.ts";
import { Servers } from "./servers.ts";
import type { Testbed } from "./testbed.ts";

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
  return stream<RunEvent>(signal, async (emit, signal) => {
    const startedMs = testbed.nowMs();
    const known = await testbed.generators();
    const named = namedGenerators(experiment, known);
    await using open = await testbed.open(needsOf(experiment), emit);
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
      database: open.database?.label ?? null,
      generators,
      servers: asked,
      context: contextOf(experiment, variants, generators, open),
    });
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
