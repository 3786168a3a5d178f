import { Failure, messageOf } from "../model/errors.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { TrialFailure } from "../model/raw.ts";
import { hideUrls } from "../model/secrets.ts";
import type { RunningServer } from "../target/launch.ts";
import type { OpenTestbed } from "./testbed.ts";
import { WrongResponse } from "./verified.ts";

/** Time to wait for the end of a server after its last response, in milliseconds. */
const END_NOTICE_MS = 200;

/** The servers of a run: those that keep running, and the failures that make another try pointless. */
export class Servers {
  readonly #testbed: OpenTestbed;
  readonly #started: Set<string> = new Set();
  /** Failures of servers at their first start, by variant. */
  readonly #unstartable: Map<string, TrialFailure> = new Map();
  /** Failures because of wrong responses, by variant and scenario, for any number of connections. */
  readonly #wrong: Map<string, TrialFailure> = new Map();
  /** Servers that keep running for the next measurement, by variant; null if none does. */
  readonly kept: Map<string, RunningServer> | null;

  /** @param keeps whether servers keep running until they are released */
  constructor(testbed: OpenTestbed, keeps: boolean) {
    this.#testbed = testbed;
    this.kept = keeps ? new Map() : null;
  }

  /** Starts a server and waits until it answers. */
  async launch({ id, server, env }: Variant): Promise<RunningServer> {
    const running = await this.#testbed.launch(server, env);
    this.#started.add(id);
    return running;
  }

  /** Explains why a server did not start. If it has never started, it is not tried again. */
  startFailure(variant: string, error: unknown): TrialFailure {
    const message = hideUrls(messageOf(error));
    const failure = { kind: "start", message, output: null } as const;
    if (!this.#started.has(variant)) this.#unstartable.set(variant, failure);
    return failure;
  }

  /** Remembers a failure. After a wrong response, the scenario is not tried again. */
  remember(
    { variant, scenario }: Pick<Trial, "variant" | "scenario">,
    failure: TrialFailure,
  ): void {
    if (failure.kind === "verification") this.#wrong.set(`${variant} ${scenario}`, failure);
  }

  /** Returns the failure that makes it pointless to measure a variant at a scenario, or null. */
  knownFailure({ variant, scenario }: Pick<Trial, "variant" | "scenario">): TrialFailure | null {
    return this.#wrong.get(`${variant} ${scenario}`) ?? this.#unstartable.get(variant) ?? null;
  }

  /** Stops the kept servers. */
  async release(): Promise<void> {
    const servers = [...this.kept?.values() ?? []];
    this.kept?.clear();
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

/** Returns a signal that aborts when one of the servers ends, or when another signal aborts. */
export function untilEnd(servers: readonly RunningServer[], signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  for (const { process } of servers) {
    process?.ended.then(() => ended.abort(new Failure("The server ended")));
  }
  return AbortSignal.any([signal, ended.signal]);
}

/**
 * Explains a failed measurement. If the server has ended, that is the cause.
 *
 * @param called words for the server in the message
 */
export async function explain(
  error: unknown,
  { process }: RunningServer,
  called: string,
): Promise<TrialFailure> {
  if (process !== null && await endsWithin(process.ended, END_NOTICE_MS)) {
    const message = `${called} ${process.howItEnded}${process.lastWords}`;
    return { kind: "window", message, output: null };
  }
  return {
    kind: error instanceof WrongResponse ? "verification" : "window",
    message: hideUrls(messageOf(error)),
    output: error instanceof Failure && error.output !== null ? hideUrls(error.output) : null,
  };
}

async function endsWithin(end: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), ms));
  try {
    return await Promise.race([end.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
