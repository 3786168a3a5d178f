import { Failure } from "../model/errors.ts";
import type { LoadJob } from "../load/generator.ts";
import { type Facts, type HttpResponse, needsDatabase, type Scenario } from "../model/scenario.ts";
import { type Verification, verify } from "../target/verify.ts";

/**
 * Delay before a second verification, in milliseconds. Servers usually reconnect to the database within this
 * time.
 */
const RECONNECT_MS = 1500;

/** Thrown if a check before or after the load found a wrong response. The window then has no figures. */
export class WrongResponse extends Error {}

/** A server's response to the request of the load. */
interface VerifiedResponse {
  /** The response; null if the protocol is not HTTP. */
  readonly response: HttpResponse | null;
  /** How the load generator recognises a right response. */
  readonly body: LoadJob["body"];
}

/**
 * Runs every check of a scenario.
 *
 * @throws {WrongResponse} if a response is wrong.
 * @throws {Failure} if no check sends the request of the load.
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
    // PostgreSQL restarts if one of its processes dies, and servers reconnect after a moment.
    await facts.rows("SELECT 1");
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    verification = await verifyAll();
  }
  const { results, loaded: response, isStable } = verification;
  const failed = results.find(({ problem }) => problem !== null);
  if (failed) throw new WrongResponse(`wrong response to "${failed.name}": ${failed.problem}`);
  if (scenario.protocol === "websocket") return { response: null, body: null };
  if (response === null) {
    throw new Failure(`Cannot load ${scenario.id}: none of its checks sends its request`);
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
 * Verifies the requests of a mix and returns each with its expected response; empty without a mix.
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

/**
 * Checks that a load has no more connections than the maximum of the server.
 *
 * @throws {Failure} if it has more.
 */
export function assertRoom(
  { name, maxConnections }: { readonly name: string; readonly maxConnections: number | null },
  connections: number,
): void {
  if (maxConnections === null || connections <= maxConnections) return;
  throw new Failure(
    `${name} takes ${maxConnections} connections at most, and the load has ${connections}: use -c`,
  );
}
