/** Events of a run, as data. src/view/progress.ts turns them into text. */
import type { Block, BlockResult } from "./block.ts";
import type { Result } from "./derived.ts";
import type { FaultId } from "./fault.ts";
import type { Trial } from "./experiment.ts";
import type { TrialResult } from "./raw.ts";
import type { CpuProfile, Profile } from "./profile.ts";
import type { Report } from "./report.ts";

/** An activity other than a trial. It lasts until the next event. */
export type Phase =
  | { readonly kind: "database" }
  | { readonly kind: "fastest" }
  /** Before the run, compares the response times of an open loop with queueing theory at this rate. */
  | { readonly kind: "open-check"; readonly perS: number }
  | { readonly kind: "profiling"; readonly server: string; readonly scenario: string }
  /** Measures the ceiling of a load generator: its rate against the null server. */
  | ({ readonly kind: "ceiling"; readonly generator: string } & Counted)
  | ({ readonly kind: "fault"; readonly server: string; readonly fault: FaultId } & Counted)
  | {
    readonly kind: "building";
    /** Name of the server. */
    readonly server: string;
    /** Command that runs; null before the first one. */
    readonly command: string | null;
    /** Last line of output; null if the command has printed nothing. */
    readonly line: string | null;
    /** Seconds since the start of the build. */
    readonly tookS: number;
  };

/** The position of an item in a series. */
interface Counted {
  /** Position of the item, from 1. */
  readonly place: number;
  /** Number of items. */
  readonly of: number;
}

/** A message that stays on the screen. It contains the names of servers, not their ids. */
export type Note =
  | { readonly kind: "database"; readonly label: string; readonly isEmbedded: boolean }
  | { readonly kind: "building"; readonly server: string }
  /** Another process of Stampede builds the server, or uses a build that this process must replace. */
  | { readonly kind: "build-in-use"; readonly server: string }
  /** `bytes` is the size of the build's folder in the cache. */
  | {
    readonly kind: "built";
    readonly server: string;
    readonly tookS: number;
    readonly bytes: number;
  }
  | { readonly kind: "unpinned"; readonly reason: string }
  /** The reference server cannot be measured, so relative CPU stays unknown. */
  | { readonly kind: "no-reference"; readonly server: string; readonly reason: string }
  /** The ceiling of a load generator in responses per second. If it is unknown, `problem` says why. */
  | {
    readonly kind: "ceiling";
    readonly generator: string;
    readonly responsesPerS: number | null;
    readonly problem: string | null;
  }
  /**
   * The load generator that was chosen for `scenarios`, because no other generator supports them. If
   * `scenarios` is null, the generator was chosen for all other scenarios.
   */
  | {
    readonly kind: "loading";
    readonly generator: string;
    readonly scenarios: readonly string[] | null;
  }
  /** Scenarios that `generator` drives, because the load generators in `limited` would be the bottleneck. */
  | {
    readonly kind: "taken-over";
    readonly scenarios: readonly string[];
    readonly limited: readonly string[];
    readonly generator: string;
    /** Whether an earlier run on this machine made this choice. */
    readonly isKept: boolean;
  }
  /**
   * Parts of a request that are in the command line of a load generator. Other users of the machine can read
   * them.
   */
  | {
    readonly kind: "exposed";
    readonly generator: string;
    readonly parts: readonly ("query" | "headers")[];
  }
  /**
   * The responses of `scenarios` come in waves. The load generators in `generators` count the last, partial
   * wave wrongly. The load generator that `knows` names counts it correctly.
   */
  | {
    readonly kind: "waves";
    readonly scenarios: readonly string[];
    readonly generators: readonly string[];
    readonly knows: string;
  };

/** Why the run measures more than it first planned. */
export type WhyMore =
  | { readonly kind: "pilot"; readonly generators: readonly string[] }
  | { readonly kind: "width"; readonly round: number; readonly width: number }
  | {
    readonly kind: "scale";
    readonly scenario: string;
    readonly what: "shards" | "connections";
  }
  | { readonly kind: "confirm"; readonly round: number; readonly scenarios: readonly string[] }
  /**
   * Tests whether a server meets an SLO at a rate. If `isFresh`, the server's process is new; otherwise it
   * has handled load before.
   */
  | {
    readonly kind: "search";
    readonly variant: string;
    readonly scenario: string;
    readonly perS: number;
    readonly isFresh: boolean;
  }
  /** Measures response times at fractions of the capacity, which is `perS`. */
  | {
    readonly kind: "curve";
    readonly variant: string;
    readonly scenario: string;
    readonly perS: number;
  };

/** Windows and slices to measure. In each round the windows come first. */
export interface Plan {
  readonly trials: readonly Trial[];
  readonly blocks: readonly Block[];
}

/** One event of a run. */
export type RunEvent =
  | { readonly kind: "phase"; readonly phase: Phase }
  | { readonly kind: "note"; readonly note: Note }
  /** The plan of the first rounds. At most `mostAddedS` seconds may be added to it. */
  | { readonly kind: "plan"; readonly plan: Plan; readonly mostAddedS: number }
  /**
   * Measurements in addition to the plan. At most `mostAddedS` seconds may be added after them. Null means
   * the previous maximum minus the time of these measurements.
   */
  | {
    readonly kind: "more";
    readonly plan: Plan;
    readonly why: WhyMore;
    readonly mostAddedS: number | null;
  }
  | { readonly kind: "start"; readonly trial: Trial }
  /** A trial has ended. `result` is derived from the window of this trial only. */
  | { readonly kind: "result"; readonly trialResult: TrialResult; readonly result: Result }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "sliced"; readonly blockResult: BlockResult }
  /**
   * A server was profiled at a scenario, or could not be profiled. `threads` has V8's profile of each thread.
   */
  | {
    readonly kind: "profiled";
    readonly profile: Profile;
    readonly threads: readonly CpuProfile[];
  }
  | { readonly kind: "report"; readonly report: Report };
