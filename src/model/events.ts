/** Events of a run, as data. src/view/progress.ts words them. */
import type { Block, BlockResult } from "./block.ts";
import type { Result } from "./derived.ts";
import type { FaultId } from "./fault.ts";
import type { Trial } from "./experiment.ts";
import type { TrialResult } from "./raw.ts";
import type { CpuProfile, Profile } from "./profile.ts";
import type { Report } from "./report.ts";

/** An activity other than a trial. The next event ends it. */
export type Phase =
  | { readonly kind: "database" }
  | { readonly kind: "fastest" }
  /** Checks the open loop at this rate. */
  | { readonly kind: "open-check"; readonly perS: number }
  | { readonly kind: "profiling"; readonly server: string; readonly scenario: string }
  /** Measures the ceiling of a load generator. */
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
export interface Counted {
  /** Starts at 1. */
  readonly place: number;
  readonly of: number;
}

/** A lasting message to the user. Servers appear by name. */
export type Note =
  | { readonly kind: "database"; readonly label: string; readonly isEmbedded: boolean }
  | { readonly kind: "building"; readonly server: string }
  /** Another Stampede builds the server, or uses a build that must be replaced. */
  | { readonly kind: "build-in-use"; readonly server: string }
  /** `bytes` is the size of the build's folder in the cache. */
  | {
    readonly kind: "built";
    readonly server: string;
    readonly tookS: number;
    readonly bytes: number;
  }
  | { readonly kind: "unpinned"; readonly reason: string }
  /** Relative CPU stays unknown. */
  | { readonly kind: "no-reference"; readonly server: string; readonly reason: string }
  /** The ceiling of a load generator in responses per second, or why it is unknown. */
  | {
    readonly kind: "ceiling";
    readonly generator: string;
    readonly responsesPerS: number | null;
    readonly problem: string | null;
  }
  /** The chosen load generator; `scenarios` is null for all, or names the ones with waves. */
  | {
    readonly kind: "loading";
    readonly generator: string;
    readonly scenarios: readonly string[] | null;
  }
  /** Scenarios with a replaced load generator, because the variants' own would be the bottleneck. */
  | {
    readonly kind: "taken-over";
    readonly scenarios: readonly string[];
    readonly limited: readonly string[];
    readonly generator: string;
    /** Whether an earlier run on this machine decided this. */
    readonly isKept: boolean;
  }
  /** Parts of a request in a load generator's command line, where other users can read them. */
  | {
    readonly kind: "exposed";
    readonly generator: string;
    readonly parts: readonly ("query" | "headers")[];
  }
  /** Load generators that cannot align with waves of responses, and the one that can. */
  | {
    readonly kind: "waves";
    readonly scenarios: readonly string[];
    readonly generators: readonly string[];
    readonly knows: string;
  };

/** Why more is measured than was planned. */
export type WhyMore =
  | { readonly kind: "pilot"; readonly generators: readonly string[] }
  | { readonly kind: "width"; readonly round: number; readonly width: number }
  | {
    readonly kind: "scale";
    readonly scenario: string;
    readonly what: "shards" | "connections";
  }
  | { readonly kind: "confirm"; readonly round: number; readonly scenarios: readonly string[] }
  /** Tests whether an SLO is met at a rate, by a process with earlier load or by a fresh one. */
  | {
    readonly kind: "search";
    readonly variant: string;
    readonly scenario: string;
    readonly perS: number;
    readonly isFresh: boolean;
  }
  /** Measures response times at fractions of the capacity. */
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
  /** The first rounds, and the maximum number of seconds that may be added to them. */
  | { readonly kind: "plan"; readonly plan: Plan; readonly mostAddedS: number }
  /**
   * More measurements. `mostAddedS` is the maximum number of seconds after them; null subtracts this plan's
   * time.
   */
  | {
    readonly kind: "more";
    readonly plan: Plan;
    readonly why: WhyMore;
    readonly mostAddedS: number | null;
  }
  | { readonly kind: "start"; readonly trial: Trial }
  /** A trial has ended. `result` is derived from its window only. */
  | { readonly kind: "result"; readonly trialResult: TrialResult; readonly result: Result }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "sliced"; readonly blockResult: BlockResult }
  /** A server was profiled at a scenario, or could not be. `threads` has V8's profile of each thread. */
  | {
    readonly kind: "profiled";
    readonly profile: Profile;
    readonly threads: readonly CpuProfile[];
  }
  | { readonly kind: "report"; readonly report: Report };
