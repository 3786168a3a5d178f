import { Failure } from "../model/errors.ts";
import type { LoadJob } from "../load/generator.ts";
import type { Facts, HttpAnswer, Scenario } from "../model/scenario.ts";
import { verify } from "../target/verify.ts";

/** An answer was wrong before the load: nothing is measured. */
export class WrongAnswer extends Error {}

/** What a server answers to the request that it will be loaded with. */
export interface VerifiedAnswer {
  readonly answer: HttpAnswer;
  /** How the load generator knows a right answer. */
  readonly body: LoadJob["body"];
}

/**
 * Has every check of a scenario pass.
 *
 * @throws {WrongAnswer} if an answer is wrong.
 * @throws {Failure} if the scenario has no check of the request that it is loaded with.
 */
export async function verified(
  origin: string,
  scenario: Scenario,
  facts: Facts,
  abort: AbortSignal,
): Promise<VerifiedAnswer> {
  const { results, loaded: answer, isStable } = await verify(origin, scenario, facts, abort);
  const failed = results.find(({ problem }) => problem !== null);
  if (failed) throw new WrongAnswer(`wrong answer to "${failed.name}": ${failed.problem}`);
  if (answer === null) {
    throw new Failure(`No check of ${scenario.id} sends the request that it is loaded with`);
  }
  const { underLoad } = scenario;
  const isSame = underLoad === "same" || (underLoad === "stable" && isStable);
  const body = isSame
    ? { same: answer.text }
    : underLoad instanceof RegExp
    ? { matches: underLoad.source }
    : null;
  return { answer, body };
}

/** @throws {Failure} if a server takes fewer connections than the load has. */
export function assertRoom(
  { name, maxConnections }: { readonly name: string; readonly maxConnections: number | null },
  connections: number,
): void {
  if (maxConnections === null || connections <= maxConnections) return;
  throw new Failure(
    `${name} takes ${maxConnections} connections at most, and the load has ${connections}: use -c`,
  );
}
