/** What the engine tells while a run goes on, as data: src/view/progress.ts has the words. */
import type { Block, BlockResult } from "./block.ts";
import type { Result } from "./derived.ts";
import type { FaultId } from "./fault.ts";
import type { Trial } from "./experiment.ts";
import type { TrialResult } from "./raw.ts";
import type { CpuProfile, Profile } from "./profile.ts";
import type { Report } from "./report.ts";

/** What is being done that is no trial; the next thing replaces it. */
export type Phase =
  | { readonly kind: "database" }
  | { readonly kind: "fastest" }
  /** Whether the open loop is right at this rate. */
  | { readonly kind: "open-check"; readonly perS: number }
  | { readonly kind: "profiling"; readonly server: string; readonly scenario: string }
  /** The highest rate of a load generator is measured. */
  | ({ readonly kind: "ceiling"; readonly generator: string } & Counted)
  | ({ readonly kind: "fault"; readonly server: string; readonly fault: FaultId } & Counted)
  | {
    readonly kind: "building";
    /** Its name. */
    readonly server: string;
    /** Null before the first one. */
    readonly command: string | null;
    /** What the build printed last; null if nothing since the command began. */
    readonly line: string | null;
    /** From the start of the build. */
    readonly tookS: number;
  };

/** The place of one thing among several like it. */
export interface Counted {
  /** From 1. */
  readonly place: number;
  readonly of: number;
}

/** What a person should know, and what stays on the screen. Servers stand by their names. */
export type Note =
  | { readonly kind: "database"; readonly label: string; readonly isEmbedded: boolean }
  | { readonly kind: "building"; readonly server: string }
  /** Another Stampede builds it, or uses a build that is to be made anew. */
  | { readonly kind: "build-in-use"; readonly server: string }
  /** `bytes` is the size of its folder in the cache. */
  | {
    readonly kind: "built";
    readonly server: string;
    readonly tookS: number;
    readonly bytes: number;
  }
  | { readonly kind: "unpinned"; readonly reason: string }
  /** The relative CPU time of responses stays unknown. */
  | { readonly kind: "no-reference"; readonly server: string; readonly reason: string }
  /** What a load generator reached against canned bytes, or why nothing. */
  | {
    readonly kind: "ceiling";
    readonly generator: string;
    readonly responsesPerS: number | null;
    readonly problem: string | null;
  }
  /** The load generator that was chosen; null: for all scenarios, or else for those with waves. */
  | {
    readonly kind: "loading";
    readonly generator: string;
    readonly scenarios: readonly string[] | null;
  }
  /** Scenarios at which the variants' own load generators would be the bottleneck, and the one that drives them. */
  | {
    readonly kind: "taken-over";
    readonly scenarios: readonly string[];
    readonly limited: readonly string[];
    readonly generator: string;
    /** Whether an earlier run on this machine found that. */
    readonly isKept: boolean;
  }
  /** What of a request stands in a load generator's command line, where others can read it. */
  | {
    readonly kind: "exposed";
    readonly generator: string;
    readonly parts: readonly ("query" | "headers")[];
  }
  /** Load generators that do not know where a wave of responses begins, and the one that does. */
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
  /** Whether an SLO is met at a rate, by a process with load before or by a fresh one. */
  | {
    readonly kind: "search";
    readonly variant: string;
    readonly scenario: string;
    readonly perS: number;
    readonly isFresh: boolean;
  }
  /** Response times at shares of the rate that is held. */
  | {
    readonly kind: "curve";
    readonly variant: string;
    readonly scenario: string;
    readonly perS: number;
  };

/** Windows and slices to be measured; each round has its windows first. */
export interface Plan {
  readonly trials: readonly Trial[];
  readonly blocks: readonly Block[];
}

/** One thing that happens in a run. */
export type RunEvent =
  | { readonly kind: "phase"; readonly phase: Phase }
  | { readonly kind: "note"; readonly note: Note }
  /** The first rounds, and how many seconds may be added to them at most. */
  | { readonly kind: "plan"; readonly plan: Plan; readonly mostAddedS: number }
  /** More is measured; seconds that may follow it at most, null: as many fewer as this plan takes. */
  | {
    readonly kind: "more";
    readonly plan: Plan;
    readonly why: WhyMore;
    readonly mostAddedS: number | null;
  }
  | { readonly kind: "start"; readonly trial: Trial }
  /** A trial has ended; the result is what its window alone says. */
  | { readonly kind: "result"; readonly trialResult: TrialResult; readonly result: Result }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "sliced"; readonly blockResult: BlockResult }
  /** A server was profiled at a scenario, or could not be; what V8 said, one for each thread. */
  | {
    readonly kind: "profiled";
    readonly profile: Profile;
    readonly threads: readonly CpuProfile[];
  }
  | { readonly kind: "report"; readonly report: Report };
