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

  /** @param server and `database` are process ids; null if unknown */
  constructor(server: number | null, database: number | null, probe: Probe | null) {
    this.#server = server;
    this.#database = database;
    this.#probe = probe;
  }

  /** Called when the load starts, before its warm-up. */
  starting(generator: readonly number[]): void {
    const [server = [], database = []] = [this.#server, this.#database]
      .map((pid) => pid === null ? [] : [pid]);
    this.#meter = new UsageMeter({ server, database, generator });
  }

  /**
   * Called when the window opens. Reading the processes takes a few milliseconds, so the probe opens last.
   */
  opened(): void {
    this.#meter?.open();
    this.#probe?.open();
  }

  /** Called when the window closes. The probe closes first, for the same reason. */
  closed(): void {
    this.#probe?.close();
    this.#meter?.close();
  }

  /** Resources used in the window; null if it never opened. */
  get usage(): Usage | null {
    return this.#meter?.usage ?? null;
  }
}
