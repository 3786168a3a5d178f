/** The servers of a run: their start, their verification before a load, and why they failed. */
import type { Talk } from "../load/generator.ts";
import { Failure, messageOf } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { TrialFailure } from "../model/raw.ts";
import { type Facts, type HttpResponse, needsDatabase, type Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { hideUrls } from "../model/text.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import type { RunningServer } from "../target/launch.ts";
import { verify } from "../target/verify.ts";
import type { OpenTestbed } from "./testbed.ts";

/** The servers that run now, and the failures that make another try pointless. */
export class Servers {
  readonly #testbed: OpenTestbed;
  readonly #started: Set<string> = new Set();
  /** Failures of servers at their first start, by variant. */
  readonly #unstartable: Map<string, TrialFailure> = new Map();
  /** Failures because of wrong responses, by variant and scenario. */
  readonly #wrong: Map<string, TrialFailure> = new Map();
  /** The last verifications of a process by scenario. */
  readonly #verified: WeakMap<RunningServer, Map<string, Verified>> = new WeakMap();
  /** By variant. */
  readonly running: Map<string, RunningServer> = new Map();
  /** Whether servers keep running for the next measurement, until they are released. */
  readonly keeps: boolean;

  constructor(testbed: OpenTestbed, keeps: boolean) {
    this.#testbed = testbed;
    this.keeps = keeps;
  }

  async start({ id, server, env }: Variant): Promise<RunningServer> {
    const running = await this.#testbed.launch(server, env);
    this.#started.add(id);
    this.running.set(id, running);
    return running;
  }

  async stop(id: string): Promise<void> {
    const server = this.running.get(id);
    this.running.delete(id);
    await server?.[Symbol.asyncDispose]();
  }

  async release(): Promise<void> {
    for (const id of [...this.running.keys()]) await this.stop(id);
  }

  /** Verifies a scenario at a running server, as {@linkcode verified} does. */
  async verify(server: RunningServer, scenario: Scenario, abort: AbortSignal): Promise<Verified> {
    const found = await verified(server.origin, scenario, this.#testbed.facts, abort);
    const known = this.#verified.get(server) ?? new Map<string, Verified>();
    this.#verified.set(server, known.set(scenario.id, found));
    return found;
  }

  /**
   * Returns the last verification of a scenario in this process, or verifies it now. Some checks send invalid
   * requests, after which a JIT compiler may discard code. The warm-up of slices after a window is too short for
   * that (docs/evidence/2026-11-29-checks-and-compilers.md).
   */
  async verifyOnce(...[server, scenario, abort]: Parameters<Servers["verify"]>): Promise<Verified> {
    return this.#verified.get(server)?.get(scenario.id) ??
      await this.verify(server, scenario, abort);
  }

  /** Explains why a server did not start. If it has never started, it is not tried again. */
  startFailure(variant: string, error: unknown): TrialFailure {
    const message = hideUrls(messageOf(error));
    const failure = { kind: "start", message, output: null } as const;
    if (!this.#started.has(variant)) this.#unstartable.set(variant, failure);
    return failure;
  }

  /** Remembers a failure. After a wrong response, the scenario is not tried again. */
  remember({ variant, scenario }: Measured, failure: TrialFailure): void {
    if (failure.kind === "verification") this.#wrong.set(`${variant} ${scenario}`, failure);
  }

  /** Returns the failure that makes it pointless to measure a variant at a scenario, or null. */
  knownFailure({ variant, scenario }: Measured): TrialFailure | null {
    return this.#wrong.get(`${variant} ${scenario}`) ?? this.#unstartable.get(variant) ?? null;
  }
}

type Measured = Pick<Trial, "variant" | "scenario">;
type Verified = Awaited<ReturnType<typeof verified>>;

/** Delay before a second verification, in ms: servers usually have reconnected to PostgreSQL. */
const RECONNECT_MS = 1500;

/** A check before or after the load found a wrong response, so the window has no figures. */
export class WrongResponse extends Error {}

/**
 * Verifies every request of a scenario and of its mix, or throws a {@linkcode WrongResponse}. Returns
 * the `response` to the request of the load (null if the protocol is not HTTP), and the load's `talk`.
 */
export async function verified(
  origin: string,
  scenario: Scenario,
  facts: Facts,
  abort: AbortSignal,
): Promise<{ readonly response: HttpResponse | null; readonly talk: Talk }> {
  const { request, protocol, pipelined, mix: parts = [] } = scenario;
  const verifyOne = async (one: Scenario) => {
    const checkAll = () => verify(origin, one, facts, abort, { stopsAtProblem: true });
    let verification = await checkAll();
    // PostgreSQL restarts if one of its processes dies.
    if (needsDatabase(one) && (verification.loaded?.status ?? 0) >= 500) {
      await facts.rows("SELECT 1");
      await pause(RECONNECT_MS);
      verification = await checkAll();
    }
    const { results, loaded, isStable } = verification;
    const failed = results.find(({ problem }) => problem !== null);
    if (failed) throw new WrongResponse(`wrong response to "${failed.name}": ${failed.problem}`);
    if (one.protocol === "websocket") return { response: null, expected: null };
    if (loaded === null) {
      throw new Failure(`Cannot load ${one.id}: none of its checks sends its request`);
    }
    const { underLoad } = one;
    if (underLoad === "same" || (underLoad === "stable" && isStable)) {
      return { response: loaded, expected: { same: loaded.text } };
    }
    const expected = underLoad instanceof RegExp ? { matches: underLoad.source } : null;
    return { response: loaded, expected };
  };
  const { response, expected } = await verifyOne(scenario);
  const mix = await Array.fromAsync(parts, async ({ scenario: part, weight }) => {
    const { expected } = await verifyOne(part);
    return { scenario: part.id, weight, request: part.request, expected };
  });
  return { response, talk: { origin, request, protocol, pipelined, mix, expected } };
}

/** Throws a `Failure` if a load has more connections than the server's maximum. */
export function assertRoom(
  { name, maxConnections }: Pick<Server, "name" | "maxConnections">,
  connections: number,
): void {
  if (maxConnections === null || connections <= maxConnections) return;
  throw new Failure(
    `${name} takes ${maxConnections} connections at most, and the load has ${connections}: use -c`,
  );
}

/** Returns a signal that aborts when one of the servers ends, or when another signal aborts. */
export function untilEnd(servers: readonly RunningServer[], signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  for (const { process } of servers) {
    process?.ended.then(() => ended.abort(new Failure("The server ended")));
  }
  return AbortSignal.any([signal, ended.signal]);
}

/** Time to wait for the end of a server after its last response, in milliseconds. */
const END_NOTICE_MS = 200;

/** Explains a failed measurement by the server's end if it has ended; `called` names the server. */
export async function explain(
  error: unknown,
  { process }: RunningServer,
  called: string,
): Promise<TrialFailure> {
  if (process !== null) {
    const late = new Error("It still runs");
    if (await inTime(process.ended, END_NOTICE_MS, late).then(() => true, () => false)) {
      const message = `${called} ${process.howItEnded}${process.lastWords}`;
      return { kind: "window", message, output: null };
    }
  }
  return {
    kind: error instanceof WrongResponse ? "verification" : "window",
    message: hideUrls(messageOf(error)),
    output: error instanceof Failure && error.output !== null ? hideUrls(error.output) : null,
  };
}

/** A server of a variant that runs. */
export interface Started<S extends RunningServer = RunningServer> {
  readonly variant: Variant;
  readonly started: S;
}

/** Starts the servers of variants at the same time. `running` stops them. A failure is a `VariantProblem`. */
export async function startAll<S extends RunningServer>(
  launch: (...args: Parameters<OpenTestbed["launch"]>) => Promise<S>,
  variants: readonly Variant[],
  running: AsyncDisposableStack,
): Promise<Started<S>[]> {
  return await allOf(variants.map((variant) =>
    explained({ variant }, async () => {
      const started = running.use(await launch(variant.server, variant.env));
      return { variant, started };
    })
  ));
}

/** A problem of a variant's server. The message names the variant, `problem` does not. */
export class VariantProblem extends Failure {
  constructor(label: string, readonly problem: string) {
    super(`${label}: ${problem}`);
  }
}

/** Throws the error of `during` as a `VariantProblem` that says how the variant's server ended. */
export async function explained<T>(
  { variant, started }: { readonly variant: Variant; readonly started?: RunningServer },
  during: () => Promise<T>,
): Promise<T> {
  try {
    return await during();
  } catch (error) {
    const { message } = started === undefined
      ? { message: messageOf(error) }
      : await explain(error, started, "the server");
    throw new VariantProblem(variant.label, message);
  }
}
