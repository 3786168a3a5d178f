/** Profiles base and head in turn, so that the times of their functions can be compared. */
import { compareVariants } from "../analysis/variant_changes.ts";
import { foldStacks, selfSamplesOf } from "../analysis/profiles.ts";
import { isSameWorkload } from "../analysis/keys.ts";
import { recordOf } from "../experiment/compose.ts";
import type { ProfileOrder } from "../experiment/planner.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { CpuProfile, SelfTimes } from "../model/profile.ts";
import type { Reason } from "../model/reason.ts";
import { hideUrls } from "../model/text.ts";
import { inspected } from "../target/sampler.ts";
import type { RunContext } from "./run_context.ts";
import { profileOf } from "./take_profiles.ts";

/** Length of each profile, in seconds. More rounds are worth more than longer ones. */
export const DIFFERENCE_S = 0.6;
/** Rounds. Processes of one version differ more than their samples do. With 6, intervals are twice as wide. */
const ROUNDS = 12;

/** Profiles both variants at each workload with a proven change, or at all of them. */
export async function takeDifferences(
  context: RunContext,
  orders: readonly ProfileOrder[],
): Promise<void> {
  const { experiment, recorder, emit, report, signal, testbed, variants: [base, head] } = context;
  const { differences } = experiment.design;
  if (differences === "none" || base === undefined || head === undefined) return;
  const { changes } = compareVariants(
    {
      results: recorder.results(),
      trialResults: recorder.trialResults,
      blocks: recorder.blocks,
      experiment: recordOf(experiment),
    },
    [[base.id, head.id]],
    { noise: [], noiseSource: null },
  );
  const isWanted = ({ scenario, load }: ProfileOrder): boolean =>
    differences === "all" ||
    changes.some(({ verdict, ...change }) =>
      ["slower", "faster"].includes(verdict) &&
      isSameWorkload(change, { scenario: scenario.id, connections: load.connections, perS: null })
    );
  for (const order of orders.filter((one) => one.variant.id === head.id && isWanted(one))) {
    const { scenario, load } = order;
    const workload = { scenario: scenario.id, connections: load.connections, perS: null };
    const record = (one: Pick<SelfTimes, "variant" | "round"> & Partial<SelfTimes>): void =>
      recorder.add("selfTimes", {
        ...workload,
        cpuUs: null,
        sampledUs: null,
        samples: 0,
        functions: [],
        reason: null,
        ...one,
      });
    const sampled = new Map<string, { threads: CpuProfile[]; responses: number }>();
    const fail = (variant: string, reason: Reason): void => record({ variant, round: 1, reason });
    const problem = [base, head].map(({ id, server }) => ({ id, ...inspected(server) }))
      .find(({ reason }) => reason !== null);
    if (problem?.reason) {
      fail(problem.id, problem.reason);
      continue;
    }
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        for (const variant of round % 2 === 1 ? [base, head] : [head, base]) {
          signal.throwIfAborted();
          const phase = { kind: "profiling", server: variant.id, scenario: scenario.id } as const;
          await emit({ kind: "phase", phase });
          const { threads, responses, cpuUs, sampledUs } = await profileOf(
            context,
            { ...order, variant },
            true,
          );
          if (responses === 0) throw new Failure(`${variant.id} did not respond`);
          record({ variant: variant.id, round, cpuUs, sampledUs, ...selfSamplesOf(threads) });
          const all = sampled.get(variant.id) ?? { threads: [], responses: 0 };
          all.threads.push(...threads);
          sampled.set(variant.id, { ...all, responses: all.responses + responses });
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      await testbed.assertSound();
      fail(head.id, { kind: "message", text: hideUrls(messageOf(error)) });
    }
    for (const [variant, { threads, responses }] of sampled) {
      recorder.add("profiles", {
        variant,
        ...workload,
        threads: threads.length,
        foldedStacks: foldStacks(threads),
        busiestThread: null,
        responses,
        files: [],
        reason: null,
      });
    }
    await report(false);
  }
}
