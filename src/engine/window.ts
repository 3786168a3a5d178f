import { Failure, Mismatch } from "../model/errors.ts";
import type { WindowJob } from "../load/generator.ts";
import { absent, type Witness } from "../load/witness.ts";
import type { Arm, Trial } from "../model/experiment.ts";
import type { HttpAnswer, Scenario } from "../model/scenario.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Reason } from "../model/reason.ts";
import type { RunningServer } from "../target/launch.ts";
import { verify } from "../target/verify.ts";
import type { Generators, OpenLab } from "./lab.ts";
import { Observer } from "./observer.ts";
import { referenceUs } from "./reference.ts";

/** An answer was wrong before the load: nothing is measured. */
export class WrongAnswer extends Error {}

/** What windows are measured with. */
export type Instruments =
  & Pick<OpenLab, "facts" | "watch" | "countStatements" | "database">
  & Pick<Generators, "measure" | "ceiling">;

/** One window to be measured, with everything that it needs. */
export interface WindowOrder {
  readonly trial: Trial;
  readonly arm: Arm;
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
  const { trial, arm, scenario, server, instruments, abort } = order;
  const { load } = trial;
  const { maxConnections, name } = arm.server;
  if (maxConnections !== null && load.connections > maxConnections) {
    throw new Failure(
      `${name} takes ${maxConnections} connections at most, and the load has ${load.connections}: use -c`,
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
  const observer = new Observer(server.pid, instruments.database?.pid ?? null, witness);
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
    witness: witness?.record ?? absent(absence),
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

/** Why this window has no witness; null if it has one. */
function whyNoWitness({ scenario: { cycle }, arm, trial }: WindowOrder): Reason | null {
  const { maxConnections } = arm.server;
  if (cycle !== null) return { kind: "answers-in-waves", every: cycle.every, waitS: cycle.waitS };
  return maxConnections !== null && trial.load.connections >= maxConnections
    ? { kind: "connections-taken", connections: maxConnections }
    : null;
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
