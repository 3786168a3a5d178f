import { foldStacks } from "../analysis/folded_stacks.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { CpuProfile, Profile } from "../model/profile.ts";
import type { Reason } from "../model/reason.ts";
import { hideUrls } from "../model/secrets.ts";
import type { Facts } from "../model/scenario.ts";
import type { ProfileOrder } from "../experiment/planner.ts";
import { inspected } from "../target/inspected.ts";
import type { Generators, OpenTestbed } from "./testbed.ts";
import { Observer } from "./observer.ts";
import { assertRoom, verified, verifiedMix } from "./verified.ts";

/** Inputs for profiling servers. */
export interface ProfilesContext {
  readonly facts: Facts;
  readonly launch: OpenTestbed["launchProfiled"];
  readonly measure: Generators["measure"];
  /** Throws if something that every server needs has ended, such as the database. */
  assertSound(): Promise<void>;
  readonly onEvent: (event: ProfilesEvent) => Promise<void>;
  readonly abort: AbortSignal;
}

/** An event while servers are profiled. */
export type ProfilesEvent = Extract<RunEvent, { readonly kind: "phase" | "profiled" }>;

/**
 * Profiles servers, in a separate process for each server and scenario. These processes are only used for
 * profiles, so that no figure comes from a process with an inspector. If a profile fails, its event gives the
 * reason.
 *
 * @throws {Failure} if nothing more can be measured.
 * @throws the reason of `context.abort` if that signal is aborted.
 */
export async function takeProfiles(
  orders: readonly ProfileOrder[],
  context: ProfilesContext,
): Promise<void> {
  const { onEvent, assertSound, abort } = context;
  for (const order of orders) {
    abort.throwIfAborted();
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
    const fail = (reason: Reason): Promise<void> =>
      onEvent({ kind: "profiled", profile: { ...key, ...nothing, reason }, threads: [] });
    const { reason } = inspected(server);
    if (reason !== null) {
      await fail(reason);
      continue;
    }
    await onEvent({
      kind: "phase",
      phase: { kind: "profiling", server: variant, scenario: scenario.id },
    });
    try {
      const { threads, ...seen } = await profileOf(order, context);
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
      await onEvent({ kind: "profiled", profile, threads });
    } catch (error) {
      abort.throwIfAborted();
      await assertSound();
      await fail({ kind: "message", text: hideUrls(messageOf(error)) });
    }
  }
}

/** Profiles one server under load at one scenario. */
async function profileOf(
  { variant, scenario, generator, load }: ProfileOrder,
  { facts, launch, measure, abort }: ProfilesContext,
): Promise<
  { readonly threads: readonly CpuProfile[] } & Pick<Profile, "busiestThread" | "responses">
> {
  assertRoom(variant.server, load.connections);
  await using server = await launch(variant.server, variant.env);
  const { origin, process, pid, sampler } = server;
  const { request, protocol, pipelined } = scenario;
  const mix = await verifiedMix(origin, scenario, facts, abort);
  const { body } = await verified(origin, scenario, facts, abort);
  const ended = new AbortController();
  process?.ended.then(() => ended.abort(new Failure("The server ended")));
  const observer = new Observer(pid, null, null);
  let sampled: Promise<readonly CpuProfile[]> = Promise.reject(new Failure("No window was opened"));
  let started: Promise<void> = Promise.resolve();
  sampled.catch(() => {});
  const measurement = await measure(
    generator,
    { origin, request, protocol, pipelined, mix, load, body },
    AbortSignal.any([abort, ended.signal]),
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
