import { UsageError } from "../model/errors.ts";
import type { LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Alpn } from "../model/tls.ts";

/** Id of the default load generator. */
const DEFAULT_GENERATOR = "autocannon";
/** Id of the load generator for HTTP/2, which autocannon and stampede do not speak. */
const HTTP2_GENERATOR = "h2load";
const NAMES = { "http/1.1": "TLS", h2: "HTTP/2" } as const;

/** Returns the id of the default load generator for a protocol; null means HTTP/1.1 without TLS. */
export function defaultGenerator(alpn: Alpn | null): string {
  return alpn === "h2" ? HTTP2_GENERATOR : DEFAULT_GENERATOR;
}

/**
 * Returns whether a server speaks a protocol over TLS; null means without TLS. Stampede assumes that servers
 * that already run speak every protocol.
 */
export function speaks({ tls, attached }: Server, alpn: Alpn | null): boolean {
  return alpn === null || attached !== null || tls.includes(alpn);
}

/**
 * Checks that a server speaks a protocol over TLS.
 *
 * @throws {UsageError} if it does not.
 */
export function assertSpeaks(server: Server, alpn: Alpn | null): void {
  if (alpn === null || speaks(server, alpn)) return;
  const { id, tls } = server;
  const has = tls.length === 0 ? "is empty" : `has only ${tls.join(", ")}`;
  throw new UsageError(
    `Cannot measure ${id} over ${NAMES[alpn]}: the "tls" of its manifest ${has}`,
  );
}

/**
 * Returns the protocol over TLS: the requested one, or that of the URLs. Null means without TLS.
 *
 * @throws {UsageError} if servers or scenarios do not support the protocol.
 */
export function spoken(
  servers: readonly Server[],
  scenarios: readonly Scenario[],
  { tls, open }: LoadPlan,
): Alpn | null {
  const origins = servers.flatMap(({ attached }) => attached?.origin ?? []);
  const isTls = origins.some((origin) => origin.startsWith("https:"));
  const alpn = tls ?? (isTls ? "http/1.1" : null);
  if (alpn === null) return null;
  const plain = origins.find((origin) => !origin.startsWith("https:"));
  if (plain !== undefined) {
    throw new UsageError(
      isTls
        ? `Cannot measure ${plain} together with an https: URL`
        : `Cannot speak ${NAMES[alpn]} to ${plain}: give its URL with https:`,
    );
  }
  if (alpn === "h2" && open !== null) {
    throw new UsageError(
      "Cannot send at a --rate over HTTP/2: the generator stampede speaks HTTP/1.1",
    );
  }
  for (const server of servers) assertSpeaks(server, alpn);
  assertAsked(scenarios, alpn);
  return alpn;
}

/**
 * Checks that all scenarios are possible over a protocol.
 *
 * @throws {UsageError} if one of them is not.
 */
export function assertAsked(scenarios: readonly Scenario[], alpn: Alpn | null): void {
  const other = scenarios.find((scenario) => !isAsked(scenario, alpn));
  if (other === undefined) return;
  throw new UsageError(`Cannot measure ${other.id} over HTTP/2: it needs HTTP/1.1`);
}

/** Returns whether a scenario is possible over a protocol. */
export function isAsked(scenario: Scenario, alpn: Alpn | null): boolean {
  return alpn !== "h2" || !isOfHttp1(scenario);
}

/** Returns whether a scenario needs HTTP/1.1 connections or the generator `stampede`. */
function isOfHttp1({ protocol, pipelined, mix, beside }: Scenario): boolean {
  return protocol !== "http" || pipelined > 1 || mix !== undefined || beside !== undefined;
}
