/**
 * Asks Linux not to let idle processors fall asleep: they then poll for work, and whoever has some for them need
 * not interrupt them. https://docs.kernel.org/admin-guide/pm/cpuidle.html#power-management-quality-of-service-for-cpus
 */
const DEVICE = "/dev/cpu_dma_latency";
/** How long waking up may take, in microseconds, as a 32-bit number: not at all, and as long as it likes. */
const NONE = new Uint8Array(new Int32Array([0]).buffer);
const ANY = new Uint8Array(new Int32Array([2_000_000_000]).buffer);

/** Such a request, which ends with the process, or when it is disposed. It begins switched off. */
export class IdlePolling implements Disposable {
  readonly #device: Deno.FsFile;

  private constructor(device: Deno.FsFile) {
    this.#device = device;
  }

  /** Null where the system does not allow it, or where one of these processors cannot poll. */
  static request(cpus: readonly number[]): IdlePolling | null {
    try {
      const canPoll = cpus.every((cpu) =>
        Deno.readTextFileSync(`/sys/devices/system/cpu/cpu${cpu}/cpuidle/state0/name`) === "POLL\n"
      );
      if (!canPoll) return null;
      const polling = new IdlePolling(Deno.openSync(DEVICE, { write: true }));
      polling.isOn = false; // just opened, it has asked for none
      return polling;
    } catch {
      return null; // not on this system, or not for this account
    }
  }

  set isOn(isOn: boolean) {
    this.#device.writeSync(isOn ? NONE : ANY);
  }

  [Symbol.dispose](): void {
    this.#device.close();
  }
}
