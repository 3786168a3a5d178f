import { median } from "../stats/median.ts";
import { connectTls } from "../process/tls_client.ts";
import type { Handshakes } from "../model/tls.ts";
import type { RunningServer } from "../target/launch.ts";
import { UsageMeter } from "../target/usage.ts";

/** Before these a server may still compile what shakes hands. */
const WARMUPS = 10;
const COUNT = 100;
/** A server that is slow at them need not make as many. */
const LONGEST_MS = 1000;

/**
 * Opens connections over TLS one after the other, each with a whole handshake, since none has a session to
 * resume: what they cost is no part of the windows, whose connections stay.
 *
 * @returns null for a server without TLS
 * @throws {Error} if a connection is not taken
 */
export async function measureHandshakes(
  { origin, pid }: Pick<RunningServer, "origin" | "pid">,
): Promise<Handshakes | null> {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:") return null;
  const address = { hostname: hostname.replace(/[[\]]/g, ""), port: Number(port || 443) };
  const shake = async (): Promise<number> => {
    const startMs = performance.now();
    const connection = await connectTls(address);
    const tookUs = 1000 * (performance.now() - startMs);
    connection.close();
    return tookUs;
  };
  for (let i = 0; i < WARMUPS; i++) await shake();
  const server = pid === null ? [] : [pid];
  const meter = new UsageMeter({ server, database: [], generator: [] });
  const times: number[] = [];
  const untilMs = performance.now() + LONGEST_MS;
  meter.open();
  while (times.length < COUNT && performance.now() < untilMs) times.push(await shake());
  meter.close();
  const used = meter.usage?.server ?? null;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    count: times.length,
    p50Us: Math.round(median(times)),
    p99Us: Math.round(sorted[Math.ceil(0.99 * times.length) - 1] as number),
    serverCpuUs: used === null ? null : Math.round((used.userUs + used.systemUs) / times.length),
  };
}
