import type { ResultContext } from "../analysis/derive_results.ts";
import type { GeneratorOf } from "../experiment/planner.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Blocks } from "./measure_blocks.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import type { Generators, OpenTestbed, ProgressListener } from "./testbed.ts";
import type { ProfilesEvent } from "./take_profiles.ts";
import type { Recorder } from "./recorder.ts";
import type { ServerRounds } from "./server_rounds.ts";
import type { Emit } from "./event_stream.ts";

/** Everything that is needed to measure an experiment, before the first measurement. */
export interface RunContext {
  readonly experiment: Experiment;
  /** Variants that can be measured. */
  readonly variants: readonly Variant[];
  readonly reference: Variant | null;
  readonly generators: readonly PresentGenerator[];
  readonly generatorOf: GeneratorOf;
  readonly context: ResultContext;
  readonly testbed: OpenTestbed;
  readonly recorder: Recorder;
  readonly pool: Generators;
  readonly serverRounds: ServerRounds;
  /** Null if nothing is measured in slices. */
  readonly sliced: Blocks | null;
  /** Servers that keep running between windows, by variant. */
  readonly kept: ReadonlyMap<string, RunningServer>;
  /** Stops the kept servers. */
  release(): Promise<void>;
  /** Returns the milliseconds of a monotonic clock. */
  nowMs(): number;
  readonly onProgress: ProgressListener;
  readonly emit: Emit<RunEvent>;
  readonly onProfile: (event: ProfilesEvent) => Promise<void>;
  readonly signal: AbortSignal;
}
