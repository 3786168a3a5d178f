import { fileURLToPath } from "node:url";
import type { Slices } from "../model/block.ts";
import type { ProcessScope } from "../process/scope.ts";
import { Awake } from "./awake.ts";
import type { DrivenSlices, DriverJob } from "./driver/slices.ts";
import type { LineProgram } from "./generator.ts";
import { Shard } from "./shard.ts";

export type { SliceTarget } from "./driver/slices.ts";

/** A block at one scenario, as it is asked for. */
export interface SlicesJob extends DriverJob {
  /** Processors to be kept from falling asleep. */
  readonly awakeCpus: readonly number[];
}

const PROCESS = new URL("./driver/slices_process.ts", import.meta.url);
/** What a block may take beyond what it is asked for, as answers that are slow make slices longer. */
const SLACK_S = 120;

const PROGRAM: LineProgram<DriverJob, DrivenSlices> = {
  id: "stampede",
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const answer: unknown = JSON.parse(line);
    if (!isSlices(answer)) throw new SyntaxError("not slices");
    return answer;
  },
};

/** Drives slices, in a process of its own that stays for a whole run. */
export class Slicer implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #shard: Shard<DriverJob, DrivenSlices>;

  /** @param cpus the processors that it may use; null: all. */
  constructor(scope: ProcessScope, cpus: readonly number[] | null = null) {
    this.#scope = scope;
    this.#shard = new Shard(scope, PROGRAM, cpus);
  }

  /**
   * Loads servers that are alive at once, in turn.
   *
   * @param abort ends it early
   * @throws {Failure} if the process ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  async measure({ awakeCpus, ...job }: SlicesJob, abort: AbortSignal): Promise<Slices> {
    const { warmupS, durationS, targets } = job;
    const limitS = 3 * (warmupS + durationS) * targets.length + SLACK_S;
    await using awake = new Awake(this.#scope, awakeCpus);
    const slices = await this.#shard.measure(job, { limitS, abort });
    return { ...slices, isAwake: awake.isAwake };
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shard[Symbol.asyncDispose]();
  }
}

function isSlices(value: unknown): value is DrivenSlices {
  if (typeof value !== "object" || value === null) return false;
  const { order, arms } = value as Partial<DrivenSlices>;
  return Array.isArray(order) && Array.isArray(arms);
}
