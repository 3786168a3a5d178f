import type { WindowListener } from "../load/generator.ts";
import type { Witness } from "../load/witness.ts";
import type { Usage } from "../model/raw.ts";
import { UsageMeter } from "../target/usage.ts";

/** Observes a window from outside while a generator drives it: processors, memory, the witness. */
export class Observer implements WindowListener {
  readonly #server: number | null;
  readonly #database: number | null;
  readonly #witness: Witness | null;
  #meter: UsageMeter | null = null;

  /** @param server and database are process ids; null: not known. */
  constructor(server: number | null, database: number | null, witness: Witness | null) {
    this.#server = server;
    this.#database = database;
    this.#witness = witness;
  }

  /** The load starts, with its warm-up. */
  starting(generator: readonly number[]): void {
    const [server = [], database = []] = [this.#server, this.#database]
      .map((pid) => pid === null ? [] : [pid]);
    this.#meter = new UsageMeter({ server, database, generator });
  }

  /** The window opens. Reading the processes takes a few milliseconds, so the witness comes last. */
  opened(): void {
    this.#meter?.open();
    this.#witness?.open();
  }

  /** The window closes; the witness first, for the same reason. */
  closed(): void {
    this.#witness?.close();
    this.#meter?.close();
  }

  /** What was used; null if the window never opened. */
  get usage(): Usage | null {
    return this.#meter?.usage ?? null;
  }
}
