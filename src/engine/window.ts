import { Failure, Mismatch } from "../model/errors.ts";
import type { WindowJob, WindowListener } from "../load/generator.ts";
import { absent, type Witness, type WitnessOptions } from "../load/witness.ts";
import type { Trial } from "../model/experiment.ts";
import type { Facts, HttpAnswer, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Ceiling, DatabaseWork, Measurement, WindowRecord } from "../model/raw.ts";
import type { RunningServer } from "../target/launch.ts";
import { verify } from "../target/verify.ts";
import { Observer } from "./observer.ts";
import { referenceUs } from "./reference.ts";

/** An answer was wrong before the load: nothing is measured. */
export class WrongAnswer extends Error {}

/** What windows are measured with: the edges that tests replace. */
export interface Instruments {
  readonly facts: Facts;
  /** Drives one window with a load generator, by its id. */
  measure(
    generator: string,
    job: WindowJob,
    abort: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement>;
  /** Begins to watch a server. */
  watch(options: WitnessOptions): Witness;
  /** A generator's ceiling for a job; null where it is not wanted. */
  ceiling(
    generator: string,
    job: WindowJob,
    answer: HttpAnswer,
    abort: AbortSignal,
  ): Promise<Ceiling | null>;
  /** The embedded database's process; null if there is none. */
  readonly databasePid: number | null;
  /** Begins to count what the database does, and returns what ends that; null where nobody can. */
  countStatements(): Promise<(() => Promise<DatabaseWork>) | null>;
}

/** One window to be measured, with everything that it needs. */
export interface WindowOrder {
  readonly trial: Trial;
  readonly target: Server;
  readonly scenario: Scenario;
  readonly server: RunningServer;
  readonly instruments: Instruments;
  readonly abort: AbortSignal;
}

/**
 * Verifies a scenario and measures one window of it.
 *
 * @throws {WrongAnswer} if an answer is wrong before the load.
 * @throws {Failure} if the window cannot be measured.
 */
export async function measureWindow(order: WindowOrder): Promise<WindowRecord> {
  const { trial, target, scenario, server, instruments, abort } = order;
  const { load } = trial;
  const { maxConnections } = target;
  if (maxConnections !== null && load.connections > maxConnections) {
    throw new Failure(
      `${target.name} takes ${maxConnections} connections at most, and the load has ${load.connections}: use -c`,
    );
  }
  const reference = referenceUs();
  const { answer, isStable } = await verified(order);
  const underLoad = scenario.underLoad === "stable"
    ? (isStable ? "same" : "any")
    : scenario.underLoad;
  const body = underLoad === "same"
    ? { same: answer.text }
    : underLoad === "any"
    ? null
    : { matches: underLoad.source };
  const job: WindowJob = { origin: server.origin, request: scenario.request, load, body };
  const isMeasured = load.answers === null && trial.purpose === "measure";
  const ceiling = isMeasured
    ? await instruments.ceiling(trial.generator, job, answer, abort)
    : null;

  const absence = whyNoWitness(order);
  const ended = new AbortController();
  server.process?.ended.then(() => ended.abort(new Failure("The server ended")));
  const endCounting = await instruments.countStatements();
  using witness = absence === null ? watch(order, answer, underLoad === "same") : null;
  const observer = new Observer(server.pid, instruments.databasePid, witness);
  const measurement = await instruments.measure(
    trial.generator,
    job,
    AbortSignal.any([abort, ended.signal]),
    observer,
  );
  return {
    measurement,
    usage: observer.usage,
    database: await endCounting?.() ?? null,
    witness: witness?.record ?? absent(absence ?? ""),
    ceiling,
    referenceUs: reference,
  };
}

/** What the server answers to the request that it will be loaded with, once every check has passed. */
async function verified(order: WindowOrder): Promise<{ answer: HttpAnswer; isStable: boolean }> {
  const { scenario, server, instruments, abort } = order;
  const { results, loaded, isStable } = await verify(
    server.origin,
    scenario,
    instruments.facts,
    abort,
  );
  const failed = results.find(({ problem }) => problem !== null);
  if (failed) throw new WrongAnswer(`wrong answer to "${failed.name}": ${failed.problem}`);
  if (loaded === null) {
    throw new Failure(`No check of ${scenario.id} sends the request that it is loaded with`);
  }
  return { answer: loaded, isStable };
}

/** Why nobody can witness this window; null if somebody can. */
function whyNoWitness({ scenario, target, trial }: WindowOrder): string | null {
  const { maxConnections } = target;
  if (scenario.cycle !== null) {
    return `every ${scenario.cycle.every}th answer takes ${scenario.cycle.waitS} s, longer than its schedule`;
  }
  if (maxConnections !== null && trial.load.connections >= maxConnections) {
    return `the server takes ${maxConnections} connections, which the load needs`;
  }
  return null;
}

function watch(
  { scenario, server, instruments }: WindowOrder,
  verified: HttpAnswer,
  isSame: boolean,
): Witness {
  const type = verified.headers.get("content-type");
  return instruments.watch({
    origin: server.origin,
    request: scenario.request,
    expect: (answer) => {
      scenario.expect(answer, instruments.facts);
      const got = answer.headers.get("content-type");
      if (got !== type) throw new Mismatch(`content type ${type}`, String(got));
      if (isSame && answer.text !== verified.text) {
        throw new Mismatch("the body that was verified", answer.text.slice(0, 120));
      }
    },
  });
}
