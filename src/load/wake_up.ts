import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { median } from "../stats/median.ts";
import { Awake } from "./awake.ts";
import { startNullServer } from "./null_server.ts";

/** What a message costs that has to wake the one that it is for. */
export interface WakeUp {
  /** From asking a server that is asleep to its response, in microseconds. */
  readonly asleepUs: number;
  /** The same while processors are kept awake; null where they cannot be. */
  readonly awakeUs: number | null;
}

const PINGS = 200;
/** Long enough for a processor to fall asleep. */
const SILENCE_MS = 3;
const RESPONSE: HttpResponse = { status: 200, headers: new Headers(), text: "." };
const PING: Uint8Array<ArrayBuffer> = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: x\r\n\r\n");

/**
 * An idle ping-pong: median times of responses to single requests after a silence. Takes two seconds.
 *
 * @param cpus the processors that can be kept awake; none: they cannot
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
  await pingPong(connection); // until they spin
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
