import { fileURLToPath } from "node:url";
import type { Slices } from "../model/block.ts";
import type { ProcessScope } from "../process/scope.ts";
import { Awake } from "./awake.ts";
import type { DrivenSlices, DriverJob } from "./driver/slices.ts";
import type { LineProgram } from "./generator.ts";
import { timeouts } from "./timeouts.ts";
import { Shard } from "./shard.ts";

export type { DriverJob as SlicesJob, SliceTarget } from "./driver/slices.ts";

/** Which processors are used while slices are measured. */
export interface SlicerCpus {
  /** Those that the driver may use; null: all. */
  readonly driver: readonly number[] | null;
  /** Those that are kept from falling asleep. */
  readonly awake: readonly number[];
}

const PROCESS = new URL("./driver/slices_process.ts", import.meta.url);
/** What a block may take beyond what it is asked for, as responses that are slow make slices longer. */
const SLACK_S = 120;

const PROGRAM: LineProgram<DriverJob, DrivenSlices> = {
  id: "stampede",
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (!isSlices(reply)) throw new SyntaxError("not slices");
    return reply;
  },
};

/** Drives slices, in a process of its own that stays for a whole run. */
export class Slicer implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #cpus: SlicerCpus;
  readonly #shard: Shard<DriverJob, DrivenSlices>;
  /** From the first slices on. */
  #awake: Awake | null = null;

  constructor(scope: ProcessScope, cpus: SlicerCpus = { driver: null, awake: [] }) {
    this.#scope = scope;
    this.#cpus = cpus;
    this.#shard = new Shard(scope, PROGRAM, cpus.driver);
  }

  /**
   * Loads servers that are alive at once, in turn.
   *
   * @param abort ends it early
   * @throws {Failure} if the process ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  async measure(job: DriverJob, abort: AbortSignal): Promise<Omit<Slices, "usage">> {
    const { mostWarmupS, durationS, targets } = job;
    const limitS = timeouts().limitS ?? 3 * (mostWarmupS + durationS) * targets.length + SLACK_S;
    const awake = this.#keepAwake();
    awake.goOn();
    try {
      const slices = await this.#shard.measure(job, { limitS, abort });
      return { ...slices, isAwake: awake.isAwake };
    } finally {
      awake.pause();
    }
  }

  /** The processes that take part: the driver, and what keeps processors awake. */
  get pids(): number[] {
    return [this.#shard.pid, ...this.#keepAwake().pids];
  }

  #keepAwake(): Awake {
    return this.#awake ??= new Awake(this.#scope, this.#cpus.awake);
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#awake?.[Symbol.asyncDispose]();
    await this.#shard[Symbol.asyncDispose]();
  }
}

function isSlices(value: unknown): value is DrivenSlices {
  if (typeof value !== "object" || value === null) return false;
  const { order, variants } = value as Partial<DrivenSlices>;
  return Array.isArray(order) && Array.isArray(variants);
}
