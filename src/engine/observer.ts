import type { WindowListener } from "../load/generator.ts";
import type { Probe } from "../load/probe.ts";
import type { Usage } from "../model/raw.ts";
import { UsageMeter } from "../target/usage.ts";

/** Observes a window from outside while a generator drives it: CPU time, memory and the probe. */
export class Observer implements WindowListener {
  readonly #server: number | null;
  readonly #database: number | null;
  readonly #probe: Probe | null;
  #meter: UsageMeter | null = null;

  /**
   * @param server id of the server's process; null if unknown
   * @param database id of the database's main process; null if unknown
   */
  constructor(server: number | null, database: number | null, probe: Probe | null) {
    this.#server = server;
    this.#database = database;
    this.#probe = probe;
  }

  /**
   * Prepares to measure the usage. Called when the load starts, before its warm-up.
   *
   * @param generator process ids of the load generator
   */
  starting(generator: readonly number[]): void {
    const [server = [], database = []] = [this.#server, this.#database]
      .map((pid) => pid === null ? [] : [pid]);
    this.#meter = new UsageMeter({ server, database, generator });
  }

  /**
   * Begins to measure the usage, and then opens the probe's window. The probe is last, because
   * reading the processes takes a few milliseconds.
   */
  opened(): void {
    this.#meter?.open();
    this.#probe?.open();
  }

  /**
   * Closes the probe's window, and then reads the usage. The probe is first, because reading the
   * processes takes a few milliseconds.
   */
  closed(): void {
    this.#probe?.close();
    this.#meter?.close();
  }

  /** Resources used in the window; null if it never opened. */
  get usage(): Usage | null {
    return this.#meter?.usage ?? null;
  }
}
