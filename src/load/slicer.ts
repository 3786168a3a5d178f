import { fileURLToPath } from "node:url";
import type { Slices } from "../model/block.ts";
import type { ProcessScope } from "../process/scope.ts";
import type { SlicesJob } from "./driver/slices.ts";
import type { LineProgram } from "./generator.ts";
import { Shard } from "./shard.ts";

export type { SlicesJob, SliceTarget } from "./driver/slices.ts";

const PROCESS = new URL("./driver/slices_process.ts", import.meta.url);
/** What a block may take beyond what it is asked for, as answers that are slow make slices longer. */
const SLACK_S = 120;

const PROGRAM: LineProgram<SlicesJob, Slices> = {
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
  readonly #shard: Shard<SlicesJob, Slices>;

  /** @param cpus the processors that it may use; null: all. */
  constructor(scope: ProcessScope, cpus: readonly number[] | null = null) {
    this.#shard = new Shard(scope, PROGRAM, cpus);
  }

  /**
   * Loads servers that are alive at once, in turn.
   *
   * @param abort ends it early
   * @throws {Failure} if the process ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  measure(job: SlicesJob, abort: AbortSignal): Promise<Slices> {
    const { warmupS, durationS, targets } = job;
    const limitS = 3 * (warmupS + durationS) * targets.length + SLACK_S;
    return this.#shard.measure(job, { limitS, abort });
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shard[Symbol.asyncDispose]();
  }
}

function isSlices(value: unknown): value is Slices {
  if (typeof value !== "object" || value === null) return false;
  const { order, arms } = value as Partial<Slices>;
  return Array.isArray(order) && Array.isArray(arms);
}
