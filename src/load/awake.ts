/** Keeps idle processors from sleeping, and measures how long they take to wake up. */
import { fileURLToPath } from "node:url";
import type { HttpResponse } from "../model/scenario.ts";
import { type Child, killGroup } from "../process/child.ts";
import { pause } from "../process/pause.ts";
import type { ProcessScope } from "../process/scope.ts";
import { median } from "../stats/median.ts";
import { startNullServer } from "./null_server.ts";

/**
 * Keeps processors from falling asleep until it is disposed. It asks the system for idle polling.
 * If the system refuses, each processor gets a low-priority program that spins.
 *
 * A server and its load generator wake each other tens of thousands of times a second. Waking a
 * sleeping processor takes long on a virtual machine, because the host has to schedule it again.
 * The time also varies, which makes measurements noisy (docs/methodology.md).
 */
export class Awake implements AsyncDisposable {
  readonly #device: Deno.FsFile | null;
  readonly #children: readonly Child[];

  /** @param device the device for idle polling, by default the system's; null: spinning programs */
  constructor(
    scope: ProcessScope,
    cpus: readonly number[],
    device: Deno.FsFile | null = cpus.length === 0 ? null : openPolling(cpus),
  ) {
    const spinner = fileURLToPath(new URL("./awake_process.ts", import.meta.url));
    this.#device = device;
    this.#children = device !== null ? [] : cpus.map((cpu) =>
      scope.spawn({
        argv: [Deno.execPath(), "run", "--quiet", "--no-config", "-A", spinner],
        env: { CPU: String(cpu), PARENT: String(Deno.pid) },
        stopSignal: "SIGKILL", // a busy loop cannot handle other signals
      })
    );
    this.goOn();
  }

  /** Lets the processors sleep until {@linkcode goOn}. */
  pause(): void {
    this.#set(ANY, "SIGSTOP");
  }

  /** Keeps them awake again. */
  goOn(): void {
    this.#set(NONE, "SIGCONT");
  }

  #set(latency: Uint8Array, signal: Deno.Signal): void {
    this.#device?.writeSync(latency);
    for (const { hasEnded, pid } of this.#children) if (!hasEnded) killGroup(pid, signal);
  }

  /** Process ids of the spinning programs. */
  get pids(): number[] {
    return this.#children.map(({ pid }) => pid);
  }

  /** Whether all processors are kept awake. Spinning programs end if the system forbids them. */
  get isAwake(): boolean {
    if (this.#device !== null) return true;
    return this.#children.length > 0 && this.#children.every(({ hasEnded }) => !hasEnded);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#device?.close();
    await Promise.all(this.#children.map((child) => child.stop()));
  }
}

/** No wake-up latency, and the kernel's default of 2,000 s, as 32-bit numbers of microseconds. */
const NONE = new Uint8Array(new Int32Array([0]).buffer);
const ANY = new Uint8Array(new Int32Array([2_000_000_000]).buffer);

/**
 * Opens the Linux device that limits the wake-up latency of idle processors, switched off. They
 * poll while {@linkcode NONE} is its last value. Returns null if the system forbids it, or if a
 * processor has no polling state.
 * https://docs.kernel.org/admin-guide/pm/cpuidle.html#power-management-quality-of-service-for-cpus
 */
export function openPolling(cpus: readonly number[]): Deno.FsFile | null {
  try {
    const canPoll = cpus.every((cpu) =>
      Deno.readTextFileSync(`/sys/devices/system/cpu/cpu${cpu}/cpuidle/state0/name`) === "POLL\n"
    );
    if (!canPoll) return null;
    const device = Deno.openSync("/dev/cpu_dma_latency", { write: true });
    device.writeSync(ANY); // opening it requests a limit of 0
    return device;
  } catch {
    return null; // no such device, or no permission
  }
}

/** Number of requests, and the pause before each in ms: long enough to fall asleep. */
const PINGS = 200;
const SILENCE_MS = 3;
const RESPONSE: HttpResponse = { status: 200, headers: new Headers(), text: "." };
const PING: Uint8Array<ArrayBuffer> = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: x\r\n\r\n");

/**
 * Measures the median response time of single requests after a pause, with and without sleeping
 * processors. Takes two seconds.
 *
 * @param cpus the processors that can be kept awake; may be empty
 * @returns microseconds; `awakeUs` is null if processors cannot be kept awake.
 */
export async function measureWakeUp(
  scope: ProcessScope,
  cpus: readonly number[],
): Promise<{ readonly asleepUs: number; readonly awakeUs: number | null }> {
  await using server = await startNullServer(scope, RESPONSE, null);
  const port = Number(new URL(server.origin).port);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
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
    await pause(SILENCE_MS);
    const startMs = performance.now();
    await connection.write(PING);
    await connection.read(response);
    timesUs.push(1000 * (performance.now() - startMs));
  }
  return median(timesUs);
}
