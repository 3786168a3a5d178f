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
