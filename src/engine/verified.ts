import { Failure } from "../model/errors.ts";
import type { LoadJob } from "../load/generator.ts";
import { type Facts, type HttpResponse, needsDatabase, type Scenario } from "../model/scenario.ts";
import { type Verification, verify } from "../target/verify.ts";

/** How long servers usually wait until they try to connect again. */
const RECONNECT_MS = 1500;

/** A response was wrong before the load: nothing is measured. */
export class WrongResponse extends Error {}

/** What a server answers to the request that it will be loaded with. */
export interface VerifiedResponse {
  /** Null: it is no response of HTTP. */
  readonly response: HttpResponse | null;
  /** How the load generator knows a right response. */
  readonly body: LoadJob["body"];
}

/**
 * Has every check of a scenario pass.
 *
 * @throws {WrongResponse} if a response is wrong.
 * @throws {Failure} if the scenario has no check of the request that it is loaded with.
 */
export async function verified(
  origin: string,
  scenario: Scenario,
  facts: Facts,
  abort: AbortSignal,
): Promise<VerifiedResponse> {
  const verifyAll = (): Promise<Verification> =>
    verify(origin, scenario, facts, abort, { stopsAtProblem: true });
  let verification = await verifyAll();
  const isFailing = (verification.loaded?.status ?? 0) >= 500;
  if (needsDatabase(scenario) && isFailing) {
    // PostgreSQL starts anew when one of its processes dies, and servers find it again after a moment
    await facts.rows("SELECT 1");
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    verification = await verifyAll();
  }
  const { results, loaded: response, isStable } = verification;
  const failed = results.find(({ problem }) => problem !== null);
  if (failed) throw new WrongResponse(`wrong response to "${failed.name}": ${failed.problem}`);
  if (scenario.protocol === "websocket") return { response: null, body: null };
  if (response === null) {
    throw new Failure(`No check of ${scenario.id} sends the request that it is loaded with`);
  }
  const { underLoad } = scenario;
  const isSame = underLoad === "same" || (underLoad === "stable" && isStable);
  const body = isSame
    ? { same: response.text }
    : underLoad instanceof RegExp
    ? { matches: underLoad.source }
    : null;
  return { response, body };
}

/**
 * The kinds of requests of a mix, each with what a right response to it is; empty without a mix.
 *
 * @throws {WrongResponse} if a response is wrong.
 */
export async function verifiedMix(
  origin: string,
  { mix = [] }: Scenario,
  facts: Facts,
  abort: AbortSignal,
): Promise<LoadJob["mix"]> {
  const parts: LoadJob["mix"][number][] = [];
  for (const { scenario, weight } of mix) {
    const { body: expected } = await verified(origin, scenario, facts, abort);
    parts.push({ scenario: scenario.id, weight, request: scenario.request, expected });
  }
  return parts;
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
