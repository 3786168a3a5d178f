import { UsageError } from "../model/errors.ts";
import type { LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Alpn } from "../model/tls.ts";
import type { ExperimentParts } from "./compose.ts";
import { DEFAULT_GENERATOR, HTTP2_GENERATOR } from "./options.ts";

const NAMES = { "http/1.1": "TLS", h2: "HTTP/2" } as const;

/** Drives where nothing is said. */
export function defaultGenerator(alpn: Alpn | null): string {
  return alpn === "h2" ? HTTP2_GENERATOR : DEFAULT_GENERATOR;
}

/** Whether a server can be spoken to like that; what runs already is not known. */
export function speaks({ tls, attached }: Server, alpn: Alpn | null): boolean {
  return alpn === null || attached !== null || tls.includes(alpn);
}

/** @throws {UsageError} for a server that cannot be spoken to like that. */
export function assertSpeaks(server: Server, alpn: Alpn | null): void {
  if (alpn === null || speaks(server, alpn)) return;
  const { id, tls } = server;
  const has = tls.length === 0 ? "is empty" : `has ${tls.join(", ")} alone`;
  throw new UsageError(`Cannot ask ${id} over ${NAMES[alpn]}: the "tls" of its manifest ${has}`);
}

/**
 * What is spoken over TLS: what was asked for, or else what URLs say.
 *
 * @throws {UsageError} for what cannot be asked like that.
 */
export function spoken(
  { variantSpecs, scenarios }: ExperimentParts,
  { tls, open }: LoadPlan,
): Alpn | null {
  const origins = variantSpecs.flatMap(({ server: { attached } }) => attached?.origin ?? []);
  const isTls = origins.some((origin) => origin.startsWith("https:"));
  const alpn = tls ?? (isTls ? "http/1.1" : null);
  if (alpn === null) return null;
  const plain = origins.find((origin) => !origin.startsWith("https:"));
  if (plain !== undefined) {
    throw new UsageError(
      isTls
        ? `Cannot measure ${plain} beside a URL of https:`
        : `Cannot speak ${NAMES[alpn]} to ${plain}: give its URL with https:`,
    );
  }
  if (alpn === "h2" && open !== null) {
    throw new UsageError("Cannot send at a --rate over HTTP/2: Stampede's driver speaks HTTP/1.1");
  }
  for (const { server } of variantSpecs) assertSpeaks(server, alpn);
  assertAsked(scenarios, alpn);
  return alpn;
}

/** @throws {UsageError} for a scenario that cannot be asked like that. */
export function assertAsked(scenarios: readonly Scenario[], alpn: Alpn | null): void {
  const other = scenarios.find((scenario) => !isAsked(scenario, alpn));
  if (other === undefined) return;
  throw new UsageError(`Cannot measure ${other.id} over HTTP/2: it is about HTTP/1.1`);
}

/** Whether a scenario can be asked like that. */
export function isAsked(scenario: Scenario, alpn: Alpn | null): boolean {
  return alpn !== "h2" || !isOfHttp1(scenario);
}

/** Whether it takes what only connections of HTTP/1.1 have, or only Stampede's own driver sends. */
function isOfHttp1({ protocol, pipelined, mix, beside }: Scenario): boolean {
  return protocol !== "http" || pipelined > 1 || mix !== undefined || beside !== undefined;
}
