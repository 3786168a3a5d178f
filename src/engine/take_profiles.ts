import { foldStacks } from "../analysis/profiles.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { CpuProfile, Profile } from "../model/profile.ts";
import type { Reason } from "../model/reason.ts";
import { hideUrls } from "../model/text.ts";
import type { ProfileOrder } from "../experiment/planner.ts";
import { inspected } from "../target/sampler.ts";
import { Observer } from "./measure_window.ts";
import type { RunContext } from "./run_context.ts";
import { assertRoom, untilEnd, verified, verifiedMix } from "./servers.ts";

/**
 * Profiles servers, in a separate process for each server and scenario. These processes are only used for
 * profiles, so that no figure comes from a process with an inspector. If a profile fails, its event gives the
 * reason.
 *
 * @throws {Failure} if nothing more can be measured.
 * @throws the reason of the context's `signal` if that signal is aborted.
 */
export async function takeProfiles(
  context: RunContext,
  orders: readonly ProfileOrder[],
): Promise<void> {
  const { recorder, report, emit, testbed, signal } = context;
  const record = async (profile: Profile, threads: readonly CpuProfile[]): Promise<void> => {
    recorder.addProfile(profile);
    await emit({ kind: "profiled", profile, threads });
    if (recorder.hasFigures) await report(false);
  };
  for (const order of orders) {
    signal.throwIfAborted();
    const { variant: { id: variant, server }, scenario, load } = order;
    const key = {
      variant,
      scenario: scenario.id,
      connections: load.connections,
      perS: load.open?.perS ?? null,
    };
    const nothing = {
      threads: 0,
      foldedStacks: null,
      busiestThread: null,
      responses: 0,
      files: [],
    };
    const fail = (reason: Reason): Promise<void> => record({ ...key, ...nothing, reason }, []);
    const { reason } = inspected(server);
    if (reason !== null) {
      await fail(reason);
      continue;
    }
    const phase = { kind: "profiling", server: variant, scenario: scenario.id } as const;
    await emit({ kind: "phase", phase });
    try {
      const { threads, ...seen } = await profileOf(context, order);
      const foldedStacks = foldStacks(threads);
      if (foldedStacks === null) throw new Failure("V8 took no sample");
      const profile = {
        ...key,
        ...seen,
        threads: threads.length,
        foldedStacks,
        files: [],
        reason: null,
      };
      await record(profile, threads);
    } catch (error) {
      signal.throwIfAborted();
      await testbed.assertSound();
      await fail({ kind: "message", text: hideUrls(messageOf(error)) });
    }
  }
}

/** Profiles one server under load at one scenario. */
async function profileOf(
  { testbed, pool, signal }: RunContext,
  { variant, scenario, generator, load }: ProfileOrder,
): Promise<
  { readonly threads: readonly CpuProfile[] } & Pick<Profile, "busiestThread" | "responses">
> {
  assertRoom(variant.server, load.connections);
  await using server = await testbed.launchProfiled(variant.server, variant.env);
  const { origin, pid, sampler } = server;
  const { request, protocol, pipelined } = scenario;
  const mix = await verifiedMix(origin, scenario, testbed.facts, signal);
  const { body } = await verified(origin, scenario, testbed.facts, signal);
  const observer = new Observer(pid, null, null);
  let sampled: Promise<readonly CpuProfile[]> = Promise.reject(new Failure("No window was opened"));
  let started: Promise<void> = Promise.resolve();
  sampled.catch(() => {});
  const measurement = await pool.measure(
    generator,
    { origin, request, protocol, pipelined, mix, load, body },
    untilEnd([server], signal),
    {
      starting: (pids) => observer.starting(pids),
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
    },
  );
  return {
    threads: await sampled,
    busiestThread: observer.usage?.server?.busiestThread ?? null,
    responses: measurement.allResponses,
  };
}
