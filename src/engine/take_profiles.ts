import { foldStacks } from "../analysis/profiles.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { CpuProfile, Profile } from "../model/profile.ts";
import { responsesOf } from "../model/figures.ts";
import { sum } from "../stats/median.ts";
import { hideUrls } from "../model/text.ts";
import type { ProfileOrder } from "../experiment/planner.ts";
import { inspected } from "../target/sampler.ts";
import { observe } from "./generator_pool.ts";
import type { RunContext } from "./run_context.ts";
import { assertRoom, untilEnd, verified } from "./servers.ts";

/**
 * Profiles servers, in a separate process for each server and scenario, so that no figure comes from a
 * process with an inspector. If a profile fails, its event gives the reason.
 */
export async function takeProfiles(
  context: RunContext,
  orders: readonly ProfileOrder[],
): Promise<void> {
  const { recorder, report, emit, testbed, signal } = context;
  for (const order of orders) {
    signal.throwIfAborted();
    const { variant: { id: variant, server }, scenario: { id: scenario }, load } = order;
    const record = async (
      measured: Pick<Profile, "reason"> & Partial<Profile>,
      threads: readonly CpuProfile[] = [],
    ): Promise<void> => {
      const profile = {
        variant,
        scenario,
        connections: load.connections,
        perS: load.open?.perS ?? null,
        threads: threads.length,
        foldedStacks: null,
        busiestThread: null,
        responses: 0,
        files: [],
        ...measured,
      };
      recorder.add("profiles", profile);
      await emit({ kind: "profiled", profile, threads });
      if (recorder.hasFigures) await report(false);
    };
    const { reason } = inspected(server);
    if (reason !== null) {
      await record({ reason });
      continue;
    }
    await emit({ kind: "phase", phase: { kind: "profiling", server: variant, scenario } });
    try {
      const { threads, cpuUs: _, sampledUs: __, ...seen } = await profileOf(context, order);
      const foldedStacks = foldStacks(threads);
      if (foldedStacks === null) throw new Failure("V8 took no sample");
      await record({ ...seen, foldedStacks, reason: null }, threads);
    } catch (error) {
      signal.throwIfAborted();
      await testbed.assertSound();
      await record({ reason: { kind: "message", text: hideUrls(messageOf(error)) } });
    }
  }
}

/** What a short load of a profiled server gives. */
interface Profiled extends Pick<Profile, "busiestThread" | "responses"> {
  readonly threads: readonly CpuProfile[];
  /** CPU time of the server per response, in microseconds; null if unknown. */
  readonly cpuUs: number | null;
  /** Time in which V8 sampled per response, in microseconds; null without a response. */
  readonly sampledUs: number | null;
}

/** Loads a fresh process of a server and takes its profile during the window. */
export async function profileOf(
  { testbed, pool, signal }: RunContext,
  { variant, scenario, generator, load }: ProfileOrder,
  isExact = false,
): Promise<Profiled> {
  assertRoom(variant.server, load.connections);
  await using server = await testbed.launchProfiled(variant.server, variant.env, isExact);
  const { origin, pid, sampler } = server;
  const { talk } = await verified(origin, scenario, testbed.facts, signal);
  const observer = observe(pid, null, null);
  let started: Promise<void> = Promise.resolve();
  let sampled: Promise<readonly CpuProfile[]> = Promise.reject(new Failure("No window was opened"));
  sampled.catch(() => {}); // awaited below, unless the window fails first
  const whileRunning = untilEnd([server], signal);
  const measurement = await pool.measure(generator, { ...talk, load }, whileRunning, {
    starting: observer.starting,
    opened: () => {
      started = sampler.start();
      started.catch(() => {});
      observer.opened();
    },
    closed: () => {
      observer.closed();
      sampled = started.then(() => sampler.stop());
      sampled.catch(() => {});
    },
  });
  const used = observer.usage()?.server ?? null;
  const responses = responsesOf(measurement);
  const profiles = await sampled;
  const lengths = profiles.map(({ startTime, endTime }) => endTime - startTime);
  // V8 samples a thread that runs or sleeps, but not one that waits for a processor
  const sampledUs = sum(lengths) * (1 - (used?.runQueueWait ?? 0)) / responses;
  return {
    threads: profiles,
    sampledUs: responses === 0 ? null : sampledUs,
    busiestThread: used?.busiestThread ?? null,
    responses,
    cpuUs: used === null || responses === 0 ? null : (used.userUs + used.systemUs) / responses,
  };
}
