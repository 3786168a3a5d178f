import { fileURLToPath } from "node:url";
import type { Slices } from "../model/block.ts";
import type { ProcessScope } from "../process/scope.ts";
import { Awake } from "./awake.ts";
import type { DrivenSlices, DriverJob } from "./driver/slices.ts";
import type { LineProgram } from "./generator.ts";
import { timeouts } from "./timeouts.ts";
import { Shard } from "./shard.ts";

export type { DriverJob as SlicesJob, SliceTarget } from "./driver/slices.ts";

/** Processors used while slices are measured. */
export interface SlicerCpus {
  /** Processors of the driver, the process that loads the servers; null: all. */
  readonly driver: readonly number[] | null;
  /** Processors that are kept awake. */
  readonly awake: readonly number[];
}

const PROCESS = new URL("./driver/slices_process.ts", import.meta.url);
/**
 * Seconds that a block may take longer than planned before the driver counts as hung. Slow
 * responses make slices longer.
 */
const BLOCK_SLACK_S = 120;

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

/** Measures slices in a separate process that stays for a whole run. */
export class Slicer implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #cpus: SlicerCpus;
  readonly #shard: Shard<DriverJob, DrivenSlices>;
  /** Null before the first slices. */
  #awake: Awake | null = null;

  constructor(scope: ProcessScope, cpus: SlicerCpus = { driver: null, awake: [] }) {
    this.#scope = scope;
    this.#cpus = cpus;
    this.#shard = new Shard(scope, PROGRAM, cpus.driver);
  }

  /**
   * Loads several running servers in turn.
   *
   * @param abort ends the measurement early
   * @throws {Failure} if the process ends, hangs, or sends an unreadable reply.
   * @throws the reason of `abort` if that signal is aborted.
   */
  async measure(job: DriverJob, abort: AbortSignal): Promise<Omit<Slices, "usage">> {
    const { mostWarmupS, durationS, targets } = job;
    const limitS = timeouts().limitS ??
      3 * (mostWarmupS + durationS) * targets.length + BLOCK_SLACK_S;
    const awake = this.#keepAwake();
    awake.goOn();
    try {
      const slices = await this.#shard.measure(job, { limitS, abort });
      return { ...slices, isAwake: awake.isAwake };
    } finally {
      awake.pause();
    }
  }

  /** The ids of the driver's process and of the processes that keep processors awake. */
  get pids(): number[] {
    return [this.#shard.pid, ...this.#keepAwake().pids];
  }

  #keepAwake(): Awake {
    return this.#awake ??= new Awake(this.#scope, this.#cpus.awake);
  }

  /** Ends the processes. */
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
