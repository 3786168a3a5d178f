import { median } from "../stats/median.ts";
import { addressOf } from "../process/connect.ts";
import { connectTls } from "../process/tls_client.ts";
import type { Handshakes } from "../model/tls.ts";
import type { RunningServer } from "../target/launch.ts";
import { UsageMeter } from "../target/usage.ts";

/**
 * Number of handshakes before the measurement. During the first ones a server may still compile its
 * handshake code.
 */
const WARMUPS = 10;
/** Number of measured handshakes: enough for a 99th percentile. */
const COUNT = 100;
/** Time limit for the handshakes, in milliseconds. A slow server makes fewer than `COUNT`. */
const LONGEST_MS = 1000;

/**
 * Opens TLS connections one after the other, each with a full handshake, because no session is resumed.
 * Windows do not include this cost, because their connections stay open.
 *
 * @returns times in microseconds; null for a server without TLS
 * @throws {Error} if a connection is refused.
 */
export async function measureHandshakes(
  { origin, pid }: Pick<RunningServer, "origin" | "pid">,
): Promise<Handshakes | null> {
  const address = addressOf(origin);
  if (!address.isTls) return null;
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
