import type { WindowListener } from "../load/generator.ts";
import type { Probe } from "../load/probe.ts";
import type { Usage } from "../model/raw.ts";
import { UsageMeter } from "../target/usage.ts";

/** Observes a window from outside while a generator drives it: processors, memory, the probe. */
export class Observer implements WindowListener {
  readonly #server: number | null;
  readonly #database: number | null;
  readonly #probe: Probe | null;
  #meter: UsageMeter | null = null;

  /** @param server and database are process ids; null: not known. */
  constructor(server: number | null, database: number | null, probe: Probe | null) {
    this.#server = server;
    this.#database = database;
    this.#probe = probe;
  }

  /** The load starts, with its warm-up. */
  starting(generator: readonly number[]): void {
    const [server = [], database = []] = [this.#server, this.#database]
      .map((pid) => pid === null ? [] : [pid]);
    this.#meter = new UsageMeter({ server, database, generator });
  }

  /** The window opens. Reading the processes takes a few milliseconds, so the probe comes last. */
  opened(): void {
    this.#meter?.open();
    this.#probe?.open();
  }

  /** The window closes; the probe first, for the same reason. */
  closed(): void {
    this.#probe?.close();
    this.#meter?.close();
  }

  /** What was used; null if the window never opened. */
  get usage(): Usage | null {
    return this.#meter?.usage ?? null;
  }
}
