import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { median } from "../stats/median.ts";
import { Awake } from "./awake.ts";
import { startNullServer } from "./null_server.ts";

/** Response times of a server that has to be woken up. */
interface WakeUp {
  /** Time from a request to its response if the processors may sleep, in microseconds. */
  readonly asleepUs: number;
  /**
   * Time from a request to its response if the processors are kept awake, in microseconds; null if
   * they cannot be.
   */
  readonly awakeUs: number | null;
}

/** Number of requests: with the pause before each, one series takes less than a second. */
const PINGS = 200;
/** Pause before each request, in milliseconds: long enough for a processor to fall asleep. */
const SILENCE_MS = 3;
const RESPONSE: HttpResponse = { status: 200, headers: new Headers(), text: "." };
const PING: Uint8Array<ArrayBuffer> = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: x\r\n\r\n");

/**
 * Measures the median response time of single requests after a pause, with and without sleeping
 * processors. Takes two seconds.
 *
 * @param cpus the processors that can be kept awake; may be empty
 * @throws {Failure} if the server does not start.
 */
export async function measureWakeUp(scope: ProcessScope, cpus: readonly number[]): Promise<WakeUp> {
  await using server = await startNullServer(scope, RESPONSE, null);
  using connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(server.origin).port),
  });
  connection.setNoDelay(true);
  const asleepUs = await pingPong(connection);
  if (cpus.length === 0) return { asleepUs, awakeUs: null };
  await using awake = new Awake(scope, cpus);
  await pingPong(connection); // waits until the processors are awake
  const awakeUs = await pingPong(connection);
  return { asleepUs, awakeUs: awake.isAwake ? awakeUs : null };
}

async function pingPong(connection: Deno.Conn): Promise<number> {
  const response = new Uint8Array(1024);
  const timesUs: number[] = [];
  while (timesUs.length < PINGS) {
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
    const startMs = performance.now();
    await connection.write(PING);
    await connection.read(response);
    timesUs.push(1000 * (performance.now() - startMs));
  }
  return median(timesUs);
}
