import { fileURLToPath } from "node:url";
import { type Child, killGroup } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";

/**
 * The Linux device that limits the wake-up latency of idle processors. At a limit of 0 they poll for
 * work, so another processor need not interrupt them.
 *
 * https://docs.kernel.org/admin-guide/pm/cpuidle.html#power-management-quality-of-service-for-cpus
 */
const DEVICE = "/dev/cpu_dma_latency";
/** No wake-up latency, as a 32-bit number of microseconds. */
const NONE = new Uint8Array(new Int32Array([0]).buffer);
/** Any wake-up latency: the kernel's default of 2,000 s, as a 32-bit number of microseconds. */
const ANY = new Uint8Array(new Int32Array([2_000_000_000]).buffer);

/**
 * Makes idle processors poll while {@linkcode isOn} is true. It starts switched off and ends with the
 * process or when it is disposed.
 */
export class IdlePolling implements Disposable {
  readonly #device: Deno.FsFile;

  private constructor(device: Deno.FsFile) {
    this.#device = device;
  }

  /**
   * Opens the device.
   *
   * @returns null if the system does not allow it, or if a processor in `cpus` has no polling
   *   state.
   */
  static request(cpus: readonly number[]): IdlePolling | null {
    try {
      const canPoll = cpus.every((cpu) =>
        Deno.readTextFileSync(`/sys/devices/system/cpu/cpu${cpu}/cpuidle/state0/name`) === "POLL\n"
      );
      if (!canPoll) return null;
      const polling = new IdlePolling(Deno.openSync(DEVICE, { write: true }));
      polling.isOn = false; // opening the device requests a limit of 0
      return polling;
    } catch {
      return null; // no such device, or no permission
    }
  }

  set isOn(isOn: boolean) {
    this.#device.writeSync(isOn ? NONE : ANY);
  }

  [Symbol.dispose](): void {
    this.#device.close();
  }
}

const PROCESS = new URL("./awake_process.ts", import.meta.url);

/**
 * Keeps processors from falling asleep until it is disposed. It asks the system for idle polling. If
 * the system refuses, each processor gets a low-priority program that spins.
 *
 * A server and its load generator wake each other tens of thousands of times a second. Waking a
 * sleeping processor takes long on a virtual machine, because the host has to schedule it again. The
 * time also varies, which makes measurements noisy (docs/methodology.md).
 */
export class Awake implements AsyncDisposable {
  readonly #polling: IdlePolling | null;
  readonly #children: readonly Child[];

  /** @param polling the idle polling to use, by default the system's; null: spinning programs */
  constructor(
    scope: ProcessScope,
    cpus: readonly number[],
    polling: IdlePolling | null = cpus.length === 0 ? null : IdlePolling.request(cpus),
  ) {
    this.#polling = polling;
    this.#children = polling !== null ? [] : cpus.map((cpu) =>
      scope.spawn({
        argv: [Deno.execPath(), "run", "--quiet", "--no-config", "-A", fileURLToPath(PROCESS)],
        env: { CPU: String(cpu), PARENT: String(Deno.pid) },
        stopSignal: "SIGKILL", // a busy loop cannot handle other signals
      })
    );
    this.goOn();
  }

  /** Lets the processors sleep until {@linkcode goOn}. */
  pause(): void {
    if (this.#polling !== null) this.#polling.isOn = false;
    this.#signal("SIGSTOP");
  }

  /** Keeps them awake again. */
  goOn(): void {
    if (this.#polling !== null) this.#polling.isOn = true;
    this.#signal("SIGCONT");
  }

  #signal(signal: Deno.Signal): void {
    for (const { hasEnded, pid } of this.#children) if (!hasEnded) killGroup(pid, signal);
  }

  /** Process ids of the spinning programs. */
  get pids(): number[] {
    return this.#children.map(({ pid }) => pid);
  }

  /**
   * Whether all processors are kept awake. Spinning programs end if the system does not allow
   * them.
   */
  get isAwake(): boolean {
    if (this.#polling !== null) return true;
    return this.#children.length > 0 && this.#children.every(({ hasEnded }) => !hasEnded);
  }

  /** Lets the processors sleep again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#polling?.[Symbol.dispose]();
    await Promise.all(this.#children.map((child) => child.stop()));
  }
}
